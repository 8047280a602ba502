-- A dispute is about one payment, and an order that was paid twice may have two: the order's own column says the worst of them.
alter table payments
	add column dispute_status text check (dispute_status in ('open', 'won', 'lost'));
-- of two payments nobody wrote down which one was disputed: the next word of the provider says it
update payments set dispute_status = orders.dispute_status
from orders
where orders.id = payments.order_id and orders.dispute_status is not null
	and not exists (select from payments other where other.order_id = payments.order_id and other.id <> payments.id);
