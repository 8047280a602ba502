import type { PaymentShop } from "./payment-shop.ts";
import { syncPayment } from "./sync-payment.server.ts";
import { syncSession } from "./sync-session.server.ts";

/** Events that change a session or a payment. Every other event is answered by 200 and ignored. */
const watchedEvents = new Set([
	"checkout.session.completed",
	"checkout.session.async_payment_succeeded",
	"checkout.session.async_payment_failed",
	"checkout.session.expired",
	"charge.refunded",
	"refund.created",
	"refund.updated",
	"refund.failed",
	"charge.dispute.created",
	"charge.dispute.updated",
	"charge.dispute.closed",
]);

/**
 * Handles one event of the payment provider: checks its signature, then asks the provider for the present state.
 * @returns the HTTP status to answer: 400 for a bad signature, 500 when the event should be sent again.
 */
export async function handleEvent(shop: PaymentShop, rawBody: string, signature: string | undefined): Promise<200 | 400 | 500> {
	const event = shop.provider.readEvent(rawBody, signature);
	if (event === null) return 400;
	if (!watchedEvents.has(event.type) || event.subject === null) return 200;
	const synced =
		"session" in event.subject
			? await syncSession(shop, event.subject.session, event)
			: await syncPayment(shop, event.subject.payment, event);
	return synced.ok ? 200 : 500;
}
