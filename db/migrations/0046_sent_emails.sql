-- Each e-mail about an order as it left. Its row stays when the mail is sent again, and goes with the customer's erasure
-- or the order: here, because the previous version, which runs during an upgrade, does not know this table.
create table sent_emails (
	-- the id of its row of mails, which a repeated sending replaces
	mail_id uuid primary key,
	order_id uuid not null references orders on delete cascade,
	kind text not null,
	sent_at timestamptz not null,
	-- when it came back; the row of mails says it too, until the mail is sent again
	bounced_at timestamptz,
	-- as it was; null once its owner is erased
	recipient text,
	-- the customer's and the recipients' addresses that it went to or names, normalised, so that an erasure finds them
	addresses text[] not null,
	-- subject, text and HTML as JSON, compressed by Brotli; its signed links are replaced
	content bytea not null,
	-- name, size and SHA-256 of each attached file
	attachments jsonb not null
);
alter table sent_emails alter column content set storage external;
create index sent_emails_order on sent_emails (order_id);
create index sent_emails_addresses on sent_emails using gin (addresses);

create function delete_sent_emails() returns trigger language plpgsql as $$
begin
	delete from sent_emails where order_id = new.id;
	return null;
end $$;
create trigger erased_order_has_no_emails after update of erased_at on orders for each row
	when (new.erased_at is not null) execute function delete_sent_emails();
