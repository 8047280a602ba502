-- Money: what was captured, what goes back, what must be written down, and what the operator and the customer ask of an order.

alter table orders
	-- beside disputed_at: that is set while the dispute freezes the order
	add column dispute_status text check (dispute_status in ('open', 'won', 'lost')),
	-- names, addresses and e-mails are gone; the row stays for the accounts
	add column erased_at timestamptz;
create index orders_unfinished on orders (paid_at) where status in ('paid', 'processing');
create index orders_created on orders (created_at);
create index orders_email on orders (lower(customer_email));

-- one try to open a payment session: written before the provider is asked, so that asking again asks for the same
create table payment_attempts (
	order_id uuid not null references orders,
	attempt integer not null,
	created_at timestamptz not null,
	expires_at timestamptz not null,
	-- null while nobody knows whether it made a session
	answered_at timestamptz,
	primary key (order_id, attempt)
);

alter table payment_sessions
	add column payment_id text,
	-- when the sweeper last asked the provider
	add column asked_at timestamptz;
create index payment_sessions_order on payment_sessions (order_id);
create index payment_sessions_open on payment_sessions (created_at) where status = 'open';

-- what the provider captured
create table payments (
	id text primary key,
	order_id uuid not null references orders,
	session_id text not null,
	amount_cents integer not null check (amount_cents > 0),
	currency text not null,
	-- 'order' pays the order; 'surplus' came when nothing was due; 'mismatch' does not fit it
	role text not null check (role in ('order', 'surplus', 'mismatch')),
	created_at timestamptz not null
);
create unique index payments_one_per_order on payments (order_id) where role = 'order';
create index payments_order on payments (order_id);
create index payments_created on payments (created_at);

create table refunds (
	id uuid primary key,
	order_id uuid not null references orders,
	payment_id text not null references payments,
	amount_cents integer not null check (amount_cents > 0),
	reason text not null
		check (reason in ('failed', 'cancelled', 'late', 'withdrawal', 'guarantee', 'operator', 'surplus', 'dashboard')),
	-- requested here; pending, succeeded or failed at the provider; refused by it
	status text not null check (status in ('requested', 'pending', 'succeeded', 'failed', 'refused')),
	provider_id text unique,
	-- how many keys it was asked for under: a key under which the provider keeps an error of its own is used up
	attempt integer not null default 1,
	-- the refund whose money came back, which this one makes again: it has the credit note
	replaces uuid unique references refunds,
	requested_at timestamptz not null,
	settled_at timestamptz
);
-- what the shop refunds by itself, it refunds once
create unique index refunds_automatic_once on refunds (payment_id, reason)
	where reason in ('failed', 'cancelled', 'late', 'withdrawal', 'surplus');
create index refunds_payment on refunds (payment_id);
create index refunds_order on refunds (order_id);
create index refunds_unfinished on refunds (requested_at) where status in ('requested', 'pending');

-- the last number of each series; its row is the lock under which a number is taken
create table invoice_series (
	kind text not null check (kind in ('invoice', 'credit_note')),
	year integer not null,
	last_number integer not null,
	-- numbers follow the calendar: no invoice is dated before the one with the number below
	last_issued_at timestamptz not null,
	primary key (kind, year)
);

-- invoices and credit notes: what was issued, whole, in `data`
create table invoices (
	id uuid primary key,
	kind text not null check (kind in ('invoice', 'credit_note')),
	year integer not null,
	number_in_year integer not null check (number_in_year > 0),
	number text not null unique,
	order_id uuid not null references orders,
	refund_id uuid unique references refunds,
	corrects uuid references invoices,
	issued_at timestamptz not null,
	total_cents integer not null check (total_cents > 0),
	data jsonb not null,
	document_id uuid references documents,
	unique (kind, year, number_in_year),
	check ((kind = 'credit_note') = (refund_id is not null and corrects is not null))
);
create unique index invoices_one_per_order on invoices (order_id) where kind = 'invoice';
create index invoices_order on invoices (order_id);
create index invoices_without_document on invoices (issued_at) where document_id is null;

-- what was issued stays as it is (CGI art. 289); only its PDF is added, once, and ten years later all of it goes
create function keep_invoice() returns trigger language plpgsql as $$
begin
	if tg_op = 'DELETE' then
		if current_setting('shop.purging_invoices', true) = 'on' then return old; end if;
		raise exception 'an issued invoice is not deleted';
	end if;
	if old.document_id is null and to_jsonb(new) - 'document_id' = to_jsonb(old) - 'document_id' then return new; end if;
	raise exception 'an issued invoice is not changed';
end $$;
create trigger invoices_are_kept before update or delete on invoices for each row execute function keep_invoice();

-- a mail may also be about one refund; what a mail server refused for good is seen on the order
alter table mails
	add column refund_id uuid references refunds,
	add column bounced_at timestamptz,
	add column bounce_reason text,
	drop constraint mails_order_id_kind_document_id_key,
	add constraint mails_once unique nulls not distinct (order_id, kind, document_id, refund_id);
create index mails_unsent on mails (created_at) where sent_at is null and bounced_at is null;

alter table documents
	-- its file is gone; the row and its hash stay
	add column purged_at timestamptz;
create index documents_hash on documents (sha256);
create index documents_created on documents (created_at) where purged_at is null;

-- the operator's desk: what the manual issuer waits for, and what it was given
create table extract_requests (
	order_id uuid primary key references orders,
	requested_at timestamptz not null,
	storage_path text,
	sha256 text unique,
	bytes integer,
	issued_at timestamptz,
	uploaded_at timestamptz,
	not_found_at timestamptz,
	tracking_number text,
	posted_at timestamptz
);

-- « extrait erroné ou inutilisable »: asked by the customer, answered by the operator
create table refund_requests (
	id uuid primary key,
	order_id uuid not null references orders,
	message text not null,
	created_at timestamptz not null,
	decided_at timestamptz,
	granted boolean,
	answer text
);
create unique index refund_requests_one_open on refund_requests (order_id) where decided_at is null;
create index refund_requests_order on refund_requests (order_id);

-- declarations of withdrawal (C. conso. L221-21), each with what came of it
create table withdrawals (
	id uuid primary key,
	order_id uuid not null unique references orders,
	declared_at timestamptz not null,
	outcome text not null check (outcome in ('cancelled', 'refunded', 'refused')),
	reason text
);

-- what the nightly comparison with the provider's books found
create table reconciliations (
	id bigint generated always as identity primary key,
	since timestamptz not null,
	until timestamptz not null,
	compared integer not null,
	differences jsonb not null,
	created_at timestamptz not null
);

-- messages of the contact and support forms
create table contact_messages (
	id uuid primary key,
	name text not null,
	email text not null,
	phone text,
	subject text,
	message text not null,
	created_at timestamptz not null,
	forwarded_at timestamptz,
	acknowledged_at timestamptz
);
create index contact_messages_created on contact_messages (created_at);
create index contact_messages_email on contact_messages (lower(email));

-- processes that do jobs, each with its last sign of life
create table job_processes (
	id uuid primary key,
	seen_at timestamptz not null
);

-- the sandbox's books, continued
alter table sandbox.sessions
	add column paid_at timestamptz,
	add constraint sessions_payment_intent unique (payment_intent);
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
alter table sandbox.events
	alter column session_id drop not null,
	add column payment_intent text;
