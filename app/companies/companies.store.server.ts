import { type RawBuilder, sql } from "kysely";
import type { Database, Trx } from "../../server/database.ts";
import { exactName, type Filters, noFilters, searchQuery } from "./lexemes.ts";

/** A row as a search result shows it. */
export interface SummaryRow {
	siren: string;
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
	siret: string | null;
	address_complement: string | null;
	created_on: string | null;
	registered_on: string | null;
	capital: string | null;
	capital_currency: string | null;
	updated_on: string | null;
}

const summary = sql.raw("siren, name, legal_category, single_partner, naf_code, naf_nomenclature, address, postal_code, city, status");
const all = sql`${summary}, masked, siret, address_complement, created_on::text, registered_on::text, capital, capital_currency, updated_on::text`;

export async function companyBySiren(db: Database, siren: string): Promise<CompanyRow | undefined> {
	const { rows } = await sql<CompanyRow>`select ${all} from companies where siren = ${siren}`.execute(db);
	return rows[0];
}

/** A part of the results, in the order of importance; parts follow one another. */
export type Part = RawBuilder<unknown>;

const tiers = ["id <= 2500", "id > 2500 and id <= 40000", "id > 40000 and id <= 640000", "id > 640000"];

/** Companies that have all the words: those whose whole name they are, then the others, tier by tier. */
export function partsOfWords(words: readonly string[], filters: Filters = noFilters): Part[] {
	const found = sql`lexemes @@ ${searchQuery(words, filters)}::tsquery`;
	const name = exactName(words.join(" "));
	return [sql`exact_name = ${name} and ${found}`, ...tiers.map((tier) => sql`${found} and exact_name <> ${name} and ${sql.raw(tier)}`)];
}

/** Companies whose SIREN starts with some digits. A masked one is found by all nine only. */
export function partsOfSiren(digits: string, filters: Filters = noFilters): Part[] {
	const first = digits.padEnd(9, "0");
	const last = digits.padEnd(9, "9");
	const shown = digits.length === 9 ? sql`true` : sql`not masked`;
	const tsquery = searchQuery([], filters);
	const fits = tsquery === "" ? sql`true` : sql`lexemes @@ ${tsquery}::tsquery`;
	return [sql`siren between ${first} and ${last} and ${shown} and ${fits}`];
}

/**
 * Goes through the parts until the page is full and the count has reached its cap.
 * @returns rows `offset` to `offset + limit`, and how many there are in all, at most `cap`.
 */
export async function pageOf(
	trx: Trx,
	parts: Part[],
	{ offset, limit, cap }: { offset: number; limit: number; cap: number },
): Promise<{ rows: SummaryRow[]; total: number }> {
	const rows: SummaryRow[] = [];
	let total = 0;
	for (const part of parts) {
		const wanted = limit - rows.length;
		if (total >= cap && wanted <= 0) break;
		const answer = await sql<SummaryRow & { counted: number; siren: string | null }>`
			select counted, row.*
			from (select count(*)::int as counted from (select from companies where ${part} limit ${Math.max(cap - total, 0)}) found) count
			left join lateral (
				select ${summary} from companies where ${part} order by id offset ${Math.max(offset - total, 0)} limit ${wanted}
			) row on true
		`.execute(trx);
		for (const { counted: _, ...row } of answer.rows) if (row.siren !== null) rows.push(row);
		total += answer.rows[0]?.counted ?? 0;
	}
	return { rows, total };
}

/** Whether any company has all the words. */
export async function hasMatch(trx: Trx, words: readonly string[]): Promise<boolean> {
	const found = tiers.map(
		(tier) => sql`exists (select from companies where lexemes @@ ${searchQuery(words, noFilters)}::tsquery and ${sql.raw(tier)})`,
	);
	const { rows } = await sql<{ any: boolean }>`select ${sql.join(found, sql` or `)} as any`.execute(trx);
	return rows[0]?.any ?? false;
}

/** Whether any word of the vocabulary starts so. */
export async function isKnownBeginning(trx: Trx, word: string): Promise<boolean> {
	const { rows } = await sql`select from company_words where word >= ${word} and word < ${`${word}\u{10ffff}`} limit 1`.execute(trx);
	return rows.length > 0;
}

/** Words that share a rest with one (see rests), the most frequent first. */
export async function similarWords(trx: Trx, rests: string[]): Promise<string[]> {
	const { rows } = await sql<{ word: string }>`
		select word from company_words where rests && ${rests}::text[] order by companies desc, word limit 50
	`.execute(trx);
	return rows.map(({ word }) => word);
}

export interface SourceRow {
	name: "sirene" | "rne";
	as_of: string | null;
	companies: number;
}

export async function sources(db: Database): Promise<SourceRow[]> {
	const { rows } = await sql<SourceRow>`select name, as_of::text, companies from company_sources`.execute(db);
	return rows;
}
