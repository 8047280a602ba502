-- Visits that ended before their cookies: « Quitter » closes all orders that one visit opened, also where a cookie was copied.
-- A cookie is valid for an hour, so a row is of no use after it.
create table ended_visits (
	id text primary key,
	ended_at timestamptz not null
);
