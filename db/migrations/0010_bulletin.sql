-- The bulletin BODACC: notices about legal persons, and the people who follow a company by e-mail.
-- Owned by app/companies/bulletin and app/companies/alerts. Fifty million notices must fit, so courts and kinds of change are kept once, in
-- bulletin_texts (docs/decisions/0039-bulletin.md).

create type bulletin_family as enum (
	'creation', 'immatriculation', 'modification', 'radiation', 'transfert', 'collective', 'conciliation', 'vente', 'dpc', 'other'
);

create table bulletin_texts (id integer generated always as identity primary key, text text not null unique);

-- A row for each company that a notice names.
create table bulletin_notices (
	-- eight columns or fewer: a ninth would widen the header of each row by eight bytes
	siren text collate "C" not null,
	id text collate "C" not null, -- edition, issue and number as the bulletin writes them, not padded
	published_on date not null,
	event_on date, -- the day of the judgment, or the day on which the accounts were closed
	court_id integer references bulletin_texts, kind_id integer references bulletin_texts,
	family bulletin_family not null,
	url text, -- null where it is the address that the bulletin gives to this id
	primary key (id, siren)
);
create index bulletin_notices_siren on bulletin_notices (siren);

-- Notices that correct or cancel another one. Either may be imported first.
create table bulletin_corrections (
	id text collate "C" primary key,
	target text collate "C", -- the notice that it names; null where that cannot be read
	published_on date not null,
	cancels boolean not null, -- a cancelling notice leaves nothing to show; any other takes the place of the one that it names
	url text
);
create index bulletin_corrections_target on bulletin_corrections (target);

-- What was read of the bulletin: no row before the first import.
create table bulletin_readings (
	only_row boolean primary key default true check (only_row),
	imported_at timestamptz not null,
	-- the days of publication of which every notice was read; null while only single notices were
	covered_from date, covered_to date,
	reached_at timestamptz, -- when a reading from the API last came to its own day: the daily job then has nothing left to do on that day
	check ((covered_from is null) = (covered_to is null))
);

-- A mailbox that follows companies. Its id stands in the links of its e-mails.
create table company_followers (
	id uuid primary key,
	email text not null, created_at timestamptz not null,
	active_at timestamptz, -- the last act of its owner, such as a confirmation; null before the first
	confirm_after timestamptz -- the earliest instant of its next e-mail that asks to confirm alerts: requests until then share it
);
create unique index company_followers_email on company_followers (lower(email));

-- Who asked to be told of which company. An ended one stays for a time as the proof of a consent; following again makes a new one.
create table company_alerts (
	id uuid primary key, follower_id uuid not null references company_followers on delete cascade,
	siren text collate "C" not null,
	frequency text not null check (frequency in ('at-once', 'weekly')),
	-- groups of the bulletin's families, as the form shows them
	topics text[] not null
		check (cardinality(topics) > 0 and topics <@ array['changes', 'creations', 'removals', 'proceedings', 'sales', 'accounts']),
	text_version text not null, -- which words stood beside the form
	requested_at timestamptz not null, confirmation_sent_at timestamptz,
	confirmation_mail text, -- the Message-ID of the e-mail that asked to confirm it; one e-mail may name several alerts
	confirmed_at timestamptz,
	ended_at timestamptz check (ended_at is null or confirmed_at is not null)
);
create unique index company_alerts_followed on company_alerts (follower_id, siren) where ended_at is null;
create index company_alerts_every_follower on company_alerts (follower_id);
create index company_alerts_active on company_alerts (frequency, follower_id) where confirmed_at is not null and ended_at is null;

-- written before the mail is sent
create table company_alert_mails (
	id uuid primary key, follower_id uuid not null references company_followers on delete cascade,
	created_at timestamptz not null, sent_at timestamptz,
	refused_reason text -- the mail server's own words, without addresses
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
create table company_alert_readings (only_row boolean primary key default true check (only_row), imported_at timestamptz not null);
