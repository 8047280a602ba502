import { getConfirmationAccess } from "../../customer/tracking/confirmation/confirmation-access.server.ts";
import { findOrder, listOrdersOfPurchase } from "../../orders/orders.store.server.ts";
import { findRecordedSession } from "../../payments/payments.store.server.ts";
import { clientContext, shopContext } from "../../shop.ts";
import { createLiveStream } from "../../web/live-stream.ts";
import type { Route } from "./+types/confirmation-live";

/** The live stream of the confirmation page, as long as that page shows the order. */
export async function loader({ params, request, context }: Route.LoaderArgs) {
	const shop = context.get(shopContext);
	const session = await findRecordedSession(shop.db, params.sessionId);
	const order = session && (await findOrder(shop.db, session.order_id));
	if (session === null || order === null) return new Response(null, { status: 404 });
	if ((await getConfirmationAccess(shop, request, session, order)) === null) return new Response(null, { status: 403 });
	const orders = await listOrdersOfPurchase(shop.db, order.id);
	const ids = orders.map(({ id }) => id);
	return createLiveStream(shop, ids, request, context.get(clientContext).key);
}
