-- The desk's pace counts what was reported missing within the last hour.
create index extract_requests_not_found on extract_requests (not_found_at) where not_found_at is not null;
