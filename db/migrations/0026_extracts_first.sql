-- Among companies that match a search equally, those with an extract come first: a « carrefour » that can be ordered stands before a
-- syndicate of co-owners called so. A large body (« Ville de Paris ») is known by its name and keeps its place. The signatures stay, so
-- that the version before this one may run beside it.

-- Whether a company keeps its place. The legal categories are those that have an extract: `getEligibility` in app/companies/company.ts.
-- `category` is INSEE's size.
create function ranks_by_importance(legal_category text, category text) returns boolean
	language sql immutable parallel safe
	as $$
		-- patterns cost less than a regular expression, and the first decides most companies
		select legal_category like '5___' or legal_category like '65__' or legal_category in ('1000', '3110', '3120', '6100', '6411', '6901')
			or legal_category like '41__' or legal_category like '62__' or legal_category like '63__'
			or coalesce(category in ('ETI', 'GE'), false)
	$$;

-- As in 0023, with ranks from 0 to 11: twice the former rank, and one more for a company that does not keep its place.
do $make$
declare
	body constant text := $body$
		create or replace function ranked_company_ids(
			asked tsquery, filters tsquery, beside tsquery, ranks tsquery[], but_name integer, most integer)
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
		(select id + 4294967296 * (case when ranks_by_importance(legal_category, category) then 0 else 1 end + 2 * case
				-- of the many companies of a town, most need one test
				when not ts_match_vq(lexemes, in_trade) then case when in_place is null or ts_match_vq(lexemes, in_place) then 4 else 5 end
				when ts_match_vq(lexemes, in_name) then case when ts_match_vq(lexemes, whole_name) then 0 else 2 end
				when ts_match_vq(lexemes, whole_trade) then 1
				else 3 end)
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

-- As in 0023, with extracts first among the companies whose whole name, acronym or usual name the words are.
create or replace function find_companies(
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
		select id from (
			select id, legal_category, category from companies
			where (name_key = whole_name or alias_key = whole_name) and lexemes @@ (asked && filters) and (beside is null or ts_match_vq(lexemes, beside))
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
end
$$;
