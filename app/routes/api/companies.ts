import { parseCompanySearch } from "../../companies/search/company-search.ts";
import { searchCompanies } from "../../companies/search/search-companies.server.ts";
import { shopContext } from "../../shop.ts";
import type { Route } from "./+types/companies.ts";

export async function loader({ request, context }: Route.LoaderArgs) {
	const { readDb } = context.get(shopContext);
	return Response.json(await searchCompanies(readDb, parseCompanySearch(new URL(request.url).searchParams)), {
		headers: { "cache-control": "no-store" },
	});
}
