-- The letters of each PDF that an operator downloaded to print, so that « C’est imprimé » marks those and no others.
create table letter_runs (
	id uuid primary key,
	-- the operator's id; no foreign key, as accounts may go
	operator_id text not null,
	made_at timestamptz not null,
	-- its orders, and the extract of each when the PDF was made, as SHA-256 in hexadecimal; no reference, as the orders may be deleted
	order_ids uuid[] not null,
	hashes text[] not null,
	-- when the operator said that it is printed
	marked_at timestamptz,
	check (cardinality(order_ids) = cardinality(hashes))
);
create index letter_runs_of_operator on letter_runs (operator_id, made_at desc);
