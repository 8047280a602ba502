import type { Trx } from "../../server/database/database.ts";
import type { Context } from "../../server/runtime.ts";
import { retention } from "../catalogue/retention.ts";
import { findLastClosed, insertEntries, lockAccounts } from "./entries.store.server.ts";
import { listUnbooked } from "./facts.store.server.ts";
import { getBounds, getFirstMonth, getMonth } from "./month.ts";

type PostingContext = Pick<Context, "db" | "environment" | "now">;

/** Posts an entry for each new fact, once: invoices, receipts, refunds, fees, disputes, payouts. @returns how many. */
export async function postEntries(context: PostingContext): Promise<number> {
	return context.db.transaction().execute((trx) => postEntriesLocked(context, trx));
}

/** The same in the caller's transaction. */
export async function postEntriesLocked({ environment, now }: Omit<PostingContext, "db">, trx: Trx): Promise<number> {
	await lockAccounts(trx);
	const drafts = await listUnbooked(trx, environment.accountNumbers, { since: getFirstKeptInstant(now()), now: now() });
	await insertEntries(trx, drafts, { lastClosed: await findLastClosed(trx), now: now() });
	return drafts.length;
}

/** The beginning of the oldest year whose accounts are kept (C. com. art. L123-22). */
export function getFirstKeptInstant(now: Date): Date {
	const year = Number(getMonth(now).slice(0, 4)) - retention.invoices.years;
	return getBounds(getFirstMonth(year)).since;
}
