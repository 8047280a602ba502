-- Who proves to hold a mailbox finds its invoices for ten years, although the customer's data are erased after three: each invoice then
-- has a keyed fingerprint of the address (HMAC-SHA-256), from which no address can be read. Customers who were erased before have none.
alter table invoices add column mailbox_fingerprint bytea check (octet_length(mailbox_fingerprint) = 32);
create index invoices_of_mailbox on invoices (mailbox_fingerprint) where mailbox_fingerprint is not null;

-- The keys of the fingerprints, encrypted with the secret of the shop. One, unless that secret was lost.
create table mailbox_keys (
	id uuid primary key,
	encrypted bytea not null,
	created_at timestamptz not null
);

-- the fingerprint may come and go; all else of an issued invoice stays, as before
create or replace function keep_invoice() returns trigger language plpgsql as $$
begin
	if tg_op = 'DELETE' then
		if current_setting('shop.purging_invoices', true) = 'on' then return old; end if;
		raise exception 'an issued invoice is not deleted';
	end if;
	if to_jsonb(new) - 'mailbox_fingerprint' = to_jsonb(old) - 'mailbox_fingerprint' then return new; end if;
	if old.document_id is null and to_jsonb(new) - 'document_id' = to_jsonb(old) - 'document_id' then return new; end if;
	raise exception 'an issued invoice is not changed';
end $$;
