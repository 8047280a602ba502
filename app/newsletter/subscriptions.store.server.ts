import { randomUUID } from "node:crypto";
import { type Selectable, sql } from "kysely";
import type { Database, Trx } from "../../server/database/database.ts";
import type { NewsletterSubscriptions } from "../../server/database/database-types.gen.ts";
import { emailsEqual } from "../mail/normalize-email.ts";

/** All SQL on `newsletter_subscriptions`. An address has at most one subscription that has not ended; case does not count. */
export type Subscription = Selectable<NewsletterSubscriptions>;

const aDayAgo = (now: Date) => new Date(now.getTime() - 86_400_000);

/**
 * Records a first or repeated request for the newsletter. One e-mail a day to an address is the rule; the limits of receiveRequest stand behind
 * it.
 * @returns the subscription to be confirmed; null when it is confirmed already, or was asked for less than a day ago.
 */
export async function recordRequest(
	trx: Trx,
	{ email, source, textVersion, now }: { email: string; source: "order" | "form"; textVersion: string; now: Date },
): Promise<string | null> {
	const row = await trx
		.insertInto("newsletter_subscriptions")
		.values({ id: randomUUID(), email, source, text_version: textVersion, requested_at: now })
		.onConflict((conflict) =>
			conflict
				.expression(sql`lower(email)`)
				.where("unsubscribed_at", "is", null)
				.doUpdateSet({ source, text_version: textVersion, requested_at: now })
				.where("newsletter_subscriptions.confirmed_at", "is", null)
				.where(sql`greatest(newsletter_subscriptions.requested_at, newsletter_subscriptions.confirmation_sent_at)`, "<=", aDayAgo(now)),
		)
		.returning("id")
		.executeTakeFirst();
	return row?.id ?? null;
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

/** Confirms a subscription once. One that ended was confirmed (the table requires it), so it stays ended. */
export async function markConfirmed(db: Database, id: string, now: Date): Promise<void> {
	await db
		.updateTable("newsletter_subscriptions")
		.set({ confirmed_at: now })
		.where("id", "=", id)
		.where("confirmed_at", "is", null)
		.execute();
}

/** The confirmed subscription of the same address that has not ended: this one, or one that began after it ended. */
const runningFor = (id: string) => sql<boolean>`confirmed_at is not null and unsubscribed_at is null
	and lower(email) = (select lower(named.email) from newsletter_subscriptions named where named.id = ${id})`;

export async function isSubscribed(db: Database, id: string): Promise<boolean> {
	return (await db.selectFrom("newsletter_subscriptions").select("id").where(runningFor(id)).executeTakeFirst()) !== undefined;
}

/** Ends the running subscription of the same address. */
export async function markEnded(db: Database | Trx, id: string, now: Date): Promise<void> {
	await db.updateTable("newsletter_subscriptions").set({ unsubscribed_at: now }).where(runningFor(id)).execute();
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
export async function listSubscriptionsOf(db: Database, email: string) {
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
export async function deleteSubscriptionsOf(db: Database, email: string): Promise<number> {
	const query = db.deleteFrom("newsletter_subscriptions").where(emailsEqual(sql.ref("email"), email));
	return Number((await query.executeTakeFirst()).numDeletedRows);
}

/** Deletes requests from before `before` that nobody confirmed; their links have expired. @returns how many. */
export async function deleteOldRequests(db: Database, before: Date): Promise<number> {
	const query = db.deleteFrom("newsletter_subscriptions").where("confirmed_at", "is", null).where("requested_at", "<", before);
	return Number((await query.executeTakeFirst()).numDeletedRows);
}

/** Ends subscriptions confirmed before `before`: a consent does not last for ever. @returns how many. */
export async function endOldSubscriptions(db: Database, before: Date, now: Date): Promise<number> {
	const query = db
		.updateTable("newsletter_subscriptions")
		.set({ unsubscribed_at: now })
		.where("unsubscribed_at", "is", null)
		.where("confirmed_at", "<", before);
	return Number((await query.executeTakeFirst()).numUpdatedRows);
}

/** Deletes the proof of consents that ended before `before`. @returns how many. */
export async function deleteOldProofs(db: Database, before: Date): Promise<number> {
	const query = db.deleteFrom("newsletter_subscriptions").where("unsubscribed_at", "<", before);
	return Number((await query.executeTakeFirst()).numDeletedRows);
}
