import { sql } from "kysely";
import type { Trx } from "../../server/database/database.ts";
import { hour } from "../../server/durations.ts";
import type { AccountNumbers } from "../../server/environment/account-settings.ts";
import { cents } from "../catalogue/money.ts";
import { type InvoiceData, parseStoredInvoice, type StoredInvoice } from "../orders/invoices/invoice.ts";
import {
	bookInvoice,
	bookLoss,
	bookMovement,
	bookPayment,
	bookPayout,
	bookRefund,
	type MovementFact,
	type PaymentFact,
	type PayoutFact,
	type RefundFact,
} from "./book-facts.ts";
import type { EntryDraft } from "./entry.ts";

/** SQL that lists the facts without an entry. Only amounts in euros are booked; the checks of a month name the others. */

/**
 * A movement of the provider that matches no payment or refund of the shop is booked after this many hours on the suspense account.
 * Before, the shop may still hear of the payment.
 */
const hoursToMatch = 72;

interface Scope {
	/** Earlier facts are not booked: their rows are about to be deleted. */
	since: Date;
	now: Date;
}

const hasEntry = (fact: ReturnType<typeof sql>) => sql`exists (select from account_entries where fact = ${fact})`;

/** @returns the entries to post, in the order of their facts. The caller holds the lock of the accounts. */
export async function listUnbooked(trx: Trx, numbers: AccountNumbers, scope: Scope): Promise<EntryDraft[]> {
	const drafts = [
		...(await listInvoices(trx, scope)).map((data) => bookInvoice(numbers, data)),
		...(await listPayments(trx, scope)).map((fact) => bookPayment(numbers, fact)),
		...(await listRefunds(trx, scope)).map((fact) => bookRefund(numbers, fact)),
		...(await listMovements(trx, scope)).map((fact) => bookMovement(numbers, fact)),
		...(await listLosses(trx, scope)).map((fact) => bookLoss(numbers, fact)),
		...(await listPayouts(trx, scope)).map((fact) => bookPayout(numbers, fact)),
	];
	const byFact = drafts.filter((draft) => draft !== null).sort((a, b) => (a.fact < b.fact ? -1 : a.fact > b.fact ? 1 : 0));
	const ranks = ["invoice", "payment", "refund", "refund-returned", "movement", "loss", "payout", "payout-returned"];
	const getRank = ({ fact }: EntryDraft) => ranks.indexOf(fact.split(":", 1)[0] ?? "");
	return byFact.sort((a, b) => a.at.getTime() - b.at.getTime() || getRank(a) - getRank(b));
}

async function listInvoices(trx: Trx, { since }: Scope): Promise<InvoiceData[]> {
	const { rows } = await sql<{ data: StoredInvoice }>`
		select data from invoices where issued_at >= ${since} and not ${hasEntry(sql`'invoice:' || invoices.number`)}`.execute(trx);
	return rows.map(({ data }) => parseStoredInvoice(data));
}

/** The movement of a payment or refund was booked on the suspense account before the shop knew the payment or refund. */
const movementBooked = (id: ReturnType<typeof sql>) => sql<boolean>`exists (
	select from provider_movements movement join account_entries on fact = 'movement:' || movement.id where ${id})`;

async function listPayments(trx: Trx, { since }: Scope): Promise<PaymentFact[]> {
	const { rows } = await sql<PaymentFact>`
		select payment.id, payment.role, payment.amount_cents as amount, payment.created_at as at, orders.order_number as "orderNumber",
			${movementBooked(sql`movement.kind = 'charge' and movement.payment_id = payment.id`)} as "movementBooked"
		from payments payment join orders on orders.id = payment.order_id
		where payment.currency = 'eur' and payment.created_at >= ${since} and not ${hasEntry(sql`'payment:' || payment.id`)}`.execute(trx);
	return rows;
}

async function listRefunds(trx: Trx, { since }: Scope): Promise<RefundFact[]> {
	const { rows } = await sql<RefundFact & { status: string; booked: boolean; creditedAt: string | null }>`
		select refund.id, payment.role, refund.amount_cents as amount, refund.settled_at as at, orders.order_number as "orderNumber",
			first.order_number as "purchaseNumber", refund.status, ${hasEntry(sql`'refund:' || refund.id`)} as booked,
			(select invoices.data->>'paidAt' from invoices where invoices.refund_id = refund.id) as "creditedAt",
			${movementBooked(sql`movement.kind = 'refund' and movement.source_id = refund.provider_id`)} as "movementBooked"
		from refunds refund join payments payment on payment.id = refund.payment_id join orders on orders.id = refund.order_id
			join orders first on first.id = orders.purchase_id
		where payment.currency = 'eur' and refund.settled_at >= ${since}
			and (refund.status = 'succeeded' and not ${hasEntry(sql`'refund:' || refund.id`)}
				or refund.status = 'failed' and not ${hasEntry(sql`'refund-returned:' || refund.id`)})`.execute(trx);
	return rows.flatMap(({ status, booked, creditedAt, ...refund }) => {
		if (status === "succeeded") return [{ ...refund, returned: false }];
		const returned = { ...refund, returned: true };
		if (booked) return [returned];
		// it succeeded and came back since the last posting; without a credit note, neither is booked
		return creditedAt === null ? [] : [{ ...refund, at: new Date(creditedAt), returned: false }, returned];
	});
}

async function listMovements(trx: Trx, { since, now }: Scope): Promise<MovementFact[]> {
	const latestUnmatched = new Date(now.getTime() - hoursToMatch * hour);
	const { rows } = await sql<MovementFact>`
		select * from (
			select movement.id, movement.kind, movement.amount_cents as amount, movement.fee_cents as fee, movement.occurred_at as at,
				orders.order_number as "orderNumber",
				case movement.kind
					when 'charge' then payment.id is not null and payment.currency = 'eur'
					when 'refund' then exists (select from refunds where refunds.provider_id = movement.source_id)
					when 'refund-returned' then exists (select from refunds where refunds.provider_id = movement.source_id)
					else false
				end as "hasEntry"
			from provider_movements movement
			left join payments payment on payment.id = movement.payment_id
			left join orders on orders.id = payment.order_id
			where movement.currency = 'eur' and movement.occurred_at >= ${since} and movement.kind not in ('payout', 'payout-returned')
				and not ${hasEntry(sql`'movement:' || movement.id`)}
		) unbooked
		where case when "hasEntry" then fee <> 0 else kind in ('dispute', 'dispute-won', 'fee', 'other') or at < ${latestUnmatched} end`.execute(
		trx,
	);
	return rows;
}

/** The loss of what disputes took: their movements are booked, or are booked now. */
async function listLosses(trx: Trx, { since }: Scope) {
	const { rows } = await sql<{ paymentId: string; amount: number; at: Date; orderNumber: string }>`
		select payment.id as "paymentId", orders.order_number as "orderNumber",
			(select -sum(amount_cents)::integer from provider_movements where payment_id = payment.id and kind in ('dispute', 'dispute-won')
				and currency = 'eur' and (occurred_at >= ${since} or ${hasEntry(sql`'movement:' || provider_movements.id`)})) as amount,
			(select max(created_at) from order_events
				where order_id = payment.order_id and event_type = 'disputed' and payload->>'status' = 'lost') as at
		from payments payment join orders on orders.id = payment.order_id
		where payment.dispute_status = 'lost' and not ${hasEntry(sql`'loss:' || payment.id`)}`.execute(trx);
	return rows.filter(({ amount, at }) => amount > 0 && at !== null).map((row) => ({ ...row, amount: cents(row.amount) }));
}

async function listPayouts(trx: Trx, { since, now }: Scope): Promise<PayoutFact[]> {
	const { rows } = await sql<PayoutFact>`
		select payout.id, payout.amount_cents as amount, payout.status = 'failed' as returned,
			case payout.status when 'paid' then payout.arrives_at else coalesce(
				(select max(occurred_at) from provider_movements where kind = 'payout-returned' and source_id = payout.id), ${now}) end as at
		from provider_payouts payout
		where payout.currency = 'eur' and payout.arrives_at >= ${since}
			and (payout.status = 'paid' and not ${hasEntry(sql`'payout:' || payout.id`)}
				or payout.status = 'failed' and ${hasEntry(sql`'payout:' || payout.id`)}
					and not ${hasEntry(sql`'payout-returned:' || payout.id`)})`.execute(trx);
	return rows;
}
