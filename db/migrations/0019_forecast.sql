-- The hour that was shown before the payment, and until when it is kept (docs/rules.md, R281). Null: the catalogue's promise was shown.
alter table orders add offered_at timestamptz, add offered_until timestamptz;
create index orders_offered on orders (offered_until) where status = 'pending' and offered_until is not null;
-- the desk's pace counts what was reported missing within the last hour
create index extract_requests_not_found on extract_requests (not_found_at) where not_found_at is not null;
