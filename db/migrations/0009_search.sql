-- The search of companies: functions, as their plans are kept. To plan a dozen scans over ten indexes takes longer than to run them.
-- Called by app/companies/search, which parses all that they are given (docs/decisions/0006-search-in-tiers-of-lexemes.md); no text from
-- outside is a query.

-- What is asked of the index for some words and filters, and `beside` what is asked of the companies found. Each word matches from its
-- beginning, but a very frequent one stands for itself: to unite « paris » with all that starts so would visit a tenth of the registry,
-- to show fewer of the companies meant. All are asked of the index, but
-- - beside a word that few companies have, nothing else is: to look at those is quicker than to leaf through the lists of the others;
-- - of a word that many begin with (« marti »), its first letters are, and the rest of it beside.
-- `others` is what may stand in the place of each word (« paris 8 »: 75008; « o brien »: obrien), null for nothing. A word is one that
-- few companies have only if few have its others, too.
create function company_query(
	words text[], by_prefix tsquery[], by_key tsquery[], by_word tsquery[], inout filters tsquery, inout beside tsquery,
	others tsquery[] default null, out asked tsquery)
	language plpgsql stable as $$
declare
	rest tsquery := beside; part tsquery; other tsquery; few integer; fewest integer := 1000;
	begun bigint; having_begun bigint; having_other bigint;
begin
	asked := '';
	for place in 1 .. cardinality(words) loop
		other := others[place];
		part := coalesce(by_prefix[place] || other, by_prefix[place]);
		if exists (select from company_words where word = words[place] and companies >= 2000) then
			part := coalesce(by_word[place] || other, by_word[place]);
			asked := asked && part;
		else
			select count(*), coalesce(sum(companies), 0) into begun, having_begun
			from (select companies from company_words where word >= words[place] and word < words[place] || chr(1114111) limit 301) begun;
			-- the vocabulary has no words of three letters, and no numbers
			if begun <= 300 and having_begun <= fewest and length(words[place]) >= 4 and words[place] >= 'a' collate "C" then
				having_other := 0;
				if other is not null then
					select sum(case when length(lexeme) >= 4 and lexeme >= 'a' collate "C" then (
						select case when count(*) <= 300 then coalesce(sum(companies), 0) else 1000000 end
						from (select companies from company_words where word >= lexeme and word < lexeme || chr(1114111) limit 301) begun
					) else 1000000 end) into having_other
					from regexp_matches(other::text, '''([^'']+)''', 'g') matched, unnest(matched) lexeme;
				end if;
				if having_begun + having_other <= fewest then few := place; fewest := having_begun + having_other; end if;
			end if;
			if cardinality(words) > 1 and by_key[place] is not null and (begun > 300 or having_begun > 20000) then
				asked := asked && coalesce(by_key[place] || other, by_key[place]);
				beside := coalesce(beside && part, part);
			else
				asked := asked && part;
			end if;
		end if;
		if numnode(part) > 0 then rest := coalesce(rest && part, part); end if;
	end loop;
	if few is not null and (cardinality(words) > 1 or numnode(filters) > 0) then
		asked := coalesce(by_prefix[few] || others[few], by_prefix[few]);
		beside := case when numnode(filters) > 0 then rest && filters else rest end;
		filters := '';
	end if;
end $$;

-- Whether a company keeps its place. The legal categories are those that have an extract: `getEligibility` in app/companies/company.ts.
-- `category` is INSEE's size.
create function ranks_by_importance(legal_category text, category text) returns boolean language sql immutable parallel safe as $$
		-- patterns cost less than a regular expression, and the first decides most companies
		select legal_category like '5___' or legal_category like '65__' or legal_category in ('1000', '3110', '3120', '6100', '6411', '6901')
			or legal_category like '41__' or legal_category like '62__' or legal_category like '63__'
			or coalesce(category in ('ETI', 'GE'), false)
	$$;

-- Three functions read the tiers of the companies. What they take:
-- - asked, filters: two queries, both of which fit; no filters are the empty query. Between the two GIN leaps over what the other lacks,
--   as companies of one town lie together; as one query, it would read the shortest list to its end;
-- - beside: a query that nearly all fit, null for none: no index is asked for it, but each company that the rest finds;
-- - but_name: the key of a name that was looked for already;
-- - most: how many ids are wanted.
-- ranked_company_ids returns rank * 2^32 + id. Its `ranks` are queries with weights: beginnings of words 1 in the name, 2 in name and trade
-- names, 3 in name and place; whole words 4 in the name, 5 in name and trade names. The rank is twice 0 for whole words in the name, 1 in
-- name and trade names, 2 for beginnings in the name, 3 in name and trade names, 4 in name and place, else 5; and one more for a company
-- that does not keep its place.
do $make$
declare
	body constant text := $body$
		create function %s returns %s language plpgsql stable
			set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_indexscan = off set jit = off set work_mem = '32MB' as $$
		%s
		begin
			if numnode(filters) = 0 then return array(%s limit most); end if;
			return array(%s limit most);
		end $$ $body$;
	arguments constant text := '(asked tsquery, filters tsquery, beside tsquery, but_name integer, most integer)';
	ranked_arguments constant text := '(asked tsquery, filters tsquery, beside tsquery, ranks tsquery[], but_name integer, most integer)';
	names_of_ranks constant text := $declare$declare
			in_name tsquery := ranks[1]; in_trade tsquery := ranks[2]; in_place tsquery := ranks[3];
			whole_name tsquery := ranks[4]; whole_trade tsquery := ranks[5];$declare$;
	rank constant text := $rank$id + 4294967296 * (case when ranks_by_importance(legal_category, category) then 0 else 1 end + 2 * case
				-- of the many companies of a town, most need one test
				when not ts_match_vq(lexemes, in_trade) then case when in_place is null or ts_match_vq(lexemes, in_place) then 4 else 5 end
				when ts_match_vq(lexemes, in_name) then case when ts_match_vq(lexemes, whole_name) then 0 else 2 end
				when ts_match_vq(lexemes, whole_trade) then 1 else 3 end)$rank$;
	tier constant text := $tier$
		(select %s from companies where lexemes @@ asked
			and name_key is distinct from but_name and coalesce(alias_key, name_key) is distinct from but_name
			and (beside is null or ts_match_vq(lexemes, beside)) and %s%s) $tier$;
	-- the partial indexes want to see their bounds
	bounds constant text[] := array['id <= 2500', 'id > 2500 and id <= 40000', 'id > 40000 and id <= 320000', 'id > 320000 and id <= 960000',
		'id > 960000 and id <= 1920000', 'id > 1920000 and id <= 3200000', 'id > 3200000 and id <= 5120000', 'id > 5120000'];
	signature text; result text; declared text; selected text; sorted text; tiers text;
begin
	for signature, result, declared, selected, sorted in values
		-- ids tier after tier: all of each but the last one, of which some
		('company_ids' || arguments, 'integer[]', '', 'id', ' '),
		-- the first ids in their order: all of a tier are sorted before the next one is looked at
		('company_first_ids' || arguments, 'integer[]', '', 'id', ' order by id limit most'),
		('ranked_company_ids' || ranked_arguments, 'bigint[]', names_of_ranks, rank, '')
	loop
		tiers := (
			select string_agg(format(tier, selected, bound, sorted), ' union all ' order by place)
			from unnest(bounds) with ordinality bound (bound, place)
		);
		execute format(body, signature, result, declared, tiers, replace(tiers, 'lexemes @@ asked', 'lexemes @@ asked and lexemes @@ filters'));
	end loop;
end $make$;

-- Ids of a page of the companies that have all the words and fit the filters: those first whose whole name, acronym or usual name the words
-- are (their key is `whole_name`), with an extract before without, then by rank, then by importance. Where too many fit, those of the first
-- tiers are ranked. `total` is counted up to `cap`; a page beyond the last is the last.
create function find_companies(
	words text[], by_prefix tsquery[], by_key tsquery[], by_word tsquery[], filters tsquery, beside tsquery, others tsquery[], ranks tsquery[],
	whole_name integer, page integer, size integer, cap integer,
	out total integer, out shown_page integer, out ids integer[])
	language plpgsql stable set plan_cache_mode = force_generic_plan set jit = off as $$
declare
	asked tsquery; exact integer[];
	-- rank * 2^32 + id
	found bigint[] := '{}';
	most integer;
	-- where nothing is counted, so many are ranked: a page needs few
	ranked constant integer := case when cap > size then 200 else 30 end;
begin
	select query.asked, query.filters, query.beside into asked, filters, beside
		from company_query(words, by_prefix, by_key, by_word, filters, beside, others) query;
	exact := array(
		select id from (
			select id, legal_category, category from companies
			where (name_key = whole_name or alias_key = whole_name) and lexemes @@ (asked && filters)
				and (beside is null or ts_match_vq(lexemes, beside))
			order by id limit cap
		) named
		order by not ranks_by_importance(legal_category, category), id
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
end $$;

-- The same of companies whose SIREN lies between two, in the order of importance; a masked one is found by its whole SIREN only.
create function search_sirens(
	first_siren text, last_siren text, filters tsquery, page integer, size integer, cap integer,
	out total integer, out shown_page integer, out ids integer[])
	language plpgsql stable set plan_cache_mode = force_generic_plan set jit = off as $$
declare found integer[];
begin
	-- materialized, as the plan that is kept would else go through all companies in their order
	if numnode(filters) = 0 then
		found := array(
			with hit as materialized (
				select id from companies where siren between first_siren and last_siren and (not masked or first_siren = last_siren)
			) select id from hit order by id limit cap
		);
	else
		found := array(
			with hit as materialized (
				select id from companies
				where siren between first_siren and last_siren and (not masked or first_siren = last_siren) and lexemes @@ filters
			) select id from hit order by id limit cap
		);
	end if;
	total := cardinality(found);
	shown_page := least(page, greatest(1, (total + size - 1) / size));
	ids := found[(shown_page - 1) * size + 1 : shown_page * size];
end $$;

-- The place of the first query whose words are the whole name of a company; else of the first that any company fits; null for none.
-- `any_of` is what all of them ask together: the words that they share are then read once.
create function first_match(queries tsquery[], names integer[], any_of tsquery) returns integer language plpgsql stable as $$
declare found integer[];
begin
	for place in 1 .. cardinality(queries) loop
		if exists (select from companies where (name_key = names[place] or alias_key = names[place]) and lexemes @@ queries[place]) then
			return place;
		end if;
	end loop;
	-- the likeliest is nearly always the one
	if cardinality(company_ids(queries[1], '', null, null, 1)) = 1 then return 1; end if;
	found := company_ids(any_of, '', null, null, 200);
	for place in 2 .. cardinality(queries) loop
		if exists (select from companies where id = any(found) and lexemes @@ queries[place]) then return place; end if;
	end loop;
	return null;
end $$;

-- The place of the first query that a company with the filters fits; null for none.
create function first_found(queries tsquery[], filters tsquery) returns integer language plpgsql stable as $$
begin
	for place in 1 .. cardinality(queries) loop
		if cardinality(company_ids(queries[place], filters, null, null, 1)) = 1 then return place; end if;
	end loop;
	return null;
end $$;
