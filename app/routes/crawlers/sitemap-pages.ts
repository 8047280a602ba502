import { href } from "react-router";
import { urlSet, xmlResponse } from "../../../server/sitemap.ts";
import { pages } from "../../content/pages.ts";
import { shopContext } from "../../shop.ts";
import type { Route } from "./+types/sitemap-pages.ts";

// not indexed: the order form may be filled by its address, and « Mes commandes » shows orders to signed-in customers
const unlisted: readonly string[] = [href("/commande"), href("/mes-commandes")];

/** The shop's pages: those of its menus, each once, without fragments. */
export function loader({ request, context }: Route.LoaderArgs) {
	const { baseUrl } = context.get(shopContext).environment;
	const paths = new Set(pages.map(({ path }) => path).filter((path) => !path.includes("#") && !unlisted.includes(path)));
	const entries = [...paths].map((path) => ({ url: baseUrl + path }));
	return xmlResponse(request, urlSet.head + urlSet.entries(entries) + urlSet.tail);
}
