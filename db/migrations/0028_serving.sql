-- What operators do with an order at the desk before its extract is delivered.

-- A file that an operator dropped for an order and that nobody has delivered yet. The bytes stand in the row, not in the storage: they go
-- with it after a day at most, and no other process has to know the file.
create table extract_drafts (
	id uuid primary key,
	order_id uuid not null references orders on delete cascade,
	-- the operator's id
	operator text not null,
	file bytea not null,
	file_name text not null,
	-- hexadecimal
	sha256 text not null,
	-- what the checks found
	facts jsonb not null,
	dropped_at timestamptz not null
);
-- a PDF is compressed already
alter table extract_drafts alter column file set storage external;
create unique index extract_drafts_one_per_operator on extract_drafts (order_id, operator);
create index extract_drafts_operator on extract_drafts (operator, dropped_at);
create index extract_drafts_dropped_at on extract_drafts (dropped_at);

-- The operators' own words about an order; they go with the customer.
create table order_notes (
	id uuid primary key,
	order_id uuid not null references orders on delete cascade,
	operator text not null,
	text text not null,
	created_at timestamptz not null
);
create index order_notes_order on order_notes (order_id);

-- Who uploaded the extract or reported that there is none, what they confirmed of it, and why the registry has none.
alter table extract_requests
	add column served_by text,
	add column confirmed text[],
	add column not_found_because text,
	add constraint extract_requests_not_found_because_check
		check (not_found_because in ('removed', 'wrong-siren', 'no-kbis', 'unknown')) not valid;
