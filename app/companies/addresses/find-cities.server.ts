import { lazy } from "../../../server/lazy.ts";
import type { City, CitySearch } from "./city.ts";
import { listCommunesByPostalCode } from "./communes.server.ts";

/** Finds the communes of a postal code, the largest first; none for a CEDEX. */
export function findCities(postalCode: string): readonly City[] {
	return listCommunesByPostalCode().get(postalCode) ?? [];
}

/** Searches communes by postal code, by a prefix of the name, or by both: each once, the largest first. */
export function searchCities({ q, postcode, limit }: CitySearch): City[] {
	const start = foldName(q);
	const matchesName = (city: City) => q === "" || q.replaceAll(" ", "") === postcode || foldName(city.city).startsWith(start);
	if (postcode) return findCities(postcode).filter(matchesName).slice(0, limit);
	const cities = getNamedCities();
	const from = findFirstIndex(cities, start);
	// U+FFFF sorts after all letters
	const matches = cities.slice(from, findFirstIndex(cities, `${start}\uffff`));
	// exact matches sort first
	const exactCount = matches.findIndex(({ name }) => name !== start);
	const [exactMatches, longerMatches] = exactCount < 0 ? [matches, []] : [matches.slice(0, exactCount), matches.slice(exactCount)];
	return [...listLargest(exactMatches, limit), ...listLargest(longerMatches, limit)].slice(0, limit).map(({ city }) => city);
}

/** Smaller communes often have the name of a person. */
const minTownPopulation = 2000;

const getTownNames = lazy(() => {
	const cities = [...listCommunesByPostalCode().values()].flat().filter(({ population }) => population >= minTownPopulation);
	return new Set(cities.map(({ city }) => foldName(city)));
});

/** Whether a text in lower case without accents is the name of a town: « saint etienne », « st etienne ». */
export function isTownName(text: string): boolean {
	return getTownNames().has(text.replace(/\bst(e?)\b/g, "saint$1"));
}

interface NamedCity {
	/** Folded. */
	name: string;
	city: City;
	/** The rank by population. */
	rank: number;
}

const getNamedCities = lazy(() => listNamedCities(listCommunesByPostalCode()));

/** Lists every commune once, with its lowest postal code, sorted by folded name. */
function listNamedCities(communes: ReadonlyMap<string, readonly City[]>): readonly NamedCity[] {
	const citiesByCode = new Map<string, City>();
	for (const cities of communes.values()) {
		for (const city of cities) {
			const other = citiesByCode.get(city.citycode);
			if (!other || city.postcode < other.postcode) citiesByCode.set(city.citycode, city);
		}
	}
	return [...citiesByCode.values()]
		.sort((a, b) => b.population - a.population)
		.map((city, rank) => ({ name: foldName(city.city), city, rank }))
		.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.rank - b.rank));
}

/** Finds the first index whose name is not before a text, by bisection. */
function findFirstIndex(cities: readonly NamedCity[], text: string): number {
	let [low, high] = [0, cities.length];
	while (low < high) {
		const middle = (low + high) >>> 1;
		if ((cities[middle]?.name ?? "") < text) low = middle + 1;
		else high = middle;
	}
	return low;
}

/** Returns the largest cities. Filtering by rank first is cheaper than sorting thousands of cities. */
function listLargest(cities: readonly NamedCity[], limit: number): NamedCity[] {
	const ranks = new Float64Array(cities.length);
	for (const [at, { rank }] of cities.entries()) ranks[at] = rank;
	ranks.sort();
	const last = ranks[Math.min(limit, ranks.length) - 1] ?? -1;
	return cities.filter(({ rank }) => rank <= last).sort((a, b) => a.rank - b.rank);
}

/** Removes case, accents and punctuation from a name. */
export function foldName(text: string): string {
	return text
		.toLowerCase()
		.normalize("NFD")
		.replace(/\p{M}/gu, "")
		.replaceAll("œ", "oe")
		.replace(/[^\p{L}\p{N}]+/gu, " ")
		.trim();
}
