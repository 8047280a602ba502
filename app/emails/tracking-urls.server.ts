import type { Context } from "../../server/runtime.ts";
import { signKey } from "../orders/keys.server.ts";
import type { Order } from "../orders/order.ts";
import { absoluteUrl } from "../ui/absolute-url.ts";

/**
 * The link of an order in an e-mail to its customer: it opens the tracking page without typing, to be read (docs/rules.md, R60).
 * Before the payment, when the address may be a stranger's, the page asks for the address.
 * @param lines the link opens the page of a purchase of so many lines, of which the order is the first; by default that of the order alone.
 */
export function createTrackingUrl(context: Context, order: Order, lines = 1): string {
	const { baseUrl } = context.environment;
	const number = order.order_number;
	const isWhole = lines > 1;
	if (order.paid_at === null) return absoluteUrl(baseUrl, isWhole ? "/suivi/:number/ensemble" : "/suivi/:number", { number });
	const token = signKey(context, "link", order, { access: isWhole ? "purchase-link" : "link" });
	return absoluteUrl(baseUrl, isWhole ? "/suivi/:number/ensemble/acces/:token" : "/suivi/:number/acces/:token", { number, token });
}
