import type { JobKind } from "../../server/jobs.ts";
import type { Runtime } from "../../server/runtime.ts";
import { sandboxEventSecret } from "./sandbox.server.ts";
import { findSandboxEvent, findSandboxSession, insertSandboxEvent, paySandboxSession } from "./sandbox.store.server.ts";
import { signEvent } from "./signed-event.server.ts";

/** What each test card does. The numbers are Stripe's own (docs.stripe.com/testing). */
export const testCards = [
	{ number: "4242 4242 4242 4242", outcome: "paid", label: "paiement accepté" },
	{ number: "4000 0000 0000 0002", outcome: "declined", label: "paiement refusé" },
	{ number: "4000 0000 0000 3220", outcome: "second-step", label: "demande une seconde étape" },
] as const;

/** @returns null for a number that is not a test card's. */
export function outcomeOfCard(number: string): (typeof testCards)[number]["outcome"] | null {
	const digits = number.replace(/\D/g, "");
	return testCards.find((card) => card.number.replaceAll(" ", "") === digits)?.outcome ?? null;
}

/** Delivers an event over HTTP, as a provider does: again and again until it is answered by a success. */
export const deliverSandboxEventJob: JobKind<{ eventId: string }> = {
	name: "deliver-sandbox-event",
	key: ({ eventId }) => eventId,
	retryLimit: 20,
};

/**
 * Takes a sandbox payment: the session is complete, and its event is on its way.
 * @returns where the browser goes next, or null when the session is not open any more.
 */
export async function paySandbox({ db, jobs, now }: Pick<Runtime, "db" | "jobs" | "now">, sessionId: string): Promise<string | null> {
	return db.transaction().execute(async (trx) => {
		const session = await paySandboxSession(trx, sessionId, now());
		if (session === null) return null;
		const eventId = await insertSandboxEvent(trx, "checkout.session.completed", session.id, now());
		await jobs.send(trx, deliverSandboxEventJob, { eventId });
		return session.success_url.replace("{CHECKOUT_SESSION_ID}", session.id);
	});
}

/** @throws when the shop does not answer by a success: the job is tried again. */
export async function deliverSandboxEvent(
	{ db, signer, now, environment }: Pick<Runtime, "db" | "signer" | "now" | "environment">,
	eventId: string,
): Promise<void> {
	const event = await findSandboxEvent(db, eventId);
	const session = event && (await findSandboxSession(db, event.session_id));
	if (!event || !session) return;
	const body = JSON.stringify({
		id: event.id,
		object: "event",
		type: event.type,
		livemode: false,
		created: Math.floor(event.created_at.getTime() / 1000),
		data: { object: { id: session.id, object: "checkout.session" } },
	});
	const response = await fetch(`${ownAddress(environment)}/api/stripe/webhook`, {
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
