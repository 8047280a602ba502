import { findTrackedOrder, findTrackedPurchase } from "../../customer/tracking/tracking-access.server.ts";
import { listOrdersOfPurchase } from "../../orders/orders.store.server.ts";
import { clientContext, shopContext } from "../../shop.ts";
import { createLiveStream } from "../../web/live-stream.ts";
import type { Route } from "./+types/tracking-live";

/** The live stream of the page of an order, or of a purchase with all its orders; the cookie gives access. */
export async function loader({ params: { number }, request, context }: Route.LoaderArgs) {
	const shop = context.get(shopContext);
	const isWhole = new URL(request.url).pathname.includes("/ensemble/");
	const tracked = await (isWhole ? findTrackedPurchase : findTrackedOrder)(shop, request, number);
	if (tracked === null || ("state" in tracked && tracked.state !== "open")) return new Response(null, { status: 403 });
	const orders = isWhole ? await listOrdersOfPurchase(shop.db, tracked.order.id) : [tracked.order];
	const ids = orders.map(({ id }) => id);
	return createLiveStream(shop, ids, request, context.get(clientContext).key);
}
