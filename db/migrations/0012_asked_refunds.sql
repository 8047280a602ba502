-- When the provider was last asked for a refund whose answer is not known: of a refund made on its pages at that moment, nobody can tell yet
-- of which order it is. Null before, and once the provider has refused.
alter table refunds add column asked_at timestamptz;
