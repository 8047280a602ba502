-- Links by which a customer shows a delivered document to others. The link is the signed id of its row, so nothing here opens a document.
create table document_shares (
	id uuid primary key,
	document_id uuid not null references documents on delete cascade,
	-- the customer's own name of the reader
	label text check (length(label) between 1 and 60),
	-- salt and key of scrypt; null where no code word is asked for
	code_hash text,
	-- wrong code words, ever; also the one that is being compared
	code_failures integer not null default 0,
	created_at timestamptz not null,
	expires_at timestamptz not null,
	-- taken back by the customer, or ended with the address of the order
	revoked_at timestamptz
);
create index document_shares_document on document_shares (document_id);
create index document_shares_end on document_shares (least(expires_at, revoked_at));

-- The days on which a share was opened, or its file downloaded. It says nothing of the reader.
create table document_share_openings (
	share_id uuid not null references document_shares on delete cascade,
	kind text not null check (kind in ('opened', 'downloaded')),
	day date not null,
	first_at timestamptz not null,
	last_at timestamptz not null,
	count integer not null,
	primary key (share_id, kind, day)
);

-- Whoever had the previous address of an order may have made links: they end with it. An erasure deletes them. Here, because an
-- address is corrected in several places, and the previous version, which runs during an upgrade, does not know this table.
create function end_document_shares() returns trigger language plpgsql as $$
begin
	if new.erased_at is not null then
		delete from document_shares using documents where documents.id = document_shares.document_id and documents.order_id = new.id;
	else
		update document_shares set revoked_at = now() from documents
		where documents.id = document_shares.document_id and documents.order_id = new.id and revoked_at is null;
	end if;
	return null;
end $$;
create trigger shares_end_with_their_customer after update of customer_email, erased_at on orders for each row
	when (new.erased_at is not null or new.customer_email <> old.customer_email) execute function end_document_shares();
