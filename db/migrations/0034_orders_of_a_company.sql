-- The earlier orders of a company, on the desk's page of an order.
create index orders_siren on orders (siren, created_at);
