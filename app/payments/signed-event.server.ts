import Stripe from "stripe";
import type { PaymentEvent } from "./provider.ts";

/** Seconds by which a signature's timestamp may be behind or ahead of our clock. Source: Stripe, "Verify webhook signatures". */
const tolerance = 300;

/** Reads a signed event of Stripe or of the sandbox. @returns null when the signature is wrong or too old. */
export function readSignedEvent(rawBody: string, signature: string | undefined, secret: string, now: Date): PaymentEvent | null {
	// the library refuses old timestamps only: an event signed for a future time could be replayed until then
	if (signature === undefined || isFromTheFuture(signature, now)) return null;
	try {
		const event = Stripe.webhooks.constructEvent(rawBody, signature, secret, tolerance, undefined, now.getTime());
		return { id: event.id, type: event.type, subject: getEventSubject(event.data.object as EventObject) };
	} catch {
		return null;
	}
}

/** Reads timestamps as the library does. Checks each of them, as the library uses the last one. */
function isFromTheFuture(signature: string, now: Date): boolean {
	const latest = now.getTime() / 1000 + tolerance;
	return signature.split(",").some((part) => part.startsWith("t=") && Number.parseInt(part.slice(2), 10) > latest);
}

interface EventObject {
	id?: string;
	object?: string;
	payment_intent?: string | { id: string } | null;
}

/** The session that changed, or the payment of the charge, refund or dispute that changed. */
function getEventSubject({ id, object, payment_intent: payment }: EventObject): PaymentEvent["subject"] {
	if (object === "checkout.session") return id ? { session: id } : null;
	if (!payment || !["charge", "refund", "dispute"].includes(object ?? "")) return null;
	return { payment: typeof payment === "string" ? payment : payment.id };
}

/** Signs a body as Stripe would, now. */
export function signEvent(rawBody: string, secret: string, now: Date): string {
	return Stripe.webhooks.generateTestHeaderString({ payload: rawBody, secret, timestamp: Math.floor(now.getTime() / 1000) });
}
