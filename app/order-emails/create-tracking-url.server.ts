import type { Context } from "../../server/runtime.ts";
import type { Order } from "../orders/order.ts";
import { trackingLinkToken } from "../orders/tracking-tokens.server.ts";
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
