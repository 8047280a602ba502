-- Alerts: who asked to be told by e-mail of new notices about a company, and what was told to whom.

-- a mailbox, whose id stands in the links of its e-mails
create table company_followers (
	id uuid primary key,
	email text not null,
	created_at timestamptz not null,
	-- the last act of its owner, such as a confirmation; null before the first
	active_at timestamptz
);
create unique index company_followers_email on company_followers (lower(email));

-- An ended one stays for a time as the proof of a consent; following again makes a new one.
create table company_alerts (
	id uuid primary key,
	follower_id uuid not null references company_followers on delete cascade,
	siren text collate "C" not null,
	frequency text not null check (frequency in ('at-once', 'weekly')),
	-- groups of the bulletin's families, as the form shows them
	topics text[] not null check (
		cardinality(topics) > 0 and topics <@ array['changes', 'creations', 'removals', 'proceedings', 'sales', 'accounts']
	),
	-- which words stood beside the form
	text_version text not null,
	requested_at timestamptz not null,
	confirmation_sent_at timestamptz,
	confirmed_at timestamptz,
	ended_at timestamptz check (ended_at is null or confirmed_at is not null)
);
create unique index company_alerts_followed on company_alerts (follower_id, siren) where ended_at is null;
create index company_alerts_every_follower on company_alerts (follower_id);
create index company_alerts_active on company_alerts (frequency, follower_id) where confirmed_at is not null and ended_at is null;

-- written before the mail is sent
create table company_alert_mails (
	id uuid primary key,
	follower_id uuid not null references company_followers on delete cascade,
	created_at timestamptz not null,
	sent_at timestamptz,
	-- the mail server's own words, without addresses
	refused_reason text
);
create index company_alert_mails_follower on company_alert_mails (follower_id);

-- Each notice is told once to each alert. No reference to the notice: the bulletin may be read anew.
create table company_alert_notices (
	alert_id uuid not null references company_alerts on delete cascade,
	notice_id text collate "C" not null,
	mail_id uuid not null references company_alert_mails on delete cascade,
	primary key (alert_id, notice_id)
);
create index company_alert_notices_mail on company_alert_notices (mail_id);

-- the reading of the bulletin whose notices were told at once
create table company_alert_readings (
	only_row boolean primary key default true check (only_row),
	imported_at timestamptz not null
);
