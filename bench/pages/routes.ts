/** A public page that is measured. */
export interface PublicPage {
	path: string;
	/** A map of the site names it, so it may not say noindex. */
	indexed: boolean;
}

/** Public pages that the map of the shop's own pages does not name. */
const beside: readonly PublicPage[] = [
	{ path: "/commande", indexed: false },
	{ path: "/recherche?q=danone", indexed: false },
	{ path: "/entreprise/552032534", indexed: true },
	{ path: "/suivi-commande", indexed: false },
];

/** The home page first, then the site's map as the shop serves it, so that a new page enters by itself. */
export async function publicPages(shop: string): Promise<PublicPage[]> {
	const map = await (await fetch(new URL("/sitemap-pages.xml", shop))).text();
	const paths = [...map.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address = ""]) => {
		const { pathname, search } = new URL(address.replaceAll("&amp;", "&"));
		return pathname + search;
	});
	if (paths.length === 0) throw new Error("/sitemap-pages.xml names no page");
	const listed = [...new Set(["/", ...paths])].map((path) => ({ path, indexed: true }));
	return [...listed, ...beside.filter(({ path }) => !paths.includes(path))];
}
