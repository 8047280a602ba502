import type pg from "pg";
import { searchCompanies } from "../../../app/companies/search/search-companies.server.ts";
import type { Random } from "../../../test/random.ts";
import { mistype, type TypingError, typingErrorKinds } from "../typing-errors.ts";
import type { DrawnCompany } from "./draw-companies.ts";
import { withDatabase } from "./searches.ts";

export interface Mistyped {
	/** Names with a long word, and how many of them find their company on page one when spelled correctly. */
	names: number;
	right: number;
	/** The latter with each kind of error. */
	perKind: Map<TypingError, { found: number; tried: number }>;
	notFound: { typed: string; name: string; kind: TypingError; searchedAs: string }[];
}

const minLength = 5;
/** `searchedAs` when the mistyped text is also the name of other companies. */
export const asTyped = "as typed";

/** Whether a company is still on page one when one word of its name, of five letters or more, has a typing error. */
export function measureMistyped(connection: pg.ClientConfig, companies: readonly DrawnCompany[], random: Random): Promise<Mistyped> {
	const names = companies
		.map((company) => ({ ...company, longWords: company.name.match(/\p{L}+/gu)?.filter(({ length }) => length >= minLength) ?? [] }))
		.filter(({ longWords }) => longWords.length > 0);
	return withDatabase(connection, 1, async (db) => {
		const search = (query: string) => searchCompanies(db, { query, departement: null, formes: [], secteur: null, page: 1 });
		const perKind = new Map(typingErrorKinds.map((kind) => [kind, { found: 0, tried: 0 }]));
		const notFound: Mistyped["notFound"] = [];
		let right = 0;
		for (const { name, siren, longWords } of names) {
			const isListed = (results: readonly { siren: string }[]) => results.some((result) => result.siren === siren);
			if (!isListed((await search(name)).results)) continue;
			right++;
			for (const [kind, count] of perKind) {
				const word = random.pick(longWords);
				const typed = name.replace(word, mistype(word, random, kind));
				const { results, corrected, total } = await search(typed);
				count.tried++;
				if (isListed(results)) count.found++;
				else notFound.push({ typed, name, kind, searchedAs: corrected ?? (total > 0 ? asTyped : "nothing found") });
			}
		}
		return { names: names.length, right, perKind, notFound };
	});
}
