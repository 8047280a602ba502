import type { Context } from "../../../server/runtime.ts";
import { isUuid } from "../../../server/uuid.ts";
import { maxFollowedCompanies } from "../../catalogue/link-lifetimes.ts";
import { computeRetentionEnd, retention } from "../../catalogue/retention.ts";
import { textVersions } from "../../catalogue/text-versions.ts";
import { readSiren } from "../company-numbers.ts";
import { type AlertChoices, defaultChoices } from "./alert-choices.ts";
import {
	countFollowedCompanies,
	type FollowedCompany,
	findFollower,
	findOpenAlert,
	insertConfirmedAlert,
	listAlerts,
	lockFollower,
	markEnded,
	updateActiveAt,
	updateChoices,
} from "./alerts.store.server.ts";
import { endAllOf } from "./end-alerts.server.ts";
import { findFollowableCompany } from "./followable-company.server.ts";
import { alertsToken } from "./links.server.ts";

export type AlertsOfMailbox =
	/** `endsAt`: when all alerts end without an act of their owner; null before the first act. */
	| { ok: true; followerId: string; companies: FollowedCompany[]; endsAt: Date | null }
	/** `expired`: the link is too old, or nothing is stored of the mailbox any more. */
	| { ok: false; code: "wrong" | "expired" };

/** Reads the alerts of the mailbox that received a link. */
export async function readAlerts(context: Context, token: string): Promise<AlertsOfMailbox> {
	const link = alertsToken.read(context.signer, token, context.now());
	if (!link.ok) return { ok: false, code: link.code === "expired" ? "expired" : "wrong" };
	const follower = await findFollower(context.db, { id: link.id });
	if (follower === null) return { ok: false, code: "expired" };
	const companies = await listAlerts(context.db, follower.id);
	const endsAt = follower.activeAt && computeRetentionEnd(follower.activeAt, retention.marketing);
	return { ok: true, followerId: follower.id, companies, endsAt };
}

/** What the page of a mailbox's alerts can be asked for. */
export type AlertsAct =
	| { do: "change"; alertId: string; choices: AlertChoices }
	| { do: "end"; alertId: string }
	| { do: "end-all" }
	| { do: "keep" }
	| { do: "follow"; siren: string };

export type AlertsActOutcome =
	| { ok: true }
	/** `topics`: none was chosen. `siren`: no number. `unavailable`: unknown, masked, or a sole trader. `followed`: already. */
	| { ok: false; code: "link" | "topics" | "siren" | "unavailable" | "followed" | "full" };

/** Changes the alerts of a mailbox, which also prolongs them all. An alert of another mailbox is not touched. */
export async function changeAlerts(context: Context, token: string, act: AlertsAct): Promise<AlertsActOutcome> {
	const mailbox = await readAlerts(context, token);
	if (!mailbox.ok) return { ok: false, code: "link" };
	const { followerId } = mailbox;
	if (act.do === "end-all") {
		await endAllOf(context, followerId);
		return { ok: true };
	}
	if (act.do === "follow") return follow(context, followerId, act.siren);
	if (act.do === "change" && act.choices.topics.length === 0) return { ok: false, code: "topics" };
	await context.db.transaction().execute(async (trx) => {
		if (act.do === "change" && isUuid(act.alertId)) await updateChoices(trx, followerId, act.alertId, act.choices);
		if (act.do === "end" && mailbox.companies.some(({ id }) => id === act.alertId)) await markEnded(trx, act.alertId, context.now());
		await updateActiveAt(trx, followerId, context.now());
	});
	return { ok: true };
}

/** Follows a company without another confirmation: the link proves the mailbox. */
async function follow({ db, now }: Context, followerId: string, typed: string): Promise<AlertsActOutcome> {
	const siren = readSiren(typed);
	if (siren === null) return { ok: false, code: "siren" };
	if ((await findFollowableCompany(db, siren)) === null) return { ok: false, code: "unavailable" };
	return db.transaction().execute(async (trx): Promise<AlertsActOutcome> => {
		await lockFollower(trx, followerId);
		if ((await findOpenAlert(trx, followerId, siren))?.confirmed_at) return { ok: false, code: "followed" };
		if ((await countFollowedCompanies(trx, followerId)) >= maxFollowedCompanies) return { ok: false, code: "full" };
		const request = { followerId, siren, choices: defaultChoices, textVersion: textVersions.companyAlerts.date, now: now() };
		await insertConfirmedAlert(trx, request);
		await updateActiveAt(trx, followerId, now());
		return { ok: true };
	});
}
