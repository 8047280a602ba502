-- Whether each part of the shop answered, asked again and again: what the state page shows of the last ninety days.

create table probes (
	part text not null,
	-- the mark that it was made for: one measure in each interval, whoever makes it
	at timestamptz not null,
	ok boolean not null,
	ms integer not null,
	-- differs from the measure before it: where an incident begins or ends
	changed boolean not null,
	primary key (part, at)
);
create index probes_changed on probes (at) where changed;
create index probes_at on probes (at);

-- The same by day in Europe/Paris, counted by the statement that writes the measure.
create table probe_days (
	part text not null,
	day date not null,
	checks integer not null,
	failed integer not null,
	primary key (part, day)
);
