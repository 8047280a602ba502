-- The books of the shop: entries that never change, closed months with their files, and what extracts cost.
-- Owned by app/books (docs/decisions/0033-the-books.md).

-- An entry of the journal. It names its order or payout, and no person.
create table account_entries (
	id bigint generated always as identity primary key,
	fact text not null unique, -- what it books, once: `invoice:F2026-000001`, `payment:pi_…`
	journal text not null check (journal in ('VT', 'PP', 'BQ')), -- sales, payment provider, bank
	year integer not null, number_in_year integer not null check (number_in_year > 0),
	entry_date date not null, piece_ref text not null, piece_date date not null,
	label text not null,
	subject text not null, -- the order or payout: its lines of one account are lettered together
	lines jsonb not null, -- [{ "account", "number", "debit", "credit" }], in cents
	-- of a sale or credit note: the month in which its VAT is declared, its rate in percent, base and VAT in cents
	vat_month date, vat_rate numeric(4, 2), net_cents integer, vat_cents integer,
	posted_at timestamptz not null,
	unique (journal, year, number_in_year),
	check (
		(vat_month is null) = (vat_rate is null) and (vat_month is null) = (net_cents is null) and (vat_month is null) = (vat_cents is null)
	),
	check (vat_month is null or extract(day from vat_month) = 1)
);
create index account_entries_date on account_entries (entry_date);
create index account_entries_subject on account_entries (subject);
create index account_entries_vat_month on account_entries (vat_month) where vat_month is not null;

-- A closed month. Its files are objects of the document storage: [{ "name", "object", "sha256", "bytes" }].
create table account_closings (
	month date primary key check (extract(day from month) = 1),
	closed_at timestamptz not null, closed_by text not null, files jsonb not null
);

-- Nothing is changed, and nothing is added to a closed month. After ten years all of it may be deleted.
create function keep_accounts() returns trigger language plpgsql as $$
begin
	if tg_op = 'DELETE' and current_setting('shop.purging_accounts', true) = 'on' then return old; end if;
	if tg_op <> 'INSERT' then raise exception 'the books are not changed'; end if;
	if exists (select from account_closings where month >= date_trunc('month', new.entry_date)::date) then
		raise exception 'the month of % is closed', new.entry_date;
	end if;
	if exists (select from account_closings where month >= new.vat_month) then
		raise exception 'the VAT of % is closed', new.vat_month;
	end if;
	if (select sum((line->>'debit')::bigint) is distinct from sum((line->>'credit')::bigint) from jsonb_array_elements(new.lines) line) then
		raise exception 'the entry % does not balance', new.fact;
	end if;
	return new;
end $$;
create trigger account_entries_are_kept before insert or update or delete on account_entries
	for each row execute function keep_accounts();

create function keep_closings() returns trigger language plpgsql as $$
begin
	if tg_op = 'DELETE' and current_setting('shop.purging_accounts', true) = 'on' then return old; end if;
	raise exception 'a closed month is not changed';
end $$;
create trigger account_closings_are_kept before update or delete on account_closings for each row execute function keep_closings();

-- What the greffe charged for the extract of an order. The newest row counts; an order without one cost the usual price.
create table extract_costs (
	id bigint generated always as identity primary key,
	order_number text not null,
	amount_cents integer not null check (amount_cents >= 0),
	recorded_at timestamptz not null
);
create index extract_costs_order on extract_costs (order_number);
