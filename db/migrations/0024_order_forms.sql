-- Order forms that were sent and are not yet paid, for the payment page: for 24 hours, and found by the hash of a token alone.
create table order_forms (
	token_hash bytea primary key,
	-- the form's own fields, as texts
	fields jsonb not null,
	-- of the order that these fields place; new fields have a new key
	order_key uuid not null,
	expires_at timestamptz not null
);
create index order_forms_expires_at on order_forms (expires_at);
