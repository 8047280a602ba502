-- From paid to delivered: what people do with an order, its documents, invoices and letters.
-- Owned by app/fulfilment, app/orders/documents and app/orders/invoices.

-- The file of an extract, an invoice or a credit note. It stands in the document storage; the row has its hash.
create table documents (
	id uuid primary key, order_id uuid not null references orders,
	doc_type text not null check (doc_type in ('kbis', 'invoice', 'credit_note')),
	issued_at timestamptz not null, storage_path text not null, sha256 text not null, bytes integer not null,
	created_at timestamptz not null,
	purged_at timestamptz, -- its file is gone; the row and its hash stay
	replaced_at timestamptz, -- an extract that was delivered and then replaced by another: its row and its hash stay
	replaced_because text -- the operator's words; they go with the customer
);
create unique index documents_one_extract_per_order on documents (order_id) where doc_type = 'kbis' and replaced_at is null;
create index documents_order on documents (order_id);
create index documents_hash on documents (sha256);
create index documents_created on documents (created_at) where purged_at is null;
create index documents_kept_extracts on documents (created_at) where doc_type = 'kbis' and purged_at is null;
-- whether another document needs a file
create index documents_path on documents (storage_path) where purged_at is null;

-- The days on which a document was opened by its link: the proof of its delivery.
create table document_openings (
	document_id uuid not null references documents on delete cascade,
	day date not null, first_at timestamptz not null, last_at timestamptz not null, count integer not null,
	primary key (document_id, day)
);

-- What an order waits for that people serve, and what they answered: the extract that they uploaded, or that there is none.
create table extract_requests (
	order_id uuid primary key references orders,
	requested_at timestamptz not null,
	served_by text, -- who uploaded the extract or reported that there is none
	confirmed text[], -- what they confirmed of it
	storage_path text, sha256 text unique, bytes integer, issued_at timestamptz, uploaded_at timestamptz,
	not_found_at timestamptz,
	not_found_because text check (not_found_because in ('removed', 'wrong-siren', 'no-kbis', 'unknown')),
	printed_at timestamptz, -- when the letter and its extract were printed; null again after another extract
	tracking_number text, posted_at timestamptz
);
create index extract_requests_uploaded on extract_requests (uploaded_at) where storage_path is not null;
-- whether a file was handed in and is kept
create index extract_requests_path on extract_requests (storage_path) where storage_path is not null;
create trigger extract_requests_are_copied after update on extract_requests for each row execute function request_order_copy();

-- A file that an operator dropped for an order and that nobody has delivered yet. The bytes stand in the row, not in the storage: they
-- go with it after a day at most, and no other process has to know the file.
create table extract_drafts (
	id uuid primary key, order_id uuid not null references orders on delete cascade,
	operator text not null, -- the operator's id
	file bytea not null, file_name text not null,
	sha256 text not null, -- hexadecimal
	facts jsonb not null, -- what the checks found
	dropped_at timestamptz not null
);
-- a PDF is compressed already
alter table extract_drafts alter column file set storage external;
create unique index extract_drafts_one_per_operator on extract_drafts (order_id, operator);
create index extract_drafts_operator on extract_drafts (operator, dropped_at);
create index extract_drafts_dropped_at on extract_drafts (dropped_at);

-- Several people serve orders side by side: who works on which one, for twenty minutes at a time. A row whose time has run out counts
-- no more; the next one who takes the order overwrites it.
create table order_claims (
	order_id uuid primary key references orders on delete cascade,
	-- the operator's id and name; no foreign key, as accounts may go while the order stays
	operator_id text not null, operator_name text not null,
	claimed_at timestamptz not null, expires_at timestamptz not null
);
create index order_claims_operator on order_claims (operator_id);

-- An order that has ended is nobody's.
create function delete_order_claim() returns trigger language plpgsql as $$
begin delete from order_claims where order_id = new.id; return null; end $$;
create trigger ended_orders_are_nobodys after update of status on orders
	for each row when (new.status in ('completed', 'failed') and old.status is distinct from new.status)
	execute function delete_order_claim();

-- The operators' own words about an order; they go with the customer.
create table order_notes (
	id uuid primary key, order_id uuid not null references orders on delete cascade,
	operator text not null, text text not null, created_at timestamptz not null
);
create index order_notes_order on order_notes (order_id);

-- The letters of each PDF that an operator downloaded to print, so that « C’est imprimé » marks those and no others.
create table letter_runs (
	id uuid primary key,
	operator_id text not null, -- the operator's id; no foreign key, as accounts may go
	made_at timestamptz not null,
	-- its orders, and the extract of each when the PDF was made, as SHA-256 in hexadecimal; no reference, as the orders may be deleted
	order_ids uuid[] not null, hashes text[] not null,
	marked_at timestamptz, -- when the operator said that it is printed
	check (cardinality(order_ids) = cardinality(hashes))
);
create index letter_runs_of_operator on letter_runs (operator_id, made_at desc);

-- The last number of each series of invoices. Its row is the lock under which a number is taken.
create table invoice_series (
	kind text not null check (kind in ('invoice', 'credit_note')),
	year integer not null, last_number integer not null,
	last_issued_at timestamptz not null, -- numbers follow the calendar: no invoice is dated before the one with the number below
	primary key (kind, year)
);

-- Numbers of a series that no invoice of this database has, each with the reason, for the accountant.
create table invoice_gaps (
	kind text not null check (kind in ('invoice', 'credit_note')),
	year integer not null, number_in_year integer not null check (number_in_year > 0),
	reason text not null, recorded_at timestamptz not null,
	primary key (kind, year, number_in_year)
);

-- Invoices and credit notes: what was issued, whole, in `data`. An invoice names the first order of its purchase, and so does the
-- credit note of a cancelled invoice; that of a refund names the order that is refunded.
create table invoices (
	id uuid primary key,
	kind text not null check (kind in ('invoice', 'credit_note')),
	year integer not null, number_in_year integer not null check (number_in_year > 0),
	number text not null unique,
	order_id uuid not null references orders,
	refund_id uuid unique references refunds, -- of a credit note; that of a cancelled invoice has none, as no money goes back
	corrects uuid references invoices, -- of a credit note: its invoice
	replaces uuid references invoices, -- the cancelled invoice in whose place this one is
	issued_at timestamptz not null,
	total_cents integer not null check (total_cents > 0),
	data jsonb not null,
	document_id uuid references documents,
	-- Who proves to hold a mailbox finds its invoices for ten years, although the customer's data are erased after three: each invoice
	-- then has a keyed fingerprint of the address (HMAC-SHA-256), from which no address can be read.
	mailbox_fingerprint bytea check (octet_length(mailbox_fingerprint) = 32),
	unique (kind, year, number_in_year),
	constraint invoices_check check (
		case kind when 'invoice' then refund_id is null and corrects is null else corrects is not null and replaces is null end
	)
);
create unique index invoices_first_of_order on invoices (order_id) where kind = 'invoice' and replaces is null;
create unique index invoices_replaced_once on invoices (replaces) where replaces is not null;
create unique index invoices_cancelled_once on invoices (corrects) where kind = 'credit_note' and refund_id is null;
create index invoices_order on invoices (order_id);
create index invoices_without_document on invoices (issued_at) where document_id is null;
-- Deleting a row has PostgreSQL look for those that name it, one by one: without these it reads the whole table each time.
create index invoices_document on invoices (document_id) where document_id is not null;
create index invoices_corrects on invoices (corrects) where corrects is not null;
create index invoices_of_mailbox on invoices (mailbox_fingerprint) where mailbox_fingerprint is not null;
create trigger invoices_are_copied after insert on invoices for each row execute function request_order_copy();

-- What was issued stays as it is (CGI art. 289): only its PDF is added, once, and the fingerprint comes and goes. Ten years later all
-- of it goes.
create function keep_invoice() returns trigger language plpgsql as $$
begin
	if tg_op = 'DELETE' then
		if current_setting('shop.purging_invoices', true) = 'on' then return old; end if;
		raise exception 'an issued invoice is not deleted';
	end if;
	if to_jsonb(new) - 'mailbox_fingerprint' = to_jsonb(old) - 'mailbox_fingerprint' then return new; end if;
	if old.document_id is null and to_jsonb(new) - 'document_id' = to_jsonb(old) - 'document_id' then return new; end if;
	raise exception 'an issued invoice is not changed';
end $$;
create trigger invoices_are_kept before update or delete on invoices for each row execute function keep_invoice();

-- The keys of the fingerprints, encrypted with the secret of the shop. One, unless that secret was lost.
create table mailbox_keys (id uuid primary key, encrypted bytea not null, created_at timestamptz not null);
