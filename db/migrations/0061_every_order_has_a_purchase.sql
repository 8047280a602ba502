alter table orders
	alter column purchase_id set not null,
	add constraint orders_purchase foreign key (purchase_id) references orders (id);
create unique index orders_of_purchase on orders (purchase_id, purchase_line);

-- each order of a purchase is refunded by itself once
drop index refunds_automatic_once;
create unique index refunds_automatic_once on refunds (payment_id, order_id, reason)
	where reason in ('failed', 'cancelled', 'late', 'withdrawal', 'surplus') and replaces is null;

-- a refund made on the provider's pages may be of several orders of the purchase: a row each
alter table refunds
	drop constraint refunds_provider_id_key,
	add constraint refunds_provider_once unique (provider_id, order_id);
