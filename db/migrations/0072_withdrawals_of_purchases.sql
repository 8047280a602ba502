-- A declaration of withdrawal may be for several orders of a purchase: one row for each, with the same declaration and what it gave back.
-- Rows without them are declarations for one order, made before, or by the previous version while both run.

alter table withdrawals
	add column if not exists declaration_id uuid,
	add column if not exists refund_cents integer check (refund_cents >= 0);
create index if not exists withdrawals_declaration on withdrawals (declaration_id);
