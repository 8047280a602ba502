import type { City, CitySearch } from "./city.ts";
import { communesByPostalCode } from "./communes.server.ts";

/** The communes of a postal code, the largest first; none for a code that is no commune's, such as a CEDEX. */
export function findCities(postalCode: string): readonly City[] {
	return communesByPostalCode().get(postalCode) ?? [];
}

/** The communes of a postal code, of a name or the beginning of one, or of both: each once, the largest first. */
export function searchCities({ q, postcode }: CitySearch): City[] {
	const start = fold(q);
	const named = (city: City) => q === "" || q.replaceAll(" ", "") === postcode || fold(city.city).startsWith(start);
	if (postcode) return findCities(postcode).filter(named);
	const found = new Map<string, City>();
	for (const cities of communesByPostalCode().values()) {
		for (const city of cities) {
			const known = found.get(city.citycode);
			if ((!known || city.postcode < known.postcode) && named(city)) found.set(city.citycode, city);
		}
	}
	return [...found.values()].sort((a, b) => Number(fold(b.city) === start) - Number(fold(a.city) === start) || b.population - a.population);
}

function fold(text: string): string {
	return text
		.toLowerCase()
		.normalize("NFD")
		.replace(/\p{M}/gu, "")
		.replaceAll("œ", "oe")
		.replace(/[^\p{L}\p{N}]+/gu, " ")
		.trim();
}
