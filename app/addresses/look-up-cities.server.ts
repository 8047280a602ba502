import { z } from "zod";
import { observeCall } from "../../server/observability/partner-calls.ts";
import type { Runtime } from "../../server/runtime.ts";
import { toError } from "../../server/types/errors.ts";
import { type CityCollection, type CityFeature, type CitySearch, toCollection } from "./city.ts";
import { searchCities } from "./find-cities.server.ts";

/** Longer, and the customer has typed the city meanwhile. */
const timeoutMs = 2000;

const answer = z.object({
	features: z.array(
		z.looseObject({
			type: z.literal("Feature"),
			geometry: z.unknown(),
			properties: z.looseObject({ city: z.string(), citycode: z.string(), postcode: z.string() }),
		}),
	),
});

/**
 * Looks up cities, in the shape of the national address API: with that service where its address is set, else with the commune file.
 * A service that fails or is slow gives no city and no error: a city can always be typed.
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
		// the service refuses a q of less than three characters
		for (const [name, value] of Object.entries({
			q: search.q || search.postcode,
			postcode: search.postcode,
			limit: String(search.limit),
			type: "municipality",
		})) {
			if (value) url.searchParams.set(name, value);
		}
		const found = await observeCall({ partner: "addresses", call: "search" }, () => askService(url), metrics);
		const features = answer.parse(found).features.map(asCity);
		const once = new Map(features.map((feature) => [feature.properties.citycode, feature]));
		return { ...empty, attribution: "BAN", features: [...once.values()] };
	} catch (error) {
		log.warn({ error: toError(error).message }, "the address service did not answer");
		return empty;
	}
}

async function askService(url: URL): Promise<unknown> {
	const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs), headers: { accept: "application/json" } });
	if (!response.ok) throw new Error(`status ${response.status}`);
	return response.json();
}

/** An arrondissement answers as its city. Source: INSEE codes of the arrondissements. */
function asCity(feature: CityFeature): CityFeature {
	const whole = cities.find(({ arrondissement }) => arrondissement.test(feature.properties.citycode));
	if (!whole) return feature;
	const { citycode, city } = whole;
	return { ...feature, properties: { ...feature.properties, label: city, name: city, city, id: citycode, citycode } };
}

const cities = [
	{ citycode: "75056", city: "Paris", arrondissement: /^751[012]\d$/ },
	{ citycode: "69123", city: "Lyon", arrondissement: /^6938[1-9]$/ },
	{ citycode: "13055", city: "Marseille", arrondissement: /^132[01]\d$/ },
];
