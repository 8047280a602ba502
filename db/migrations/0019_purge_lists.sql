-- Every night the purge looks for what has been kept long enough, among all that is kept: each index holds only what may still be purged.
create index documents_kept_extracts on documents (created_at) where doc_type = 'kbis' and purged_at is null;
create index extract_requests_uploaded on extract_requests (uploaded_at) where storage_path is not null;
create index orders_not_erased on orders (created_at) where erased_at is null;
create index orders_never_paid on orders (created_at) where paid_at is null and erased_at is null;
create index orders_newsletter on orders (created_at) where newsletter;
-- whether a file was handed in and is kept
create index extract_requests_path on extract_requests (storage_path) where storage_path is not null;
