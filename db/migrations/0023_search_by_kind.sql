-- A search knows which words stand in a company's name, in its trade names and in its place, and shows names first. Companies have more
-- data for their page. Any base is searched as before; it has the rest from its next import on.

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

-- The functions of a search are new ones: the version before this one uses those of before for the minute of a deployment.
-- A lexeme of a trade name begins with E, one of a place with T, one of a name with neither. What a word asks for depends on the scope of
-- a query: 1 the name, 2 the name and the trade names, 3 the name and the place, 4 all three. Arrays have a row for each scope.

-- What is asked of the index for some words and filters, and `beside` what is asked of the companies found; by scope. Each word matches
-- from its beginning, but a very frequent one stands for itself. All are asked of the index, but
-- - beside a word that few companies have, nothing else is: to look at those is quicker than to read the lists of the others;
-- - of a word that many begin with (« marti »), its first letters are, and the rest of it beside.
-- `others` is what may stand in the place of a word (« paris 8 »: 75008), null for nothing. `whole` is all the words together.
create function company_queries(
	words text[], by_prefix tsquery[], by_key tsquery[], by_word tsquery[], others tsquery[], post_filters tsquery[], inout filters tsquery,
	out asked tsquery[], out beside tsquery[], out whole tsquery[])
	language plpgsql stable
	as $$
declare
	modes text[];
	few integer;
	fewest integer := 1000;
	begun bigint;
	having_begun bigint;
	having_other bigint;
	part tsquery;
	ask tsquery;
	check_later tsquery;
	rest tsquery;
	rare tsquery;
begin
	for place in 1 .. cardinality(words) loop
		if exists (select from company_words where word = words[place] and companies >= 2000) then
			modes[place] := 'word';
			continue;
		end if;
		select count(*), coalesce(sum(companies), 0) into begun, having_begun
		from (select companies from company_words where word >= words[place] and word < words[place] || chr(1114111) limit 301) begun;
		-- the vocabulary has no words of three letters, and no numbers
		if begun <= 300 and having_begun <= fewest and length(words[place]) >= 4 and words[place] >= 'a' collate "C" then
			having_other := 0;
			if others[1][place] is not null then
				select sum(case when length(lexeme) >= 4 and lexeme >= 'a' collate "C" then (
					select case when count(*) <= 300 then coalesce(sum(companies), 0) else 1000000 end
					from (select companies from company_words where word >= lexeme and word < lexeme || chr(1114111) limit 301) begun
				) else 1000000 end) into having_other
				from regexp_matches(others[1][place]::text, '''([^'']+)''', 'g') matched, unnest(matched) lexeme;
			end if;
			if having_begun + having_other <= fewest then
				few := place;
				fewest := having_begun + having_other;
			end if;
		end if;
		modes[place] := case
			when cardinality(words) > 1 and by_key[1][place] is not null and (begun > 300 or having_begun > 20000) then 'key'
			else 'prefix'
		end;
	end loop;
	if not (cardinality(words) > 1 or numnode(filters) > 0) then
		few := null;
	end if;
	for scope in 1 .. 4 loop
		ask := '';
		check_later := post_filters[scope];
		rest := check_later;
		for place in 1 .. cardinality(words) loop
			part := case modes[place] when 'word' then by_word[scope][place] else by_prefix[scope][place] end;
			part := coalesce(part || others[scope][place], part);
			if modes[place] = 'key' then
				ask := ask && coalesce(by_key[scope][place] || others[scope][place], by_key[scope][place]);
				check_later := coalesce(check_later && part, part);
			else
				ask := ask && part;
			end if;
			if numnode(part) > 0 then
				rest := coalesce(rest && part, part);
			end if;
			if place = few then
				rare := part;
			end if;
		end loop;
		whole[scope] := rest;
		if few is not null then
			ask := rare;
			check_later := case when numnode(filters) > 0 then rest && filters else rest end;
		end if;
		asked[scope] := ask;
		beside[scope] := check_later;
	end loop;
	if few is not null then
		filters := '';
	end if;
end
$$;

-- Two functions read the tiers of the companies, as company_ids and company_first_ids do. They return a rank with each id: rank * 2^32 + id.
-- The rank is 0 where the name has all the words (`in_name`), 1 with the trade names (`in_trade`), 2 with the place (`in_place`), else 3.
do $make$
declare
	body constant text := $body$
		create function %s(
			asked tsquery, filters tsquery, beside tsquery, in_name tsquery, in_trade tsquery, in_place tsquery, but_name integer, most integer)
			returns bigint[]
			language plpgsql stable
			set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_indexscan = off set jit = off set work_mem = '32MB'
			as $$
		begin
			if numnode(filters) = 0 then
				return array(%s limit most);
			end if;
			return array(%s limit most);
		end $$
	$body$;
	tier constant text := $tier$
		(select case when ts_match_vq(lexemes, in_name) then 0 when ts_match_vq(lexemes, in_trade) then 4294967296
				when ts_match_vq(lexemes, in_place) then 8589934592 else 12884901888 end + id
			from companies where lexemes @@ asked
			and name_key is distinct from but_name and coalesce(alias_key, name_key) is distinct from but_name
			and (beside is null or ts_match_vq(lexemes, beside)) and %s %s)
	$tier$;
	-- the partial indexes want to see their bounds
	bounds constant text[] := array['id <= 2500', 'id > 2500 and id <= 40000', 'id > 40000 and id <= 320000', 'id > 320000 and id <= 960000',
		'id > 960000 and id <= 1920000', 'id > 1920000 and id <= 3200000', 'id > 3200000 and id <= 5120000', 'id > 5120000'];
	name text;
	sorted text;
	tiers text;
begin
	for name, sorted in values
		-- ids tier after tier: all of each but the last one, of which some
		('ranked_company_ids', ''),
		-- the first ids in their order: all of a tier are sorted before the next one is looked at
		('ranked_company_first_ids', 'order by id limit most')
	loop
		tiers := (select string_agg(format(tier, bound, sorted), ' union all ' order by place) from unnest(bounds) with ordinality bound (bound, place));
		execute format(body, name, tiers, replace(tiers, 'lexemes @@ asked', 'lexemes @@ asked and lexemes @@ filters'));
	end loop;
end
$make$;

-- Ids of a page of the companies that have all the words and fit the filters: those first whose whole name, acronym or usual name the words
-- are (their key is `whole_name`), then by rank and importance. `total` is counted up to `cap`; a page beyond the last is the last.
-- Nothing is counted where one page is the cap.
create function find_companies(
	words text[], by_prefix tsquery[], by_key tsquery[], by_word tsquery[], others tsquery[], post_filters tsquery[], filters tsquery,
	whole_name integer, page integer, size integer, cap integer,
	out total integer, out shown_page integer, out ids integer[])
	language plpgsql stable
	set plan_cache_mode = force_generic_plan set jit = off
	as $$
declare
	asked tsquery[];
	beside tsquery[];
	whole tsquery[];
	exact integer[];
	-- rank * 2^32 + id
	found bigint[] := '{}';
	everything bigint[];
	most integer;
	wanted integer;
	last_tier integer;
	known boolean := false;
begin
	select query.asked, query.beside, query.whole, query.filters into asked, beside, whole, filters
		from company_queries(words, by_prefix, by_key, by_word, others, post_filters, filters) query;
	exact := array(
		select id from companies
		where (name_key = whole_name or alias_key = whole_name) and lexemes @@ (asked[4] && filters)
			and (beside[4] is null or ts_match_vq(lexemes, beside[4]))
		order by id limit cap
	);
	most := cap - cardinality(exact);
	wanted := least(greatest(page * size - cardinality(exact), 0), most);
	if most = 0 then
		known := true;
	elsif cap > size and not (
		-- a frequent word alone, or the beginning of one, needs no counting; the vocabulary may count a company three times
		numnode(filters) = 0 and cardinality(words) = 1 and beside[4] is null and exists (
			select from company_words
			where word >= words[1] and word < words[1] || chr(1114111) and companies > 1000 and companies >= 3 * (cap + cardinality(exact))
		)
	) then
		found := ranked_company_ids(asked[4], filters, beside[4], whole[1], whole[2], whole[3], whole_name, most);
		known := cardinality(found) < most;
		if not known then
			total := cap;
			-- of the last tier some are there, not the first ones; a page of names may be found in the tiers before it
			last_tier := tier_floor((select max(key & 4294967295)::integer from unnest(found) key));
			known := wanted <= (select count(*) from unnest(found) key where key <= last_tier);
			if not known then
				found := '{}';
			end if;
		end if;
	else
		total := cap;
	end if;
	if not known then
		for scope in 1 .. 4 loop
			exit when cardinality(found) >= wanted;
			if scope = 2 and cap <= size then
				-- few fit, or nearly all of a page is there
				everything := ranked_company_ids(asked[4], filters, beside[4], whole[1], whole[2], whole[3], whole_name, 200);
				if cardinality(everything) < 200 then
					found := everything;
					exit;
				end if;
			end if;
			-- a wider scope also finds what a narrower one found
			found := array(
				select distinct key
				from unnest(found || ranked_company_first_ids(
					asked[scope], filters, beside[scope], whole[1], whole[2], whole[3], whole_name, wanted)) key
				order by key limit wanted
			);
		end loop;
	end if;
	total := coalesce(total, cardinality(exact) + cardinality(found));
	shown_page := least(page, greatest(1, (total + size - 1) / size));
	ids := (exact || array(select (key & 4294967295)::integer from unnest(found) key order by key))[(shown_page - 1) * size + 1 : shown_page * size];
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
