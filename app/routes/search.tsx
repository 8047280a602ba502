import { findCompanySources } from "../companies/company-sources.server.ts";
import { isFiltered, parseCompanySearch } from "../companies/search/company-search.ts";
import { countFilters } from "../companies/search/count-filters.server.ts";
import { searchCompanies } from "../companies/search/search-companies.server.ts";
import { describeResult, SearchPage } from "../companies/search/search-page.tsx";
import { shopContext } from "../shop.ts";
import { pageMeta } from "../ui/site.ts";
import type { Route } from "./+types/search.ts";

export const handle = { scripts: "on-demand", sells: true };

export async function loader({ request, context }: Route.LoaderArgs) {
	const { readDb } = context.get(shopContext);
	const search = parseCompanySearch(new URL(request.url).searchParams);
	const [result, sources] = await Promise.all([searchCompanies(readDb, search), findCompanySources(readDb)]);
	// filters only reduce the results, so a number above the limit need not be counted
	const counts = result.totalIsCapped ? null : await countFilters(readDb, search, result.searched);
	return { search: { ...search, page: result.page }, result, counts, companies: sources?.companies ?? 0 };
}

export const meta: Route.MetaFunction = (page) => {
	const { loaderData } = page;
	if (!loaderData?.search.query) {
		const description =
			"Trouvez une entreprise par son nom, son SIREN ou son SIRET, puis commandez son extrait Kbis. Service privé et indépendant.";
		return pageMeta(page, { title: "Rechercher une entreprise", description, index: !loaderData || !isFiltered(loaderData.search) });
	}
	const { search, result } = loaderData;
	return pageMeta(page, {
		title: `Résultats pour «\u00a0${search.query}\u00a0»`,
		description: describeResult(result),
		index: !isFiltered(search) && result.total !== 0 && search.page === 1,
	});
};

export default function SearchRoute({ loaderData }: Route.ComponentProps) {
	return <SearchPage {...loaderData} />;
}
