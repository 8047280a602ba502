import Stripe from "stripe";
import type { PaymentEvent } from "./provider.ts";

/** Seconds by which a signature may be old, or its clock ahead of ours. Source: Stripe, "Verify webhook signatures". */
const tolerance = 300;

/** Reads a Stripe event, of Stripe or of the sandbox, after its signature: null when that does not hold, or no more. */
export function readSignedEvent(rawBody: string, signature: string | undefined, secret: string, now: Date): PaymentEvent | null {
	// the library refuses old timestamps only: one from the future would be accepted until then, and could be replayed
	if (signature === undefined || isFromTheFuture(signature, now)) return null;
	try {
		const event = Stripe.webhooks.constructEvent(rawBody, signature, secret, tolerance, undefined, now.getTime());
		return { id: event.id, type: event.type, subject: subjectOf(event.data.object as EventObject) };
	} catch {
		return null;
	}
}

/** Reads timestamps as the library does, and each of them: the library goes by the last one. */
function isFromTheFuture(signature: string, now: Date): boolean {
	const latest = now.getTime() / 1000 + tolerance;
	return signature.split(",").some((part) => part.startsWith("t=") && Number.parseInt(part.slice(2), 10) > latest);
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
