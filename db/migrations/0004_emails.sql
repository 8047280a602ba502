-- What the shop sends and receives by e-mail: e-mails about orders, conversations with customers, the newsletter.
-- Owned by app/mail, app/customer/contact, app/emails/messages and app/emails/newsletter.

-- One row per e-mail about an order, written before it is sent.
create table mails (
	id uuid primary key, order_id uuid not null references orders,
	kind text not null,
	document_id uuid references documents, refund_id uuid references refunds,
	notices text[] collate "C", -- the notices of the bulletin that the e-mail tells, sorted; they go with the customer's erasure
	-- The address of an e-mail that goes neither to the customer nor to the second address of its order: the one that a customer has
	-- corrected. Blank once the e-mail is sent or refused.
	recipient text,
	created_at timestamptz not null, sent_at timestamptz,
	bounced_at timestamptz, bounce_reason text, -- what a mail server refused for good is seen on the order
	constraint mails_once unique nulls not distinct (order_id, kind, document_id, refund_id, notices)
);
create index mails_unsent on mails (created_at) where sent_at is null and bounced_at is null;
create index mails_bounced on mails (bounced_at) where bounced_at is not null;
-- Deleting a row has PostgreSQL look for those that name it, one by one: without these it reads the whole table each time.
create index mails_document on mails (document_id) where document_id is not null;
create index mails_refund on mails (refund_id) where refund_id is not null;

-- Each e-mail about an order as it left. Its row stays when the mail is sent again, and goes with the customer's erasure or the order.
create table sent_emails (
	mail_id uuid primary key, -- the id of its row of mails, which a repeated sending replaces
	order_id uuid not null references orders on delete cascade,
	kind text not null, sent_at timestamptz not null,
	bounced_at timestamptz, -- when it came back; the row of mails says it too, until the mail is sent again
	recipient text, -- as it was; null once its owner is erased
	-- the customer's and the recipients' addresses that it went to or names, normalised, so that an erasure finds them
	addresses text[] not null,
	content bytea not null, -- subject, text and HTML as JSON, compressed by Brotli; its signed links are replaced
	attachments jsonb not null -- name, size and SHA-256 of each attached file
);
alter table sent_emails alter column content set storage external;
create index sent_emails_order on sent_emails (order_id);
create index sent_emails_addresses on sent_emails using gin (addresses);

-- A trigger, so that whatever erases an order erases its e-mails with it.
create function delete_sent_emails() returns trigger language plpgsql as $$
begin delete from sent_emails where order_id = new.id; return null; end $$;
create trigger erased_order_has_no_emails after update of erased_at on orders for each row
	when (new.erased_at is not null) execute function delete_sent_emails();

-- Messages of the contact and support forms.
create table contact_messages (
	id uuid primary key,
	name text not null, email text not null, phone text, subject text,
	siren text, -- the company that it is about, where it came from a company's page
	message text not null, created_at timestamptz not null, forwarded_at timestamptz, acknowledged_at timestamptz
);
create index contact_messages_created on contact_messages (created_at);
create index contact_messages_email on contact_messages (lower(email));

-- Who asked to be told when the subscription opens, and the version of the words they agreed to.
create table subscription_interest (
	id bigint generated always as identity primary key,
	email text not null, text_version text not null, created_at timestamptz not null
);
create unique index subscription_interest_email on subscription_interest (lower(email));
create index subscription_interest_created on subscription_interest (created_at);

-- What customers write, and what the shop answers: one conversation for each message of a form, each refund request and each mail that
-- begins one. The first message of a form stays where it is; mails and replies are in conversation_messages.
create table conversations (
	id uuid primary key,
	contact_message_id uuid unique references contact_messages on delete cascade,
	refund_request_id uuid unique references refund_requests on delete cascade,
	order_id uuid references orders on delete set null,
	order_found text check (order_found in ('request', 'number', 'address')), -- how its order is known
	email text not null, name text not null, subject text not null,
	waiting_since timestamptz, -- the customer waits for an answer since then; null: answered
	last_at timestamptz not null,
	-- who answers, so that two people do not
	claimed_by uuid, claimed_name text, claimed_until timestamptz
);
create index conversations_waiting on conversations (waiting_since) where waiting_since is not null;
create index conversations_last on conversations (last_at);
create index conversations_order on conversations (order_id) where order_id is not null;
create index conversations_email on conversations (lower(email));

create table conversation_messages (
	id uuid primary key, -- the Message-ID of a reply begins with it
	conversation_id uuid not null references conversations on delete cascade,
	direction text not null check (direction in ('in', 'out')),
	author text not null, -- the sender's address, or the operator's name
	text text not null,
	message_id text unique, -- of a mail that came in: its Message-ID, so that it counts once
	attachments jsonb not null default '[]',
	created_at timestamptz not null, sent_at timestamptz, bounced_at timestamptz, bounce_reason text
);
create index conversation_messages_of on conversation_messages (conversation_id, created_at);
create index conversation_messages_bounced on conversation_messages (bounced_at) where bounced_at is not null;

-- The templates of replies that an operator has changed; the others are in app/emails/messages/reply-templates.ts.
create table reply_templates (
	id text primary key, title text not null,
	text text, -- null: not offered any more
	changed_at timestamptz not null, changed_by text not null
);

-- Who asked for the newsletter, who confirmed and who ended it. An ended subscription stays for a time as the proof of a consent; asking
-- again makes a new one.
create table newsletter_subscriptions (
	id uuid primary key,
	email text not null,
	source text not null check (source in ('order', 'form')),
	text_version text not null, -- which words stood beside the form or the order's box
	requested_at timestamptz not null, confirmation_sent_at timestamptz, confirmed_at timestamptz,
	unsubscribed_at timestamptz check (unsubscribed_at is null or confirmed_at is not null)
);
create unique index newsletter_subscriptions_email on newsletter_subscriptions (lower(email)) where unsubscribed_at is null;
create index newsletter_subscriptions_every_email on newsletter_subscriptions (lower(email));

create table newsletter_letters (
	id uuid primary key, subject text not null,
	content text not null, -- the whole Markdown file, its heading too
	created_at timestamptz not null
);
-- the same file again is the same letter; the pages promise one a month at most
create unique index newsletter_letters_content on newsletter_letters (md5(content));
create unique index newsletter_letters_month on newsletter_letters (date_trunc('month', created_at at time zone 'Europe/Paris'));

-- written before the mail is sent
create table newsletter_deliveries (
	letter_id uuid not null references newsletter_letters,
	subscription_id uuid not null references newsletter_subscriptions on delete cascade,
	sent_at timestamptz,
	refused_reason text, -- the mail server's own words, without addresses
	primary key (letter_id, subscription_id)
);
create index newsletter_deliveries_subscription on newsletter_deliveries (subscription_id);
