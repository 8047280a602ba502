-- How long an order has waited for its copy, for the doctor and the metrics.
alter table order_copy_requests add column requested_at timestamptz not null default now();
