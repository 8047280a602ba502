import { day } from "../../server/durations.ts";
import { findReadUntil, insertMovements, insertReading, listUnreadPayouts, recordPaidOut, upsertPayouts } from "./balance.store.server.ts";
import type { PaymentShop } from "./payment-shop.ts";
import type { Outage } from "./provider.ts";

/** Each reading begins this long before the end of the last one: payouts change their state, and late movements may appear. */
const overlap = 35 * day;

export interface BalanceReading {
	/** Everything before it is known. */
	until: Date;
	movements: number;
	payouts: number;
}

/**
 * Reads the balance at the provider: movements with fees, payouts, and which movements each payout contains. It may be repeated at any
 * time. The first reading begins with the first payment.
 */
export async function readBalance(
	shop: Pick<PaymentShop, "db" | "provider" | "log" | "now">,
): Promise<({ ok: true } & BalanceReading) | Outage> {
	const { db, provider, log, now } = shop;
	const until = now();
	const last = await findReadUntil(db);
	const since = last === null ? until : last.first ? last.until : new Date(last.until.getTime() - overlap);
	const listed = await provider.listMovements(since, until);
	if (!listed.ok) return listed;
	const { movements } = listed;
	const found = await provider.listPayouts(since, until);
	if (!found.ok) return found;
	const { payouts } = found;
	const itemised = payouts.filter(({ isItemised }) => isItemised).map(({ id }) => id);
	const paidOut = new Map<string, string[]>();
	for (const id of await listUnreadPayouts(db, itemised)) {
		const contained = await provider.listPaidOut(id);
		if (!contained.ok) return contained;
		paidOut.set(id, contained.movementIds);
	}
	await db.transaction().execute(async (trx) => {
		await insertMovements(trx, movements);
		await upsertPayouts(trx, payouts);
		for (const [id, movementIds] of paidOut) await recordPaidOut(trx, id, movementIds, now());
		await insertReading(trx, until, now());
	});
	log.info({ since, until, movements: movements.length, payouts: payouts.length }, "the provider's balance is read");
	return { ok: true, until, movements: movements.length, payouts: payouts.length };
}
