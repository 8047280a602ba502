import { sql } from "kysely";
import type { Database } from "../../server/database/database.ts";
import { inProgressStatuses } from "../orders/lifecycle.ts";

/** Recent punctuality: of `due` orders, `kept` were delivered or posted in time. */
export interface Punctuality {
	due: number;
	kept: number;
}

/** The days that count, and the fewest due orders for a published figure (docs/rules.md, R6). */
export const punctualityDays = 90;
const minOrders = 20;

const day = 86_400_000;
/** No deadline is later than this after its order, so an index on created_at can exclude old orders. */
const maxPromise = 60 * day;

/** @returns null when too few orders were due. Cancelled and failed orders do not count. */
export async function measurePunctuality(db: Database, now: Date): Promise<Punctuality | null> {
	const since = new Date(now.getTime() - punctualityDays * day);
	const { due, kept } = await db
		.selectFrom("orders")
		.select([
			sql<number>`count(*)::int`.as("due"),
			sql<number>`(count(*) filter (where status = 'completed' and late_at is null))::int`.as("kept"),
		])
		.where("created_at", ">", new Date(since.getTime() - maxPromise))
		.where("promised_at", ">", since)
		.where("promised_at", "<=", now)
		.where("status", "in", [...inProgressStatuses, "completed"])
		.executeTakeFirstOrThrow();
	return due < minOrders ? null : { due, kept };
}
