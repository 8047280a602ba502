-- What customers write, and what the shop answers: one conversation for each message of a form, each refund request and each mail that
-- begins one. The first message of a form stays where it is; mails and replies are in conversation_messages.
create table conversations (
	id uuid primary key,
	contact_message_id uuid unique references contact_messages on delete cascade,
	refund_request_id uuid unique references refund_requests on delete cascade,
	order_id uuid references orders on delete set null,
	-- how its order is known
	order_found text check (order_found in ('request', 'number', 'address')),
	email text not null,
	name text not null,
	subject text not null,
	-- the customer waits for an answer since then; null: answered
	waiting_since timestamptz,
	last_at timestamptz not null,
	-- who answers, so that two people do not
	claimed_by uuid,
	claimed_name text,
	claimed_until timestamptz
);
create index conversations_waiting on conversations (waiting_since) where waiting_since is not null;
create index conversations_last on conversations (last_at);
create index conversations_order on conversations (order_id) where order_id is not null;
create index conversations_email on conversations (lower(email));

create table conversation_messages (
	-- the Message-ID of a reply begins with it
	id uuid primary key,
	conversation_id uuid not null references conversations on delete cascade,
	direction text not null check (direction in ('in', 'out')),
	-- the sender's address, or the operator's name
	author text not null,
	text text not null,
	-- of a mail that came in: its Message-ID, so that it counts once
	message_id text unique,
	attachments jsonb not null default '[]',
	created_at timestamptz not null,
	sent_at timestamptz,
	bounced_at timestamptz,
	bounce_reason text
);
create index conversation_messages_of on conversation_messages (conversation_id, created_at);
create index conversation_messages_bounced on conversation_messages (bounced_at) where bounced_at is not null;

-- the templates of replies that an operator has changed; the others are in app/messages/reply-templates.ts
create table reply_templates (
	id text primary key,
	title text not null,
	-- null: not offered any more
	text text,
	changed_at timestamptz not null,
	changed_by text not null
);

-- earlier messages were answered from the shop's mailbox
insert into conversations (id, contact_message_id, email, name, subject, last_at)
	select gen_random_uuid(), id, email, name, coalesce(subject, 'Message'), created_at from contact_messages;
insert into conversations (id, refund_request_id, order_id, order_found, email, name, subject, waiting_since, last_at)
	select gen_random_uuid(), request.id, orders.id, 'request', orders.customer_email, orders.first_name || ' ' || orders.last_name,
		'Demande de remboursement', case when request.decided_at is null then request.created_at end, request.created_at
	from refund_requests request join orders on orders.id = request.order_id where orders.erased_at is null;

-- why an operator refunds: a code of the shop's list, and a note that stays inside the shop
alter table refunds add column cause text, add column note text;

-- a dispute as the provider describes it: until when the shop may answer
alter table payments add column dispute_reason text, add column dispute_due_at timestamptz;
