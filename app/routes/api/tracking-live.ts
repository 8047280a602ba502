import { clientContext, shopContext } from "../../shop.ts";
import { findTrackedOrder } from "../../tracking/tracking-access.server.ts";
import { createLiveStream } from "../../web/live-stream.ts";
import type { Route } from "./+types/tracking-live";

/** The live stream of the tracking page; the cookie gives access to one order. */
export async function loader({ params, request, context }: Route.LoaderArgs) {
	const shop = context.get(shopContext);
	const tracked = await findTrackedOrder(shop, request, params.number);
	return tracked
		? createLiveStream(shop, [tracked.order.id], request, context.get(clientContext).key)
		: new Response(null, { status: 403 });
}
