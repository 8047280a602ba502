import type pg from "pg";
import { inVocabulary } from "./sirene/import.store.server.ts";

/**
 * Updates the vocabulary from two temporary tables: `known` has companies before a change, `made` has them after it. A word that
 * no company has any more is deleted, because it may be a withdrawn personal name.
 */
export async function updateVocabulary(client: pg.Client): Promise<void> {
	await client.query(`
		create temporary table difference on commit drop as
			select word, sum(step)::integer as step
			from (
				select word, 1 as step from made, unnest(tsvector_to_array(lexemes)) word
				union all
				select word, -1 from known, unnest(tsvector_to_array(lexemes)) word
			) word
			where ${inVocabulary}
			group by word
			having sum(step) <> 0;
		insert into company_words (word, companies) select word, step from difference where step > 0
			on conflict (word) do update set companies = company_words.companies + excluded.companies;
		update company_words set companies = greatest(company_words.companies + step, 1)
			from difference where step < 0 and company_words.word = difference.word;
		delete from company_words using difference
			where step < 0 and company_words.word = difference.word and companies < 100
				and cardinality(company_ids(quote_literal(difference.word)::tsquery, '', null, null, 1)) = 0;
	`);
}
