-- Orders, their documents, their history, and what must happen once only.

create table orders (
	id uuid primary key,
	order_number text not null unique,
	status text not null check (status in ('pending', 'paid', 'processing', 'completed', 'failed')),
	product_code text not null check (product_code in ('standard', 'express', 'postal')),
	price_cents integer not null check (price_cents > 0),

	siren text not null,
	company_name text not null,

	customer_email text not null,
	first_name text not null,
	last_name text not null,
	phone text,
	address text,
	postal_code text,
	city text,
	billing_company text,
	delivery_email text,
	newsletter boolean not null default false,

	-- consents: null where it was not given; the text version stands for the words that were shown
	terms_accepted_at timestamptz,
	withdrawal_waived_at timestamptz,
	consent_text_version text,

	-- the caller's key: the same key never makes a second order
	idempotency_key text unique,
	request_hash text not null,

	created_at timestamptz not null,
	paid_at timestamptz,
	promised_at timestamptz,
	completed_at timestamptz,
	failure_reason text,
	tracking_number text,

	-- facts beside the state
	refunded_cents integer not null default 0 check (refunded_cents between 0 and price_cents),
	disputed_at timestamptz,
	set_aside_at timestamptz,
	late_at timestamptz
);
create index orders_pending on orders (created_at) where status = 'pending';

create table documents (
	id uuid primary key,
	order_id uuid not null references orders,
	doc_type text not null check (doc_type in ('kbis', 'invoice', 'credit_note')),
	issued_at timestamptz not null,
	storage_path text not null,
	sha256 text not null,
	bytes integer not null,
	created_at timestamptz not null
);
create unique index documents_one_extract_per_order on documents (order_id) where doc_type = 'kbis';
create index documents_order on documents (order_id);

create table order_events (
	id bigint generated always as identity primary key,
	order_id uuid not null references orders,
	event_type text not null,
	payload jsonb not null default '{}',
	created_at timestamptz not null
);
create index order_events_order on order_events (order_id, id);

-- one row per mail, written before it is sent
create table mails (
	id uuid primary key,
	order_id uuid not null references orders,
	kind text not null,
	document_id uuid references documents,
	created_at timestamptz not null,
	sent_at timestamptz,
	unique nulls not distinct (order_id, kind, document_id)
);

-- what the payment provider was asked for; at most one open session per order
create table payment_sessions (
	id text primary key,
	order_id uuid not null references orders,
	url text not null,
	status text not null check (status in ('open', 'complete', 'expired')),
	created_at timestamptz not null,
	expires_at timestamptz not null
);
create unique index payment_sessions_one_open_per_order on payment_sessions (order_id) where status = 'open';

-- the provider's events that were handled: each once
create table payment_events (
	id text primary key,
	event_type text not null,
	handled_at timestamptz not null
);

-- shared by all web processes
create table rate_limits (
	key text primary key,
	points integer not null default 0,
	expire bigint
);

-- the sandbox's own books: what a payment provider would keep on its side
create schema sandbox;
create table sandbox.sessions (
	id text primary key,
	client_reference_id text not null,
	amount_total integer not null,
	currency text not null,
	product_name text not null,
	customer_email text not null,
	success_url text not null,
	cancel_url text not null,
	status text not null check (status in ('open', 'complete', 'expired')),
	payment_status text not null check (payment_status in ('unpaid', 'paid')),
	payment_intent text,
	created_at timestamptz not null,
	expires_at timestamptz not null
);
create table sandbox.events (
	id text primary key,
	type text not null,
	session_id text not null references sandbox.sessions,
	created_at timestamptz not null
);
