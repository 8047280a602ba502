import type { Order } from "../orders/order.ts";
import { type OrderValues, readOrderValues } from "./order-form.ts";

/**
 * The form of a customer's next order: their details, their invoice and the address of their letters. Neither the company nor what
 * belongs to it, which is the second recipient; and no ticked box.
 * @param keepsCompany the same company is ordered again.
 */
export function toNextOrder(order: Order, { keepsCompany }: { keepsCompany: boolean }): OrderValues {
	// earlier forms chose the company ordered by themselves, and calculated its VAT number (docs/rules.md, R107 and R198)
	const isOwn = order.billing_siren === order.siren;
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
		billTo: order.address === null || (isOwn && keepsCompany) ? "" : "other",
		company: text(order.billing_company),
		billingSiren: text(order.billing_siren),
		billingVat: text(isOwn ? null : order.billing_vat),
		address: text(order.address),
		postalCode: text(order.postal_code),
		city: text(order.city),
	};
}
