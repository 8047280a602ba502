import { href, type RouterContextProvider, redirect } from "react-router";
import { toNextOrder } from "../../order-form/next-order.server.ts";
import { storeForm } from "../../order-form/order-forms.server.ts";
import { type AccessKey, mayAsk } from "../../orders/access.ts";
import type { Order } from "../../orders/order.ts";
import { clientContext, shopContext } from "../../shop.ts";
import { refuseAccess } from "../refuse-access.server.ts";

/** Redirects to the form of another order, filled in from this one. */
export async function redirectToNextOrder(context: Readonly<RouterContextProvider>, order: Order, access: AccessKey) {
	if (!mayAsk(access, "order-again")) return refuseAccess(access);
	const client = context.get(clientContext).key;
	const values = toNextOrder(order, { keepsCompany: false });
	const stored = await storeForm(context.get(shopContext), { values, lines: [] }, { request: null, token: null, client });
	if (!stored.ok) return redirect(href("/commande"), 303);
	return redirect(`${href("/commande")}?commande=${stored.token}`, { status: 303, headers: stored.headers });
}
