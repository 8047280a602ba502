import { href, type RouterContextProvider, redirect } from "react-router";
import { toNextOrder } from "../order-form/next-order.server.ts";
import { storeForm } from "../order-form/order-forms.server.ts";
import { clientContext, shopContext } from "../shop.ts";
import { findOwnOrder } from "./own-order.server.ts";

/**
 * Redirects to the order form, filled in from an order of this mailbox.
 * @param keepsCompany false: the customer chooses another company.
 * @returns null when the mailbox has no such order.
 */
export async function redirectToOrderForm(
	context: Readonly<RouterContextProvider>,
	mailbox: string,
	{ number, keepsCompany }: { number: string; keepsCompany: boolean },
): Promise<Response | null> {
	const shop = context.get(shopContext);
	const order = await findOwnOrder(shop, mailbox, number);
	if (order === null) return null;
	const stored = await storeForm(shop, toNextOrder(order), { token: null, client: context.get(clientContext).key });
	const form = keepsCompany ? href("/commande/:siren", { siren: order.siren }) : href("/commande");
	return redirect(stored.ok ? `${form}?commande=${stored.token}` : `${form}?service=${order.product_code}`, 303);
}
