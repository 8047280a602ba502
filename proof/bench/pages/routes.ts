export interface PublicPage {
	path: string;
	/** The sitemap lists it, so it must not say noindex. */
	indexed: boolean;
}

/** Public pages that the sitemap of the shop's own pages does not list. */
const unlisted: readonly PublicPage[] = [
	{ path: "/commande", indexed: false },
	{ path: "/recherche?q=danone", indexed: false },
	{ path: "/entreprise/552032534", indexed: true },
	{ path: "/suivi-commande", indexed: false },
];

/** The home page first, then the sitemap as the shop serves it, so that a new page is measured without a change here. */
export async function listPublicPages(shop: string): Promise<PublicPage[]> {
	const sitemap = await (await fetch(new URL("/sitemap-pages.xml", shop))).text();
	const paths = [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url = ""]) => {
		const { pathname, search } = new URL(url.replaceAll("&amp;", "&"));
		return pathname + search;
	});
	if (paths.length === 0) throw new Error("/sitemap-pages.xml lists no page");
	const listed = [...new Set(["/", ...paths])].map((path) => ({ path, indexed: true }));
	return [...listed, ...unlisted.filter(({ path }) => !paths.includes(path))];
}
