import { randomUUID } from "node:crypto";
import { type RawBuilder, sql } from "kysely";
import type { Database, Trx } from "../../../server/database/database.ts";

/** All SQL on `newsletter_letters` and `newsletter_deliveries`. */

export interface ExistingIssue {
	subject: string;
	created_at: Date;
}

export type InsertIssueOutcome = { ok: true; letterId: string } | { ok: false; code: "issue-exists"; existing: ExistingIssue };

/**
 * Inserts the issue of a month (Europe/Paris). The same content in the same month is the same issue.
 * @returns the existing issue when this month has another one, or when another month had this content.
 */
export async function insertIssue(db: Database, issue: { subject: string; content: string; now: Date }): Promise<InsertIssueOutcome> {
	const { subject, content, now } = issue;
	const id = randomUUID();
	const inserted = await db
		.insertInto("newsletter_letters")
		.values({ id, subject, content, created_at: now })
		.onConflict((conflict) => conflict.doNothing())
		.returning("id")
		.executeTakeFirst();
	if (inserted) return { ok: true, letterId: id };
	const getMonth = (instant: RawBuilder<unknown>) => sql`date_trunc('month', ${instant} at time zone 'Europe/Paris')`;
	const found = await db
		.selectFrom("newsletter_letters")
		.select(["id", "subject", "created_at"])
		.select(sql<boolean>`${getMonth(sql.ref("created_at"))} = ${getMonth(sql`${now}::timestamptz`)} and content = ${content}`.as("same"))
		.where(sql<boolean>`md5(content) = md5(${content}) or ${getMonth(sql.ref("created_at"))} = ${getMonth(sql`${now}::timestamptz`)}`)
		.orderBy("same", "desc")
		.executeTakeFirstOrThrow();
	return found.same ? { ok: true, letterId: found.id } : { ok: false, code: "issue-exists", existing: found };
}

/**
 * Inserts up to `limit` deliveries of an issue, for subscribers without one. An address that subscribed again after it received the issue
 * gets no second one. `not exists` is the rule; `on conflict` covers two commands at once. @returns the ids of the subscriptions.
 */
export async function insertDeliveries(trx: Trx, letterId: string, limit: number): Promise<string[]> {
	const { rows } = await sql<{ subscription_id: string }>`
		insert into newsletter_deliveries (letter_id, subscription_id)
		select ${letterId}, id from newsletter_subscriptions
		where confirmed_at is not null and unsubscribed_at is null and not exists (
			select from newsletter_deliveries join newsletter_subscriptions had on had.id = subscription_id
			where letter_id = ${letterId} and lower(had.email) = lower(newsletter_subscriptions.email)
				and (had.id = newsletter_subscriptions.id or sent_at is not null))
		order by confirmed_at limit ${limit}
		on conflict do nothing
		returning subscription_id`.execute(trx);
	return rows.map(({ subscription_id }) => subscription_id);
}

/** Deletes an issue without recipients, so that its month can have another one. */
export async function deleteIssueWithoutRecipients(db: Database, letterId: string): Promise<void> {
	await db
		.deleteFrom("newsletter_letters")
		.where("id", "=", letterId)
		.where(({ not, exists, selectFrom }) => not(exists(selectFrom("newsletter_deliveries").where("letter_id", "=", letterId))))
		.execute();
}

/** Finds a delivery to send; null when it was sent or refused, or when its subscription has ended. */
export async function findUnsentDelivery(
	db: Database,
	letterId: string,
	subscriptionId: string,
): Promise<{ content: string; email: string; confirmedAt: Date } | null> {
	const row = await db
		.selectFrom("newsletter_deliveries")
		.innerJoin("newsletter_letters", "newsletter_letters.id", "letter_id")
		.innerJoin("newsletter_subscriptions", "newsletter_subscriptions.id", "subscription_id")
		.select(["content", "email", "confirmed_at"])
		.where("letter_id", "=", letterId)
		.where("subscription_id", "=", subscriptionId)
		.where("sent_at", "is", null)
		.where("refused_reason", "is", null)
		.where("unsubscribed_at", "is", null)
		.executeTakeFirst();
	return row?.confirmed_at ? { content: row.content, email: row.email, confirmedAt: row.confirmed_at } : null;
}

export async function updateDelivery(
	db: Database | Trx,
	letterId: string,
	subscriptionId: string,
	outcome: { sent_at: Date } | { refused_reason: string },
): Promise<void> {
	await db
		.updateTable("newsletter_deliveries")
		.set(outcome)
		.where("letter_id", "=", letterId)
		.where("subscription_id", "=", subscriptionId)
		.execute();
}

/** Issues, newest first, with counts of their deliveries. `waiting`: not sent yet. */
export async function listIssues(db: Database) {
	return db
		.selectFrom("newsletter_letters")
		.leftJoin("newsletter_deliveries", "letter_id", "newsletter_letters.id")
		.leftJoin("newsletter_subscriptions", "newsletter_subscriptions.id", "subscription_id")
		.select([
			"subject",
			"created_at",
			sql<number>`count(sent_at)::integer`.as("sent"),
			sql<number>`count(refused_reason)::integer`.as("refused"),
			sql<number>`(count(letter_id) filter (where sent_at is null and refused_reason is null and unsubscribed_at is null))::integer`.as(
				"waiting",
			),
		])
		.groupBy("newsletter_letters.id")
		.orderBy("created_at", "desc")
		.execute();
}
