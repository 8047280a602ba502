import type { Database, Trx } from "../../server/database/database.ts";
import type { Context } from "../../server/runtime.ts";
import { maxFollowedCompanies } from "../companies/can-follow.ts";
import { type Alert, countFollowedCompanies, findAlert, lockFollower, markConfirmed, updateActiveAt } from "./alerts.store.server.ts";
import { findFollowableCompany } from "./followable-company.server.ts";
import { confirmationToken } from "./links.server.ts";

/**
 * The state behind a confirmation link. `expired`: the link is too old, or the alert has ended or was deleted. `full`: the mailbox
 * follows as many companies as it may. `unavailable`: the company was masked since.
 */
export type AlertConfirmationState = "asked" | "confirmed" | "expired" | "wrong" | "full" | "unavailable";

export interface AlertConfirmation {
	state: AlertConfirmationState;
	/** Null where the link is wrong or too old. */
	alert: Alert | null;
	companyName: string | null;
}

/** Reads the state behind a confirmation link. Changes nothing, because mail scanners open links too. */
export async function getAlertConfirmation(context: Context, token: string): Promise<AlertConfirmation> {
	const link = confirmationToken.read(context.signer, token, context.now());
	if (!link.ok && link.code === "tampered") return { state: "wrong", alert: null, companyName: null };
	const alert = link.ok ? await findAlert(context.db, link.id) : null;
	if (alert === null || alert.ended_at) return { state: "expired", alert: null, companyName: null };
	const company = await findFollowableCompany(context.db, alert.siren);
	if (company === null) return { state: "unavailable", alert: null, companyName: null };
	const state = alert.confirmed_at ? "confirmed" : (await isFull(context.db, alert.follower_id)) ? "full" : "asked";
	return { state, alert, companyName: company.name };
}

/** Records the consent with its time. A repetition changes nothing; neither does a mailbox that follows as many companies as it may. */
export async function confirmAlert(context: Context, token: string): Promise<void> {
	const link = confirmationToken.read(context.signer, token, context.now());
	if (!link.ok) return;
	await context.db.transaction().execute(async (trx) => {
		const alert = await findAlert(trx, link.id);
		if (alert === null || alert.confirmed_at || (await findFollowableCompany(trx, alert.siren)) === null) return;
		// one mailbox's confirmations one after the other, so that they count each other
		await lockFollower(trx, alert.follower_id);
		if (await isFull(trx, alert.follower_id)) return;
		await markConfirmed(trx, alert.id, context.now());
		await updateActiveAt(trx, alert.follower_id, context.now());
	});
}

const isFull = async (db: Database | Trx, followerId: string) => (await countFollowedCompanies(db, followerId)) >= maxFollowedCompanies;
