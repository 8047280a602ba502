import type { KnownCompany } from "../../../test/known-companies.ts";
import type { Random } from "../../../test/random.ts";
import { findLongestWord, mistype } from "../typing-errors.ts";

type Search = Record<string, string>;

/** Kinds of search, all equally frequent. */
const kinds: ((company: KnownCompany, random: Random) => Search)[] = [
	({ name }) => ({ q: name }),
	({ name }) => ({ q: name.toLowerCase() }),
	({ name }, random) => ({ q: findLongestWord(name).slice(0, 3 + Math.floor(random.next() * 3)) }),
	({ name }, random) => ({
		q: findLongestWord(name)
			.slice(0, 3 + Math.floor(random.next() * 3))
			.toLowerCase(),
	}),
	({ name, city }) => ({ q: `${findLongestWord(name)} ${city}` }),
	({ city }) => ({ q: city }),
	({ siren }) => ({ q: siren }),
	({ siren }) => ({ q: siren.replace(/(\d{3})(?=\d)/g, "$1 ").trim() }),
	({ siren }) => ({ q: siren.slice(0, 4) }),
	({ city, department }) => ({ q: city, departement: department }),
	({ city }) => ({ q: city, forme: "SAS", secteur: "commerce" }),
	({ name }) => ({ q: findLongestWord(name).slice(0, 4), forme: "SA" }),
	({ city }) => ({ q: city, page: "2" }),
	({ name }, random) => ({ q: mistype(findLongestWord(name), random) }),
	({ name, city }, random) => ({ q: `${mistype(findLongestWord(name), random)} ${city}` }),
];

/** Paths of the search page, the same for the same seed. */
export function drawSearchPaths(companies: readonly KnownCompany[], count: number, random: Random): string[] {
	return Array.from({ length: count }, (_, index) => {
		const kind = kinds[index % kinds.length] as (typeof kinds)[number];
		return `/recherche?${new URLSearchParams(kind(random.pick(companies), random))}`;
	});
}
