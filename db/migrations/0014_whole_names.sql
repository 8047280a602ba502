-- A search of a whole name: also in other words than the register's, and beside the groups that people mean.
-- The key of a name (name_key, alias_key) is now a hash of its letters without spaces, and that of a sole trader has the surname first as
-- alias: companies have it after the next import (docs/decisions/0065-relevance.md).

-- Ids of the companies whose whole name, acronym or usual name has the key `whole_name`, with an extract before without, then by importance.
-- They have the words, or, where these are joined or split otherwise (« eurodisney »), a word that begins with the same two letters: a name
-- with the same key by accident hardly has one.
create function exact_company_ids(words text[], whole_name integer, asked tsquery, beside tsquery, filters tsquery, most integer)
	returns integer[] language plpgsql stable as $$
declare begun constant tsquery := quote_literal('P' || left(array_to_string(words, ''), 2))::tsquery && filters;
begin
	asked := asked && filters;
	return array(
		select id from (
			select id, legal_category, category from companies
			where (name_key = whole_name or alias_key = whole_name)
				and ((lexemes @@ asked and (beside is null or ts_match_vq(lexemes, beside))) or lexemes @@ begun)
			order by id limit most
		) named
		order by not ranks_by_importance(legal_category, category), id
	);
end $$;

-- Ids of a page of the companies that have all the words and fit the filters: those first whose whole name, acronym or usual name the words
-- are (their key is `whole_name`), but for two at most that people mean rather; then by rank, then by importance. Where too many fit, those
-- of the first tiers are ranked. `total` is counted up to `cap`; a page beyond the last is the last.
create or replace function find_companies(
	words text[], by_prefix tsquery[], by_key tsquery[], by_word tsquery[], filters tsquery, beside tsquery, others tsquery[], ranks tsquery[],
	whole_name integer, page integer, size integer, cap integer,
	out total integer, out shown_page integer, out ids integer[])
	language plpgsql stable set plan_cache_mode = force_generic_plan set jit = off as $$
declare
	given_filters constant tsquery := filters;
	asked tsquery; exact integer[]; before_exact integer[] := '{}';
	-- rank * 2^32 + id
	found bigint[] := '{}';
	most integer;
	-- where nothing is counted, so many are ranked: a page needs few
	ranked constant integer := case when cap > size then 200 else 30 end;
begin
	select query.asked, query.filters, query.beside into asked, filters, beside
		from company_query(words, by_prefix, by_key, by_word, filters, beside, others) query;
	exact := exact_company_ids(words, whole_name, asked, beside, given_filters, cap);
	most := cap - cardinality(exact);
	if most > 0 or cap <= size then
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
	if cardinality(exact) > 0 then
		-- people who type the name of a small company mean the active company of a large group that has it in its own name or trade names and
		-- fifty employees or more; beside one that ceased, any active one that is not small (INSEE's sizes ETI and GE). Among companies of one
		-- rank these are the first
		before_exact := array(
			select company.id
			from (
				select key, row_number() over (partition by key >> 32 order by key) as nth
				from unnest(found) key where key < 4 * 4294967296 and key & 4294967295 <= 40000
			) best
			join companies company on company.id = key & 4294967295, companies namesake
			where nth <= 2 and namesake.id = exact[1] and company.status = 'active' and case
				when namesake.status <> 'active' then company.category in ('ETI', 'GE')
				else coalesce(namesake.category, '') not in ('ETI', 'GE') and company.category = 'GE' and company.staff_band >= '21' end
			order by key limit 2
		);
	end if;
	shown_page := least(page, greatest(1, (total + size - 1) / size));
	ids := (before_exact || exact || array(
			select (key & 4294967295)::integer from unnest(found) with ordinality found (key, place)
			where before_exact = '{}' or key & 4294967295 <> all (before_exact) order by place
		))
		[(shown_page - 1) * size + 1 : shown_page * size];
end $$;

-- The place of the first query whose words are the whole name (`names` are its keys) of a company with the filters; else of the first that
-- such a company fits; null for none.
drop function if exists first_found(tsquery[], tsquery);
create function first_found(queries tsquery[], filters tsquery, names integer[] default '{}') returns integer language plpgsql stable as $$
begin
	for place in 1 .. cardinality(names) loop
		if exists (select from companies where (name_key = names[place] or alias_key = names[place]) and lexemes @@ (queries[place] && filters)) then
			return place;
		end if;
	end loop;
	for place in 1 .. cardinality(queries) loop
		if cardinality(company_ids(queries[place], filters, null, null, 1)) = 1 then return place; end if;
	end loop;
	return null;
end $$;
