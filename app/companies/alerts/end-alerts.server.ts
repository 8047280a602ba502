import type { Context } from "../../../server/runtime.ts";
import { findRunningSiren, hasRunningAlert, lockFollower, markAllEnded, markEnded } from "./alerts.store.server.ts";
import { findFollowableCompany } from "./followable-company.server.ts";
import { parseEndAlertToken, parseEndAllToken } from "./links.server.ts";

export type EndState = "running" | "ended" | "wrong";

/**
 * Reads the state behind a link « Ne plus suivre cette entreprise », and the company's name while it is followed. Changes nothing, because
 * mail scanners open links too.
 */
export async function getEndOfAlert(context: Context, token: string): Promise<{ state: EndState; companyName: string | null }> {
	const alertId = parseEndAlertToken(context, token);
	if (alertId === null) return { state: "wrong", companyName: null };
	const siren = await findRunningSiren(context.db, alertId);
	if (siren === null) return { state: "ended", companyName: null };
	return { state: "running", companyName: (await findFollowableCompany(context.db, siren))?.name ?? null };
}

/** Ends the alert for the company and the mailbox of an e-mail, also one that began later. A repetition changes nothing. */
export async function endAlert(context: Context, token: string): Promise<void> {
	const alertId = parseEndAlertToken(context, token);
	if (alertId !== null) await markEnded(context.db, alertId, context.now());
}

/** Reads the state behind a link that ends all alerts of a mailbox. */
export async function getEndOfAll(context: Context, token: string): Promise<EndState> {
	const followerId = parseEndAllToken(context, token);
	if (followerId === null) return "wrong";
	return (await hasRunningAlert(context.db, followerId)) ? "running" : "ended";
}

/** Ends all alerts of a mailbox (GDPR art. 7.3). A repetition changes nothing. */
export async function endAll(context: Context, token: string): Promise<void> {
	const followerId = parseEndAllToken(context, token);
	if (followerId !== null) await endAllOf(context, followerId);
}

/** Ends all alerts of a mailbox. */
export async function endAllOf({ db, now }: Context, followerId: string): Promise<void> {
	await db.transaction().execute(async (trx) => {
		if (await lockFollower(trx, followerId)) await markAllEnded(trx, followerId, now());
	});
}
