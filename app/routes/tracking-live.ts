import { liveStream } from "../../server/live-stream.ts";
import { readAccessCookie } from "../orders/access-cookie.server.ts";
import { findOrder } from "../orders/orders.store.server.ts";
import { shopContext } from "../shop.ts";
import type { Route } from "./+types/tracking-live";

/** Tells the tracking page that its order changed; the cookie opens that one order. */
export async function loader({ params, request, context }: Route.LoaderArgs) {
	const shop = context.get(shopContext);
	const orderId = readAccessCookie(shop, "tracking", request);
	const order = orderId && (await findOrder(shop.db, orderId));
	return order && order.order_number === params.number ? liveStream(shop, order.id, request.signal) : new Response(null, { status: 403 });
}
