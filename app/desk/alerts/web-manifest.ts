import { href } from "react-router";
import { shopContext } from "../../shop.ts";
import { nameWithOf } from "../../ui/name-with-of.ts";
import { requireDesk } from "../shell/signed-in.server.ts";
import type { Route } from "./+types/web-manifest";

/**
 * Describes the desk as an app of the home screen: an iPhone shows notifications of such an app only. Browsers ask for it without
 * cookies; it holds no data.
 */
export async function loader({ request, context }: Route.LoaderArgs) {
	const shop = context.get(shopContext);
	await requireDesk(shop, request);
	const manifest = {
		id: href("/bureau"),
		name: `Bureau ${nameWithOf(shop.environment.shop.name)}`,
		short_name: "Bureau",
		lang: "fr",
		start_url: href("/bureau"),
		scope: href("/bureau"),
		display: "standalone",
		icons: [
			{ src: "/favicon.svg", sizes: "any", type: "image/svg+xml" },
			{ src: "/apple-touch-icon.png", sizes: "180x180", type: "image/png" },
		],
	};
	return new Response(JSON.stringify(manifest), {
		headers: {
			"content-type": "application/manifest+json; charset=utf-8",
			"cache-control": "no-cache",
			"x-robots-tag": "noindex, nofollow",
		},
	});
}
