import { suggestCompanies } from "../../companies/search/suggest-companies.server.ts";
import { shopContext } from "../../shop.ts";
import type { Route } from "./+types/company-suggestions.ts";

export async function loader({ request, context }: Route.LoaderArgs) {
	const { readDb } = context.get(shopContext);
	const text = new URL(request.url).searchParams.get("q") ?? "";
	return Response.json(await suggestCompanies(readDb, text), { headers: { "cache-control": "no-store" } });
}
