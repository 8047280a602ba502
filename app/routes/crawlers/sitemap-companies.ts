import { xmlResponse } from "../../../server/sitemap.ts";
import { createCompanySitemap } from "../../companies/company-sitemaps.server.ts";
import { shopContext } from "../../shop.ts";
import type { Route } from "./+types/sitemap-companies.ts";

/** `/sitemap-entreprises-1.xml` and the following ones; 404 for any other XML file. */
export async function loader({ params, request, context }: Route.LoaderArgs) {
	const { readDb, environment } = context.get(shopContext);
	const [, number] = /^sitemap-entreprises-([1-9]\d{0,3})$/.exec(params.file) ?? [];
	const list = number && (await createCompanySitemap(readDb, environment.baseUrl, Number(number)));
	if (list) return xmlResponse(request, list);
	return new Response("Ce fichier n’existe pas.", {
		status: 404,
		headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" },
	});
}
