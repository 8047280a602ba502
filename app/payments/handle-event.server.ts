import type { PaymentShop } from "./payment-shop.ts";
import { syncPayment } from "./sync-payment.server.ts";
import { syncSession } from "./sync-session.server.ts";

/**
 * Handles one event of the payment provider: checks its signature, then asks the provider for the present state.
 * @returns the HTTP status to answer: 400 for a bad signature, 500 when the event should be sent again.
 */
export async function handleEvent(shop: PaymentShop, rawBody: string, signature: string | undefined): Promise<200 | 400 | 500> {
	const read = shop.provider.readEvent(rawBody, signature);
	if (!read.ok) return 400;
	const { event } = read;
	if (event === null) return 200;
	const synced =
		"session" in event.subject
			? await syncSession(shop, event.subject.session, event)
			: await syncPayment(shop, event.subject.payment, event);
	return synced.ok ? 200 : 500;
}
