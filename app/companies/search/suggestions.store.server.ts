import { sql } from "kysely";
import type { Database } from "../../../server/database/database.ts";
import { prepared } from "../../../server/database/dialect.ts";
import { type SummaryRow, summaryColumns } from "../companies.store.server.ts";
import { alternativeQueries, keyQueries, type ParsedQuery, postFilterQuery, prefixQueries, rankQueries, wordQueries } from "./lexemes.ts";

/**
 * Finds the first companies for each of several texts in one statement, as `listCompaniesByWords` does for one.
 * @returns the rows in the order of the texts, each with the place of its text from 0.
 */
export async function listCompaniesByTexts(
	db: Database,
	texts: readonly ParsedQuery[],
	size: number,
): Promise<(SummaryRow & { place: number })[]> {
	const queries = texts.map(({ words, nameKey }, place) => {
		const { name, trade, place: city, wholeName, wholeTrade } = rankQueries(words);
		return {
			place,
			words: words.map(({ word }) => word),
			by_prefix: prefixQueries(words),
			by_key: keyQueries(words),
			by_word: wordQueries(words),
			beside: postFilterQuery(words),
			others: alternativeQueries(words),
			whole_name: nameKey,
			ranks: [name, trade, city, wholeName, wholeTrade],
		};
	});
	const { rows } = await sql<SummaryRow & { place: number }>`
		select query.place, ${summaryColumns}
		from jsonb_to_recordset(${JSON.stringify(queries)}::jsonb) as query (place integer, words text[], by_prefix tsquery[],
			by_key tsquery[], by_word tsquery[], beside tsquery, others tsquery[], ranks tsquery[], whole_name integer)
		cross join lateral find_companies(query.words, query.by_prefix, query.by_key, query.by_word, '', query.beside, query.others,
			query.ranks, query.whole_name, 1, ${size}::integer, ${size}::integer) found
		cross join lateral unnest(found.ids) with ordinality shown (id, position)
		join companies company using (id)
		left join company_branches branch on branch.siren = company.siren
		order by query.place, shown.position
	`.execute(prepared(db));
	return rows;
}

/** The namesakes that are read of each name: enough to see that it is not alone. */
const maxNamesakes = 10;

/**
 * Finds the most important companies for each of several hashed names, in one statement.
 * @param keys from `hashName`; different names may have the same. @returns the rows, each with the place of its name from 0.
 */
export async function listCompaniesByNames(db: Database, keys: readonly number[]): Promise<(SummaryRow & { place: number })[]> {
	const { rows } = await sql<SummaryRow & { place: number }>`
		select asked.place::integer - 1 as place, ${summaryColumns}
		from unnest(${keys}::integer[]) with ordinality asked (key, place)
		cross join lateral (select * from companies where name_key = asked.key and not masked order by id limit ${maxNamesakes}) company
		left join company_branches branch on branch.siren = company.siren
		order by asked.place, company.id
	`.execute(prepared(db));
	return rows;
}
