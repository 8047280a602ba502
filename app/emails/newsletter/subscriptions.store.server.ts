import { randomUUID } from "node:crypto";
import { type Selectable, sql } from "kysely";
import type { Database, Trx } from "../../../server/database/database.ts";
import type { NewsletterSubscriptions } from "../../../server/database/database-types.gen.ts";
import { day } from "../../../server/durations.ts";
import { emailsEqual } from "../../mail/normalize-email.ts";

/** All SQL on `newsletter_subscriptions`. An address, ignoring case, has at most one subscription that has not ended. */
export type Subscription = Selectable<NewsletterSubscriptions>;

const getDayBefore = (now: Date) => new Date(now.getTime() - day);

/**
 * Records a first or repeated request for the newsletter. An address gets at most one e-mail a day; receiveNewsletterRequest adds hourly limits.
 * @returns the id of the subscription to confirm; null when it is already confirmed, or was requested less than a day ago.
 */
export async function recordSubscription(
	trx: Trx,
	{ email, source, textVersion, now }: { email: string; source: "order" | "form"; textVersion: string; now: Date },
): Promise<string | null> {
	const requested = await trx
		.insertInto("newsletter_subscriptions")
		.values({ id: randomUUID(), email, source, text_version: textVersion, requested_at: now })
		.onConflict((conflict) =>
			conflict
				.expression(sql`lower(email)`)
				.where("unsubscribed_at", "is", null)
				.doUpdateSet({ source, text_version: textVersion, requested_at: now })
				.where("newsletter_subscriptions.confirmed_at", "is", null)
				.where(
					sql`greatest(newsletter_subscriptions.requested_at, newsletter_subscriptions.confirmation_sent_at)`,
					"<=",
					getDayBefore(now),
				),
		)
		.returning("id")
		.executeTakeFirst();
	return requested?.id ?? null;
}

export async function findSubscription(db: Database, id: string): Promise<Subscription | null> {
	return (await db.selectFrom("newsletter_subscriptions").selectAll().where("id", "=", id).executeTakeFirst()) ?? null;
}

/** Records that the confirmation of the request made at `requestedAt` was sent. */
export async function markConfirmationSent(db: Database, id: string, requestedAt: Date, now: Date): Promise<void> {
	await db
		.updateTable("newsletter_subscriptions")
		.set({ confirmation_sent_at: now })
		.where("id", "=", id)
		.where("requested_at", "=", requestedAt)
		.execute();
}

/** Confirms a subscription once. An ended subscription stays ended, because the table requires that it was confirmed. */
export async function markConfirmed(db: Database, id: string, now: Date): Promise<void> {
	await db
		.updateTable("newsletter_subscriptions")
		.set({ confirmed_at: now })
		.where("id", "=", id)
		.where("confirmed_at", "is", null)
		.execute();
}

/** The active subscription of the same address: this one, or one that began after it ended. */
const isActiveForSameEmail = (id: string) => sql<boolean>`confirmed_at is not null and unsubscribed_at is null
	and lower(email) = (select lower(named.email) from newsletter_subscriptions named where named.id = ${id})`;

export async function isSubscribed(db: Database, id: string): Promise<boolean> {
	return (await db.selectFrom("newsletter_subscriptions").select("id").where(isActiveForSameEmail(id)).executeTakeFirst()) !== undefined;
}

/** Ends the active subscription of the same address. */
export async function markEnded(db: Database | Trx, id: string, now: Date): Promise<void> {
	await db.updateTable("newsletter_subscriptions").set({ unsubscribed_at: now }).where(isActiveForSameEmail(id)).execute();
}

export async function countSubscriptions(db: Database): Promise<{ asked: number; confirmed: number; ended: number }> {
	return db
		.selectFrom("newsletter_subscriptions")
		.select([
			sql<number>`(count(*) filter (where confirmed_at is null))::integer`.as("asked"),
			sql<number>`(count(*) filter (where confirmed_at is not null and unsubscribed_at is null))::integer`.as("confirmed"),
			sql<number>`(count(*) filter (where unsubscribed_at is not null))::integer`.as("ended"),
		])
		.executeTakeFirstOrThrow();
}

/** Every subscription of one person, oldest first, with the issues sent to it. */
export async function listSubscriptionsByEmail(db: Database, email: string) {
	const rows = await db
		.selectFrom("newsletter_subscriptions")
		.selectAll()
		.where(emailsEqual(sql.ref("email"), email))
		.orderBy("requested_at")
		.execute();
	return Promise.all(
		rows.map(async ({ id, ...subscription }) => ({
			...subscription,
			letters: await db
				.selectFrom("newsletter_deliveries")
				.innerJoin("newsletter_letters", "newsletter_letters.id", "letter_id")
				.select(["subject", "sent_at", "refused_reason"])
				.where("subscription_id", "=", id)
				.orderBy("created_at")
				.execute(),
		})),
	);
}

/** Deletes subscriptions and their deliveries. @returns how many. */
export async function deleteSubscriptionsByEmail(db: Database, email: string): Promise<number> {
	const query = db.deleteFrom("newsletter_subscriptions").where(emailsEqual(sql.ref("email"), email));
	return Number((await query.executeTakeFirst()).numDeletedRows);
}

/** Deletes unconfirmed requests older than `before`; their links have expired. @returns how many. */
export async function deleteOldRequests(db: Database, before: Date): Promise<number> {
	const query = db.deleteFrom("newsletter_subscriptions").where("confirmed_at", "is", null).where("requested_at", "<", before);
	return Number((await query.executeTakeFirst()).numDeletedRows);
}

/** Ends subscriptions confirmed before `before`, because consent expires. @returns how many. */
export async function endOldSubscriptions(db: Database, before: Date, now: Date): Promise<number> {
	const query = db
		.updateTable("newsletter_subscriptions")
		.set({ unsubscribed_at: now })
		.where("unsubscribed_at", "is", null)
		.where("confirmed_at", "<", before);
	return Number((await query.executeTakeFirst()).numUpdatedRows);
}

/** Deletes subscriptions that ended before `before`, which prove the consent. @returns how many. */
export async function deleteOldProofs(db: Database, before: Date): Promise<number> {
	const query = db.deleteFrom("newsletter_subscriptions").where("unsubscribed_at", "<", before);
	return Number((await query.executeTakeFirst()).numDeletedRows);
}
