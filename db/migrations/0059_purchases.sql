-- A purchase is what is paid at once: one or more orders of one customer. Its id is the id of its first order, and
-- `payments`, `payment_sessions`, `payment_attempts` and `invoices` name that order. `refunds` and credit notes of
-- refunds name the order that is refunded.

alter table orders
	add column purchase_id uuid,
	-- its place among the lines of the invoice, from 1
	add column purchase_line integer not null default 1 check (purchase_line > 0),
	-- the customer's own reference, such as « dossier 2026-114 »
	add column reference text;

-- the version before inserts orders without a purchase: each is its own
create function set_purchase() returns trigger language plpgsql as $$
begin
	new.purchase_id := coalesce(new.purchase_id, new.id);
	return new;
end $$;
create trigger orders_have_a_purchase before insert on orders for each row execute function set_purchase();
