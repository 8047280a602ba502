-- The search reads less: words and filters are asked for side by side, a frequent beginning is not counted, and of several mended
-- queries the likeliest is tried first. (It is quickest on a base imported since, where the companies of a town lie together.)

-- The migration before this one was once written with six tiers and other lexemes. What a base of then holds is emptied: the next start
-- puts the embedded companies there, the next import all.
do $$
begin
	if to_regclass('companies_lexemes_8') is null then
		truncate companies, company_words, company_sources;
		alter table companies drop column department;
		drop index companies_lexemes_4, companies_lexemes_5, companies_lexemes_6;
		create index companies_lexemes_4 on companies using gin (lexemes) with (fastupdate = off) where id > 320000 and id <= 960000;
		create index companies_lexemes_5 on companies using gin (lexemes) with (fastupdate = off) where id > 960000 and id <= 1920000;
		create index companies_lexemes_6 on companies using gin (lexemes) with (fastupdate = off) where id > 1920000 and id <= 3200000;
		create index companies_lexemes_7 on companies using gin (lexemes) with (fastupdate = off) where id > 3200000 and id <= 5120000;
		create index companies_lexemes_8 on companies using gin (lexemes) with (fastupdate = off) where id > 5120000;
		create or replace function tier_floor(id integer) returns integer
			language sql immutable parallel safe
			return case when id > 5120000 then 5120000 when id > 3200000 then 3200000 when id > 1920000 then 1920000 when id > 960000 then 960000 when id > 320000 then 320000 when id > 40000 then 40000 when id > 2500 then 2500 else 0 end;
	end if;
end
$$;

drop function search_companies, first_match, company_query, company_ids, company_first_ids;

-- words that more companies have than are ever counted: of a beginning, one of them says enough
create index company_words_frequent on company_words (word) where companies > 1000;

-- What a company is filtered by: each lexeme, and any two of them together. Made of nothing but ||, so that the planner can put it
-- into the statement of an import, which is then a sixth quicker.
create or replace function filter_lexemes(department text, form text, section text) returns text
	language sql immutable parallel safe
	as $$
	select coalesce(department || ' ', '') || coalesce(form || ' ', '') || coalesce(section || ' ', '')
		|| coalesce(department || form || ' ', '') || coalesce(department || section || ' ', '') || coalesce(form || section, '');
$$;

-- What is asked of the index for some words and filters, and `beside` what is asked of the companies found. Each word matches from its
-- beginning, but a very frequent one stands for itself: to unite « paris » with all that starts so would visit a tenth of the registry,
-- to show fewer of the companies meant. All are asked of the index, but
-- - beside a word that few companies have, nothing else is: to look at those is quicker than to leaf through the lists of the others;
-- - of a word that many begin with (« marti »), its first letters are, and the rest of it beside.
create function company_query(
	words text[], by_prefix tsquery[], by_key tsquery[], by_word tsquery[], inout filters tsquery, inout beside tsquery, out asked tsquery)
	language plpgsql stable
	as $$
declare
	rest tsquery := beside;
	part tsquery;
	few integer;
	fewest integer := 1000;
	begun bigint;
	having_begun bigint;
begin
	asked := '';
	for place in 1 .. cardinality(words) loop
		part := by_prefix[place];
		if exists (select from company_words where word = words[place] and companies >= 2000) then
			part := by_word[place];
			asked := asked && part;
		else
			select count(*), coalesce(sum(companies), 0) into begun, having_begun
			from (select companies from company_words where word >= words[place] and word < words[place] || chr(1114111) limit 301) begun;
			-- the vocabulary has no words of three letters, and no numbers
			if begun <= 300 and having_begun <= fewest and length(words[place]) >= 4 and words[place] >= 'a' collate "C" then
				few := place;
				fewest := having_begun;
			end if;
			if cardinality(words) > 1 and by_key[place] is not null and (begun > 300 or having_begun > 20000) then
				asked := asked && by_key[place];
				beside := coalesce(beside && part, part);
			else
				asked := asked && part;
			end if;
		end if;
		if numnode(part) > 0 then
			rest := coalesce(rest && part, part);
		end if;
	end loop;
	if few is not null and (cardinality(words) > 1 or numnode(filters) > 0) then
		asked := by_prefix[few];
		beside := case when numnode(filters) > 0 then rest && filters else rest end;
		filters := '';
	end if;
end
$$;

-- Two functions read the tiers of the registry. What they take:
-- - asked, filters: two queries, both of which fit; no filters are the empty query. Between the two GIN leaps over what the other lacks,
--   as companies of one town lie together; as one query, it would read the shortest list to its end;
-- - beside: a query that nearly all fit, null for none: no index is asked for it, but each company that the rest finds;
-- - but_name: the key of a name that was looked for already;
-- - most: how many ids are wanted.
do $make$
declare
	body constant text := $body$
		create function %s(asked tsquery, filters tsquery, beside tsquery, but_name integer, most integer) returns integer[]
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
		(select id from companies where lexemes @@ asked
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
		('company_ids', ''),
		-- the first ids in their order: all of a tier are sorted before the next one is looked at
		('company_first_ids', 'order by id limit most')
	loop
		tiers := (select string_agg(format(tier, bound, sorted), ' union all ' order by place) from unnest(bounds) with ordinality bound (bound, place));
		execute format(body, name, tiers, replace(tiers, 'lexemes @@ asked', 'lexemes @@ asked and lexemes @@ filters'));
	end loop;
end
$make$;

-- Ids of a page of the companies that have all the words and fit the filters: those first whose whole name, acronym or usual
-- name the words are (their key is `whole_name`), then by importance. `total` is counted up to `cap`; a page beyond the last is the last.
create function search_companies(
	words text[], by_prefix tsquery[], by_key tsquery[], by_word tsquery[], filters tsquery, beside tsquery, whole_name integer,
	page integer, size integer, cap integer,
	out total integer, out shown_page integer, out ids integer[])
	language plpgsql stable
	set plan_cache_mode = force_generic_plan set jit = off
	as $$
declare
	asked tsquery;
	exact integer[];
	others integer[];
	wanted integer := page * size;
	last_tier integer;
begin
	select query.asked, query.filters, query.beside into asked, filters, beside
		from company_query(words, by_prefix, by_key, by_word, filters, beside) query;
	exact := array(
		select id from companies
		where (name_key = whole_name or alias_key = whole_name) and lexemes @@ (asked && filters) and (beside is null or ts_match_vq(lexemes, beside))
		order by id limit cap
	);
	if cardinality(exact) >= cap then
		others := '{}';
	-- a frequent word alone, or the beginning of one, needs no counting
	elsif numnode(filters) = 0 and cardinality(words) = 1 and beside is null and exists (
		select from company_words
		where word >= words[1] and word < words[1] || chr(1114111) and companies > 1000 and companies >= cap + cardinality(exact)
	) then
		others := company_first_ids(asked, filters, beside, whole_name, greatest(wanted - cardinality(exact), 0));
		total := cap;
	else
		others := company_ids(asked, filters, beside, whole_name, cap - cardinality(exact));
		-- of the last tier some are there, not the first ones: it matters where the page reaches into it
		if cardinality(others) = cap - cardinality(exact) then
			last_tier := tier_floor((select max(id) from unnest(others) id));
			if wanted > cardinality(exact) + (select count(*) from unnest(others) id where id <= last_tier) then
				total := cap;
				others := company_first_ids(asked, filters, beside, whole_name, wanted - cardinality(exact));
			end if;
		end if;
	end if;
	total := coalesce(total, cardinality(exact) + cardinality(others));
	shown_page := least(page, greatest(1, (total + size - 1) / size));
	ids := (exact || array(select id from unnest(others) id order by id))[(shown_page - 1) * size + 1 : shown_page * size];
end
$$;

-- The place of the first query whose words are the whole name of a company; else of the first that any company fits; null for none.
-- `any_of` is what all of them ask together: the words that they share are then read once.
create function first_match(queries tsquery[], names integer[], any_of tsquery) returns integer
	language plpgsql stable
	as $$
declare
	found integer[];
begin
	for place in 1 .. cardinality(queries) loop
		if exists (select from companies where (name_key = names[place] or alias_key = names[place]) and lexemes @@ queries[place]) then
			return place;
		end if;
	end loop;
	-- the likeliest is nearly always the one
	if cardinality(company_ids(queries[1], '', null, null, 1)) = 1 then
		return 1;
	end if;
	found := company_ids(any_of, '', null, null, 200);
	for place in 2 .. cardinality(queries) loop
		if exists (select from companies where id = any(found) and lexemes @@ queries[place]) then
			return place;
		end if;
	end loop;
	return null;
end
$$;
