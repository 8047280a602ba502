import Stripe from "stripe";
import { z } from "zod";
import type { PaymentEvent, PaymentProvider } from "../provider.ts";

/** The events that change a session or a payment. docs/deployment.md asks for them at Stripe. */
export const watchedEvents = [
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
] as const;

/** Seconds by which a signature's timestamp may be behind or ahead of our clock. Source: Stripe, "Verify webhook signatures". */
const tolerance = 300;

/** The signature covers the text, not its sense. Ids have up to 255 characters (Stripe, « Object IDs »); those of the sandbox have hyphens. */
const providerId = z.string().regex(/^[\w-]{1,255}$/);

/** What the shop reads of an event. An object without a usable id is of no use, and its event is ignored. */
const signedEvent = z.object({
	id: providerId,
	type: z.string(),
	data: z.object({
		object: z.object({
			id: providerId.catch(""),
			object: z.string().catch(""),
			payment_intent: z.union([providerId, z.object({ id: providerId }).transform(({ id }) => id)]).catch(""),
		}),
	}),
});

/** Reads a signed event of Stripe or of the sandbox. */
export function readSignedEvent(
	rawBody: string,
	signature: string | undefined,
	secret: string,
	now: Date,
): ReturnType<PaymentProvider["readEvent"]> {
	// the library refuses old timestamps only: an event signed for a future time could be replayed until then
	if (signature === undefined || isFromTheFuture(signature, now)) return unsigned;
	try {
		const event = signedEvent.parse(Stripe.webhooks.constructEvent(rawBody, signature, secret, tolerance, undefined, now.getTime()));
		const subject = watchedTypes.has(event.type) ? getEventSubject(event.data.object) : null;
		return { ok: true, event: subject && { id: event.id, type: event.type, subject } };
	} catch {
		return unsigned;
	}
}

const watchedTypes: ReadonlySet<string> = new Set(watchedEvents);
const unsigned = { ok: false, code: "unsigned" } as const;

/** Reads timestamps as the library does. Checks each of them, as the library uses the last one. */
function isFromTheFuture(signature: string, now: Date): boolean {
	const latest = now.getTime() / 1000 + tolerance;
	return signature.split(",").some((part) => part.startsWith("t=") && Number.parseInt(part.slice(2), 10) > latest);
}

/** The session that changed, or the payment of the charge, refund or dispute that changed. */
function getEventSubject({
	id,
	object,
	payment_intent: payment,
}: z.infer<typeof signedEvent>["data"]["object"]): PaymentEvent["subject"] | null {
	if (object === "checkout.session") return id ? { session: id } : null;
	if (!payment || !["charge", "refund", "dispute"].includes(object)) return null;
	return { payment };
}

/** Signs a body as Stripe would, now. */
export function signEvent(rawBody: string, secret: string, now: Date): string {
	return Stripe.webhooks.generateTestHeaderString({ payload: rawBody, secret, timestamp: Math.floor(now.getTime() / 1000) });
}
