import { maskEmail } from "../../../mail/email-address.ts";
import { suggestEmail } from "../../../mail/suggest-email.ts";
import { type AccessKey, mayAsk } from "../../../orders/access.ts";
import type { StoredDocument } from "../../../orders/documents/documents.store.server.ts";
import type { Order } from "../../../orders/order.ts";
import { findRecipient } from "../../../orders/recipient.ts";
import type { AddressFormProps } from "./address-form.tsx";
import { isPurchaseOfLetters, mayCorrectAddresses, mayResendExtracts } from "./correct-addresses.server.ts";

/**
 * The addresses that the customer may still correct; null once everything is delivered, and for other readers.
 * @param orders all of the purchase. @param extracts theirs.
 */
export function describeAddresses(
	order: Order,
	{ access, orders, extracts }: { access: AccessKey; orders: readonly Order[]; extracts: readonly StoredDocument[] },
): AddressFormProps["addresses"] | null {
	if (!mayAsk(access, "correct-addresses")) return null;
	const delivered = mayResendExtracts(orders, extracts);
	if (!delivered && !mayCorrectAddresses(orders)) return null;
	const recipient = isPurchaseOfLetters(orders) ? null : (order.delivery_email ?? "");
	const meant = { email: suggestEmail(order.customer_email), recipient: recipient ? suggestEmail(recipient) : null };
	return { email: order.customer_email, recipient, meant, delivered, several: orders.length > 1 };
}

/** Where the e-mails of an order or of a purchase go: the customer's address, then the second one if it gets a file. Masked for other readers. */
export function listAddresses(orders: readonly [Order, ...Order[]], access: AccessKey): string[] {
	const recipients = orders.flatMap((order) => findRecipient(order) ?? []);
	const addresses = [orders[0].customer_email, ...recipients.slice(0, 1)];
	return mayAsk(access, "read-addresses") ? addresses : addresses.map(maskEmail);
}
