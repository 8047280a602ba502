import { shopContext } from "../../shop.ts";
import { absoluteUrl } from "../../ui/absolute-url.ts";
import type { Route } from "./+types/robots.ts";

/**
 * The paths that robots must not read. Pages that only must not be indexed have noindex and stay readable, so that robots see it.
 * Source: RFC 9309; `*` is any text, `$` the end of a path.
 */
const disallowedPaths = [
	// personal or technical paths
	"/api/",
	"/paiement",
	"/confirmation",
	"/suivi/", // the form, /suivi-commande, may be indexed
	"/documents/",
	"/partage/",
	"/bac-a-sable/",
	"/test$",
	// unlimited numbers of URLs: an order form and an alert for each company, filters and pages of each search.
	// The first page of a search without filters stays readable, because other sites may link to it
	"/commande/",
	"/entreprise/*/alerte",
	...["departement", "forme", "secteur", "page"].map((filter) => `/recherche?*${filter}=`),
];

/** Exceptions: the longest rule that fits decides. */
const allowedPaths = ["/commande/plusieurs$"];

export function loader({ context }: Route.LoaderArgs) {
	const { baseUrl } = context.get(shopContext).environment;
	const rules = [
		"User-agent: *",
		...allowedPaths.map((path) => `Allow: ${path}`),
		...disallowedPaths.map((path) => `Disallow: ${path}`),
		"",
		`Sitemap: ${absoluteUrl(baseUrl, "/sitemap.xml")}`,
		"",
	];
	return new Response(rules.join("\n"), {
		headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "public, max-age=3600" },
	});
}
