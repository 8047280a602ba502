import { Temporal } from "temporal-polyfill";
import type { Trx } from "../../server/database/database.ts";
import { zone } from "../catalogue/instants.ts";
import type { InvoiceData } from "./invoice.ts";
import { formatInvoiceNumber } from "./invoice-number.ts";
import { allocateNumber, findCreditNoteOfRefund, findInvoiceOfOrder, type IssuedInvoice, insertInvoice } from "./invoices.store.server.ts";
import { type Numbers, refuseIssuedNumber } from "./issued-numbers.server.ts";

/** What the shop knows before a number is taken. */
export type InvoiceDraft = Omit<InvoiceData, "kind" | "number" | "issuedAt" | "corrects">;

/**
 * Issues the invoice of an order, once: a second call gives the first one. The caller's transaction holds the order's lock.
 * Looking first is the rule; net: the index invoices_one_per_order.
 * Numbers are gapless in each year (CGI ann. II art. 242 nonies A, I, 7°); the year is that of Europe/Paris.
 * @throws NumberIssuedElsewhere when the storage knows the number that comes next: this database is older than what was issued.
 */
export async function issueInvoice(numbers: Numbers, trx: Trx, orderId: string, draft: InvoiceDraft, now: Date): Promise<IssuedInvoice> {
	return (
		(await findInvoiceOfOrder(trx, orderId)) ?? issue(numbers, trx, "invoice", { orderId, refundId: null, corrected: null }, draft, now)
	);
}

/**
 * Issues the credit note of a refund, once, in a series of its own; it names the invoice that it corrects.
 * Looking first is the rule; net: invoices.refund_id is unique.
 * @throws NumberIssuedElsewhere as issueInvoice does.
 */
export async function issueCreditNote(
	numbers: Numbers,
	trx: Trx,
	refundId: string,
	corrected: IssuedInvoice,
	draft: InvoiceDraft,
	now: Date,
): Promise<IssuedInvoice> {
	return (
		(await findCreditNoteOfRefund(trx, refundId)) ??
		issue(numbers, trx, "credit_note", { orderId: corrected.order_id, refundId, corrected }, draft, now)
	);
}

async function issue(
	numbers: Numbers,
	trx: Trx,
	kind: InvoiceData["kind"],
	{ orderId, refundId, corrected }: { orderId: string; refundId: string | null; corrected: IssuedInvoice | null },
	draft: InvoiceDraft,
	now: Date,
): Promise<IssuedInvoice> {
	const year = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(zone).year;
	const { number: place, issuedAt } = await allocateNumber(trx, kind, year, now);
	const number = formatInvoiceNumber({ kind, year, place });
	await refuseIssuedNumber(numbers, trx, number);
	const data: InvoiceData = {
		...draft,
		kind,
		number,
		issuedAt: issuedAt.toISOString(),
		corrects: corrected && { number: corrected.number, issuedAt: corrected.data.issuedAt },
	};
	return insertInvoice(trx, { orderId, refundId, corrects: corrected?.id ?? null, year, numberInYear: place, data });
}
