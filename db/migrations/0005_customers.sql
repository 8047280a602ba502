-- Customers who come back: the sign-in by the link of an e-mail, documents shown to others, and visits that were ended.
-- Owned by app/customer/sign-in, app/customer/sharing and app/customer/tracking/visits.

-- The tables of better-auth (https://better-auth.com/docs/concepts/database), with our spelling of columns.
create schema customers;

-- a mailbox, which has a row while a session of it is open
create table customers."user" (
	id uuid primary key default gen_random_uuid(), name text not null, email text not null unique,
	email_verified boolean not null, image text,
	created_at timestamptz not null default now(), updated_at timestamptz not null default now()
);

create table customers.session (
	id uuid primary key default gen_random_uuid(), token text not null unique, expires_at timestamptz not null,
	created_at timestamptz not null default now(), updated_at timestamptz not null,
	ip_address text, -- better-auth writes an empty text: no address of a client is kept
	user_agent text,
	user_id uuid not null references customers."user" on delete cascade
);
create index customer_sessions_of_user on customers.session (user_id);
create index customer_sessions_end on customers.session (expires_at);

-- always empty, because there is no password; better-auth refuses to start without it
create table customers.account (
	id uuid primary key default gen_random_uuid(), account_id text not null, provider_id text not null,
	user_id uuid not null references customers."user" on delete cascade,
	access_token text, refresh_token text, id_token text, scope text, password text,
	access_token_expires_at timestamptz, refresh_token_expires_at timestamptz,
	created_at timestamptz not null default now(), updated_at timestamptz not null
);

-- links that were sent and not used; `identifier` has the hash of the link's token, `value` the mailbox
create table customers.verification (
	id uuid primary key default gen_random_uuid(), identifier text not null, value text not null,
	expires_at timestamptz not null,
	created_at timestamptz not null default now(), updated_at timestamptz not null default now()
);
create unique index customer_links on customers.verification (identifier);
create index customer_links_of_mailbox on customers.verification (value);

-- Links by which a customer shows a delivered document to others. The link is the signed id of its row, so nothing here opens a document.
create table document_shares (
	id uuid primary key, document_id uuid not null references documents on delete cascade,
	label text check (length(label) between 1 and 60), -- the customer's own name of the reader
	code_hash text, -- salt and key of scrypt; null where no code word is asked for
	code_failures integer not null default 0, -- wrong code words, ever; also the one that is being compared
	created_at timestamptz not null, expires_at timestamptz not null,
	revoked_at timestamptz -- taken back by the customer, or ended with the address of the order
);
create index document_shares_document on document_shares (document_id);
create index document_shares_end on document_shares (least(expires_at, revoked_at));

-- The days on which a share was opened, or its file downloaded. It says nothing of the reader.
create table document_share_openings (
	share_id uuid not null references document_shares on delete cascade,
	kind text not null check (kind in ('opened', 'downloaded')),
	day date not null, first_at timestamptz not null, last_at timestamptz not null, count integer not null,
	primary key (share_id, kind, day)
);

-- Anyone who had the previous address of an order may have made links: they end with it. An erasure deletes them. A trigger, because
-- addresses are corrected in three places, and so that whatever erases an order deletes its links with it.
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

-- Of an archived order only the contract stays.
create function keep_contract_only() returns trigger language plpgsql as $$
begin
	delete from sent_emails where order_id = new.id and kind <> 'confirmation';
	delete from document_shares using documents where documents.id = document_shares.document_id and documents.order_id = new.id;
	return null;
end $$;
create trigger archived_order_keeps_its_contract after update of archived_at on orders for each row
	when (new.archived_at is not null) execute function keep_contract_only();

-- Visits that ended before their cookies: « Quitter » closes all orders that one visit opened, also where a cookie was copied.
-- A cookie is valid for an hour, so a row is of no use after it.
create table ended_visits (id text primary key, ended_at timestamptz not null);
