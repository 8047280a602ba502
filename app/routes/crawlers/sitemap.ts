import { sitemapIndex, xmlResponse } from "../../../server/sitemap.ts";
import { countCompanySitemaps } from "../../companies/company-sitemaps.server.ts";
import { findCompanySources } from "../../companies/company-sources.server.ts";
import { shopContext } from "../../shop.ts";
import { absoluteUrl } from "../../ui/absolute-url.ts";
import type { Route } from "./+types/sitemap.ts";

/** The sitemap index: one sitemap of the shop's pages, and one for every fifty thousand companies. */
export async function loader({ request, context }: Route.LoaderArgs) {
	const { readDb, environment } = context.get(shopContext);
	const [files, sources] = await Promise.all([countCompanySitemaps(readDb), findCompanySources(readDb)]);
	return xmlResponse(
		request,
		sitemapIndex([
			{ url: absoluteUrl(environment.baseUrl, "/sitemap-pages.xml") },
			...Array.from({ length: files }, (_, index) => ({
				url: absoluteUrl(environment.baseUrl, "/:file.xml", { file: `sitemap-entreprises-${index + 1}` }),
				changedOn: sources?.sireneAsOf,
			})),
		]),
	);
}
