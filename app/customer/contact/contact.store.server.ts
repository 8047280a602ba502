import { type Selectable, sql } from "kysely";
import type { Database, Trx } from "../../../server/database/database.ts";
import type { ContactMessages, SubscriptionInterest } from "../../../server/database/database-types.gen.ts";
import { emailsEqual } from "../../mail/normalize-email.ts";
import type { ContactMessage } from "./contact-message.ts";

/** All SQL on `subscription_interest` and `contact_messages`. */

/** Inserts an address once, ignoring case. A repeated address keeps the text version of its first consent. */
export async function insertInterest(
	db: Database,
	{ email, textVersion, now }: { email: string; textVersion: string; now: Date },
): Promise<void> {
	await db
		.insertInto("subscription_interest")
		.values({ email, text_version: textVersion, created_at: now })
		.onConflict((conflict) => conflict.expression(sql`lower(email)`).doNothing())
		.execute();
}

export async function insertMessage(
	trx: Trx,
	{ id, name, email, phone, subject, siren, message, now }: ContactMessage & { id: string; now: Date },
): Promise<void> {
	await trx.insertInto("contact_messages").values({ id, name, email, phone, subject, siren, message, created_at: now }).execute();
}

export async function findMessage(db: Database, id: string): Promise<Selectable<ContactMessages> | null> {
	return (await db.selectFrom("contact_messages").selectAll().where("id", "=", id).executeTakeFirst()) ?? null;
}

/** Records that an e-mail about the message was sent. */
export async function updateMessage(
	db: Database,
	id: string,
	step: Partial<Pick<Selectable<ContactMessages>, "forwarded_at" | "acknowledged_at">>,
): Promise<void> {
	await db.updateTable("contact_messages").set(step).where("id", "=", id).execute();
}

/** The messages of one person, oldest first, and their interest, of which there is one at most. */
export async function listContactsByEmail(
	db: Database,
	email: string,
): Promise<{ messages: Selectable<ContactMessages>[]; interest: Selectable<SubscriptionInterest>[] }> {
	const hasEmail = emailsEqual(sql.ref("email"), email);
	return {
		messages: await db.selectFrom("contact_messages").selectAll().where(hasEmail).orderBy("created_at").execute(),
		interest: await db.selectFrom("subscription_interest").selectAll().where(hasEmail).execute(),
	};
}

/** @returns the numbers of deleted rows. */
export async function deleteContactsByEmail(db: Database, email: string): Promise<{ messages: number; interest: number }> {
	const hasEmail = emailsEqual(sql.ref("email"), email);
	const messages = await db.deleteFrom("contact_messages").where(hasEmail).executeTakeFirst();
	const interest = await db.deleteFrom("subscription_interest").where(hasEmail).executeTakeFirst();
	return { messages: Number(messages.numDeletedRows), interest: Number(interest.numDeletedRows) };
}

/** Deletes messages older than `before`, forwarded or not. @returns how many. */
export async function deleteOldMessages(db: Database, before: Date): Promise<number> {
	return Number((await db.deleteFrom("contact_messages").where("created_at", "<", before).executeTakeFirst()).numDeletedRows);
}

/** Deletes interest recorded before `before`. @returns how many. */
export async function deleteOldInterest(db: Database, before: Date): Promise<number> {
	return Number((await db.deleteFrom("subscription_interest").where("created_at", "<", before).executeTakeFirst()).numDeletedRows);
}
