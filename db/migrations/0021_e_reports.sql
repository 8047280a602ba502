-- What was prepared for the tax office (flow 10), as it was written: it is not computed again. Owned by app/books.
create table e_reports (
	id text primary key, -- of the transmission: `EP-20270901-20270910-T-1`
	flow text not null check (flow in ('sales', 'payments')),
	period_start date not null, period_end date not null check (period_end > period_start),
	number integer not null check (number > 0), -- within its flow and period: the first is initial (IN), the next ones rectify it (RE)
	type text not null check (type in ('IN', 'RE')),
	content_sha256 text not null, -- of what it reports, whatever its number and hour
	xml text not null,
	made_by text not null, made_at timestamptz not null,
	unique (flow, period_start, period_end, number),
	check ((number = 1) = (type = 'IN'))
);

create function keep_e_reports() returns trigger language plpgsql as $$
begin
	if tg_op = 'DELETE' and current_setting('shop.purging_accounts', true) = 'on' then return old; end if;
	raise exception 'a prepared e-report is not changed';
end $$;
create trigger e_reports_are_kept before update or delete on e_reports for each row execute function keep_e_reports();
