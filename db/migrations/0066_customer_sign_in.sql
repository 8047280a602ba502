-- Customers who opened their space by the link of an e-mail. The tables of better-auth (https://better-auth.com/docs/concepts/database),
-- with our spelling of columns, in a schema that nothing else uses.
create schema customers;

-- a mailbox, which has a row while a session of it is open
create table customers."user" (
	id uuid primary key default gen_random_uuid(),
	name text not null,
	email text not null unique,
	email_verified boolean not null,
	image text,
	created_at timestamptz not null default now(),
	updated_at timestamptz not null default now()
);

create table customers.session (
	id uuid primary key default gen_random_uuid(),
	expires_at timestamptz not null,
	token text not null unique,
	created_at timestamptz not null default now(),
	updated_at timestamptz not null,
	-- better-auth writes an empty text: no address of a client is kept
	ip_address text,
	user_agent text,
	user_id uuid not null references customers."user" on delete cascade
);
create index customer_sessions_of_user on customers.session (user_id);
create index customer_sessions_end on customers.session (expires_at);

-- always empty, because there is no password; better-auth refuses to start without it
create table customers.account (
	id uuid primary key default gen_random_uuid(),
	account_id text not null,
	provider_id text not null,
	user_id uuid not null references customers."user" on delete cascade,
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

-- links that were sent and not used; `identifier` has the hash of the link's token, `value` the mailbox
create table customers.verification (
	id uuid primary key default gen_random_uuid(),
	identifier text not null,
	value text not null,
	expires_at timestamptz not null,
	created_at timestamptz not null default now(),
	updated_at timestamptz not null default now()
);
create unique index customer_links on customers.verification (identifier);
create index customer_links_of_mailbox on customers.verification (value);
