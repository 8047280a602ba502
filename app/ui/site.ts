import { type MetaDescriptor, useRouteLoaderData } from "react-router";
import type { ShopIdentity } from "../../server/environment/shop-identity.ts";
import { absoluteUrl } from "./absolute-url.ts";

/** Where a link stands: `header` on wide screens, `mobile` in the menu of narrow ones, the others in the footer (`legal` in both). */
export type Menu = "header" | "mobile" | "service" | "help" | "company" | "legal";

export interface MenuPage {
	path: string;
	label: string;
	menus: readonly Menu[];
}

/** What every page knows of the shop: the answer of the root loader. */
export interface Site {
	shop: ShopIdentity;
	/** Without a trailing slash. */
	baseUrl: string;
	/** No real payment, documents marked SPECIMEN. */
	demo: boolean;
	/** What the menus are drawn from. It comes with the page, as data: scripts need not bring it. */
	pages: readonly MenuPage[];
	/** What the registry itself asks for an extract: « 3,20 € », and where that is said. */
	officialPrice: { amount: string; source: string; date: string };
}

/** Undefined only on the page of an error that came before the root loader. */
export function useSite(): Site | undefined {
	return useRouteLoaderData<Site>("root");
}

interface PageMeta {
	/** Without the name of the shop, which is added. */
	title: string;
	description?: string;
	/** true when networks show a picture of its own: a page of content/pages.ts or texts/ (routes/crawlers/preview-picture.ts). */
	picture?: boolean;
	/** false keeps the page out of search engines: filtered searches, orders. */
	index?: boolean;
}

/**
 * Title, description, canonical address and Open Graph of a page, for its `meta` export:
 * `export const meta: Route.MetaFunction = (page) => pageMeta(page, { title: "…", description: "…" });`
 */
export function pageMeta(
	{ matches, location }: { matches: readonly ({ id: string; loaderData?: unknown } | undefined)[]; location: { pathname: string } },
	{ title, description, picture = false, index = true }: PageMeta,
): MetaDescriptor[] {
	const site = matches.find((match) => match?.id === "root")?.loaderData as Site | undefined;
	// as the routes write it: whoever types /CGV reads the page at /cgv
	const path = location.pathname.toLowerCase();
	const whole = site ? `${title} – ${site.shop.name}` : title;
	return [
		{ title: whole },
		...(description
			? [
					{ name: "description", content: description },
					{ property: "og:description", content: description },
				]
			: []),
		{ property: "og:title", content: title },
		{ property: "og:type", content: "website" },
		{ property: "og:locale", content: "fr_FR" },
		...(site
			? [
					{ property: "og:site_name", content: site.shop.name },
					{ property: "og:url", content: site.baseUrl + path },
					{
						property: "og:image",
						content:
							picture && index
								? absoluteUrl(site.baseUrl, "/apercu/*", { "*": `${path.slice(1)}.png` })
								: absoluteUrl(site.baseUrl, "/apercu.png"),
					},
					{ property: "og:image:width", content: "1200" },
					{ property: "og:image:height", content: "630" },
					{ name: "twitter:card", content: "summary_large_image" },
				]
			: []),
		...(index && site ? [{ tagName: "link", rel: "canonical", href: site.baseUrl + path }] : []),
		...(index ? [] : [{ name: "robots", content: "noindex" }]),
	];
}
