import { cleanLine } from "../forms/text.ts";

/** A commune under one of its postal codes. */
export interface City {
	city: string;
	/** INSEE code of the commune. */
	citycode: string;
	postcode: string;
	population: number;
	/** Department and region: « 75, Paris, Île-de-France ». */
	context: string;
}

/** What the address lookup is asked. */
export interface CitySearch {
	/** The beginning of a city's name, or a postal code; may be empty. */
	q: string;
	postcode: string;
	limit: number;
}

/** An answer in the shape of the national address API (GeoJSON). */
export interface CityCollection {
	type: "FeatureCollection";
	attribution: string;
	licence: string;
	query: string;
	limit: number;
	features: CityFeature[];
}

export interface CityFeature {
	type: "Feature";
	/** Null in the shop's own answers: the commune file has no coordinates. */
	geometry: unknown;
	properties: { city: string; citycode: string; postcode: string; [more: string]: unknown };
}

/** No commune has a name as long, in characters. */
const longestText = 50;

const defaultLimit = 10;
/** No postal code has as many communes. */
const largestLimit = 100;

/** Reads a lookup from a URL's query; null where it can have no answer: neither a city nor a postal code, or another type than municipality. */
export function parseCitySearch(params: URLSearchParams): CitySearch | null {
	const text = (name: string) => cleanLine(params.get(name) ?? "", longestText);
	const limit = Number(params.get("limit") || defaultLimit);
	const q = text("q");
	const postcode = text("postcode").replaceAll(" ", "") || (/^\d[\d ]{3,}\d$/.test(q) ? q.replaceAll(" ", "") : "");
	if (postcode ? !/^\d{5}$/.test(postcode) : q === "") return null;
	if (!["", "municipality"].includes(text("type"))) return null;
	return { q, postcode, limit: Number.isSafeInteger(limit) && limit > 0 ? Math.min(limit, largestLimit) : defaultLimit };
}

/** Collects cities as the national address API does. */
export function toCollection({ q, postcode, limit }: CitySearch, cities: readonly City[]): CityCollection {
	const features = cities.map((city): CityFeature => {
		const { city: name, citycode: id } = city;
		return { type: "Feature", geometry: null, properties: { label: name, score: 1, id, type: "municipality", name, ...city } };
	});
	return {
		type: "FeatureCollection",
		attribution: "INSEE, La Poste",
		licence: "ETALAB-2.0",
		query: q || postcode,
		limit,
		features: features.slice(0, limit),
	};
}
