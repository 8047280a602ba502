import type { Runtime } from "../../../server/runtime.ts";
import { paySandboxSession } from "./sandbox.store.server.ts";
import { emitEvents } from "./sandbox-events.server.ts";

/** The test cards and their outcomes. The numbers are Stripe's (docs.stripe.com/testing). */
export const testCards = [
	{ number: "4242 4242 4242 4242", outcome: "paid", label: "paiement accepté" },
	{ number: "4000 0000 0000 0002", outcome: "declined", label: "paiement refusé" },
	{ number: "4000 0000 0000 3220", outcome: "second-step", label: "demande une seconde étape" },
] as const;

/** @returns null for a number that is no test card. */
export function findCardOutcome(number: string): (typeof testCards)[number]["outcome"] | null {
	const digits = number.replace(/\D/g, "");
	return testCards.find((card) => card.number.replaceAll(" ", "") === digits)?.outcome ?? null;
}

/**
 * Pays a sandbox session and enqueues its event.
 * @returns the URL to redirect to, or null when the session is no longer open.
 */
export async function paySandbox(runtime: Pick<Runtime, "db" | "jobs" | "now">, sessionId: string): Promise<string | null> {
	return runtime.db.transaction().execute(async (trx) => {
		const session = await paySandboxSession(trx, sessionId, runtime.now());
		if (session === null) return null;
		await emitEvents(runtime, trx, { session: session.id }, "checkout.session.completed");
		return session.success_url.replace("{CHECKOUT_SESSION_ID}", session.id);
	});
}
