import Stripe from "stripe";
import type { PaymentEvent } from "./provider.ts";

/** Seconds for which a signature is accepted. Source: Stripe, "Verify webhook signatures". */
const tolerance = 300;

/** Reads a Stripe event, of Stripe or of the sandbox, after its signature: null when that does not hold, or no more. */
export function readSignedEvent(rawBody: string, signature: string | undefined, secret: string, now: Date): PaymentEvent | null {
	if (signature === undefined) return null;
	try {
		const event = Stripe.webhooks.constructEvent(rawBody, signature, secret, tolerance, undefined, now.getTime());
		const object = event.data.object as { id?: string; object?: string };
		return { id: event.id, type: event.type, sessionId: object.object === "checkout.session" ? (object.id ?? null) : null };
	} catch {
		return null;
	}
}

/** Signs a body as Stripe would, now. */
export function signEvent(rawBody: string, secret: string, now: Date): string {
	return Stripe.webhooks.generateTestHeaderString({ payload: rawBody, secret, timestamp: Math.floor(now.getTime() / 1000) });
}
