import { sql } from "kysely";
import type { Database } from "../../server/database.ts";

/** All SQL on `subscription_interest`. */

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
