import type { Runtime } from "../../server/runtime.ts";
import { services } from "../catalogue/services.ts";
import type { Order } from "../orders/order.ts";
import { keepSession, listSessions } from "./payment.store.server.ts";
import type { PaymentProvider } from "./provider.ts";

/** How long a customer has to pay: a minute less than the longest that Stripe allows. */
const sessionLifetime = 24 * 3_600_000 - 60_000;

const resumePurpose = "resume";

/** Reads a token of `/paiement/reprendre/{token}`; null when it is not ours. */
export function readResumeToken(signer: Runtime["signer"], token: string): string | null {
	return signer.verify(resumePurpose, token);
}

/**
 * The address where a pending order can be paid: that of its open session, or of a new one. One open session per order.
 * @returns null when the provider cannot be reached; the order stays and can be resumed.
 */
export async function openSession(
	{ db, now, environment, signer, provider }: Pick<Runtime, "db" | "now" | "environment" | "signer"> & { provider: PaymentProvider },
	order: Order,
): Promise<string | null> {
	const sessions = await listSessions(db, order.id);
	const open = sessions.find((session) => session.status === "open" && session.expires_at > now());
	if (open) return open.url;
	const service = services[order.product_code];
	const created = await provider.createSession({
		orderId: order.id,
		key: `order-${order.id}-${sessions.length + 1}`,
		amount: order.price_cents,
		productName: `${service.name}, SIREN ${order.siren}`,
		customerEmail: order.customer_email,
		successUrl: `${environment.baseUrl}/confirmation/{CHECKOUT_SESSION_ID}`,
		cancelUrl: `${environment.baseUrl}/paiement/reprendre/${signer.sign(resumePurpose, order.id)}`,
		expiresAt: new Date(now().getTime() + sessionLifetime),
	});
	if (!created.ok) return null;
	await keepSession(db, order.id, created.session, now());
	return created.session.url;
}
