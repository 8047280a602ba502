import type { Trx } from "../../../server/database/database.ts";
import type { Runtime } from "../../../server/runtime.ts";
import type { Signer } from "../../../server/signing.ts";
import { isKeyOf } from "../../../server/types/objects.ts";
import { absoluteUrl } from "../../ui/absolute-url.ts";
import { signEvent } from "../signed-event.server.ts";
import { deliverSandboxEventJob } from "./jobs.ts";
import { findSandboxEvent, insertSandboxEvent } from "./sandbox.store.server.ts";

/** The secret with which the sandbox signs its events, as a provider's webhook secret would be. */
export const sandboxEventSecret = (signer: Signer) => `whsec_${signer.derive("sandbox events")}`;

/** The kinds of event that the sandbox tells of, and the object that Stripe shows in each. */
const objects = {
	"checkout.session.completed": "checkout.session",
	"checkout.session.expired": "checkout.session",
	"refund.created": "refund",
	"refund.updated": "refund",
	"charge.refunded": "charge",
} as const;

/** Writes events in the sandbox's books and sends them on their way, in the transaction that causes them. */
export async function emitEvents(
	{ jobs, now }: Pick<Runtime, "jobs" | "now">,
	trx: Trx,
	subject: { session: string } | { payment: string },
	...types: (keyof typeof objects)[]
): Promise<void> {
	for (const type of types) await jobs.send(trx, deliverSandboxEventJob, { eventId: await insertSandboxEvent(trx, type, subject, now()) });
}

/** @throws when the shop does not answer by a success: the job is tried again. */
export async function deliverSandboxEvent(
	{ db, signer, now, environment }: Pick<Runtime, "db" | "signer" | "now" | "environment">,
	eventId: string,
): Promise<void> {
	const event = await findSandboxEvent(db, eventId);
	if (event === null) return;
	const body = JSON.stringify({
		id: event.id,
		object: "event",
		type: event.type,
		livemode: false,
		created: Math.floor(event.created_at.getTime() / 1000),
		data: {
			object: {
				object: isKeyOf(objects, event.type) ? objects[event.type] : undefined,
				...(event.session_id === null ? { payment_intent: event.payment_intent } : { id: event.session_id }),
			},
		},
	});
	const response = await fetch(absoluteUrl(ownAddress(environment), "/api/stripe/webhook"), {
		method: "POST",
		headers: { "content-type": "application/json", "stripe-signature": signEvent(body, sandboxEventSecret(signer), now()) },
		body,
		signal: AbortSignal.timeout(10_000),
	});
	if (!response.ok) throw new Error(`the webhook answered ${response.status}`);
}

/** The shop's own address on this machine: the public one need not be reachable from here. */
function ownAddress({ host, port }: Runtime["environment"]): string {
	const name = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
	return `http://${name.includes(":") ? `[${name}]` : name}:${port}`;
}
