-- A search knows which words stand in a company's name, in its trade names and in its place, and shows names first. Companies have more
-- data for their page. Any base is searched as before; it has the rest from its next import on.

-- an import of the previous version would end by putting tables without these columns in their place: the migration waits for it
do $$
begin
	if not pg_try_advisory_xact_lock(hashtext('companies import')) then
		raise exception 'an import of companies is running' using errcode = 'lock_not_available';
	end if;
end
$$;

alter table companies
	add acronym text,
	-- usual names and the trade signs of the head office, one a line
	add trade_names text,
	-- INSEE's code of the number of employees, and its year
	add staff_band text,
	add staff_year smallint,
	-- PME, ETI or GE
	add category text;

-- Open establishments other than the head office, one row a company that has any. Replaced as a whole by each import, as companies is.
create table company_branches (
	siren text collate "C" primary key with (fillfactor = 100),
	branches integer not null,
	-- their trade names, each once, one a line
	trade_names text,
	-- the first fifty, as JSON: [NIC, trade name, street, complement, postal code, city, commune] each
	list text not null
);

-- the embedded companies are emptied: the next start imports them again
do $$
begin
	if exists (select from company_sources where name = 'sirene' and companies = 24360 and as_of = '2026-05-13') then
		truncate companies, company_words, company_sources;
	end if;
end
$$;

-- Each word of a company's lexemes has a weight: A in its name, B in its trade names or acronym, D in its place. A base that was imported
-- before has none, and every word then counts as one of the name.

-- Reads the tiers of the companies as company_ids does, and returns rank * 2^32 + id. `ranks` are queries with weights: beginnings of words
-- 1 in the name, 2 in name and trade names, 3 in name and place; whole words 4 in the name, 5 in name and trade names. The rank is 0 for
-- whole words in the name, 1 in name and trade names, 2 for beginnings in the name, 3 in name and trade names, 4 in name and place, else 5.
do $make$
declare
	body constant text := $body$
		create function ranked_company_ids(asked tsquery, filters tsquery, beside tsquery, ranks tsquery[], but_name integer, most integer)
			returns bigint[]
			language plpgsql stable
			set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_indexscan = off set jit = off set work_mem = '32MB'
			as $$
		declare
			in_name tsquery := ranks[1];
			in_trade tsquery := ranks[2];
			in_place tsquery := ranks[3];
			whole_name tsquery := ranks[4];
			whole_trade tsquery := ranks[5];
		begin
			if numnode(filters) = 0 then
				return array(%s limit most);
			end if;
			return array(%s limit most);
		end $$
	$body$;
	tier constant text := $tier$
		(select id + 4294967296 * case
				-- of the many companies of a town, most need one test
				when not ts_match_vq(lexemes, in_trade) then case when in_place is null or ts_match_vq(lexemes, in_place) then 4 else 5 end
				when ts_match_vq(lexemes, in_name) then case when ts_match_vq(lexemes, whole_name) then 0 else 2 end
				when ts_match_vq(lexemes, whole_trade) then 1
				else 3 end
			from companies where lexemes @@ asked
			and name_key is distinct from but_name and coalesce(alias_key, name_key) is distinct from but_name
			and (beside is null or ts_match_vq(lexemes, beside)) and %s)
	$tier$;
	-- the partial indexes want to see their bounds
	bounds constant text[] := array['id <= 2500', 'id > 2500 and id <= 40000', 'id > 40000 and id <= 320000', 'id > 320000 and id <= 960000',
		'id > 960000 and id <= 1920000', 'id > 1920000 and id <= 3200000', 'id > 3200000 and id <= 5120000', 'id > 5120000'];
	tiers text;
begin
	tiers := (select string_agg(format(tier, bound), ' union all ' order by place) from unnest(bounds) with ordinality bound (bound, place));
	execute format(body, tiers, replace(tiers, 'lexemes @@ asked', 'lexemes @@ asked and lexemes @@ filters'));
end
$make$;

-- Ids of a page of the companies that have all the words and fit the filters: those first whose whole name, acronym or usual name the words
-- are (their key is `whole_name`), then by rank, then by importance. Where too many fit, those of the first tiers are ranked.
-- `total` is counted up to `cap`; a page beyond the last is the last. (search_companies serves the version before this one.)
create function find_companies(
	words text[], by_prefix tsquery[], by_key tsquery[], by_word tsquery[], filters tsquery, beside tsquery, others tsquery[], ranks tsquery[],
	whole_name integer, page integer, size integer, cap integer,
	out total integer, out shown_page integer, out ids integer[])
	language plpgsql stable
	set plan_cache_mode = force_generic_plan set jit = off
	as $$
declare
	asked tsquery;
	exact integer[];
	-- rank * 2^32 + id
	found bigint[] := '{}';
	most integer;
	-- where nothing is counted, so many are ranked: a page needs few
	ranked constant integer := case when cap > size then 200 else 30 end;
begin
	select query.asked, query.filters, query.beside into asked, filters, beside
		from company_query(words, by_prefix, by_key, by_word, filters, beside, others) query;
	exact := array(
		select id from companies
		where (name_key = whole_name or alias_key = whole_name) and lexemes @@ (asked && filters) and (beside is null or ts_match_vq(lexemes, beside))
		order by id limit cap
	);
	most := cap - cardinality(exact);
	if most > 0 then
		-- suggestions, and a frequent word alone, or the beginning of one, need no counting
		if cap <= size or (numnode(filters) = 0 and cardinality(words) = 1 and beside is null and exists (
			select from company_words
			where word >= words[1] and word < words[1] || chr(1114111) and companies > 1000 and companies >= cap + cardinality(exact)
		)) then
			found := array(select key from unnest(ranked_company_ids(asked, filters, beside, ranks, whole_name, ranked)) key order by key);
			-- later pages are sorted by importance alone
			if page * size - cardinality(exact) > ranked then
				found := found || array(
					select id::bigint from unnest(company_first_ids(asked, filters, beside, whole_name, page * size)) id
					where id <> all (select key & 4294967295 from unnest(found) key) order by id
				);
			end if;
			total := cap;
		else
			found := array(select key from unnest(ranked_company_ids(asked, filters, beside, ranks, whole_name, most)) key order by key);
		end if;
	end if;
	total := least(coalesce(total, cardinality(exact) + cardinality(found)), cap);
	shown_page := least(page, greatest(1, (total + size - 1) / size));
	ids := (exact || array(select (key & 4294967295)::integer from unnest(found) with ordinality found (key, place) order by place))
		[(shown_page - 1) * size + 1 : shown_page * size];
end
$$;

-- The place of the first query that a company with the filters fits; null for none.
create function first_found(queries tsquery[], filters tsquery) returns integer
	language plpgsql stable
	as $$
begin
	for place in 1 .. cardinality(queries) loop
		if cardinality(company_ids(queries[place], filters, null, null, 1)) = 1 then
			return place;
		end if;
	end loop;
	return null;
end
$$;
