import { lazy } from "../../server/lazy.ts";
import type { City, CitySearch } from "./city.ts";
import { communesByPostalCode } from "./communes.server.ts";

/** The communes of a postal code, the largest first; none for a code that is no commune's, such as a CEDEX. */
export function findCities(postalCode: string): readonly City[] {
	return communesByPostalCode().get(postalCode) ?? [];
}

/** The communes of a postal code, of a name or the beginning of one, or of both: each once, the largest first. */
export function searchCities({ q, postcode, limit }: CitySearch): City[] {
	const start = foldName(q);
	const named = (city: City) => q === "" || q.replaceAll(" ", "") === postcode || foldName(city.city).startsWith(start);
	if (postcode) return findCities(postcode).filter(named).slice(0, limit);
	const cities = namedCities();
	const from = firstFrom(cities, start);
	// no letter comes after U+FFFF
	const found = cities.slice(from, firstFrom(cities, `${start}\uffff`));
	// those of that very name are the first of the alphabet
	const exact = found.findIndex(({ name }) => name !== start);
	const [whole, longer] = exact < 0 ? [found, []] : [found.slice(0, exact), found.slice(exact)];
	return [...largest(whole, limit), ...largest(longer, limit)].slice(0, limit).map(({ city }) => city);
}

interface NamedCity {
	/** Folded. */
	name: string;
	city: City;
	/** Place among all cities, the largest first. */
	rank: number;
}

const namedCities = lazy(() => listNamedCities(communesByPostalCode()));

/** Every commune once, under its lowest postal code, by folded name. */
function listNamedCities(communes: ReadonlyMap<string, readonly City[]>): readonly NamedCity[] {
	const once = new Map<string, City>();
	for (const cities of communes.values()) {
		for (const city of cities) {
			const known = once.get(city.citycode);
			if (!known || city.postcode < known.postcode) once.set(city.citycode, city);
		}
	}
	return [...once.values()]
		.sort((a, b) => b.population - a.population)
		.map((city, rank) => ({ name: foldName(city.city), city, rank }))
		.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.rank - b.rank));
}

/** The first place whose name is not before this text, by bisection. */
function firstFrom(cities: readonly NamedCity[], text: string): number {
	let [low, high] = [0, cities.length];
	while (low < high) {
		const middle = (low + high) >>> 1;
		if ((cities[middle] as NamedCity).name < text) low = middle + 1;
		else high = middle;
	}
	return low;
}

/** The so many of lowest rank: most are passed over, which is cheaper than sorting thousands for a hundred. */
function largest(cities: readonly NamedCity[], limit: number): NamedCity[] {
	const ranks = new Float64Array(cities.length);
	for (const [at, { rank }] of cities.entries()) ranks[at] = rank;
	ranks.sort();
	const last = ranks[Math.min(limit, ranks.length) - 1] ?? -1;
	return cities.filter(({ rank }) => rank <= last).sort((a, b) => a.rank - b.rank);
}

/** A name as two people would type it the same: without case, accents and punctuation. */
export function foldName(text: string): string {
	return text
		.toLowerCase()
		.normalize("NFD")
		.replace(/\p{M}/gu, "")
		.replaceAll("œ", "oe")
		.replace(/[^\p{L}\p{N}]+/gu, " ")
		.trim();
}
