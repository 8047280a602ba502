-- When the registry was asked for the extract of an order: by a person who says so, or by an issuer that asks by itself. Until then the
-- customer reads « Demande enregistrée ».
alter table orders add column if not exists extract_requested_at timestamptz;
