import { sql } from "kysely";
import type { Database, Trx } from "../../../server/database/database.ts";
import { cents } from "../../catalogue/money.ts";
import { getBounds, type Month } from "../month.ts";
import type { Finding } from "./finding.ts";

/** SQL that compares the provider's balance of a month with payments, refunds and payouts. Amounts in cents. */

type Row = { code: Finding["code"]; subject: string; amount: number };

/** @returns all differences and remarks about the provider's balance of a month. */
export async function checkMovements(db: Database | Trx, month: Month): Promise<Finding[]> {
	const { until } = getBounds(month);
	const { rows } = await sql<{ read: boolean }>`
		select exists (select from provider_readings where provider_readings.until >= ${until}) as read`.execute(db);
	const isRead = rows[0]?.read === true;
	const unread: Finding[] = isRead ? [] : [{ code: "provider-unread", subject: month, amount: null }];
	const found = [
		...(isRead ? await findUnknownPayments(db, month) : []),
		...(await compareMovements(db, month)),
		...(await checkPayouts(db, month)),
	];
	return [...unread, ...found.map(({ code, subject, amount }) => ({ code, subject, amount: cents(amount) }))];
}

/** Payments of the month that the provider's balance does not have. */
async function findUnknownPayments(db: Database | Trx, month: Month): Promise<Row[]> {
	const { since, until } = getBounds(month);
	const { rows } = await sql<Row>`
		select 'unknown-there' as code, order_number as subject, payment.amount_cents as amount
		from payments payment join orders on orders.id = payment.order_id
		where payment.created_at >= ${since} and payment.created_at < ${until}
			and not exists (select from provider_movements where payment_id = payment.id and kind = 'charge')
		order by payment.created_at`.execute(db);
	return rows;
}

/**
 * Movements of the month that match no payment or refund, or one of another amount; and those of another kind. One refund of the provider
 * may be of several orders of a purchase, each with a row.
 */
async function compareMovements(db: Database | Trx, month: Month): Promise<Row[]> {
	const { since, until } = getBounds(month);
	const { rows } = await sql<Row>`
		with compared as (
			select movement.id, movement.kind, movement.occurred_at, movement.amount_cents as amount,
				case movement.kind when 'charge' then payment.amount_cents when 'refund' then -refund.amount_cents else refund.amount_cents end::integer as here,
				exists (select from account_entries where fact = 'movement:' || movement.id) as booked
			from provider_movements movement
			left join payments payment on movement.kind = 'charge' and payment.id = movement.payment_id
			left join lateral (
				select sum(refunds.amount_cents) as amount_cents from refunds
				where movement.kind in ('refund', 'refund-returned') and refunds.provider_id = movement.source_id
			) refund on true
			where movement.occurred_at >= ${since} and movement.occurred_at < ${until} and movement.currency = 'eur'
				and (payment.currency = 'eur' or payment.id is null)
		)
		select case when kind = 'other' then 'other-movement' when here is not null then 'movement-amount'
				when booked then 'unknown-booked' else 'unknown-here' end as code,
			id as subject, amount - coalesce(here, 0) as amount
		from compared
		where kind = 'other' or kind in ('charge', 'refund', 'refund-returned') and here is distinct from amount
		order by occurred_at, kind, id`.execute(db);
	return rows;
}

/** Payouts that arrived in the month. */
async function checkPayouts(db: Database | Trx, month: Month): Promise<Row[]> {
	const { since, until } = getBounds(month);
	const { rows } = await sql<Row>`
		with payout as (
			select id, amount_cents, status, automatic, arrives_at,
				(select coalesce(sum(movement.amount_cents - fee_cents), 0)::integer from provider_movements movement where payout_id = payout.id) as moved
			from provider_payouts payout
			where arrives_at >= ${since} and arrives_at < ${until} and currency = 'eur' and status <> 'pending'
		)
		select case when status = 'failed' then 'payout-returned' when automatic then 'payout-sum' else 'payout-not-itemised' end as code,
			id as subject, case when automatic and status = 'paid' then amount_cents - moved else amount_cents end as amount
		from payout
		where status = 'failed' or not automatic or amount_cents <> moved
		order by arrives_at, id`.execute(db);
	return rows;
}
