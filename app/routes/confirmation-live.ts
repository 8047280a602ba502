import { liveStream } from "../../server/live-stream.ts";
import { findKnownSession } from "../payment/payment.store.server.ts";
import { clientContext, shopContext } from "../shop.ts";
import type { Route } from "./+types/confirmation-live";

/** Tells the confirmation page that its order changed; whoever knows the session may listen. */
export async function loader({ params, request, context }: Route.LoaderArgs) {
	const shop = context.get(shopContext);
	const session = await findKnownSession(shop.db, params.sessionId);
	return session ? liveStream(shop, session.order_id, request, context.get(clientContext).key) : new Response(null, { status: 404 });
}
