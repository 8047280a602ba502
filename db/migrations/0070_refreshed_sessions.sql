-- When a page last asked the payment provider about a session, and whether the provider answered: pages ask at most once in two seconds.
alter table payment_sessions
	add column if not exists refreshed_at timestamptz,
	add column if not exists refresh_failed boolean not null default false;
