import { type MetaDescriptor, useRouteLoaderData } from "react-router";
import type { ShopIdentity } from "../../server/environment/shop-identity.ts";
import { absoluteUrl } from "./absolute-url.ts";

/** The menu of a link: `header` on wide screens, `mobile` in the menu of narrow ones, the others in the footer (`legal` in both). */
export type Menu = "header" | "mobile" | "service" | "help" | "company" | "legal";

export interface MenuPage {
	path: string;
	label: string;
	menus: readonly Menu[];
}

/** The data of the shop on every page: the result of the root loader. */
export interface Site {
	/** Its telephone hours as a sentence says them. */
	shop: ShopIdentity;
	/** Without a trailing slash. */
	baseUrl: string;
	/** No real payment, documents marked SPECIMEN. */
	demo: boolean;
	/** The entries of the menus. They are data of the page, so that scripts need not contain them. */
	pages: readonly MenuPage[];
	/** What cannot be ordered now, and days off: shown where hours are promised (`handle = { sells: true }`). */
	notices: readonly { kind: "closed" | "info"; title: string; text: string }[];
	/** The registry's own price of an extract: « 3,20 € TTC ». */
	officialPrice: string;
	/** The notice of a private service: who we are not, and the registry's own price with its source and date. */
	privateService: { who: string; price: string };
}

/** Undefined only on the page of an error before the root loader. */
export function useSite(): Site | undefined {
	return useRouteLoaderData<Site>("root");
}

interface PageMeta {
	/** Without the name of the shop, which pageMeta appends. */
	title: string;
	description?: string;
	/** true when the page has its own preview picture: a page of content/pages.ts or texts/, or a company (routes/crawlers/preview-picture.ts). */
	picture?: boolean;
	/** false keeps the page out of search engines: filtered searches, orders. */
	index?: boolean;
}

/**
 * Title, description, canonical URL and Open Graph of a page, for its `meta` export:
 * `export const meta: Route.MetaFunction = (page) => pageMeta(page, { title: "…", description: "…" });`
 */
export function pageMeta(
	{ matches: [root], location }: { matches: readonly [{ loaderData?: Site }, ...unknown[]]; location: { pathname: string } },
	{ title, description, picture = false, index = true }: PageMeta,
): MetaDescriptor[] {
	const site = root.loaderData;
	// the spelling of the route: /CGV shows the page of /cgv
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
