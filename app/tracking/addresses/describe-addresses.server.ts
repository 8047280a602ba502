import { isPosted } from "../../catalogue/services.ts";
import type { Order } from "../../orders/order.ts";
import type { AddressFormProps } from "./address-form.tsx";
import { mayCorrectAddresses } from "./correct-addresses.server.ts";

/** The addresses that the customer may still correct; null once something is delivered. */
export function describeAddresses(order: Order): AddressFormProps["addresses"] | null {
	if (!mayCorrectAddresses(order)) return null;
	return { email: order.customer_email, recipient: isPosted(order.product_code) ? null : (order.delivery_email ?? "") };
}
