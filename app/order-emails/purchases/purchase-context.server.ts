import type { Database } from "../../../server/database/database.ts";
import type { Context } from "../../../server/runtime.ts";
import { isPosted, services } from "../../catalogue/services.ts";
import type { Order } from "../../orders/order.ts";
import { listOrdersOfPurchase } from "../../orders/orders.server.ts";
import { findRecipient } from "../../orders/recipient.ts";
import { purchaseFilesTokens, purchaseLinkToken, recipientFilesToken } from "../../orders/tracking-tokens.server.ts";
import { isHeld, listRefunds } from "../../refunds/refunds.server.ts";
import { absoluteUrl } from "../../ui/absolute-url.ts";
import type { PurchaseOfEmail } from "../email-parts.ts";
import type { OrderEmailKind } from "../order-emails.ts";

/** The e-mails about all orders of a purchase, when it has several. */
const kindsOfPurchase: ReadonlySet<OrderEmailKind> = new Set([
	...(["confirmation", "resume", "cancelled"] as const),
	...(["purchase-ready", "purchase-ready-delivery", "purchase-posted", "purchase-problem"] as const),
]);

/** The purchase that an e-mail is about; null for an e-mail about one order. */
export async function describePurchaseForEmail(context: Context, kind: OrderEmailKind, order: Order): Promise<PurchaseOfEmail | null> {
	if (!kindsOfPurchase.has(kind)) return null;
	const orders = await listOrdersOfPurchase(context.db, order.purchase_id);
	const [first] = orders;
	if (first === undefined || orders.length < 2) return null;
	const hasFiles = orders.some(({ status, product_code }) => status === "completed" && !isPosted(product_code));
	const isFrozen = orders.some(({ disputed_at }) => disputed_at !== null);
	return {
		orders,
		url: kind === "purchase-ready-delivery" ? null : createPurchaseUrl(context, first),
		filesUrl: hasFiles && !isFrozen ? createFilesUrl(context, kind, order) : null,
	};
}

/** The link of a purchase in an e-mail to its customer, as createTrackingUrl makes that of one order. */
export function createPurchaseUrl({ environment: { baseUrl }, signer, now }: Context, first: Order): string {
	const number = first.order_number;
	if (first.paid_at === null) return absoluteUrl(baseUrl, "/suivi/:number/ensemble", { number });
	const token = purchaseLinkToken.sign(signer, first, now());
	return absoluteUrl(baseUrl, "/suivi/:number/ensemble/acces/:token", { number, token });
}

function createFilesUrl({ environment: { baseUrl }, signer, now }: Context, kind: OrderEmailKind, order: Order): string | null {
	if (kind === "purchase-ready") {
		const { purchase_id: id, customer_email } = order;
		const token = purchaseFilesTokens.extracts.sign(signer, { id, customer_email }, now());
		return absoluteUrl(baseUrl, "/documents/ensemble/:token", { token });
	}
	const recipient = kind === "purchase-ready-delivery" ? findRecipient(order) : null;
	if (recipient === null) return null;
	const token = recipientFilesToken.sign(signer, { id: order.id, customer_email: recipient }, now());
	return absoluteUrl(baseUrl, "/documents/ensemble/:token", { token });
}

/** Until when the last refund of a late order of the purchase waits for a person; null when none waits. */
export async function findLatestRefundDue(db: Database, { purchase_id }: Order, now: Date): Promise<Date | null> {
	let latest: Date | null = null;
	for (const { id, late_at, product_code } of await listOrdersOfPurchase(db, purchase_id)) {
		if (late_at === null || !services[product_code].refundedWhenLate) continue;
		const heldUntil = (await listRefunds(db, id)).find((refund) => isHeld(refund, now))?.held_until;
		if (heldUntil && (latest === null || heldUntil > latest)) latest = heldUntil;
	}
	return latest;
}
