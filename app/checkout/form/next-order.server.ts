import { href, redirect } from "react-router";
import type { Runtime } from "../../../server/runtime.ts";
import type { Order } from "../../orders/order.ts";
import { type FormLine, isList } from "./form-line.ts";
import type { OrderValues } from "./order-form.ts";
import { storeForm } from "./order-forms.server.ts";
import { readOrderValues } from "./read-order-values.ts";

/**
 * Redirects to the order form, filled in from a customer's order.
 * @param orders whose companies are ordered again; none: the customer chooses another. The form says what cannot be ordered any more.
 * @param client the client's key.
 */
export async function redirectToNextOrder(
	runtime: Runtime,
	client: string,
	order: Order,
	orders: readonly Order[] = [],
): Promise<Response> {
	const letter = orders.find(({ delivery_address }) => delivery_address !== null);
	const lines = orders.map(
		({ siren, reference, product_code }): FormLine => ({
			company: siren,
			reference: reference ?? "",
			service: orders.length > 1 ? product_code : "",
			siren: null,
		}),
	);
	const values = toNextOrder({ ...order, ...(letter && pickLetterAddress(letter)) });
	const stored = await storeForm(runtime, { values, lines }, { request: null, token: null, client });
	const [first] = orders;
	const page = isList(lines) ? href("/commande/plusieurs") : first ? href("/commande/:siren", { siren: first.siren }) : href("/commande");
	if (!stored.ok) return redirect(isList(lines) ? page : `${page}?service=${order.product_code}`, 303);
	return redirect(`${page}?commande=${stored.token}`, { status: 303, headers: stored.headers });
}

const pickLetterAddress = (order: Order) => {
	const { delivery_name, delivery_complement, delivery_address, delivery_postal_code, delivery_city } = order;
	return { delivery_name, delivery_complement, delivery_address, delivery_postal_code, delivery_city };
};

/**
 * The form of a customer's next order: their details, their invoice and the address of their letters. Neither the company nor what
 * belongs to it, which is the second recipient; and no ticked box.
 */
export function toNextOrder(order: Order): OrderValues {
	const empty = readOrderValues(new URLSearchParams());
	const text = (value: string | null) => value ?? "";
	return {
		...empty,
		service: order.product_code,
		email: order.customer_email,
		firstName: order.first_name,
		lastName: order.last_name,
		phone: text(order.phone),
		deliveryName: text(order.delivery_name),
		deliveryComplement: text(order.delivery_complement),
		deliveryAddress: text(order.delivery_address),
		deliveryPostalCode: text(order.delivery_postal_code),
		deliveryCity: text(order.delivery_city),
		billTo: order.address === null ? "" : "other",
		company: text(order.billing_company),
		billingSiren: text(order.billing_siren),
		billingVat: text(order.billing_vat),
		address: text(order.address),
		postalCode: text(order.postal_code),
		city: text(order.city),
	};
}
