-- The newsletter: who asked for it, who confirmed, who ended it, and what was sent to whom.

-- an ended one stays for a time as the proof of a consent; asking again makes a new one
create table newsletter_subscriptions (
	id uuid primary key,
	email text not null,
	source text not null check (source in ('order', 'form')),
	-- which words stood beside the form or the order's box
	text_version text not null,
	requested_at timestamptz not null,
	confirmation_sent_at timestamptz,
	confirmed_at timestamptz,
	unsubscribed_at timestamptz check (unsubscribed_at is null or confirmed_at is not null)
);
create unique index newsletter_subscriptions_email on newsletter_subscriptions (lower(email)) where unsubscribed_at is null;
create index newsletter_subscriptions_every_email on newsletter_subscriptions (lower(email));

create table newsletter_letters (
	id uuid primary key,
	subject text not null,
	-- the whole Markdown file, its heading too
	content text not null,
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
	-- the mail server's own words, without addresses
	refused_reason text,
	primary key (letter_id, subscription_id)
);
create index newsletter_deliveries_subscription on newsletter_deliveries (subscription_id);
