-- Each version of the terms of sale as customers saw it: rendered with the shop's names and prices, and never changed.
create table terms_versions (
	-- of `text`
	sha256 text primary key check (sha256 ~ '^[0-9a-f]{64}$'),
	-- the day that the text bears
	version text not null check (version ~ '^\d{4}-\d\d-\d\d$'),
	text text not null,
	-- what the confirmation attaches
	pdf bytea not null,
	first_seen_at timestamptz not null
);
alter table terms_versions alter column pdf set storage external;

create function keep_terms_version() returns trigger language plpgsql as $$
begin
	raise exception 'a version of the terms is not changed';
end $$;
create trigger terms_versions_stay before update on terms_versions for each row execute function keep_terms_version();

-- The terms in force when the order was placed. No foreign key: an order that is recreated from its copy may name a version that the
-- restored database lacks. Null: placed before the versions were kept, or by the previous version.
alter table orders add column terms_sha256 text;
