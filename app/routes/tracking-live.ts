import { liveStream } from "../../server/live-stream.ts";
import { readAccessCookie } from "../orders/access-cookie.server.ts";
import { shopContext } from "../shop.ts";
import type { Route } from "./+types/tracking-live";

/** Tells the tracking page that its order changed; the cookie says which order. */
export async function loader({ request, context }: Route.LoaderArgs) {
	const shop = context.get(shopContext);
	const orderId = readAccessCookie(shop, request);
	return orderId ? liveStream(shop, orderId, request.signal) : new Response(null, { status: 403 });
}
