import { isPosted } from "../catalogue/services.ts";
import { normalizeEmail } from "../mail/normalize-email.ts";
import type { Order } from "./order.ts";

/** @returns the second address for the PDF; null when there is none, or when it is the customer's. */
export function findRecipient({ product_code, delivery_email, customer_email }: Order): string | null {
	if (delivery_email === null || isPosted(product_code)) return null;
	return normalizeEmail(delivery_email) === normalizeEmail(customer_email) ? null : delivery_email;
}

/** The orders whose second address is that of `order`; none when it has no such address. */
export function listOrdersToSameRecipient(order: Order, orders: readonly Order[]): Order[] {
	const recipient = findRecipient(order);
	return orders.filter((each) => recipient !== null && normalizeEmail(findRecipient(each) ?? "") === normalizeEmail(recipient));
}
