-- The row that the readiness check writes: a database that is read-only answers every question.
create table readiness (
	singleton boolean primary key default true check (singleton),
	written_at timestamptz not null
);
