import { readAccessCookie } from "../../orders/access-cookie.server.ts";
import { findOrder } from "../../orders/orders.server.ts";
import { clientContext, shopContext } from "../../shop.ts";
import { liveStream } from "../../web/live-stream.ts";
import type { Route } from "./+types/tracking-live";

/** Tells the tracking page that its order changed; the cookie opens that one order. */
export async function loader({ params, request, context }: Route.LoaderArgs) {
	const shop = context.get(shopContext);
	const orderId = readAccessCookie(shop, "tracking", request);
	const order = orderId && (await findOrder(shop.db, orderId));
	if (!order || order.order_number !== params.number) return new Response(null, { status: 403 });
	return liveStream(shop, order.id, request, context.get(clientContext).key);
}
