-- Several people serve orders side by side: who works on which one, for twenty minutes at a time.
-- A row whose time has run out counts no more; the next one who takes the order overwrites it.
create table order_claims (
	order_id uuid primary key references orders on delete cascade,
	-- the operator's id and name; no foreign key, as accounts may go while the order stays
	operator_id text not null,
	operator_name text not null,
	claimed_at timestamptz not null,
	expires_at timestamptz not null
);
create index order_claims_operator on order_claims (operator_id);

-- The queue: open orders by their promise, express first at the same instant. Small, as few orders are open.
create index orders_open on orders (coalesce(promised_at, created_at), (product_code <> 'express'), id)
	where status in ('paid', 'processing');

-- An order that has ended is nobody's.
create function delete_order_claim() returns trigger language plpgsql as $$
begin
	delete from order_claims where order_id = new.id;
	return null;
end $$;
-- last, as it locks out writers until the end
create trigger ended_orders_are_nobodys after update of status on orders
	for each row when (new.status in ('completed', 'failed') and old.status is distinct from new.status)
	execute function delete_order_claim();
