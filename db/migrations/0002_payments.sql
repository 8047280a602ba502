-- Money: payments and refunds, the provider's balance, and the books of the sandbox provider.
-- Owned by app/payments and app/orders/refunds. Attempts, sessions and payments name the first order of their purchase; refunds name the
-- order that is refunded.

-- One try to open a payment session: written before the provider is asked, so that asking again asks for the same.
create table payment_attempts (
	order_id uuid not null references orders, attempt integer not null,
	-- of whom it is, as a keyed hash: one client holds few places that are not paid (docs/rules.md, R82)
	opened_by text,
	created_at timestamptz not null, expires_at timestamptz not null,
	answered_at timestamptz, -- null while nobody knows whether it made a session
	primary key (order_id, attempt)
);

-- What the payment provider was asked for; at most one open session per purchase.
create table payment_sessions (
	id text primary key, order_id uuid not null references orders,
	payment_id text, url text not null,
	status text not null check (status in ('open', 'complete', 'expired')),
	-- of whom it is, as a keyed hash, while it is open: sessions of those who have few are asked about first
	opened_by text,
	created_at timestamptz not null, expires_at timestamptz not null,
	asked_at timestamptz, -- when the sweeper last asked the provider
	-- when a page last asked the provider, and whether it answered: pages ask at most once in two seconds
	refreshed_at timestamptz, refresh_failed boolean not null default false
);
create unique index payment_sessions_one_open_per_order on payment_sessions (order_id) where status = 'open';
create index payment_sessions_order on payment_sessions (order_id);
create index payment_sessions_open on payment_sessions (created_at) where status = 'open';

-- the provider's events that were handled: each once
create table payment_events (id text primary key, event_type text not null, handled_at timestamptz not null);

-- What the provider captured.
create table payments (
	id text primary key, order_id uuid not null references orders,
	session_id text not null,
	amount_cents integer not null check (amount_cents > 0), currency text not null,
	-- 'order' pays the order; 'surplus' came when nothing was due; 'mismatch' does not fit it
	role text not null check (role in ('order', 'surplus', 'mismatch')),
	created_at timestamptz not null,
	dispute_status text check (dispute_status in ('open', 'won', 'lost')),
	-- as the provider describes it, and until when the shop may answer
	dispute_reason text, dispute_due_at timestamptz
);
create unique index payments_one_per_order on payments (order_id) where role = 'order';
create index payments_order on payments (order_id);
create index payments_created on payments (created_at);
create index payments_mismatched on payments (created_at) where role = 'mismatch';
create trigger payments_are_copied after insert or update on payments for each row execute function request_order_copy();

create table refunds (
	id uuid primary key, order_id uuid not null references orders,
	payment_id text not null references payments,
	amount_cents integer not null check (amount_cents > 0),
	reason text not null check (reason in ('failed', 'cancelled', 'late', 'withdrawal', 'guarantee', 'operator', 'surplus', 'dashboard')),
	-- why an operator refunds: a code of the shop's list, and a note that stays inside the shop
	cause text, note text,
	-- requested here; pending, succeeded or failed at the provider; refused by it
	status text not null check (status in ('requested', 'pending', 'succeeded', 'failed', 'refused')),
	provider_id text,
	-- how many keys it was asked for under: a key under which the provider keeps an error of its own is used up
	attempt integer not null default 1,
	replaces uuid unique references refunds, -- the refund whose money came back, which this one makes again: it has the credit note
	requested_at timestamptz not null,
	held_until timestamptz, -- a late refund above the brake waits for a person, until then at the latest
	released_by text, -- who released it earlier
	settled_at timestamptz,
	closed_at timestamptz, -- when a person settled a failed one in another way
	-- a refund made on the provider's pages may be of several orders of the purchase: a row each
	constraint refunds_provider_once unique (provider_id, order_id)
);
-- What the shop refunds by itself, it refunds once per order. One that came back from the bank may be asked for again.
create unique index refunds_automatic_once on refunds (payment_id, order_id, reason)
	where reason in ('failed', 'cancelled', 'late', 'withdrawal', 'surplus') and replaces is null;
create index refunds_payment on refunds (payment_id);
create index refunds_order on refunds (order_id);
create index refunds_unfinished on refunds (requested_at) where status in ('requested', 'pending');
-- what was given back within the last hour is read every ten seconds
create index refunds_succeeded on refunds (settled_at) where status = 'succeeded';
create index refunds_late on refunds (requested_at) where reason = 'late';
create index refunds_held on refunds (held_until) where status = 'requested' and held_until is not null;
create index refunds_come_back on refunds (requested_at) where status in ('failed', 'refused');
create index refunds_failed on refunds (requested_at) where status in ('failed', 'refused') and closed_at is null;
create trigger refunds_are_copied after insert or update on refunds for each row execute function request_order_copy();

-- What the nightly comparison with the provider's books found.
create table reconciliations (
	id bigint generated always as identity primary key,
	since timestamptz not null, until timestamptz not null, compared integer not null,
	differences jsonb not null, created_at timestamptz not null
);

-- The provider's payouts to the bank, and the movements of its balance.
create table provider_payouts (
	id text primary key,
	amount_cents integer not null, currency text not null,
	status text not null check (status in ('pending', 'paid', 'failed')), -- `failed` includes canceled ones
	automatic boolean not null, -- the provider knows which movements an automatic payout contains
	created_at timestamptz not null, arrives_at timestamptz not null,
	movements_read_at timestamptz -- when its movements were read; null before
);
create index provider_payouts_arrives on provider_payouts (arrives_at);

create table provider_movements (
	id text primary key,
	kind text not null
		check (kind in ('charge', 'refund', 'refund-returned', 'dispute', 'dispute-won', 'fee', 'payout', 'payout-returned', 'other')),
	amount_cents integer not null, -- gross, positive when the balance rises
	fee_cents integer not null, currency text not null,
	-- no foreign keys: the provider may know payments that are not ours
	payment_id text, source_id text, -- source: the provider's refund, dispute or payout
	payout_id text references provider_payouts,
	occurred_at timestamptz not null
);
create index provider_movements_payment on provider_movements (payment_id);
create index provider_movements_source on provider_movements (source_id);
create index provider_movements_payout on provider_movements (payout_id);
create index provider_movements_occurred on provider_movements (occurred_at);

-- how far the provider's balance was read
create table provider_readings (
	id bigint generated always as identity primary key,
	until timestamptz not null, read_at timestamptz not null
);

-- The sandbox's own books: what a payment provider would keep on its side (app/payments/sandbox).
create schema sandbox;

create table sandbox.sessions (
	id text primary key,
	client_reference_id text not null, amount_total integer not null, currency text not null,
	product_name text not null, customer_email text not null, success_url text not null, cancel_url text not null,
	status text not null check (status in ('open', 'complete', 'expired')),
	payment_status text not null check (payment_status in ('unpaid', 'paid')),
	payment_intent text constraint sessions_payment_intent unique,
	created_at timestamptz not null, expires_at timestamptz not null, paid_at timestamptz
);
create index sessions_reference on sandbox.sessions (client_reference_id);

create table sandbox.events (
	id text primary key,
	type text not null, session_id text references sandbox.sessions, payment_intent text, created_at timestamptz not null
);

create table sandbox.refunds (
	id text primary key,
	payment_intent text not null references sandbox.sessions (payment_intent),
	idempotency_key text unique,
	amount integer not null check (amount > 0),
	reference text,
	status text not null check (status in ('pending', 'succeeded', 'failed')),
	created_at timestamptz not null
);
create index refunds_payment_intent on sandbox.refunds (payment_intent);

create table sandbox.disputes (
	id text primary key,
	payment_intent text not null unique references sandbox.sessions (payment_intent),
	status text not null check (status in ('open', 'won', 'lost')),
	created_at timestamptz not null
);

-- The demo's switch: whether new orders wait for the desk, in place of the issuer of specimens (app/fulfilment/issuers).
create table sandbox.desk (singleton boolean primary key default true check (singleton), serves_by_hand boolean not null);
