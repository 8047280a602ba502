import { setTimeout as wait } from "node:timers/promises";
import type pg from "pg";
import type { CompanySearch } from "../../../app/companies/search/company-search.ts";
import { searchCompanies } from "../../../app/companies/search/search-companies.server.ts";
import type { Random } from "../../../test/random.ts";
import { findLongestWord, mistype } from "../typing-errors.ts";
import type { DrawnCompany } from "./draw-companies.ts";
import { withDatabase } from "./searches.ts";

const shareMistyped = 0.1;

/** Different queries, each of another company: its name, a word with its town, a word, or a name with a typing error. */
export function drawDifferentSearches(companies: readonly DrawnCompany[], count: number, random: Random): CompanySearch[] {
	const texts = new Set<string>();
	for (const { name, city } of companies) {
		if (texts.size === count) break;
		const word = findLongestWord(name);
		const isMistyped = word.length >= 5 && random.next() < shareMistyped;
		texts.add(isMistyped ? name.replace(word, mistype(word, random)) : random.pick([name, name.toLowerCase(), `${word} ${city}`, word]));
	}
	return [...texts].map((query) => ({ query, departement: null, formes: [], secteur: null, page: 1 }));
}

export interface AtRate {
	perSecond: number;
	/** Milliseconds from the moment at which a search was due: one that has to wait for others waits for its customer (coordinated omission). */
	latencies: number[];
}

/** Searches at fixed moments, also while earlier ones are not answered (an open loop). */
export function measureAtRate(
	connection: pg.ClientConfig,
	searches: readonly CompanySearch[],
	{ perSecond, connections }: { perSecond: number; connections: number },
): Promise<AtRate> {
	return withDatabase(connection, connections, async (db) => {
		// until every connection has its plans
		await Promise.all(
			Array.from({ length: connections }, () => Promise.all(searches.slice(0, 5).map((search) => searchCompanies(db, search)))),
		);
		const latencies: number[] = [];
		const started = performance.now();
		const answers = [];
		for (const [index, search] of searches.entries()) {
			const due = started + (1000 * index) / perSecond;
			const early = due - performance.now();
			if (early > 0) await wait(early);
			answers.push(searchCompanies(db, search).then(() => latencies.push(performance.now() - due)));
		}
		await Promise.all(answers);
		return { perSecond, latencies };
	});
}
