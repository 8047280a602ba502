-- Operators, their sessions and second factors. The tables of better-auth (https://better-auth.com/docs/concepts/database and
-- /docs/plugins/2fa), with our spelling of columns, in a schema that nothing else uses.
create schema operators;

create table operators."user" (
	id uuid primary key default gen_random_uuid(),
	name text not null,
	email text not null unique,
	email_verified boolean not null,
	image text,
	created_at timestamptz not null default now(),
	updated_at timestamptz not null default now(),
	two_factor_enabled boolean
);

create table operators.session (
	id uuid primary key default gen_random_uuid(),
	expires_at timestamptz not null,
	token text not null unique,
	created_at timestamptz not null default now(),
	updated_at timestamptz not null,
	ip_address text,
	user_agent text,
	user_id uuid not null references operators."user" on delete cascade
);
create index sessions_of_user on operators.session (user_id);

create table operators.account (
	id uuid primary key default gen_random_uuid(),
	account_id text not null,
	provider_id text not null,
	user_id uuid not null references operators."user" on delete cascade,
	access_token text,
	refresh_token text,
	id_token text,
	access_token_expires_at timestamptz,
	refresh_token_expires_at timestamptz,
	scope text,
	password text,
	created_at timestamptz not null default now(),
	updated_at timestamptz not null
);
create index accounts_of_user on operators.account (user_id);

create table operators.verification (
	id uuid primary key default gen_random_uuid(),
	identifier text not null,
	value text not null,
	expires_at timestamptz not null,
	created_at timestamptz not null default now(),
	updated_at timestamptz not null default now()
);
create index verification_identifier on operators.verification (identifier);

create table operators.two_factor (
	id uuid primary key default gen_random_uuid(),
	secret text not null,
	backup_codes text not null,
	user_id uuid not null references operators."user" on delete cascade,
	verified boolean,
	failed_verification_count integer,
	locked_until timestamptz
);
create index two_factors_of_user on operators.two_factor (user_id);

-- Ours: what an operator may do. A person who has left keeps their row, because the trail names them.
create table operators.member (
	user_id uuid primary key references operators."user",
	roles text[] not null check (roles <@ array['serve', 'refund', 'privacy', 'accounts', 'settings']),
	joined_at timestamptz not null,
	left_at timestamptz
);

create table operators.invitation (
	id uuid primary key,
	email text not null,
	name text not null,
	roles text[] not null check (roles <@ array['serve', 'refund', 'privacy', 'accounts', 'settings']),
	invited_by text not null,
	created_at timestamptz not null,
	expires_at timestamptz not null,
	used_at timestamptz
);

create table operators.passkey (
	-- base64url, as browsers give it
	credential_id text primary key,
	user_id uuid not null references operators."user" on delete cascade,
	public_key bytea not null,
	counter bigint not null,
	transports text[] not null,
	name text not null,
	created_at timestamptz not null,
	last_used_at timestamptz
);
create index passkeys_of_user on operators.passkey (user_id);

-- What operators ask for in the desk. Each form has a key, so that nothing is done twice; an act that can be undone waits until `due_at`.
create table desk_acts (
	key text primary key,
	act text not null,
	-- no reference: the purge and the erasure of orders delete these rows
	order_id uuid,
	-- the form's fields; deleted when the act has ended
	fields jsonb,
	operator_id uuid not null,
	operator_name text not null,
	origin text not null,
	requested_at timestamptz not null,
	due_at timestamptz,
	-- above the limit of refunds: a second person approves
	needs_approval boolean not null default false,
	approved_by uuid,
	started_at timestamptz,
	undone_at timestamptz,
	ended_at timestamptz,
	ok boolean,
	sentence text,
	check (approved_by is null or approved_by <> operator_id)
);
create index desk_acts_order on desk_acts (order_id) where order_id is not null;
create index desk_acts_open on desk_acts (requested_at) where ended_at is null and undone_at is null;
create index desk_acts_requested on desk_acts (requested_at);

-- The trail: also who acted in the desk, from where, and what changed. No personal data of customers.
alter table desk_log
	add column operator_id uuid,
	add column origin text,
	add column change jsonb;
create index desk_log_subject on desk_log (subject) where subject is not null;
