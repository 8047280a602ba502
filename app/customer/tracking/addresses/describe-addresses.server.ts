import { maskEmail } from "../../../mail/email-address.ts";
import { suggestEmail } from "../../../mail/suggest-email.ts";
import { type AccessKey, mayAsk } from "../../../orders/access.ts";
import type { StoredDocument } from "../../../orders/documents/documents.store.server.ts";
import type { Order } from "../../../orders/order.ts";
import { findRecipient } from "../../../orders/recipient.ts";
import { isOwnAddress, listResends, maxResends } from "../../../orders/resends.server.ts";
import type { AddressFormProps } from "./address-form.tsx";
import { isPurchaseOfLetters, mayCorrectAddresses, mayResendExtracts } from "./correct-addresses.server.ts";

interface PurchaseRecords {
	access: AccessKey;
	/** All of the purchase. */
	orders: readonly Order[];
	/** Theirs. */
	extracts: readonly StoredDocument[];
	/** Those of the order, oldest first. */
	events: Parameters<typeof listResends<string | Date>>[0];
}

/** The addresses that the customer may still correct, or to which extracts were sent again; null without either, and for other readers. */
export function describeAddresses(
	order: Order,
	{ access, orders, extracts, events }: PurchaseRecords,
): AddressFormProps["addresses"] | null {
	if (!mayAsk(access, "correct-addresses")) return null;
	const resends = listResends(events);
	const last = order.delivery_email === null ? undefined : resends.at(-1);
	const delivered = !mayCorrectAddresses(orders);
	const resendable = mayResendExtracts(orders, { extracts, resends });
	if (delivered && !resendable && last === undefined) return null;
	const recipient = isPurchaseOfLetters(orders) ? null : (order.delivery_email ?? "");
	return {
		...{ email: order.customer_email, recipient, delivered, resendable, several: orders.length > 1 },
		meant: { email: suggestEmail(order.customer_email), recipient: recipient ? suggestEmail(recipient) : null },
		resent: last === undefined ? null : { at: new Date(last).toISOString(), left: maxResends - resends.length, own: isOwnAddress(events) },
	};
}

/** Where the e-mails of an order or of a purchase go: the customer's address, then the second one if it gets a file. Masked for other readers. */
export function listAddresses(orders: readonly [Order, ...Order[]], access: AccessKey): string[] {
	const recipients = orders.flatMap((order) => findRecipient(order) ?? []);
	const addresses = [orders[0].customer_email, ...recipients.slice(0, 1)];
	return mayAsk(access, "read-addresses") ? addresses : addresses.map(maskEmail);
}
