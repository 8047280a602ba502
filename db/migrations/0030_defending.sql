-- How the operator protects the shop: closures, days off, the most orders an hour, and the refund brake.

-- The settings in force. A setting without a row has its default (app/shop-settings/shop-settings.ts).
create table shop_settings (
	name text primary key,
	value jsonb not null
);

-- Who changed which setting, and when. Rows are only added.
create table shop_setting_changes (
	id bigint generated always as identity primary key,
	name text not null,
	before jsonb not null,
	after jsonb not null,
	changed_by text not null,
	-- null in the terminal
	operator_id uuid,
	changed_at timestamptz not null
);

create function refuse_setting_change_update() returns trigger
	language plpgsql as $$
begin
	raise exception 'shop_setting_changes is append-only';
end
$$;
create trigger shop_setting_changes_append_only before update or delete on shop_setting_changes
	for each statement execute function refuse_setting_change_update();

alter table refunds
	-- a late refund above the brake waits for a person, until then at the latest
	add column held_until timestamptz,
	-- who released it earlier
	add column released_by text;
create index refunds_late on refunds (requested_at) where reason = 'late';
create index refunds_held on refunds (held_until) where status = 'requested' and held_until is not null;

-- Each order is announced once at each threshold.
create table order_alerts (
	order_id uuid not null references orders on delete cascade,
	-- before the promise
	minutes smallint not null,
	alerted_at timestamptz not null,
	primary key (order_id, minutes)
);

-- The devices to which an operator wants web push (RFC 8030, RFC 8291).
create table push_subscriptions (
	id uuid primary key,
	operator_id uuid not null,
	endpoint text not null unique,
	p256dh text not null,
	auth text not null,
	created_at timestamptz not null
);
create index push_subscriptions_operator on push_subscriptions (operator_id);

-- What an operator said of their duty; without a row it follows from their last sign-in.
create table operator_duties (
	operator_id uuid primary key,
	on_duty boolean not null,
	changed_at timestamptz not null
);
