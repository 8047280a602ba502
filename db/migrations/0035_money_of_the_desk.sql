-- a person has settled a refund that failed, in another way
alter table refunds add column closed_at timestamptz;
create index refunds_failed on refunds (requested_at) where status in ('failed', 'refused') and closed_at is null;

-- the days on which a document was opened by its link: the proof of its delivery
create table document_openings (
	document_id uuid not null references documents on delete cascade,
	day date not null,
	first_at timestamptz not null,
	last_at timestamptz not null,
	count integer not null,
	primary key (document_id, day)
);
