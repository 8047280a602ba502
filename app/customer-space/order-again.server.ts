import { href, type RouterContextProvider, redirect } from "react-router";
import { toFormLine } from "../order-form/form-line.ts";
import { toNextOrder } from "../order-form/next-order.server.ts";
import { storeForm } from "../order-form/order-forms.server.ts";
import type { Order } from "../orders/order.ts";
import { clientContext, shopContext } from "../shop.ts";
import { findOwnOrder } from "./own-order.server.ts";
import { listOrders } from "./purchases.store.server.ts";

/**
 * Redirects to the order form, filled in from an order of this mailbox; to that of several orders where the order has a reference.
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
	// the form of one order has no field for it
	if (keepsCompany && order.reference !== null) return redirectToLines(context, order, [order]);
	const client = context.get(clientContext).key;
	const lines = keepsCompany ? [toFormLine({ company: order.siren })] : [];
	const stored = await storeForm(shop, { values: toNextOrder(order, { keepsCompany }), lines }, { request: null, token: null, client });
	const form = keepsCompany ? href("/commande/:siren", { siren: order.siren }) : href("/commande");
	if (!stored.ok) return redirect(`${form}?service=${order.product_code}`, 303);
	return redirect(`${form}?commande=${stored.token}`, { status: 303, headers: stored.headers });
}

/**
 * Redirects to the form of several orders, filled in from a purchase of this mailbox with its companies, services, references and the
 * address of its letters. The form says line by line what cannot be ordered any more.
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
	const orders = await listOrders(shop.db, mailbox, [order.purchase_id]);
	const letter = orders.find(({ delivery_address }) => delivery_address !== null);
	return redirectToLines(context, { ...order, ...(letter && pickLetterAddress(letter)) }, orders);
}

const pickLetterAddress = (order: Order) => {
	const { delivery_name, delivery_complement, delivery_address, delivery_postal_code, delivery_city } = order;
	return { delivery_name, delivery_complement, delivery_address, delivery_postal_code, delivery_city };
};

/** Redirects to the form of several orders with the details of one order and a line for each of some. */
async function redirectToLines(context: Readonly<RouterContextProvider>, order: Order, orders: readonly Order[]): Promise<Response> {
	const lines = orders.map(({ siren, reference, product_code }) => ({
		company: siren,
		reference: reference ?? "",
		service: product_code,
		siren: null,
	}));
	const client = context.get(clientContext).key;
	const values = toNextOrder(order, { keepsCompany: true });
	const stored = await storeForm(context.get(shopContext), { values, lines }, { request: null, token: null, client });
	if (!stored.ok) return redirect(href("/commande/plusieurs"), 303);
	return redirect(`${href("/commande/plusieurs")}?commande=${stored.token}`, { status: 303, headers: stored.headers });
}
