-- Purchases and their orders: what customers bought, on which terms, what happened since, and what they asked of it.
-- Owned by app/orders, app/checkout/form, app/orders/terms and app/orders/copies.

-- One extract that was ordered. A purchase is what is paid at once: one or more orders of one customer. Its id is the id of its
-- first order (docs/decisions/0041-purchases.md).
create table orders (
	id uuid primary key,
	order_number text not null unique, purchase_id uuid not null constraint orders_purchase references orders,
	purchase_line integer not null default 1 check (purchase_line > 0), -- its place among the lines of the invoice, from 1
	status text not null check (status in ('pending', 'paid', 'processing', 'completed', 'failed')), -- app/orders/lifecycle.ts
	failure_reason text,
	product_code text not null check (product_code in ('standard', 'express', 'postal')),
	price_cents integer not null check (price_cents > 0),
	siren text not null, company_name text not null,
	reference text, -- the customer's own reference, such as « dossier 2026-114 »

	customer_email text not null, first_name text not null, last_name text not null, phone text,
	delivery_email text, -- a second address to which the extract is sent
	newsletter boolean not null default false,

	-- for the invoice; with the SIREN and VAT number of a company that pays
	address text, postal_code text, city text, billing_company text, billing_siren text, billing_vat text,

	-- of a letter; null: as billed
	delivery_name text, delivery_complement text, delivery_address text, delivery_postal_code text, delivery_city text,
	tracking_number text,

	-- consents: null where not given; the text version stands for the words that were shown
	terms_accepted_at timestamptz, withdrawal_waived_at timestamptz, consent_text_version text,
	-- The terms in force. No foreign key: an order that is recreated from its copy may name a version that the restored database lacks.
	terms_sha256 text,

	idempotency_key text unique, -- the caller's key: the same key never makes a second order
	request_hash text not null,

	created_at timestamptz not null, paid_at timestamptz, promised_at timestamptz,
	-- When the registry was asked for the extract, by a person who says so or by an issuer that asks by itself. Until then the
	-- customer reads « Demande enregistrée ».
	extract_requested_at timestamptz,
	completed_at timestamptz, late_at timestamptz, set_aside_at timestamptz,
	watch_ended_at timestamptz, -- the customer asked for no more e-mails about what is published after the extract

	refunded_cents integer not null default 0 check (refunded_cents between 0 and price_cents),
	disputed_at timestamptz, -- set while a dispute freezes the order
	dispute_status text check (dispute_status in ('open', 'won', 'lost')), -- the worst of its payments' disputes

	-- Contracts of 120 € and more are kept for ten years from their delivery (C. conso. art. L213-1, D213-1, D213-2). After three years,
	-- or when the customer asks for an erasure, only the contract stays: the order, its terms, the confirmation and the invoice.
	archived_at timestamptz,
	erased_at timestamptz -- names, addresses and e-mails are gone; the row stays for the accounts
);
create unique index orders_of_purchase on orders (purchase_id, purchase_line);
create index orders_created on orders (created_at);
create index orders_email on orders (lower(customer_email));
create index orders_siren on orders (siren, created_at);
create index orders_pending on orders (created_at) where status = 'pending';
create index orders_unfinished on orders (paid_at) where status in ('paid', 'processing');
create index orders_paid on orders (paid_at) where paid_at is not null;
create index orders_disputed on orders (disputed_at) where disputed_at is not null;
-- The queue: open orders by their promise, express first at the same instant. Small, as few orders are open.
create index orders_open on orders (coalesce(promised_at, created_at), (product_code <> 'express'), id)
	where status in ('paid', 'processing');
-- delivered late, and nobody has looked at the promise yet: a few at most
create index orders_delivered_late on orders (completed_at) where completed_at > promised_at and late_at is null;
-- Every night the purge looks for what has been kept long enough: each index holds only what may still be purged.
create index orders_unpaid on orders (id) where paid_at is null;
create index orders_never_paid on orders (created_at) where paid_at is null and erased_at is null;
create index orders_not_erased on orders (created_at) where erased_at is null;
create index orders_newsletter on orders (created_at) where newsletter;

-- What happened to an order. Recording an event also wakes the pages that show the order.
create table order_events (
	id bigint generated always as identity primary key, order_id uuid not null references orders,
	event_type text not null,
	payload jsonb not null default '{}',
	created_at timestamptz not null
);
create index order_events_order on order_events (order_id, id);
create index order_events_replaced on order_events (created_at) where event_type = 'extract_replaced';

-- Order forms that were sent and are not yet paid, for the payment page: for 24 hours, and found by the hash of a token alone.
create table order_forms (
	token_hash bytea primary key,
	fields jsonb not null, -- the form's own fields, as texts
	order_key uuid not null, -- of the order that these fields place; new fields have a new key
	expires_at timestamptz not null
);
create index order_forms_expires_at on order_forms (expires_at);

-- Each version of the terms of sale as customers saw it: rendered with the shop's names and prices.
create table terms_versions (
	sha256 text primary key check (sha256 ~ '^[0-9a-f]{64}$'), -- of `text`
	version text not null check (version ~ '^\d{4}-\d\d-\d\d$'), -- the day that the text bears
	text text not null,
	pdf bytea not null, -- what the confirmation attaches
	first_seen_at timestamptz not null
);
-- a PDF is compressed already
alter table terms_versions alter column pdf set storage external;

create function keep_terms_version() returns trigger language plpgsql as $$
begin raise exception 'a version of the terms is not changed'; end $$;
create trigger terms_versions_stay before update on terms_versions for each row execute function keep_terms_version();

-- « extrait erroné ou inutilisable »: asked by the customer, answered by the operator
create table refund_requests (
	id uuid primary key, order_id uuid not null references orders,
	message text not null, created_at timestamptz not null, decided_at timestamptz, granted boolean, answer text
);
create unique index refund_requests_one_open on refund_requests (order_id) where decided_at is null;
create index refund_requests_order on refund_requests (order_id);

-- Declarations of withdrawal (C. conso. art. L221-21), each with what came of it.
create table withdrawals (
	id uuid primary key, order_id uuid not null unique references orders,
	declaration_id uuid not null, -- one declaration may be for several orders of a purchase: a row for each
	declared_at timestamptz not null,
	outcome text not null check (outcome in ('cancelled', 'refunded', 'refused')),
	refund_cents integer not null check (refund_cents >= 0),
	reason text
);
create index withdrawals_declaration on withdrawals (declaration_id);

-- Paid orders are also kept outside of the database (docs/decisions/0018-order-copies.md): from their first payment until their
-- customer is erased.
create table order_copies (
	order_id uuid primary key references orders on delete cascade,
	key_id text -- the key that the copy is encrypted with; null: there is no copy yet
);
create index order_copies_key on order_copies (key_id);

-- Changes that the copies do not have yet. Rows are only inserted, so that no transaction waits for the one that copies.
create table order_copy_requests (
	id bigint generated always as identity primary key,
	order_id uuid not null,
	requested_at timestamptz not null default now() -- for the doctor and the metrics
);
create index order_copy_requests_order on order_copy_requests (order_id);

-- A trigger of each table of a copy calls it. The payment of a purchase names its first order; all its orders have a copy from then on.
create function request_order_copy() returns trigger language plpgsql as $$
declare
	changed uuid;
begin
	if tg_table_name = 'orders' then
		changed := new.id;
	else
		changed := new.order_id;
	end if;
	if tg_table_name = 'payments' and tg_op = 'INSERT' then
		insert into order_copies (order_id) select id from orders where purchase_id = changed order by id on conflict do nothing;
		insert into order_copy_requests (order_id)
			select order_id from order_copies where order_id in (select id from orders where purchase_id = changed);
	else
		insert into order_copy_requests (order_id) select order_id from order_copies where order_id = changed;
	end if;
	return null;
end $$;
create trigger order_events_are_copied after insert on order_events for each row execute function request_order_copy();
create trigger withdrawals_are_copied after insert on withdrawals for each row execute function request_order_copy();
create trigger refund_requests_are_copied after insert or update on refund_requests for each row execute function request_order_copy();
-- the other changes of an order come with an event
create trigger addresses_are_copied after update of customer_email, delivery_email on orders
	for each row when (old.customer_email <> new.customer_email or old.delivery_email is distinct from new.delivery_email)
	execute function request_order_copy();
