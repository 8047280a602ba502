-- Paid orders are also kept outside of the database (docs/decisions/0018-order-copies.md), and numbers of invoices may stay without one.

-- orders that have a copy in the document storage: from their first payment until their customer is erased
create table order_copies (
	order_id uuid primary key,
	-- the key that the copy is encrypted with; null: there is no copy yet
	key_id text
);
create index order_copies_key on order_copies (key_id);

insert into order_copies (order_id)
	select id from orders where erased_at is null and exists (select from payments where payments.order_id = orders.id);

-- changes that the copies do not have yet. Rows are only inserted, so that no transaction waits for the one that copies.
create table order_copy_requests (
	id bigint generated always as identity primary key,
	order_id uuid not null
);
create index order_copy_requests_order on order_copy_requests (order_id);

-- Whatever writes one of these rows asks for a new copy of its order.
create function request_order_copy() returns trigger language plpgsql as $$
declare
	changed uuid;
begin
	if tg_table_name = 'orders' then
		changed := new.id;
	else
		changed := new.order_id;
	end if;
	if tg_table_name = 'payments' and tg_op = 'INSERT' then
		insert into order_copies (order_id) values (changed) on conflict do nothing;
	end if;
	insert into order_copy_requests (order_id) select order_id from order_copies where order_id = changed;
	return null;
end $$;

-- numbers of a series that no invoice of this database has, each with the reason, for the accountant
create table invoice_gaps (
	kind text not null check (kind in ('invoice', 'credit_note')),
	year integer not null,
	number_in_year integer not null check (number_in_year > 0),
	reason text not null,
	recorded_at timestamptz not null,
	primary key (kind, year, number_in_year)
);

-- which database this is: a restored one is the same, one that was made anew beside the same storage is another
create table database_identity (
	id uuid primary key default gen_random_uuid()
);
insert into database_identity default values;

-- Last, as it locks out writers until the end: the triggers, and the orders that were paid while the table was filled.
-- Orders first, as the shop locks them.
lock table orders in share row exclusive mode;
create trigger order_events_are_copied after insert on order_events for each row execute function request_order_copy();
create trigger payments_are_copied after insert or update on payments for each row execute function request_order_copy();
create trigger refunds_are_copied after insert or update on refunds for each row execute function request_order_copy();
create trigger invoices_are_copied after insert on invoices for each row execute function request_order_copy();
create trigger withdrawals_are_copied after insert on withdrawals for each row execute function request_order_copy();
create trigger refund_requests_are_copied after insert or update on refund_requests for each row execute function request_order_copy();
create trigger extract_requests_are_copied after update on extract_requests for each row execute function request_order_copy();
-- the other changes of an order come with an event
create trigger addresses_are_copied after update of customer_email, delivery_email on orders
	for each row when (old.customer_email <> new.customer_email or old.delivery_email is distinct from new.delivery_email)
	execute function request_order_copy();
insert into order_copies (order_id)
	select id from orders where erased_at is null and exists (select from payments where payments.order_id = orders.id)
	on conflict do nothing;
alter table order_copies add constraint order_copies_order_id_fkey foreign key (order_id) references orders on delete cascade;
