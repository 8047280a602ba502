import { parseCitySearch, toCollection } from "../addresses/city.ts";
import { lookUpCities } from "../addresses/look-up-cities.server.ts";
import { shopContext } from "../shop.ts";
import type { Route } from "./+types/api-addresses.ts";

export async function loader({ request, context }: Route.LoaderArgs) {
	const { environment, log } = context.get(shopContext);
	const search = parseCitySearch(new URL(request.url).searchParams);
	const cities = search ? await lookUpCities(search, environment.addressApiUrl, log) : toCollection({ q: "", postcode: "", limit: 0 }, []);
	return Response.json(cities, { headers: { "cache-control": "no-store" } });
}
