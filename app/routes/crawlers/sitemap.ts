import { href } from "react-router";
import { sitemapIndex, xmlResponse } from "../../../server/sitemap.ts";
import { countCompanySitemaps } from "../../companies/company-sitemaps.server.ts";
import { companySources } from "../../companies/company-sources.server.ts";
import { shopContext } from "../../shop.ts";
import type { Route } from "./+types/sitemap.ts";

/** The list of sitemaps: one of the shop's pages, as many of companies as there are fifty thousands. */
export async function loader({ request, context }: Route.LoaderArgs) {
	const { readDb, environment } = context.get(shopContext);
	const [files, sources] = await Promise.all([countCompanySitemaps(readDb), companySources(readDb)]);
	return xmlResponse(
		request,
		sitemapIndex([
			{ address: environment.baseUrl + href("/sitemap-pages.xml") },
			...Array.from({ length: files }, (_, index) => ({
				address: `${environment.baseUrl}/sitemap-entreprises-${index + 1}.xml`,
				changedOn: sources?.sireneAsOf,
			})),
		]),
	);
}
