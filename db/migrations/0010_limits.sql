-- Limits that are counted together, and whose payment session is asked about first.

-- Takes a point of each count in one step, or of none: a place that has none left gives back what the places before it took.
-- `most` is how many points each has; `spare` how many more for those whose counts before were at nothing. A count ends `ends` and
-- is over at `now` (milliseconds since 1970, as rate-limiter-flexible writes them into this table). The rows stay locked until the
-- caller's transaction ends, in the order that is given: every caller gives them in the same order.
-- Returns the first place without a point and when it has one again; nothing when all had one.
create function take_points(keys text[], most integer[], spare integer[], now bigint, ends bigint)
	returns table (refused_place integer, refused_until bigint)
	language plpgsql
	as $$
declare
	is_first boolean := true;
	counted integer;
begin
	for place in 1 .. cardinality(keys) loop
		counted := null;
		insert into rate_limits as known (key, points, expire) values (keys[place], 1, ends)
			on conflict (key) do update set
				points = case when known.expire <= now then 1 else known.points + 1 end,
				expire = case when known.expire <= now then ends else known.expire end
			where known.expire <= now or known.points < most[place] + case when is_first then spare[place] else 0 end
			returning points into counted;
		if counted is null then
			update rate_limits set points = points - 1 where key = any(keys[: place - 1]);
			return query select place, rate_limits.expire from rate_limits where key = keys[place];
			return;
		end if;
		is_first := is_first and counted = 1;
	end loop;
end
$$;

-- of whom the session is, as a keyed hash, while it is open: sessions of those who have few are asked about first
alter table payment_sessions add column opened_by text;

-- unpaid orders are deleted after thirty days
create index orders_unpaid on orders (id) where paid_at is null;
