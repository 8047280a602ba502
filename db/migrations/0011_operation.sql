-- The shop as a running program: whether its parts answer, its processes, its limits, its identity.
-- Owned by app/web/status and server/.

-- Whether each part of the shop answered, asked again and again: what the status page shows of the last ninety days.
create table probes (
	part text not null,
	at timestamptz not null, -- the mark that it was made for: one measure in each interval, whoever makes it
	ok boolean not null, ms integer not null,
	changed boolean not null, -- differs from the measure before it: where an incident begins or ends
	primary key (part, at)
);
create index probes_changed on probes (at) where changed;
create index probes_at on probes (at);

-- The same by day in Europe/Paris, counted by the statement that writes the measure.
create table probe_days (
	part text not null, day date not null,
	checks integer not null, failed integer not null,
	primary key (part, day)
);

-- The row that the readiness check writes: a database that is read-only answers every question.
create table readiness (singleton boolean primary key default true check (singleton), written_at timestamptz not null);

-- processes that do jobs, each with its last sign of life
create table job_processes (id uuid primary key, seen_at timestamptz not null);

-- Counts of all web processes (docs/decisions/0014-limits.md).
create table rate_limits (
	key text primary key, points integer not null default 0,
	expire bigint -- milliseconds since 1970, as rate-limiter-flexible writes them
);

-- Takes points of each count in one step, or of none: a place that has too few left gives back what the places before it took.
-- - cost: how many, as a purchase of many orders costs more than one. A count of nothing accepts any cost, up to all of its points, so that
--   no setting makes a purchase impossible;
-- - most: how many points each count has; spare: how many more for those whose counts before were at nothing;
-- - a count is over at `now` and ends `ends`, in milliseconds since 1970.
-- The rows stay locked until the caller's transaction ends, in the order that is given: every caller gives them in the same order.
-- Returns the first place without enough points and when it has some again; nothing when all had enough.
create function take_points(keys text[], most integer[], spare integer[], cost integer[], now bigint, ends bigint)
	returns table (refused_place integer, refused_until bigint) language plpgsql as $$
declare
	is_first boolean := true; taken integer; counted integer;
begin
	for place in 1 .. cardinality(keys) loop
		taken := least(cost[place], most[place]);
		counted := null;
		insert into rate_limits as known (key, points, expire) values (keys[place], taken, ends)
			on conflict (key) do update set
				points = case when known.expire <= now then taken else known.points + taken end,
				expire = case when known.expire <= now then ends else known.expire end
			where known.expire <= now or known.points + taken <= most[place] + case when is_first then spare[place] else 0 end
			returning points into counted;
		if counted is null then
			for earlier in 1 .. place - 1 loop
				update rate_limits set points = points - least(cost[earlier], most[earlier]) where key = keys[earlier];
			end loop;
			return query select place, rate_limits.expire from rate_limits where key = keys[place];
			return;
		end if;
		is_first := is_first and counted = taken;
	end loop;
end $$;

-- Which database this is: a restored one is the same, one that was made anew beside the same storage is another.
create table database_identity (id uuid primary key default gen_random_uuid());
insert into database_identity default values;
