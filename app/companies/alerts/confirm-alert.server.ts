import type { Database, Trx } from "../../../server/database/database.ts";
import type { Context } from "../../../server/runtime.ts";
import { maxFollowedCompanies } from "../../catalogue/link-lifetimes.ts";
import {
	type Alert,
	countFollowedCompanies,
	findAlert,
	listConfirmedTogether,
	lockFollower,
	markConfirmed,
	updateActiveAt,
} from "./alerts.store.server.ts";
import { findFollowableCompany } from "./followable-company.server.ts";
import { confirmationToken } from "./links.server.ts";

/**
 * The state behind a confirmation link. `expired`: the link is too old, or the alert has ended or was deleted. `full`: the mailbox
 * follows as many companies as it may. `unavailable`: the company was masked since.
 */
export type AlertConfirmationState = "asked" | "confirmed" | "expired" | "wrong" | "full" | "unavailable";

export interface AlertConfirmation {
	state: AlertConfirmationState;
	/** What the link's e-mail named and can still be followed; none where the link is wrong or too old. */
	alerts: { alert: Alert; companyName: string | null }[];
}

/** Reads the state behind a confirmation link. Changes nothing, because mail scanners open links too. */
export async function getAlertConfirmation(context: Context, token: string): Promise<AlertConfirmation> {
	const link = confirmationToken.read(context.signer, token, context.now());
	if (!link.ok && link.code === "tampered") return { state: "wrong", alerts: [] };
	const alert = link.ok ? await findAlert(context.db, link.id) : null;
	if (alert === null || alert.ended_at) return { state: "expired", alerts: [] };
	const alerts = await listFollowable(context.db, alert);
	if (alerts.length === 0) return { state: "unavailable", alerts };
	const isConfirmed = alerts.every(({ alert: { confirmed_at } }) => confirmed_at !== null);
	const state = isConfirmed ? "confirmed" : (await isFull(context.db, alert.follower_id)) ? "full" : "asked";
	return { state, alerts };
}

/** The alerts of one e-mail whose companies can be followed. */
async function listFollowable(db: Database | Trx, named: Alert): Promise<AlertConfirmation["alerts"]> {
	const found = [];
	for (const alert of await listConfirmedTogether(db, named)) {
		const company = await findFollowableCompany(db, alert.siren);
		if (company) found.push({ alert, companyName: company.name });
	}
	return found;
}

/**
 * Records the consent with its time, for all alerts that the link's e-mail named. A repetition changes nothing; neither does a mailbox that
 * follows as many companies as it may.
 */
export async function confirmAlert(context: Context, token: string): Promise<void> {
	const link = confirmationToken.read(context.signer, token, context.now());
	if (!link.ok) return;
	await context.db.transaction().execute(async (trx) => {
		const alert = await findAlert(trx, link.id);
		if (alert === null || alert.ended_at) return;
		// one mailbox's confirmations one after the other, so that they count each other
		await lockFollower(trx, alert.follower_id);
		for (const { alert: waiting } of await listFollowable(trx, alert)) {
			if (waiting.confirmed_at || (await isFull(trx, waiting.follower_id))) continue;
			await markConfirmed(trx, waiting.id, context.now());
			await updateActiveAt(trx, waiting.follower_id, context.now());
		}
	});
}

const isFull = async (db: Database | Trx, followerId: string) => (await countFollowedCompanies(db, followerId)) >= maxFollowedCompanies;
