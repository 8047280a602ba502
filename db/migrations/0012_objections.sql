-- Companies hidden at the request of the person concerned, what such a request says, and who ran which operator command.

-- Imports read it: a SIREN in it stays masked, whatever INSEE diffuses (GDPR art. 21).
create table hidden_companies (
	siren text collate "C" primary key,
	reason text not null,
	hidden_at timestamptz not null,
	-- the row of companies as imports would show it, without its id: null while no import knows the SIREN; read by companies:show only
	withheld jsonb
);

-- the company that a message is about, where it came from a company's page
alter table contact_messages add column siren text;

-- The operator's commands, without customers' personal data: two rows of one run, at its beginning and at its end.
create table desk_log (
	id bigint generated always as identity primary key,
	run uuid not null,
	at timestamptz not null,
	verb text not null,
	-- the number of an order, or a SIREN
	subject text,
	who text not null,
	outcome text not null check (outcome in ('begun', 'done', 'refused', 'failed'))
);
create index desk_log_at on desk_log (at);
create index desk_log_run on desk_log (run);

-- append-only, but for the nightly purge of what is older than logs are kept
create function keep_desk_log() returns trigger language plpgsql as $$
begin
	if tg_op = 'DELETE' and current_setting('shop.purging_desk_log', true) = 'on' then return old; end if;
	raise exception 'the log of the operator''s commands is neither changed nor deleted';
end $$;
create trigger desk_log_is_kept before update or delete on desk_log for each row execute function keep_desk_log();
create trigger desk_log_is_not_emptied before truncate on desk_log for each statement execute function keep_desk_log();
