import { giveBack, type Point, takeTogether } from "../../../server/rate-limits.ts";
import type { Context } from "../../../server/runtime.ts";

/** Seconds in which failures count. */
export const failurePeriod = 900;

/**
 * Failures of a password in the period. A known device has its own count, so that strangers cannot lock the operator out of it; all
 * others share those of one account from one network, of one network, and of one account from anywhere.
 */
export const passwordPoints = (device: string | null, email: string, client: string): Point[] =>
	device !== null
		? [{ name: "desk-device", subject: device, most: 10 }]
		: [
				{ name: "desk-account", subject: [email, client], most: 5 },
				{ name: "desk-email", subject: email, most: 30 },
				{ name: "desk-network", subject: client, most: 20 },
			];

/** Failures of a code in the period. better-auth counts after it has compared: a burst from many networks would try more than its five. */
export const codePoints = (device: string | null, owner: string | null, client: string): Point[] =>
	device !== null
		? [{ name: "desk-code-device", subject: device, most: 10 }]
		: [
				...(owner === null ? [] : [{ name: "desk-code-account", subject: owner, most: 10 }]),
				{ name: "desk-code", subject: client, most: 10 },
			];

/** Takes the points of a failure first, so that a burst never exceeds the limit, and gives them back after a success, and when nothing was compared. */
export async function countFailures<Outcome extends { ok: boolean; code?: string }>(
	context: Pick<Context, "db" | "now" | "signer">,
	points: Point[],
	attempt: () => Promise<Outcome>,
): Promise<Outcome | { ok: false; code: "limited"; retryAfter: number }> {
	const { db, now } = context;
	const taken = await db.transaction().execute((trx) => takeTogether(context, trx, points, { seconds: failurePeriod, now: now() }));
	if (!taken.ok) return { ok: false, code: "limited", retryAfter: taken.retryAfter };
	const outcome = await attempt();
	if (outcome.ok || outcome.code === "busy") await db.transaction().execute((trx) => giveBack(context, trx, points));
	return outcome;
}

/** Counts how often a password is asked of somebody who is signed in: a stolen session must not find it by trying. */
export const countPasswordFailures = <Outcome extends { ok: boolean; code?: string }>(
	context: Pick<Context, "db" | "now" | "signer">,
	operatorId: string,
	attempt: () => Promise<Outcome>,
) => countFailures(context, [{ name: "desk-password", subject: operatorId, most: 5 }], attempt);
