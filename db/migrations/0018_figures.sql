-- What was given back within the last hour is read every ten seconds. The index is small: few orders are refunded.
create index refunds_succeeded on refunds (settled_at) where status = 'succeeded';
