-- What the sweepers look for every minute, found without reading all orders.

-- delivered late, and nobody has looked at the promise yet: a few at most
create index orders_delivered_late on orders (completed_at) where completed_at > promised_at and late_at is null;
-- what was paid of late
create index orders_paid on orders (paid_at) where paid_at is not null;
