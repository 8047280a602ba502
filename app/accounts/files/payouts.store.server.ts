import { sql } from "kysely";
import type { Database, Trx } from "../../../server/database/database.ts";
import { getBounds, type Month } from "../month.ts";
import type { PaidOutRow } from "./payouts-file.ts";

/** The payouts that arrived in a month with their movements, then the movements of the month that reach the bank later. */
export async function listPaidOut(db: Database | Trx, month: Month): Promise<PaidOutRow[]> {
	const { since, until } = getBounds(month);
	const { rows } = await sql<PaidOutRow>`
		select payout.id as payout, payout.arrives_at as "arrivesAt", payout.amount_cents as paid, movement.id, movement.kind,
			movement.occurred_at as at, movement.amount_cents as amount, movement.fee_cents as fee, movement.payment_id as "paymentId",
			orders.order_number as "orderNumber"
		from provider_payouts payout left join provider_movements movement on movement.payout_id = payout.id
		left join payments on payments.id = movement.payment_id left join orders on orders.id = payments.order_id
		where payout.status = 'paid' and payout.arrives_at >= ${since} and payout.arrives_at < ${until}
		union all
		select null, null, null, movement.id, movement.kind, movement.occurred_at, movement.amount_cents, movement.fee_cents, movement.payment_id,
			orders.order_number
		from provider_movements movement left join provider_payouts payout on payout.id = movement.payout_id
		left join payments on payments.id = movement.payment_id left join orders on orders.id = payments.order_id
		where movement.kind not in ('payout', 'payout-returned') and movement.occurred_at < ${until}
			and (payout.id is null or payout.arrives_at >= ${until} or payout.status <> 'paid')
			and movement.occurred_at >= ${since}
		order by 2 nulls last, 1, 6, 4`.execute(db);
	return rows;
}
