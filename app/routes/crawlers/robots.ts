import { shopContext } from "../../shop.ts";
import { absoluteUrl } from "../../ui/absolute-url.ts";
import type { Route } from "./+types/robots.ts";

/**
 * What robots need not read. Pages that only must not be listed say so themselves (noindex) and stay readable,
 * or nobody would see that they say it. Source: RFC 9309; `*` is any text, `$` the end of an address.
 */
const kept = [
	// of one person, or of no use outside the shop
	"/api/",
	"/paiement",
	"/confirmation",
	"/suivi/", // the form, /suivi-commande, may be found
	"/documents/",
	"/bac-a-sable/",
	"/test$",
	// without end: a form for each company, and each way to narrow or turn the pages of a search.
	// The first page of a search without filters may be read: somebody may have linked to it
	"/commande/",
	...["departement", "forme", "secteur", "page"].map((filter) => `/recherche?*${filter}=`),
];

export function loader({ context }: Route.LoaderArgs) {
	const { baseUrl } = context.get(shopContext).environment;
	const rules = ["User-agent: *", ...kept.map((path) => `Disallow: ${path}`), "", `Sitemap: ${absoluteUrl(baseUrl, "/sitemap.xml")}`, ""];
	return new Response(rules.join("\n"), {
		headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "public, max-age=3600" },
	});
}
