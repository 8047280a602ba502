-- As take_points of 0010, and each count takes `cost` points: a purchase of many orders costs more than one. A count of nothing accepts any
-- cost, up to all of its points, so that no setting makes a purchase impossible.
create or replace function take_points(keys text[], most integer[], spare integer[], cost integer[], now bigint, ends bigint)
	returns table (refused_place integer, refused_until bigint)
	language plpgsql
	as $$
declare
	is_first boolean := true;
	taken integer;
	counted integer;
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
end
$$;
