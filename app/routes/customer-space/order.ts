import { href, redirect } from "react-router";
import { findOwnOrder, orderAgain } from "../../customer/space/order-again.server.ts";
import { requireCustomer } from "../../customer/space/space-access.server.ts";
import { redirectWithAccess } from "../../customer/tracking/tracking-access.server.ts";
import { shopContext } from "../../shop.ts";
import { privateHeaders, readForm } from "../../web/http.ts";
import type { Route } from "./+types/order";

/**
 * Opens an order of the mailbox: this browser gets access to its page, or with `?ensemble` to that of its purchase, for as long as its
 * session is open. An order of somebody else leads back to the list.
 */
export async function loader({ params, request, context }: Route.LoaderArgs) {
	const shop = context.get(shopContext);
	const { mailbox, sessionId } = await requireCustomer(context, request);
	const order = await findOwnOrder(shop, mailbox, params.number);
	if (order === null) return redirect(href("/mes-commandes"), { status: 303, headers: privateHeaders });
	const isWhole = order.id === order.purchase_id && new URL(request.url).searchParams.has("ensemble");
	const page = href(isWhole ? "/suivi/:number/ensemble" : "/suivi/:number", { number: order.order_number });
	return redirectWithAccess(shop, page, order, "purchase", { kind: "space", id: sessionId });
}

/** « Commander à nouveau »: the order, or all orders of the purchase. */
export async function action({ params, request, context }: Route.ActionArgs) {
	const { mailbox } = await requireCustomer(context, request);
	const isWhole = (await readForm(request)).has("ensemble");
	const form = await orderAgain(context, mailbox, { number: params.number, what: isWhole ? "purchase" : "order" });
	return form ?? redirect(href("/mes-commandes"), { status: 303, headers: privateHeaders });
}
