import type pg from "pg";
import { searchCompanies } from "../../app/companies/search/search-companies.server.ts";
import type { Random } from "../random.ts";
import { mistype, sortsOfTypingError, type TypingError } from "../typing-errors.ts";
import type { DrawnCompany } from "./drawn-companies.ts";
import { withDatabase } from "./searches.ts";

export interface Mistyped {
	/** How many names were asked in their right spelling, and how many of those have their company on page one. */
	names: number;
	right: number;
	/** Of the latter, mistyped in each sort of way: on page one, or not. */
	perSort: Map<TypingError, { found: number; asked: number }>;
	notFound: { typed: string; name: string; sort: TypingError; searchedAs: string }[];
}

const shortestMistyped = 5;
/** What was typed is what others are called. */
export const asTyped = "as typed";

/** Whether a company is on page one when one word of its name, of five letters or more, has a typing error of each sort. */
export function measureMistyped(connection: pg.ClientConfig, companies: readonly DrawnCompany[], random: Random): Promise<Mistyped> {
	const names = companies
		.map((company) => ({ ...company, long: company.name.match(/\p{L}+/gu)?.filter(({ length }) => length >= shortestMistyped) ?? [] }))
		.filter(({ long }) => long.length > 0);
	return withDatabase(connection, 1, async (db) => {
		const find = (query: string) => searchCompanies(db, { query, departement: null, formes: [], secteur: null, page: 1 });
		const perSort = new Map(sortsOfTypingError.map((sort) => [sort, { found: 0, asked: 0 }]));
		const notFound: Mistyped["notFound"] = [];
		let right = 0;
		for (const { name, siren, long } of names) {
			const isThere = (results: readonly { siren: string }[]) => results.some((result) => result.siren === siren);
			if (!isThere((await find(name)).results)) continue;
			right++;
			for (const [sort, tally] of perSort) {
				const word = random.pick(long);
				const typed = name.replace(word, mistype(word, random, sort));
				const { results, corrected, total } = await find(typed);
				tally.asked++;
				if (isThere(results)) tally.found++;
				else notFound.push({ typed, name, sort, searchedAs: corrected ?? (total > 0 ? asTyped : "nothing found") });
			}
		}
		return { names: names.length, right, perSort, notFound };
	});
}
