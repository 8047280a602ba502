-- Orders that were delivered late, and at whose promise nobody has looked yet: a few at most.
create index orders_delivered_late on orders (completed_at) where completed_at > promised_at and late_at is null;
