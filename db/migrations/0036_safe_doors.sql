-- A known device keeps the number that stood here when it was known: a higher one ends all devices of the person.
alter table operators.member add column device_version integer not null default 0;

-- The time step (RFC 6238) of the last code that was accepted: neither it nor an earlier one is accepted again.
alter table operators.two_factor add column last_step bigint;

-- Who invited; null at a terminal. An invitation ends when this person may no longer invite.
alter table operators.invitation add column invited_by_id uuid references operators."user";
create index invitations_of_inviter on operators.invitation (invited_by_id) where invited_by_id is not null;

-- Live streams end with their session, however it ended.
create function operators.notify_ended_session() returns trigger language plpgsql as $$
begin
	perform pg_notify('changes', 'operator session ' || old.id);
	return null;
end $$;
create trigger session_ended after delete on operators.session for each row execute function operators.notify_ended_session();
