import { href, type RouterContextProvider, redirect } from "react-router";
import { toNextOrder } from "../order-form/next-order.server.ts";
import { storeForm } from "../order-form/order-forms.server.ts";
import { listOrdersOfPurchase } from "../orders/orders.server.ts";
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

/**
 * Redirects to the form of several orders, filled in from a purchase of this mailbox with its companies, services and references.
 * @param number of its first order. @returns null when the mailbox has no such purchase.
 */
export async function redirectToPurchaseForm(
	context: Readonly<RouterContextProvider>,
	mailbox: string,
	number: string,
): Promise<Response | null> {
	const shop = context.get(shopContext);
	const order = await findOwnOrder(shop, mailbox, number);
	if (order === null) return null;
	const lines = (await listOrdersOfPurchase(shop.db, order.purchase_id)).map(({ siren, reference, product_code }) => ({
		company: siren,
		reference: reference ?? "",
		service: product_code,
		siren: null,
	}));
	const stored = await storeForm(shop, toNextOrder(order), { token: null, client: context.get(clientContext).key, lines });
	return redirect(stored.ok ? `${href("/commande/plusieurs")}?commande=${stored.token}` : href("/commande/plusieurs"), 303);
}
