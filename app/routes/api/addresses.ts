import { parseCitySearch, toCollection } from "../../companies/addresses/city.ts";
import { lookUpCities } from "../../companies/addresses/look-up-cities.server.ts";
import { shopContext } from "../../shop.ts";
import type { Route } from "./+types/addresses.ts";

export async function loader({ request, context }: Route.LoaderArgs) {
	const shop = context.get(shopContext);
	const search = parseCitySearch(new URL(request.url).searchParams);
	const cities = search
		? await lookUpCities(search, shop.environment.addressApiUrl, shop)
		: toCollection({ q: "", postcode: "", limit: 0 }, []);
	return Response.json(cities, { headers: { "cache-control": "no-store" } });
}
