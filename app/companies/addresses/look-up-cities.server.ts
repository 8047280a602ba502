import { z } from "zod";
import { observeCall } from "../../../server/observability/partner-calls.ts";
import type { Runtime } from "../../../server/runtime.ts";
import { toError } from "../../../server/types/errors.ts";
import { type CityCollection, type CityFeature, type CitySearch, toCollection } from "./city.ts";
import { arrondissementCities } from "./communes.server.ts";
import { searchCities } from "./find-cities.server.ts";

/** After two seconds, the customer has typed the city. */
const timeoutMs = 2000;

const responseSchema = z.object({
	features: z.array(
		z.looseObject({
			type: z.literal("Feature"),
			geometry: z.unknown(),
			properties: z.looseObject({ city: z.string(), citycode: z.string(), postcode: z.string() }),
		}),
	),
});

/**
 * Looks up cities with the national address API if its URL is set, or else with the commune file.
 * A failing or slow service gives no city and no error, because customers can type the city.
 */
export async function lookUpCities(
	search: CitySearch,
	addressApiUrl: string | undefined,
	{ log, metrics }: Pick<Runtime, "log" | "metrics">,
): Promise<CityCollection> {
	if (!addressApiUrl) return toCollection(search, searchCities(search));
	const empty = toCollection(search, []);
	try {
		const url = new URL(addressApiUrl);
		// the service requires a q of at least three characters
		for (const [name, value] of Object.entries({
			q: search.q || search.postcode,
			postcode: search.postcode,
			limit: String(search.limit),
			type: "municipality",
		})) {
			if (value) url.searchParams.set(name, value);
		}
		const body = await observeCall({ partner: "addresses", call: "search" }, () => fetchService(url), metrics);
		const features = responseSchema.parse(body).features.map(replaceArrondissement);
		const featuresByCity = new Map(features.map((feature) => [feature.properties.citycode, feature]));
		return { ...empty, attribution: "BAN", features: [...featuresByCity.values()] };
	} catch (error) {
		log.warn({ error: toError(error).message }, "the address service did not answer");
		return empty;
	}
}

async function fetchService(url: URL): Promise<unknown> {
	const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs), headers: { accept: "application/json" } });
	if (!response.ok) throw new Error(`status ${response.status}`);
	return response.json();
}

/** Replaces an arrondissement by its city. Source: INSEE's codes of the arrondissements. */
function replaceArrondissement(feature: CityFeature): CityFeature {
	const parentCity = arrondissementCities.find(({ arrondissement }) => arrondissement.test(feature.properties.citycode));
	if (!parentCity) return feature;
	const { citycode, city } = parentCity;
	return { ...feature, properties: { ...feature.properties, label: city, name: city, city, id: citycode, citycode } };
}
