-- The words of the orders before this. Apart from their trigger, so that orders go on meanwhile: it locks no order.
insert into order_words (order_id, created_at, words)
	select orders.id, orders.created_at, order_search_words(orders) from orders
	on conflict do nothing;
