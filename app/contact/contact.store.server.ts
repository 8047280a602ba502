import { type Selectable, sql } from "kysely";
import type { Database, Trx } from "../../server/database.ts";
import type { ContactMessages } from "../../server/database-types.gen.ts";
import type { ContactMessage } from "./contact-message.ts";

/** All SQL on `subscription_interest` and `contact_messages`. */

/** Keeps an address, once whatever its case: the first words agreed to are those that count. */
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
	{ id, name, email, message, now }: ContactMessage & { id: string; now: Date },
): Promise<void> {
	await trx.insertInto("contact_messages").values({ id, name, email, message, created_at: now }).execute();
}

export async function findMessage(db: Database, id: string): Promise<Selectable<ContactMessages> | null> {
	return (await db.selectFrom("contact_messages").selectAll().where("id", "=", id).executeTakeFirst()) ?? null;
}

/** Notes that a mail about it has left. */
export async function markMessage(
	db: Database,
	id: string,
	step: Partial<Pick<Selectable<ContactMessages>, "forwarded_at" | "acknowledged_at">>,
): Promise<void> {
	await db.updateTable("contact_messages").set(step).where("id", "=", id).execute();
}
