import { isPosted } from "../../catalogue/services.ts";
import { type AccessKey, mayAsk } from "../../orders/access.ts";
import type { Order } from "../../orders/order.ts";
import type { AddressFormProps } from "./address-form.tsx";
import { mayCorrectAddresses } from "./correct-addresses.server.ts";

/** The addresses that the customer may still correct; null once something is delivered, and for other readers. */
export function describeAddresses(order: Order, access: AccessKey): AddressFormProps["addresses"] | null {
	if (!mayAsk(access, "correct-addresses") || !mayCorrectAddresses(order)) return null;
	return { email: order.customer_email, recipient: isPosted(order.product_code) ? null : (order.delivery_email ?? "") };
}
