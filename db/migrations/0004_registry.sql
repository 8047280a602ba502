-- The whole registry: companies, words and sources anew (derived data, imported again), and what the RNE says beside them.

drop table companies, company_words, company_sources;

-- Replaced as a whole by each import, which reads the indexes of these tables and makes the same on those that replace them.
create table companies (
	-- the order of importance: 1 is the first that a search shows; fixed-width columns first, as ten million rows are padded otherwise
	id integer primary key with (fillfactor = 100),
	-- a hash of the words of the name, for a search of the whole name
	name_key integer not null,
	-- the same of its acronym or usual name, where it has one
	alias_key integer,
	created_on date,
	-- when INSEE last changed the unit or its head office
	updated_on date,
	-- not fully diffused at the unit's own request (statutDiffusion P): nothing but siren, status and legal category
	masked boolean not null,
	-- null where the RNE does not say
	single_partner boolean,
	siren text collate "C" not null,
	status text not null check (status in ('active', 'ceased', 'removed')),
	legal_category text not null,
	naf_code text,
	-- null is NAF rév. 2, which nearly all have
	naf_nomenclature text,
	-- section of the activity, where a filter needs it
	section text,
	-- of the head office: siren and nic are its SIRET
	nic text,
	-- INSEE's code of the commune
	commune text,
	postal_code text,
	name text,
	address text,
	address_complement text,
	city text,
	lexemes tsvector not null
);
-- packed, as an import replaces them before they grow
create unique index companies_siren on companies (siren) include (masked, id) with (fillfactor = 100);
create index companies_name_key on companies (name_key) with (fillfactor = 100);
create index companies_alias_key on companies (alias_key) where alias_key is not null;

-- tiers of importance: a search goes from one to the next and stops as soon as it knows enough
create index companies_lexemes_1 on companies using gin (lexemes) with (fastupdate = off) where id <= 2500;
create index companies_lexemes_2 on companies using gin (lexemes) with (fastupdate = off) where id > 2500 and id <= 40000;
create index companies_lexemes_3 on companies using gin (lexemes) with (fastupdate = off) where id > 40000 and id <= 320000;
create index companies_lexemes_4 on companies using gin (lexemes) with (fastupdate = off) where id > 320000 and id <= 960000;
create index companies_lexemes_5 on companies using gin (lexemes) with (fastupdate = off) where id > 960000 and id <= 1920000;
create index companies_lexemes_6 on companies using gin (lexemes) with (fastupdate = off) where id > 1920000 and id <= 3200000;
create index companies_lexemes_7 on companies using gin (lexemes) with (fastupdate = off) where id > 3200000 and id <= 5120000;
create index companies_lexemes_8 on companies using gin (lexemes) with (fastupdate = off) where id > 5120000;

-- What a company is filtered by: each lexeme, and any two of them together.
create function filter_lexemes(department text, form text, section text) returns text
	language sql immutable parallel safe
	return concat_ws(' ', department, form, section, department || form, department || section, form || section);

-- the vocabulary: in how many companies each word is, at least
create table company_words (
	word text collate "C" primary key with (fillfactor = 100),
	companies integer not null
);
-- a typing error leaves one half of a word as it was
create index company_words_first_half on company_words (length(word), left(word, length(word) / 2));
create index company_words_second_half on company_words (length(word), right(word, (length(word) + 1) / 2));

-- where the data come from, for the pages to say
create table company_sources (
	name text primary key check (name in ('sirene', 'rne')),
	-- the newest change in the data
	as_of date,
	imported_at timestamptz not null,
	companies integer not null
);

-- What the national register of enterprises (RNE) says; an import of SIRENE leaves it as it is.
create table company_registrations (
	siren text collate "C" primary key,
	registered_on date,
	removed_on date,
	capital numeric(20, 2),
	capital_currency text,
	duration_years smallint,
	single_partner boolean,
	-- the day on which the register said so
	as_of date
);

-- The search is made of functions, as their plans are kept: to plan a dozen scans over ten indexes takes longer than to run them.
-- What they are given was parsed by the shop (app/companies/lexemes.ts); no text from outside is a query.

-- Words as one query. Each matches from its beginning, but
-- - a very frequent one stands for itself: to unite « paris » with all that starts so would visit a tenth of the registry, to show
--   fewer of the companies meant;
-- - of one that many begin with (« marti ») its first letters are looked up, and all of it is asked of what they and the others find.
create function company_query(
	words text[], by_prefix tsquery[], by_key tsquery[], by_word tsquery[], filters tsquery, inout beside tsquery, out asked tsquery)
	language plpgsql stable
	as $$
begin
	asked := filters;
	for place in 1 .. cardinality(words) loop
		if exists (select from company_words where word = words[place] and companies >= 2000) then
			asked := asked && by_word[place];
		elsif cardinality(words) > 1 and by_key[place] is not null and (
			select count(*) > 300 or sum(companies) > 20000
			from (select companies from company_words where word >= words[place] and word < words[place] || chr(1114111) limit 301) begun
		) then
			asked := asked && by_key[place];
			beside := coalesce(beside && by_prefix[place], by_prefix[place]);
		else
			asked := asked && by_prefix[place];
		end if;
	end loop;
end
$$;

-- Ids of companies that fit a query, tier after tier, at most `most`: all of each tier but the last one, of which some.
-- `beside` is a query that nearly all fit, null for none: no index is asked for it, but each company that the rest finds.
create function company_ids(asked tsquery, beside tsquery, but_name integer, most integer) returns integer[]
	language plpgsql stable
	set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_indexscan = off set jit = off set work_mem = '32MB'
	as $$
begin
	return array(
		select id from companies where lexemes @@ asked and name_key is distinct from but_name and coalesce(alias_key, name_key) is distinct from but_name
			and (beside is null or ts_match_vq(lexemes, beside)) and id <= 2500
		union all
		select id from companies where lexemes @@ asked and name_key is distinct from but_name and coalesce(alias_key, name_key) is distinct from but_name
			and (beside is null or ts_match_vq(lexemes, beside)) and id > 2500 and id <= 40000
		union all
		select id from companies where lexemes @@ asked and name_key is distinct from but_name and coalesce(alias_key, name_key) is distinct from but_name
			and (beside is null or ts_match_vq(lexemes, beside)) and id > 40000 and id <= 320000
		union all
		select id from companies where lexemes @@ asked and name_key is distinct from but_name and coalesce(alias_key, name_key) is distinct from but_name
			and (beside is null or ts_match_vq(lexemes, beside)) and id > 320000 and id <= 960000
		union all
		select id from companies where lexemes @@ asked and name_key is distinct from but_name and coalesce(alias_key, name_key) is distinct from but_name
			and (beside is null or ts_match_vq(lexemes, beside)) and id > 960000 and id <= 1920000
		union all
		select id from companies where lexemes @@ asked and name_key is distinct from but_name and coalesce(alias_key, name_key) is distinct from but_name
			and (beside is null or ts_match_vq(lexemes, beside)) and id > 1920000 and id <= 3200000
		union all
		select id from companies where lexemes @@ asked and name_key is distinct from but_name and coalesce(alias_key, name_key) is distinct from but_name
			and (beside is null or ts_match_vq(lexemes, beside)) and id > 3200000 and id <= 5120000
		union all
		select id from companies where lexemes @@ asked and name_key is distinct from but_name and coalesce(alias_key, name_key) is distinct from but_name
			and (beside is null or ts_match_vq(lexemes, beside)) and id > 5120000
		limit most
	);
end
$$;

-- The first ids in their order: all of a tier are sorted before the next one is looked at.
create function company_first_ids(asked tsquery, beside tsquery, but_name integer, most integer) returns integer[]
	language plpgsql stable
	set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_indexscan = off set jit = off set work_mem = '32MB'
	as $$
begin
	return array(
		(select id from companies where lexemes @@ asked and name_key is distinct from but_name and coalesce(alias_key, name_key) is distinct from but_name
			and (beside is null or ts_match_vq(lexemes, beside)) and id <= 2500 order by id limit most)
		union all
		(select id from companies where lexemes @@ asked and name_key is distinct from but_name and coalesce(alias_key, name_key) is distinct from but_name
			and (beside is null or ts_match_vq(lexemes, beside)) and id > 2500 and id <= 40000 order by id limit most)
		union all
		(select id from companies where lexemes @@ asked and name_key is distinct from but_name and coalesce(alias_key, name_key) is distinct from but_name
			and (beside is null or ts_match_vq(lexemes, beside)) and id > 40000 and id <= 320000 order by id limit most)
		union all
		(select id from companies where lexemes @@ asked and name_key is distinct from but_name and coalesce(alias_key, name_key) is distinct from but_name
			and (beside is null or ts_match_vq(lexemes, beside)) and id > 320000 and id <= 960000 order by id limit most)
		union all
		(select id from companies where lexemes @@ asked and name_key is distinct from but_name and coalesce(alias_key, name_key) is distinct from but_name
			and (beside is null or ts_match_vq(lexemes, beside)) and id > 960000 and id <= 1920000 order by id limit most)
		union all
		(select id from companies where lexemes @@ asked and name_key is distinct from but_name and coalesce(alias_key, name_key) is distinct from but_name
			and (beside is null or ts_match_vq(lexemes, beside)) and id > 1920000 and id <= 3200000 order by id limit most)
		union all
		(select id from companies where lexemes @@ asked and name_key is distinct from but_name and coalesce(alias_key, name_key) is distinct from but_name
			and (beside is null or ts_match_vq(lexemes, beside)) and id > 3200000 and id <= 5120000 order by id limit most)
		union all
		(select id from companies where lexemes @@ asked and name_key is distinct from but_name and coalesce(alias_key, name_key) is distinct from but_name
			and (beside is null or ts_match_vq(lexemes, beside)) and id > 5120000 order by id limit most)
		limit most
	);
end
$$;

-- The id after which the tier of an id begins.
create function tier_floor(id integer) returns integer
	language sql immutable parallel safe
	return case when id > 5120000 then 5120000 when id > 3200000 then 3200000 when id > 1920000 then 1920000 when id > 960000 then 960000 when id > 320000 then 320000 when id > 40000 then 40000 when id > 2500 then 2500 else 0 end;

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
	select query.asked, query.beside into asked, beside from company_query(words, by_prefix, by_key, by_word, filters, beside) query;
	exact := array(
		select id from companies
		where (name_key = whole_name or alias_key = whole_name) and lexemes @@ asked and (beside is null or ts_match_vq(lexemes, beside))
		order by id limit cap
	);
	if cardinality(exact) >= cap then
		others := '{}';
	-- a frequent word alone needs no counting
	elsif numnode(filters) = 0 and cardinality(words) = 1 and beside is null
			and exists (select from company_words where word = words[1] and companies >= cap + cardinality(exact)) then
		others := company_first_ids(asked, beside, whole_name, greatest(wanted - cardinality(exact), 0));
		total := cap;
	else
		others := company_ids(asked, beside, whole_name, cap - cardinality(exact));
		-- of the last tier some are there, not the first ones: it matters where the page reaches into it
		if cardinality(others) = cap - cardinality(exact) then
			last_tier := tier_floor((select max(id) from unnest(others) id));
			if wanted > cardinality(exact) + (select count(*) from unnest(others) id where id <= last_tier) then
				total := cap;
				others := company_first_ids(asked, beside, whole_name, wanted - cardinality(exact));
			end if;
		end if;
	end if;
	total := coalesce(total, cardinality(exact) + cardinality(others));
	shown_page := least(page, greatest(1, (total + size - 1) / size));
	ids := (exact || array(select id from unnest(others) id order by id))[(shown_page - 1) * size + 1 : shown_page * size];
end
$$;

-- The same of companies whose SIREN lies between two, in the order of importance; a masked one is found by its whole SIREN only.
create function search_sirens(
	first_siren text, last_siren text, filters tsquery, page integer, size integer, cap integer,
	out total integer, out shown_page integer, out ids integer[])
	language plpgsql stable
	set plan_cache_mode = force_generic_plan set jit = off
	as $$
declare
	found integer[];
begin
	-- materialized, as the plan that is kept would else go through all companies in their order
	if numnode(filters) = 0 then
		found := array(
			with hit as materialized (
				select id from companies where siren between first_siren and last_siren and (not masked or first_siren = last_siren)
			)
			select id from hit order by id limit cap
		);
	else
		found := array(
			with hit as materialized (
				select id from companies
				where siren between first_siren and last_siren and (not masked or first_siren = last_siren) and lexemes @@ filters
			)
			select id from hit order by id limit cap
		);
	end if;
	total := cardinality(found);
	shown_page := least(page, greatest(1, (total + size - 1) / size));
	ids := found[(shown_page - 1) * size + 1 : shown_page * size];
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
	found := company_ids(any_of, null, null, 200);
	for place in 1 .. cardinality(queries) loop
		if exists (select from companies where id = any(found) and lexemes @@ queries[place]) then
			return place;
		end if;
	end loop;
	return null;
end
$$;
