-- Operators: who they are, what they asked for and did, what they set, and how they are told and find an order.
-- Owned by app/desk/operators, app/desk/log, app/desk/alerts, app/catalogue/settings and app/desk/search.

-- Sign-in: the tables of better-auth (https://better-auth.com/docs/concepts/database and /docs/plugins/2fa), with our spelling of
-- columns, then ours.
create schema operators;

create table operators."user" (
	id uuid primary key default gen_random_uuid(), name text not null, email text not null unique,
	email_verified boolean not null, image text, two_factor_enabled boolean,
	created_at timestamptz not null default now(), updated_at timestamptz not null default now()
);

create table operators.session (
	id uuid primary key default gen_random_uuid(), token text not null unique, expires_at timestamptz not null,
	created_at timestamptz not null default now(), updated_at timestamptz not null, ip_address text, user_agent text,
	user_id uuid not null references operators."user" on delete cascade,
	proved_at timestamptz -- when both factors were given; null after the password alone
);
create index sessions_of_user on operators.session (user_id);

-- Live streams end with their session, however it ended.
create function operators.notify_ended_session() returns trigger language plpgsql as $$
begin perform pg_notify('changes', 'operator session ' || old.id); return null; end $$;
create trigger session_ended after delete on operators.session for each row execute function operators.notify_ended_session();

create table operators.account (
	id uuid primary key default gen_random_uuid(), account_id text not null, provider_id text not null,
	user_id uuid not null references operators."user" on delete cascade,
	access_token text, refresh_token text, id_token text, scope text, password text,
	access_token_expires_at timestamptz, refresh_token_expires_at timestamptz,
	created_at timestamptz not null default now(), updated_at timestamptz not null
);
create index accounts_of_user on operators.account (user_id);

create table operators.verification (
	id uuid primary key default gen_random_uuid(), identifier text not null, value text not null,
	expires_at timestamptz not null,
	created_at timestamptz not null default now(), updated_at timestamptz not null default now()
);
create index verification_identifier on operators.verification (identifier);

create table operators.two_factor (
	id uuid primary key default gen_random_uuid(),
	secret text not null, backup_codes text not null,
	user_id uuid not null references operators."user" on delete cascade,
	verified boolean, failed_verification_count integer, locked_until timestamptz,
	last_step bigint -- the time step (RFC 6238) of the last code that was accepted: neither it nor an earlier one is accepted again
);
create index two_factors_of_user on operators.two_factor (user_id);

-- An authenticator whose first code was accepted is deleted, never replaced: one that was prepared at the same time changes nothing.
create function operators.keep_verified_secret() returns trigger language plpgsql as $$
begin
	if old.verified and new.secret <> old.secret then return null; end if;
	return new;
end $$;
create trigger verified_secret_stays before update on operators.two_factor for each row execute function operators.keep_verified_secret();

create table operators.passkey (
	credential_id text primary key, -- base64url, as browsers give it
	user_id uuid not null references operators."user" on delete cascade,
	public_key bytea not null, counter bigint not null, transports text[] not null,
	name text not null, created_at timestamptz not null, last_used_at timestamptz
);
create index passkeys_of_user on operators.passkey (user_id);

-- What an operator may do. A person who has left keeps their row, because the trail names them.
create table operators.member (
	user_id uuid primary key references operators."user",
	roles text[] not null check (roles <@ array['serve', 'refund', 'privacy', 'accounts', 'settings']),
	joined_at timestamptz not null, left_at timestamptz,
	-- when somebody at the desk last gave the person a role that they did not have; null after an invitation alone
	granted_at timestamptz,
	-- A known device keeps the number that stood here when it was known: a higher one ends all devices of the person.
	device_version integer not null default 0
);

create table operators.invitation (
	id uuid primary key, email text not null, name text not null,
	roles text[] not null check (roles <@ array['serve', 'refund', 'privacy', 'accounts', 'settings']),
	invited_by text not null,
	invited_by_id uuid references operators."user", -- null at a terminal; the invitation ends when this person may no longer invite
	created_at timestamptz not null, expires_at timestamptz not null, used_at timestamptz
);
create index invitations_of_inviter on operators.invitation (invited_by_id) where invited_by_id is not null;

-- What operators ask for in the desk. Each form has a key, so that nothing is done twice; an act that can be undone waits until `due_at`.
create table desk_acts (
	key text primary key, act text not null,
	order_id uuid, -- no reference: the purge and the erasure of orders delete these rows
	fields jsonb, -- the form's fields; deleted when the act has ended
	operator_id uuid not null, operator_name text not null, origin text not null,
	requested_at timestamptz not null, due_at timestamptz,
	needs_approval boolean not null default false, -- above the limit of refunds: a second person approves
	approved_by uuid, started_at timestamptz, undone_at timestamptz, ended_at timestamptz,
	ok boolean, sentence text,
	seen_at timestamptz, -- when its operator took note that it was refused at its time: it then leaves the bar of every page
	check (approved_by is null or approved_by <> operator_id)
);
create index desk_acts_order on desk_acts (order_id) where order_id is not null;
create index desk_acts_open on desk_acts (requested_at) where ended_at is null and undone_at is null;
create index desk_acts_requested on desk_acts (requested_at);
-- for the bar, on every page of an operator
create index desk_acts_refused on desk_acts (operator_id, ended_at) where ok = false and due_at is not null and seen_at is null;

-- The trail of what was done, in the desk and by commands, without customers' personal data: two rows of one run, at its beginning and
-- at its end.
create table desk_log (
	id bigint generated always as identity primary key,
	run uuid not null, at timestamptz not null, verb text not null,
	subject text, -- the number of an order, or a SIREN
	who text not null,
	-- of an act in the desk: whose it is, from where, and what changed
	operator_id uuid, origin text, change jsonb,
	outcome text not null check (outcome in ('begun', 'done', 'refused', 'failed'))
);
create index desk_log_at on desk_log (at);
create index desk_log_run on desk_log (run);
create index desk_log_subject on desk_log (subject) where subject is not null;
-- The runs that name several orders are few, and each order's trail looks for them.
create index desk_log_several_orders on desk_log (id) where jsonb_typeof(change->'after'->'orders') = 'string';

-- Append-only. The purge deletes what is older than a year (app/catalogue/retention.ts, logs).
create function keep_desk_log() returns trigger language plpgsql as $$
begin
	if tg_op = 'DELETE' and current_setting('shop.purging_desk_log', true) = 'on' and old.at < now() - interval '1 year' then
		return old;
	end if;
	raise exception 'the log of the operator''s commands is neither changed nor deleted';
end $$;
create trigger desk_log_is_kept before update or delete on desk_log for each row execute function keep_desk_log();
create trigger desk_log_is_not_emptied before truncate on desk_log for each statement execute function keep_desk_log();

-- The settings in force: closures, days off, the most orders an hour, the refund brake. A setting without a row has its default
-- (app/catalogue/settings/shop-settings.ts).
create table shop_settings (name text primary key, value jsonb not null);

-- Who changed which setting, and when.
create table shop_setting_changes (
	id bigint generated always as identity primary key,
	name text not null, before jsonb not null, after jsonb not null,
	changed_by text not null, changed_at timestamptz not null,
	operator_id uuid -- null in the terminal
);

create function refuse_setting_change_update() returns trigger language plpgsql as $$
begin raise exception 'shop_setting_changes is append-only'; end $$;
create trigger shop_setting_changes_append_only before update or delete on shop_setting_changes
	for each statement execute function refuse_setting_change_update();

-- Each order is announced once at each threshold.
create table order_alerts (
	order_id uuid not null references orders on delete cascade,
	minutes smallint not null, alerted_at timestamptz not null, -- minutes before the promise
	primary key (order_id, minutes)
);

-- The devices to which an operator wants web push (RFC 8030, RFC 8291).
create table push_subscriptions (
	id uuid primary key, operator_id uuid not null, endpoint text not null unique,
	p256dh text not null, auth text not null, created_at timestamptz not null
);
create index push_subscriptions_operator on push_subscriptions (operator_id);

-- What an operator said of their duty; without a row it follows from their last sign-in.
create table operator_duties (operator_id uuid primary key, on_duty boolean not null, changed_at timestamptz not null);

-- What an operator searches an order by (docs/decisions/0031-claims-words-and-letters.md). Beside the orders, so that their own updates
-- stay cheap. A trigger writes it; the erasure of a customer empties it in the same statement.
create table order_words (
	order_id uuid primary key references orders on delete cascade,
	created_at timestamptz not null, words tsvector not null
);
create index order_words_words on order_words using gin (words) with (fastupdate = off);
create index order_words_created on order_words (created_at desc, order_id);

-- Tokens of a text: lower case, no accent, letters and digits only; an e-mail address also whole. The search tokenizes by it too.
create function search_tokens(typed text) returns text[] language sql immutable parallel safe
	return array(
		select distinct left(token, 80)
		from (
			select lower(regexp_replace(
				normalize(replace(replace(replace(coalesce(typed, ''), 'œ', 'oe'), 'Œ', 'oe'), 'æ', 'ae'), nfkd),
				E'[\u0300-\u036f]', '', 'g')) as folded
		) as text,
		lateral (
			select regexp_split_to_table(folded, '[^[:alnum:]]+') as token
			union
			select word from regexp_split_to_table(folded, '[\s,;<>()]+') as word where word like '%_@_%'
		) as tokens
		where token <> ''
	);

-- A telephone number as people write it in France: digits, « +33 6 » and « 0033 6 » as « 06 ».
create function search_phone(typed text) returns text language sql immutable parallel safe
	return regexp_replace(regexp_replace(coalesce(typed, ''), '\D', '', 'g'), '^(?:00)?33(?=\d{9}$)', '0');

-- Every word of an order; an erased one keeps its number, its company and nothing of its customer.
create function order_search_words(o orders) returns tsvector language sql immutable parallel safe
	return array_to_tsvector(array(
		select left(word, 80)
		from unnest(
			search_tokens(concat_ws(' ', o.first_name, o.last_name, o.company_name, o.billing_company, o.delivery_name, o.customer_email,
				o.delivery_email, o.reference))
			|| array[
				lower(replace(o.order_number, '-', '')),
				lower(split_part(o.order_number, '-', 2) || split_part(o.order_number, '-', 3)),
				lower(split_part(o.order_number, '-', 3)),
				o.siren, o.billing_siren, search_phone(o.phone), lower(o.tracking_number)
			]) as words (word)
		where word <> ''));

create function write_order_words() returns trigger language plpgsql as $$
begin
	insert into order_words (order_id, created_at, words) values (new.id, new.created_at, order_search_words(new))
		on conflict (order_id) do update set words = excluded.words;
	return null;
end $$;
create trigger orders_have_words after insert or update of first_name, last_name, company_name, billing_company, delivery_name,
	customer_email, delivery_email, order_number, siren, billing_siren, phone, tracking_number, reference on orders
	for each row execute function write_order_words();
