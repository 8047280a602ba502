-- What waits for a person, found without reading all rows: each index holds the few rows that still matter.
-- Apart from the claims, so that no table is locked while the others' indexes are built.
create index payments_mismatched on payments (created_at) where role = 'mismatch';
create index refunds_come_back on refunds (requested_at) where status in ('failed', 'refused');
create index mails_bounced on mails (bounced_at) where bounced_at is not null;
create index orders_disputed on orders (disputed_at) where disputed_at is not null;
create index order_events_replaced on order_events (created_at) where event_type = 'extract_replaced';

-- when the letter and its extract were printed; null again after another extract
alter table extract_requests add column printed_at timestamptz;
