-- The payment of a purchase names its first order. All its orders have a copy from then on.
create or replace function request_order_copy() returns trigger language plpgsql as $$
declare
	changed uuid;
begin
	if tg_table_name = 'orders' then
		changed := new.id;
	else
		changed := new.order_id;
	end if;
	if tg_table_name = 'payments' and tg_op = 'INSERT' then
		insert into order_copies (order_id) select id from orders where purchase_id = changed order by id on conflict do nothing;
		insert into order_copy_requests (order_id)
			select order_id from order_copies where order_id in (select id from orders where purchase_id = changed);
	else
		insert into order_copy_requests (order_id) select order_id from order_copies where order_id = changed;
	end if;
	return null;
end $$;
