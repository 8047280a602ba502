import { sql } from "kysely";
import type { Database } from "../../server/database/database.ts";
import { inProgressStatuses } from "../orders/lifecycle.ts";

/** How the promises of late were kept: of `due` orders, `kept` were delivered or posted in time. */
export interface Punctuality {
	due: number;
	kept: number;
}

/** Days that are looked at, and how many orders must have been due in them before anything is said (docs/rules.md, R6). */
export const punctualityDays = 90;
const leastOrders = 20;

const day = 86_400_000;
/** No promise lies further after its order: by it, old orders are left out through an index. */
const longestPromise = 60 * day;

/** @returns null while too few orders were due. An order that ended otherwise (cancelled, failed and refunded) is not among them. */
export async function punctuality(db: Database, now: Date): Promise<Punctuality | null> {
	const since = new Date(now.getTime() - punctualityDays * day);
	const { due, kept } = await db
		.selectFrom("orders")
		.select([
			sql<number>`count(*)::int`.as("due"),
			sql<number>`(count(*) filter (where status = 'completed' and late_at is null))::int`.as("kept"),
		])
		.where("created_at", ">", new Date(since.getTime() - longestPromise))
		.where("promised_at", ">", since)
		.where("promised_at", "<=", now)
		.where("status", "in", [...inProgressStatuses, "completed"])
		.executeTakeFirstOrThrow();
	return due < leastOrders ? null : { due, kept };
}
