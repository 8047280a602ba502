-- A word of a search may stand for others: an arrondissement for its postal code, two words for the one that they are without an apostrophe.
-- The new parameters come last and may be left out, as the version before this one does.
drop function search_companies, company_query;

-- The importer now also stores words without their apostrophe (« d'art »: dart). The embedded companies are emptied: the next start imports
-- them again. Any other base stays, and has these words from its next import on.
do $$
begin
	if exists (select from company_sources where name = 'sirene' and companies = 24360 and as_of = '2026-05-13') then
		truncate companies, company_words, company_sources;
	end if;
end
$$;

-- What is asked of the index for some words and filters, and `beside` what is asked of the companies found. Each word matches from its
-- beginning, but a very frequent one stands for itself: to unite « paris » with all that starts so would visit a tenth of the registry,
-- to show fewer of the companies meant. All are asked of the index, but
-- - beside a word that few companies have, nothing else is: to look at those is quicker than to leaf through the lists of the others;
-- - of a word that many begin with (« marti »), its first letters are, and the rest of it beside.
-- `others` is what may stand in the place of each word (« paris 8 »: 75008; « o brien »: obrien), null for nothing. A word is one that few
-- companies have only if few have its others, too.
create function company_query(
	words text[], by_prefix tsquery[], by_key tsquery[], by_word tsquery[], inout filters tsquery, inout beside tsquery,
	others tsquery[] default null, out asked tsquery)
	language plpgsql stable
	as $$
declare
	rest tsquery := beside;
	part tsquery;
	other tsquery;
	few integer;
	fewest integer := 1000;
	begun bigint;
	having_begun bigint;
	having_other bigint;
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
				if having_begun + having_other <= fewest then
					few := place;
					fewest := having_begun + having_other;
				end if;
			end if;
			if cardinality(words) > 1 and by_key[place] is not null and (begun > 300 or having_begun > 20000) then
				asked := asked && coalesce(by_key[place] || other, by_key[place]);
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
		asked := coalesce(by_prefix[few] || others[few], by_prefix[few]);
		beside := case when numnode(filters) > 0 then rest && filters else rest end;
		filters := '';
	end if;
end
$$;

-- Ids of a page of the companies that have all the words and fit the filters: those first whose whole name, acronym or usual
-- name the words are (their key is `whole_name`), then by importance. `total` is counted up to `cap`; a page beyond the last is the last.
create function search_companies(
	words text[], by_prefix tsquery[], by_key tsquery[], by_word tsquery[], filters tsquery, beside tsquery, whole_name integer,
	page integer, size integer, cap integer, others tsquery[] default null,
	out total integer, out shown_page integer, out ids integer[])
	language plpgsql stable
	set plan_cache_mode = force_generic_plan set jit = off
	as $$
declare
	asked tsquery;
	exact integer[];
	rest integer[];
	wanted integer := page * size;
	last_tier integer;
begin
	select query.asked, query.filters, query.beside into asked, filters, beside
		from company_query(words, by_prefix, by_key, by_word, filters, beside, others) query;
	exact := array(
		select id from companies
		where (name_key = whole_name or alias_key = whole_name) and lexemes @@ (asked && filters) and (beside is null or ts_match_vq(lexemes, beside))
		order by id limit cap
	);
	if cardinality(exact) >= cap then
		rest := '{}';
	-- a frequent word alone, or the beginning of one, needs no counting
	elsif numnode(filters) = 0 and cardinality(words) = 1 and beside is null and exists (
		select from company_words
		where word >= words[1] and word < words[1] || chr(1114111) and companies > 1000 and companies >= cap + cardinality(exact)
	) then
		rest := company_first_ids(asked, filters, beside, whole_name, greatest(wanted - cardinality(exact), 0));
		total := cap;
	else
		rest := company_ids(asked, filters, beside, whole_name, cap - cardinality(exact));
		-- of the last tier some are there, not the first ones: it matters where the page reaches into it
		if cardinality(rest) = cap - cardinality(exact) then
			last_tier := tier_floor((select max(id) from unnest(rest) id));
			if wanted > cardinality(exact) + (select count(*) from unnest(rest) id where id <= last_tier) then
				total := cap;
				rest := company_first_ids(asked, filters, beside, whole_name, wanted - cardinality(exact));
			end if;
		end if;
	end if;
	total := coalesce(total, cardinality(exact) + cardinality(rest));
	shown_page := least(page, greatest(1, (total + size - 1) / size));
	ids := (exact || array(select id from unnest(rest) id order by id))[(shown_page - 1) * size + 1 : shown_page * size];
end
$$;
