-- A conversation of e-mails that nobody wrote, such as an absence notice: a trace, in a list of its own, that waits for no answer.
-- The first message of a person makes it a conversation like the others.
alter table conversations add column is_automatic boolean not null default false;
create index conversations_automatic on conversations (last_at) where is_automatic;
