import { randomUUID } from "node:crypto";
import { type Selectable, sql } from "kysely";
import type { Database, Trx } from "../../../server/database/database.ts";
import type { CompanyAlerts } from "../../../server/database/database-types.gen.ts";
import { day } from "../../../server/durations.ts";
import { emailsEqual } from "../../mail/normalize-email.ts";
import type { Siren } from "../siren.ts";
import type { AlertChoices, AlertTopic } from "./alert-choices.ts";

/** SQL on `company_followers` and `company_alerts`. An address, ignoring case, is one follower, with one open alert for a company. */

declare module "../../../server/database/column-types.ts" {
	interface ColumnTypes {
		"company_alerts.topics": AlertTopic[];
	}
}

export type Alert = Selectable<CompanyAlerts>;

/**
 * Finds or inserts the mailbox of an address, and locks it until the transaction ends.
 * @returns its id, and the earliest instant of its next e-mail that asks for confirmation; null: at once.
 */
export async function lockFollowerByEmail(trx: Trx, email: string, now: Date): Promise<{ id: string; confirmAfter: Date | null }> {
	const { id, confirm_after } = await trx
		.insertInto("company_followers")
		.values({ id: randomUUID(), email, created_at: now })
		// an update, so that the row is locked and returned
		.onConflict((conflict) => conflict.expression(sql`lower(email)`).doUpdateSet({ email: sql`company_followers.email` }))
		.returning(["id", "confirm_after"])
		.executeTakeFirstOrThrow();
	return { id, confirmAfter: confirm_after };
}

/** Sets the earliest instant of a mailbox's next e-mail that asks for confirmation. */
export async function updateConfirmAfter(trx: Trx, followerId: string, confirmAfter: Date): Promise<void> {
	await trx.updateTable("company_followers").set({ confirm_after: confirmAfter }).where("id", "=", followerId).execute();
}

/** Locks a mailbox until the transaction ends. @returns false when it does not exist. */
export async function lockFollower(trx: Trx, id: string): Promise<boolean> {
	return (await trx.selectFrom("company_followers").select("id").where("id", "=", id).forUpdate().executeTakeFirst()) !== undefined;
}

export async function findFollower(
	db: Database,
	by: { id: string } | { email: string },
): Promise<{ id: string; email: string; activeAt: Date | null } | null> {
	const query = db.selectFrom("company_followers").select(["id", "email", "active_at"]);
	const row = await ("id" in by
		? query.where("id", "=", by.id)
		: query.where(sql<boolean>`lower(email) = lower(${by.email})`)
	).executeTakeFirst();
	return row ? { id: row.id, email: row.email, activeAt: row.active_at } : null;
}

/** Records an act of the mailbox's owner: its alerts end after years without any. */
export async function updateActiveAt(trx: Trx, followerId: string, now: Date): Promise<void> {
	await trx.updateTable("company_followers").set({ active_at: now }).where("id", "=", followerId).execute();
}

export async function countFollowedCompanies(db: Database | Trx, followerId: string): Promise<number> {
	const { count } = await db
		.selectFrom("company_alerts")
		.select(sql<number>`count(*)::integer`.as("count"))
		.where("follower_id", "=", followerId)
		.where("confirmed_at", "is not", null)
		.where("ended_at", "is", null)
		.executeTakeFirstOrThrow();
	return count;
}

/** Finds the alert of a mailbox for a company that has not ended. */
export async function findOpenAlert(trx: Trx, followerId: string, siren: Siren): Promise<Alert | null> {
	const query = trx.selectFrom("company_alerts").selectAll().where("follower_id", "=", followerId).where("siren", "=", siren);
	return (await query.where("ended_at", "is", null).executeTakeFirst()) ?? null;
}

/**
 * Records a first or repeated request for an unconfirmed alert. The last choices count; a mailbox gets at most one confirmation a day
 * for a company.
 * @returns the alert whose confirmation is to be sent; null when it was sent less than a day ago.
 */
export async function recordAlertRequest(trx: Trx, { followerId, siren, choices, textVersion, now }: AlertRequest): Promise<string | null> {
	const asked = { ...choices, text_version: textVersion };
	const yesterday = new Date(now.getTime() - day);
	const { id, confirmation_sent_at, requested_at } = await trx
		.insertInto("company_alerts")
		.values({ id: randomUUID(), follower_id: followerId, siren, ...asked, requested_at: now })
		.onConflict((conflict) =>
			conflict
				.columns(["follower_id", "siren"])
				.where("ended_at", "is", null)
				.doUpdateSet({
					...asked,
					requested_at: sql`case
						when greatest(company_alerts.requested_at, company_alerts.confirmation_sent_at) <= ${yesterday} then ${now}::timestamptz
						else company_alerts.requested_at end`,
				}),
		)
		.returning(["id", "confirmation_sent_at", "requested_at"])
		.executeTakeFirstOrThrow();
	return confirmation_sent_at === null || confirmation_sent_at < requested_at ? id : null;
}

interface AlertRequest {
	followerId: string;
	siren: Siren;
	choices: AlertChoices;
	textVersion: string;
	now: Date;
}

/** Inserts a confirmed alert, or confirms the one that waits, with these choices. */
export async function insertConfirmedAlert(trx: Trx, { followerId, siren, choices, textVersion, now }: AlertRequest): Promise<void> {
	const asked = { ...choices, text_version: textVersion, confirmed_at: now };
	await trx
		.insertInto("company_alerts")
		.values({ id: randomUUID(), follower_id: followerId, siren, ...asked, requested_at: now })
		.onConflict((conflict) => conflict.columns(["follower_id", "siren"]).where("ended_at", "is", null).doUpdateSet(asked))
		.execute();
}

export async function findAlert(db: Database | Trx, id: string): Promise<(Alert & { email: string }) | null> {
	const query = db
		.selectFrom("company_alerts")
		.innerJoin("company_followers", "company_followers.id", "follower_id")
		.selectAll("company_alerts")
		.select("email")
		.where("company_alerts.id", "=", id);
	return (await query.executeTakeFirst()) ?? null;
}

/** The unconfirmed alerts of a mailbox whose e-mail has not left since they were asked for, oldest first. */
export async function listUnsentRequests(db: Database | Trx, followerId: string, limit: number): Promise<Alert[]> {
	const query = db.selectFrom("company_alerts").selectAll().where("follower_id", "=", followerId).where("confirmed_at", "is", null);
	return query
		.where((eb) => eb.or([eb("confirmation_sent_at", "is", null), eb("confirmation_sent_at", "<", eb.ref("requested_at"))]))
		.orderBy("requested_at")
		.orderBy("siren")
		.limit(limit)
		.execute();
}

/** Records that one e-mail asked to confirm these requests; not those that were made again meanwhile. */
export async function markConfirmationSent(
	trx: Trx,
	requests: readonly Pick<Alert, "id" | "requested_at">[],
	{ mailId, now }: { mailId: string; now: Date },
): Promise<void> {
	for (const { id, requested_at } of requests) {
		const query = trx.updateTable("company_alerts").set({ confirmation_sent_at: now, confirmation_mail: mailId });
		await query.where("id", "=", id).where("requested_at", "=", requested_at).execute();
	}
}

/** The alerts that the e-mail of an alert's confirmation named and that have not ended, this one first. */
export async function listConfirmedTogether(db: Database | Trx, { id, follower_id, confirmation_mail }: Alert): Promise<Alert[]> {
	return db
		.selectFrom("company_alerts")
		.selectAll()
		.where("follower_id", "=", follower_id)
		.where("ended_at", "is", null)
		.where((eb) => eb.or([eb("id", "=", id), eb("confirmation_mail", "=", confirmation_mail)]))
		.orderBy(sql`id <> ${id}`)
		.orderBy("siren")
		.execute();
}

/** Confirms an alert once. An ended one stays ended. */
export async function markConfirmed(trx: Trx, id: string, now: Date): Promise<void> {
	const query = trx.updateTable("company_alerts").set({ confirmed_at: now });
	await query.where("id", "=", id).where("confirmed_at", "is", null).execute();
}

/** The running alerts of a mailbox with their companies, by name. A company that was masked since has no name. */
export async function listAlerts(db: Database, followerId: string): Promise<FollowedCompany[]> {
	return db
		.selectFrom("company_alerts")
		.leftJoin("companies", (join) => join.onRef("companies.siren", "=", "company_alerts.siren").on("masked", "=", false))
		.select(["company_alerts.id", "company_alerts.siren", "companies.name", "frequency", "topics"])
		.where("follower_id", "=", followerId)
		.where("confirmed_at", "is not", null)
		.where("ended_at", "is", null)
		.orderBy("companies.name")
		.orderBy("company_alerts.siren")
		.execute();
}

export interface FollowedCompany extends AlertChoices {
	/** The alert's id. */
	id: string;
	siren: Siren;
	name: string | null;
}

export async function updateChoices(trx: Trx, followerId: string, alertId: string, choices: AlertChoices): Promise<void> {
	const query = trx.updateTable("company_alerts").set(choices).where("id", "=", alertId).where("follower_id", "=", followerId);
	await query.where("ended_at", "is", null).where("confirmed_at", "is not", null).execute();
}

/** The running alert for the same company and mailbox: this one, or one that began after it ended. */
const isRunningForSame = (alertId: string) => sql<boolean>`confirmed_at is not null and ended_at is null
	and (follower_id, siren) = (select named.follower_id, named.siren from company_alerts named where named.id = ${alertId})`;

/** @returns the SIREN of the running alert for the same company and mailbox; null when there is none. */
export async function findRunningSiren(db: Database, alertId: string): Promise<Siren | null> {
	return (await db.selectFrom("company_alerts").select("siren").where(isRunningForSame(alertId)).executeTakeFirst())?.siren ?? null;
}

/** Ends the running alert for the same company and mailbox. */
export async function markEnded(db: Database | Trx, alertId: string, now: Date): Promise<void> {
	await db.updateTable("company_alerts").set({ ended_at: now }).where(isRunningForSame(alertId)).execute();
}

/** Ends every running alert of a mailbox, and deletes its unconfirmed ones. */
export async function markAllEnded(trx: Trx, followerId: string, now: Date): Promise<void> {
	await trx.deleteFrom("company_alerts").where("follower_id", "=", followerId).where("confirmed_at", "is", null).execute();
	const query = trx.updateTable("company_alerts").set({ ended_at: now }).where("follower_id", "=", followerId);
	await query.where("ended_at", "is", null).execute();
}

export async function hasRunningAlert(db: Database, followerId: string): Promise<boolean> {
	const query = db.selectFrom("company_alerts").select("id").where("follower_id", "=", followerId);
	return (await query.where("confirmed_at", "is not", null).where("ended_at", "is", null).executeTakeFirst()) !== undefined;
}

/** Counts what runs, for the terminal. */
export async function countAlerts(db: Database): Promise<{ asked: number; companies: number; mailboxes: number }> {
	return db
		.selectFrom("company_alerts")
		.select([
			sql<number>`(count(*) filter (where confirmed_at is null))::integer`.as("asked"),
			sql<number>`(count(distinct siren) filter (where confirmed_at is not null and ended_at is null))::integer`.as("companies"),
			sql<number>`(count(distinct follower_id) filter (where confirmed_at is not null and ended_at is null))::integer`.as("mailboxes"),
		])
		.executeTakeFirstOrThrow();
}

/** Every alert of one person, oldest first. */
export async function listAlertsByEmail(db: Database, email: string) {
	return db
		.selectFrom("company_alerts")
		.innerJoin("company_followers", "company_followers.id", "follower_id")
		.select(["email", "siren", "frequency", "topics", "text_version"])
		.select(["requested_at", "confirmation_sent_at", "confirmed_at", "ended_at", "active_at"])
		.where(emailsEqual(sql.ref("email"), email))
		.orderBy("requested_at")
		.orderBy("siren")
		.execute();
}

/** Deletes the mailbox of a person with its alerts and the record of its e-mails. @returns how many alerts. */
export async function deleteAlertsByEmail(db: Database, email: string): Promise<number> {
	return db.transaction().execute(async (trx) => {
		const isTheirs = emailsEqual(sql.ref("email"), email);
		const followers = trx.selectFrom("company_followers").select("id").where(isTheirs);
		// before its alerts, as everybody locks them
		await followers.orderBy("id").forUpdate().execute();
		const { numDeletedRows } = await trx.deleteFrom("company_alerts").where("follower_id", "in", followers).executeTakeFirst();
		await trx.deleteFrom("company_followers").where(isTheirs).execute();
		return Number(numDeletedRows);
	});
}

/** Deletes unconfirmed requests older than `before`; their links have expired. @returns how many. */
export async function deleteOldAlertRequests(db: Database, before: Date): Promise<number> {
	const query = db.deleteFrom("company_alerts").where("confirmed_at", "is", null).where("requested_at", "<", before);
	return Number((await query.executeTakeFirst()).numDeletedRows);
}

/** Ends the alerts of mailboxes without an act of their owner since `before`. @returns how many. */
export async function endSilentAlerts(db: Database, before: Date, now: Date): Promise<number> {
	const silent = db.selectFrom("company_followers").select("id").where("active_at", "<", before);
	const query = db.updateTable("company_alerts").set({ ended_at: now }).where("follower_id", "in", silent);
	return Number((await query.where("ended_at", "is", null).where("confirmed_at", "is not", null).executeTakeFirst()).numUpdatedRows);
}

/** Deletes alerts that ended before `before`, which prove the consent, then mailboxes without alerts. @returns how many alerts. */
export async function deleteOldAlertProofs(db: Database, before: Date): Promise<number> {
	const { numDeletedRows } = await db.deleteFrom("company_alerts").where("ended_at", "<", before).executeTakeFirst();
	await db.transaction().execute(async (trx) => {
		const isEmpty = sql<boolean>`not exists (select from company_alerts where follower_id = company_followers.id)`;
		const found = await trx.selectFrom("company_followers").select("id").where(isEmpty).forUpdate().skipLocked().execute();
		// a second statement sees a request that was recorded before the lock
		const ids = found.map(({ id }) => id);
		await trx.deleteFrom("company_followers").where("id", "=", sql<string>`any(${ids}::uuid[])`).where(isEmpty).execute();
	});
	return Number(numDeletedRows);
}
