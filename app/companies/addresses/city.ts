import { cleanLine } from "../../ui/forms/text.ts";

/** A commune with one of its postal codes. */
export interface City {
	city: string;
	/** INSEE's code of the commune. */
	citycode: string;
	postcode: string;
	population: number;
	/** Department and region: « 75, Paris, Île-de-France ». */
	context: string;
}

/** A search for cities. */
export interface CitySearch {
	/** A prefix of a city's name, or a postal code; may be empty. */
	q: string;
	postcode: string;
	limit: number;
}

/** A response in the format of the national address API (GeoJSON). */
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
	/** Null in the shop's responses, because the commune file has no coordinates. */
	geometry: unknown;
	properties: { city: string; citycode: string; postcode: string; [more: string]: unknown };
}

/** In characters; no commune has a longer name. */
const maxTextLength = 50;

const defaultLimit = 10;
/** No postal code has more communes. */
const maxLimit = 100;

/** Parses a search from a URL's query; null without a city or postal code, or for another type than municipality. */
export function parseCitySearch(params: URLSearchParams): CitySearch | null {
	const text = (name: string) => cleanLine(params.get(name) ?? "", maxTextLength);
	const limit = Number(params.get("limit") || defaultLimit);
	const q = text("q");
	const postcode = text("postcode").replaceAll(" ", "") || (/^\d[\d ]{3,}\d$/.test(q) ? q.replaceAll(" ", "") : "");
	if (postcode ? !/^\d{5}$/.test(postcode) : q === "") return null;
	if (!["", "municipality"].includes(text("type"))) return null;
	return { q, postcode, limit: Number.isSafeInteger(limit) && limit > 0 ? Math.min(limit, maxLimit) : defaultLimit };
}

/** Converts cities to the format of the national address API. */
export function toCollection({ q, postcode, limit }: CitySearch, cities: readonly City[]): CityCollection {
	const features = cities.map((city): CityFeature => {
		const { city: name, citycode: id } = city;
		return { type: "Feature", geometry: null, properties: { label: name, score: 1, id, type: "municipality", name, ...city } };
	});
	return {
		type: "FeatureCollection",
		attribution: "Insee, La Poste",
		licence: "ETALAB-2.0",
		query: q || postcode,
		limit,
		features: features.slice(0, limit),
	};
}
