import type { Trx } from "../../../server/database/database.ts";
import type { Runtime } from "../../../server/runtime.ts";
import type { Signer } from "../../../server/signing.ts";
import { isKeyOf } from "../../../server/types/objects.ts";
import { absoluteUrl } from "../../ui/absolute-url.ts";
import { signEvent } from "../stripe/signed-event.server.ts";
import { findSandboxEvent, insertSandboxEvent } from "./sandbox.store.server.ts";

/** The webhook secret with which the sandbox signs its events. */
export const sandboxEventSecret = (signer: Signer) => `whsec_${signer.derive("sandbox events")}`;

/** The events that the sandbox sends, and the type of Stripe's object in each. */
const objectTypes = {
	"checkout.session.completed": "checkout.session",
	"checkout.session.expired": "checkout.session",
	"refund.created": "refund",
	"refund.updated": "refund",
	"charge.refunded": "charge",
} as const;

/** Records events and enqueues their delivery, in the transaction that causes them. */
export async function emitEvents(
	{ jobs, now }: Pick<Runtime, "jobs" | "now">,
	trx: Trx,
	subject: { session: string } | { payment: string },
	...types: (keyof typeof objectTypes)[]
): Promise<void> {
	for (const type of types) await jobs.send(trx, "deliver-sandbox-event", { eventId: await insertSandboxEvent(trx, type, subject, now()) });
}

/** @throws when the webhook does not answer with a success: the job is tried again. */
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
				object: isKeyOf(objectTypes, event.type) ? objectTypes[event.type] : undefined,
				...(event.session_id === null ? { payment_intent: event.payment_intent } : { id: event.session_id }),
			},
		},
	});
	const response = await fetch(absoluteUrl(getLocalUrl(environment), "/api/stripe/webhook"), {
		method: "POST",
		headers: { "content-type": "application/json", "stripe-signature": signEvent(body, sandboxEventSecret(signer), now()) },
		body,
		signal: AbortSignal.timeout(10_000),
	});
	if (!response.ok) throw new Error(`the webhook answered ${response.status}`);
}

/** The shop's URL on this machine: the public one may be unreachable from here. */
export function getLocalUrl({ host, port }: Pick<Runtime["environment"], "host" | "port">): string {
	const name = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
	return `http://${name.includes(":") ? `[${name}]` : name}:${port}`;
}
