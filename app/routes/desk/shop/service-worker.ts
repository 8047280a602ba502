import { serviceWorker } from "../../../desk/alerts/service-worker.ts";
import { requireDesk } from "../../../desk/shell/signed-in.server.ts";
import { shopContext } from "../../../shop.ts";
import type { Route } from "./+types/service-worker";

/** Browsers ask for it again also while nobody is signed in; it holds no data. */
export async function loader({ request, context }: Route.LoaderArgs) {
	await requireDesk(context.get(shopContext), request);
	return new Response(serviceWorker, { headers: { "content-type": "text/javascript; charset=utf-8", "cache-control": "no-cache" } });
}
