import Stripe from "stripe";
import type { PaymentEvent } from "./provider.ts";

/** Seconds for which a signature is accepted. Source: Stripe, "Verify webhook signatures". */
const tolerance = 300;

/** Reads a Stripe event, of Stripe or of the sandbox, after its signature: null when that does not hold, or no more. */
export function readSignedEvent(rawBody: string, signature: string | undefined, secret: string, now: Date): PaymentEvent | null {
	if (signature === undefined) return null;
	try {
		const event = Stripe.webhooks.constructEvent(rawBody, signature, secret, tolerance, undefined, now.getTime());
		return { id: event.id, type: event.type, subject: subjectOf(event.data.object as EventObject) };
	} catch {
		return null;
	}
}

interface EventObject {
	id?: string;
	object?: string;
	payment_intent?: string | { id: string } | null;
}

/** What an event says has changed: a session, or the payment that a charge, a refund or a dispute belongs to. */
function subjectOf({ id, object, payment_intent: payment }: EventObject): PaymentEvent["subject"] {
	if (object === "checkout.session") return id ? { session: id } : null;
	if (!payment || !["charge", "refund", "dispute"].includes(object ?? "")) return null;
	return { payment: typeof payment === "string" ? payment : payment.id };
}

/** Signs a body as Stripe would, now. */
export function signEvent(rawBody: string, secret: string, now: Date): string {
	return Stripe.webhooks.generateTestHeaderString({ payload: rawBody, secret, timestamp: Math.floor(now.getTime() / 1000) });
}
