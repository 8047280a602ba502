import type { Context } from "../../server/runtime.ts";
import type { Order } from "../orders/order.ts";
import { purchaseLinkToken, trackingLinkToken } from "../orders/tracking-tokens.server.ts";
import { absoluteUrl } from "../ui/absolute-url.ts";

/**
 * The link of an order in an e-mail to its customer: it opens the tracking page without typing, to be read (docs/rules.md, R60).
 * Before the payment, when the address may be a stranger's, the page asks for the address.
 */
export function createTrackingUrl({ environment: { baseUrl }, signer, now }: Context, order: Order): string {
	const number = order.order_number;
	if (order.paid_at === null) return absoluteUrl(baseUrl, "/suivi/:number", { number });
	return absoluteUrl(baseUrl, "/suivi/:number/acces/:token", { number, token: trackingLinkToken.sign(signer, order, now()) });
}

/** The link of a purchase of several orders, as createTrackingUrl makes that of one. @param first its first order. */
export function createPurchaseUrl({ environment: { baseUrl }, signer, now }: Context, first: Order): string {
	const number = first.order_number;
	if (first.paid_at === null) return absoluteUrl(baseUrl, "/suivi/:number/ensemble", { number });
	const token = purchaseLinkToken.sign(signer, first, now());
	return absoluteUrl(baseUrl, "/suivi/:number/ensemble/acces/:token", { number, token });
}
