import { type RawBuilder, sql } from "kysely";
import { type Database, prepared, type Trx } from "../../server/database/database.ts";
import {
	besideQuery,
	type Filters,
	filterQuery,
	keyQueries,
	nameKey,
	otherQueries,
	prefixQueries,
	type QueryWord,
	toQueryWords,
	wordQueries,
} from "./search/lexemes.ts";
import { exchanges, halves } from "./search/typos.ts";
import type { Siren } from "./siren.ts";

/** A row as a search result shows it. */
export interface SummaryRow {
	siren: Siren;
	name: string | null;
	legal_category: string;
	single_partner: boolean | null;
	naf_code: string | null;
	naf_nomenclature: string | null;
	address: string | null;
	postal_code: string | null;
	city: string | null;
	status: "active" | "ceased" | "removed";
}

/** A row as the page of a company shows it. Days are yyyy-mm-dd. */
export interface CompanyRow extends SummaryRow {
	masked: boolean;
	/** Masked by us, at the request of the person concerned. */
	hidden: boolean;
	siret: string | null;
	address_complement: string | null;
	commune: string | null;
	created_on: string | null;
	updated_on: string | null;
	/** From here on what the RNE says. */
	registered_on: string | null;
	removed_on: string | null;
	capital: string | null;
	capital_currency: string | null;
	duration_years: number | null;
	registration_as_of: string | null;
}

const summary = sql.raw(
	`company.siren, name, legal_category, company.single_partner, naf_code, coalesce(naf_nomenclature, 'NAFRev2') as naf_nomenclature,
	address, postal_code, city, status`,
);

export async function companyBySiren(db: Database, siren: string): Promise<CompanyRow | undefined> {
	const { rows } = await sql<CompanyRow>`
		select ${summary}, masked, exists (select from hidden_companies hidden where hidden.siren = company.siren) as hidden, company.siren || nic as siret, address_complement, commune, created_on::text, updated_on::text,
			registered_on::text, removed_on::text, capital, capital_currency, duration_years, as_of::text as registration_as_of
		from companies company
		left join company_registrations registration on registration.siren = company.siren and not masked
		where company.siren = ${siren}
	`.execute(db);
	return rows[0];
}

/** A page of rows, how many there are in all (at most the cap), and which page it is: one beyond the last is the last. */
export interface FoundPage {
	rows: SummaryRow[];
	total: number;
	page: number;
}

export interface WantedPage {
	page: number;
	size: number;
	cap: number;
}

/** Companies that have all the words: those whose whole name they are, then the others, by importance. */
export async function companiesByWords(
	db: Database,
	words: readonly QueryWord[],
	filters: Filters,
	wanted: WantedPage,
): Promise<FoundPage> {
	return pageOf(
		db,
		sql`search_companies(${queries(words)}, ${filterQuery(filters)}::tsquery, ${besideQuery(words)}::tsquery,
			${nameKey(words.map(({ word }) => word))}, ${wanted.page}::integer, ${wanted.size}::integer, ${wanted.cap}::integer,
			${otherQueries(words)}::tsquery[])`,
	);
}

/** Companies whose SIREN starts with some digits. A masked one is found by all nine only. */
export async function companiesBySiren(db: Database, digits: string, filters: Filters, wanted: WantedPage): Promise<FoundPage> {
	return pageOf(
		db,
		sql`search_sirens(${digits.padEnd(9, "0")}, ${digits.padEnd(9, "9")}, ${filterQuery(filters)}::tsquery,
			${wanted.page}::integer, ${wanted.size}::integer, ${wanted.cap}::integer)`,
	);
}

async function pageOf(db: Database, found: RawBuilder<unknown>): Promise<FoundPage> {
	const { rows } = await sql<SummaryRow & { total: number; shown_page: number; siren: Siren | null }>`${prepared}
		select total, shown_page, ${summary}
		from ${found} found
		left join unnest(ids) with ordinality shown (id, place) on true
		left join companies company using (id)
		order by place
	`.execute(db);
	const { total = 0, shown_page: page = 1 } = rows[0] ?? {};
	return { rows: rows.filter(({ siren }) => siren !== null), total, page };
}

/** How many companies that have all the words share what filters ask for; null where there are more than the cap. */
export async function countGroups(db: Database, words: readonly QueryWord[], cap: number): Promise<GroupRow[] | null> {
	const { rows } = await sql<GroupRow>`${prepared}
		select left(coalesce(commune, postal_code), 3) as place, section, legal_category, single_partner, count(*)::integer as companies
		from company_query(${queries(words)}, '', ${besideQuery(words)}::tsquery, ${otherQueries(words)}::tsquery[]) query,
			unnest(company_ids(query.asked, '', query.beside, null, ${cap + 1})) id
		join companies using (id)
		group by 1, section, legal_category, single_partner
	`.execute(db);
	return rows.reduce((sum, { companies }) => sum + companies, 0) > cap ? null : rows;
}

export interface GroupRow {
	/** The first three characters of the commune's code or else of the postal code, which tell the department. */
	place: string | null;
	section: string | null;
	legal_category: string;
	single_partner: boolean | null;
	companies: number;
}

/** Words, and the queries that each may stand for, as the database's functions want them. */
function queries(words: readonly QueryWord[]): RawBuilder<unknown> {
	const list = words.map(({ word }) => word);
	return sql`${list}::text[], ${prefixQueries(words)}::tsquery[], ${keyQueries(words)}::tsquery[], ${wordQueries(words)}::tsquery[]`;
}

/**
 * The first of some lists of words that is the whole name of a company; else the first that any company has. Null for none.
 * @param attempts lists of the same length that differ in one or more places.
 * @param beginnings words of the lists that match from their beginning; the others are whole.
 */
export async function firstThatMatches(
	db: Database,
	attempts: readonly (readonly string[])[],
	beginnings: ReadonlySet<string>,
): Promise<readonly string[] | null> {
	const [first] = attempts;
	if (!first) return null;
	const lists = attempts.map((attempt) => {
		const words = toQueryWords(attempt);
		const [byPrefix, byWord, others] = [prefixQueries(words), wordQueries(words), otherQueries(words)];
		return words.map(({ word }, index) => {
			const query = (beginnings.has(word) && byPrefix[index]) || byWord[index];
			return others[index] ? `(${query} | ${others[index]})` : query;
		});
	});
	const anyOf = first.map((_, place) => `(${[...new Set(lists.map((list) => list[place]))].join(" | ")})`).join(" & ");
	const { rows } = await sql<{ place: number | null }>`${prepared}
		select first_match(${lists.map((list) => list.join(" & "))}::tsquery[], ${attempts.map(nameKey)}::integer[], ${anyOf}::tsquery) as place
	`.execute(db);
	return attempts[(rows[0]?.place ?? 0) - 1] ?? null;
}

/** Whether some words start a word of the vocabulary, and whether they are so frequent that nobody meant another (see company_query). */
export async function lookUpWords(db: Database, words: readonly string[]): Promise<{ word: string; begins: boolean; frequent: boolean }[]> {
	const { rows } = await sql<{ word: string; begins: boolean; frequent: boolean }>`${prepared}
		select asked as word,
			exists (select from company_words where word >= asked and word < asked || chr(1114111)) as begins,
			exists (select from company_words where word = asked and companies >= 2000) as frequent
		from unnest(${words}::text[]) asked
	`.execute(db);
	return rows;
}

/** Words of the vocabulary that lie at most a typing error away from some words, but for two letters exchanged, and some that do not. */
export async function wordsLike(db: Database, words: readonly string[]): Promise<{ asked: string; word: string; companies: number }[]> {
	const asked = words.flatMap((word) => halves(word).map((half) => ({ asked: word, ...half })));
	const exchanged = words.flatMap((word) => exchanges(word).map((other) => ({ asked: word, other })));
	const { rows } = await sql<{ asked: string; word: string; companies: number }>`${prepared}
		with half as materialized (
			select * from jsonb_to_recordset(${JSON.stringify(asked)}::jsonb)
				as half (asked text, side text, size integer, letters text, near text, far text)
		)
		select asked, word, companies from half
		join company_words on length(word) = size and left(word, length(word) / 2) = letters
		where side = 'first' and (substr(word, size / 2 + 1, 1) = near or right(word, 1) = far)
		union
		select asked, word, companies from half
		join company_words on length(word) = size and right(word, (length(word) + 1) / 2) = letters
		where side = 'second' and (substr(word, size / 2, 1) = near or left(word, 1) = far)
		union
		select asked, word, companies from jsonb_to_recordset(${JSON.stringify(exchanged)}::jsonb) as exchanged (asked text, other text)
		join company_words on word = other
	`.execute(db);
	return rows;
}

export interface SourceRow {
	name: "sirene" | "rne";
	as_of: string | null;
	companies: number;
}

export async function importTimes(trx: Trx): Promise<{ name: string; imported_at: Date }[]> {
	return trx.selectFrom("company_sources").select(["name", "imported_at"]).execute();
}

export async function sources(db: Database): Promise<SourceRow[]> {
	const { rows } = await sql<SourceRow>`select name, as_of::text, companies from company_sources`.execute(db);
	return rows;
}
