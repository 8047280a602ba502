-- What was delivered can be put right, and what was kept long enough goes in batches.

-- Deleting a row has PostgreSQL look for those that name it, one by one: without these it reads whole tables each time.
create index mails_document on mails (document_id) where document_id is not null;
create index mails_refund on mails (refund_id) where refund_id is not null;
create index invoices_document on invoices (document_id) where document_id is not null;
create index invoices_corrects on invoices (corrects) where corrects is not null;
-- whether another document needs a file
create index documents_path on documents (storage_path) where purged_at is null;
create index sessions_reference on sandbox.sessions (client_reference_id);

-- Last, as it locks out readers until the end.
-- An extract that was delivered and then replaced by another: its row and its hash stay. An order has one extract that is not replaced.
alter table documents
	add column replaced_at timestamptz,
	-- the operator's words; they go with the customer
	add column replaced_because text;
drop index documents_one_extract_per_order;
create unique index documents_one_extract_per_order on documents (order_id) where doc_type = 'kbis' and replaced_at is null;
