import { sql } from "kysely";
import { anyOf, type Database, type Trx } from "../../server/database/database.ts";
import type { ProviderMovement, ProviderPayout } from "./provider.ts";

/** SQL on `provider_movements`, `provider_payouts` and `provider_readings`. app/books books what they hold. */

const chunkSize = 500;

/** Inserts movements; those that are known stay as they are. */
export async function insertMovements(trx: Trx, movements: readonly ProviderMovement[]): Promise<void> {
	for (let from = 0; from < movements.length; from += chunkSize) {
		const rows = movements.slice(from, from + chunkSize).map(({ id, kind, amount, fee, currency, paymentId, sourceId, at }) => ({
			id,
			kind,
			amount_cents: amount,
			fee_cents: fee,
			currency,
			payment_id: paymentId,
			source_id: sourceId,
			occurred_at: at,
		}));
		await trx
			.insertInto("provider_movements")
			.values(rows)
			.onConflict((conflict) => conflict.column("id").doNothing())
			.execute();
	}
}

/** Inserts payouts, or updates their state. */
export async function upsertPayouts(trx: Trx, payouts: readonly ProviderPayout[]): Promise<void> {
	for (const { id, amount, currency, status, isItemised, createdAt, arrivesAt } of payouts) {
		const state = { amount_cents: amount, status, automatic: isItemised, arrives_at: arrivesAt };
		await trx
			.insertInto("provider_payouts")
			.values({ id, currency, created_at: createdAt, ...state })
			.onConflict((conflict) => conflict.column("id").doUpdateSet(state))
			.execute();
	}
}

/** Filters these payouts: those whose movements were not read yet. */
export async function listUnreadPayouts(db: Database, ids: readonly string[]): Promise<string[]> {
	const { rows } = await sql<{ id: string }>`
		select id from unnest(${ids}::text[]) id
		where not exists (select from provider_payouts where provider_payouts.id = id.id and movements_read_at is not null)`.execute(db);
	return rows.map(({ id }) => id);
}

/** Records which movements a payout contains. */
export async function recordPaidOut(trx: Trx, payoutId: string, movementIds: readonly string[], now: Date): Promise<void> {
	await trx.updateTable("provider_movements").set({ payout_id: payoutId }).where("id", "=", anyOf(movementIds)).execute();
	await trx.updateTable("provider_payouts").set({ movements_read_at: now }).where("id", "=", payoutId).execute();
}

export async function insertReading(trx: Trx, until: Date, now: Date): Promise<void> {
	await trx.insertInto("provider_readings").values({ until, read_at: now }).execute();
}

/** How far the balance was read; before the first reading, a day before the first payment, or null without payments. */
export async function findReadUntil(db: Database): Promise<{ until: Date; first: boolean } | null> {
	const { rows } = await sql<{ until: Date | null; since: Date | null }>`
		select (select max(until) from provider_readings) as until, (select min(created_at) - interval '1 day' from payments) as since`.execute(
		db,
	);
	const { until = null, since = null } = rows[0] ?? {};
	if (until !== null) return { until, first: false };
	return since === null ? null : { until: since, first: true };
}

/** Deletes movements and payouts before an instant, and all readings but the newest. */
export async function deleteOldBalance(db: Database, before: Date): Promise<void> {
	await sql`delete from provider_movements where occurred_at < ${before}`.execute(db);
	await sql`delete from provider_payouts where arrives_at < ${before}
		and not exists (select from provider_movements where payout_id = provider_payouts.id)`.execute(db);
	await sql`delete from provider_readings where until < (select max(until) from provider_readings)`.execute(db);
}
