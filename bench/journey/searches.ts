import type { Random } from "../random.ts";
import { longestWord, mistype } from "../typing-errors.ts";

/** What a search is made from. */
export interface KnownCompany {
	siren: string;
	name: string;
	city: string;
	department: string;
}

type Search = Record<string, string>;

/** Kinds of search, each as often as it stands here. */
const kinds: ((company: KnownCompany, random: Random) => Search)[] = [
	({ name }) => ({ q: name }),
	({ name }) => ({ q: name.toLowerCase() }),
	({ name }, random) => ({ q: longestWord(name).slice(0, 3 + Math.floor(random.next() * 3)) }),
	({ name }, random) => ({
		q: longestWord(name)
			.slice(0, 3 + Math.floor(random.next() * 3))
			.toLowerCase(),
	}),
	({ name, city }) => ({ q: `${longestWord(name)} ${city}` }),
	({ city }) => ({ q: city }),
	({ siren }) => ({ q: siren }),
	({ siren }) => ({ q: siren.replace(/(\d{3})(?=\d)/g, "$1 ").trim() }),
	({ siren }) => ({ q: siren.slice(0, 4) }),
	({ city, department }) => ({ q: city, departement: department }),
	({ city }) => ({ q: city, forme: "SAS", secteur: "commerce" }),
	({ name }) => ({ q: longestWord(name).slice(0, 4), forme: "SA" }),
	({ city }) => ({ q: city, page: "2" }),
	({ name }, random) => ({ q: mistype(longestWord(name), random) }),
	({ name, city }, random) => ({ q: `${mistype(longestWord(name), random)} ${city}` }),
];

/** Paths of the search page that visitors would open, the same for the same seed. */
export function searchPaths(companies: readonly KnownCompany[], count: number, random: Random): string[] {
	return Array.from({ length: count }, (_, index) => {
		const kind = kinds[index % kinds.length] as (typeof kinds)[number];
		return `/recherche?${new URLSearchParams(kind(random.pick(companies), random))}`;
	});
}
