import { listOrdersOfPurchase } from "../../orders/orders.server.ts";
import { clientContext, shopContext } from "../../shop.ts";
import { findTrackedPurchase } from "../../tracking/purchase/purchase-access.server.ts";
import { createLiveStream } from "../../web/live-stream.ts";
import type { Route } from "./+types/purchase-live";

/** The live stream of the page of a purchase: one for all its orders. */
export async function loader({ params, request, context }: Route.LoaderArgs) {
	const shop = context.get(shopContext);
	const tracked = await findTrackedPurchase(shop, request, params.number);
	if (tracked.state !== "open") return new Response(null, { status: 403 });
	const orders = await listOrdersOfPurchase(shop.db, tracked.order.id);
	return createLiveStream(
		shop,
		orders.map(({ id }) => id),
		request,
		context.get(clientContext).key,
	);
}
