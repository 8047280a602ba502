import { Temporal } from "temporal-polyfill";
import type { Trx } from "../../server/database.ts";
import { zone } from "../catalogue/instants.ts";
import type { InvoiceData } from "./invoice.ts";
import { findCreditNoteOfRefund, findInvoiceOfOrder, type IssuedInvoice, insertInvoice, takeNumber } from "./invoices.store.server.ts";

/** What the shop knows before a number is taken. */
export type InvoiceDraft = Omit<InvoiceData, "kind" | "number" | "issuedAt" | "corrects">;

const series = { invoice: "F", credit_note: "A" } as const;

/**
 * Issues the invoice of an order, once: a second call gives the first one. The caller's transaction holds the order's lock.
 * Looking first is the rule; net: the index invoices_one_per_order.
 * Numbers are gapless in each year (CGI ann. II art. 242 nonies A, I, 7°); the year is that of Europe/Paris.
 */
export async function issueInvoice(trx: Trx, orderId: string, draft: InvoiceDraft, now: Date): Promise<IssuedInvoice> {
	return (await findInvoiceOfOrder(trx, orderId)) ?? issue(trx, "invoice", { orderId, refundId: null, corrected: null }, draft, now);
}

/**
 * Issues the credit note of a refund, once, in a series of its own; it names the invoice that it corrects.
 * Looking first is the rule; net: invoices.refund_id is unique.
 */
export async function issueCreditNote(
	trx: Trx,
	refundId: string,
	corrected: IssuedInvoice,
	draft: InvoiceDraft,
	now: Date,
): Promise<IssuedInvoice> {
	return (
		(await findCreditNoteOfRefund(trx, refundId)) ??
		issue(trx, "credit_note", { orderId: corrected.order_id, refundId, corrected }, draft, now)
	);
}

async function issue(
	trx: Trx,
	kind: InvoiceData["kind"],
	{ orderId, refundId, corrected }: { orderId: string; refundId: string | null; corrected: IssuedInvoice | null },
	draft: InvoiceDraft,
	now: Date,
): Promise<IssuedInvoice> {
	const year = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(zone).year;
	const { number, issuedAt } = await takeNumber(trx, kind, year, now);
	const data: InvoiceData = {
		...draft,
		kind,
		number: `${series[kind]}${year}-${String(number).padStart(6, "0")}`,
		issuedAt: issuedAt.toISOString(),
		corrects: corrected && { number: corrected.number, issuedAt: corrected.data.issuedAt },
	};
	return insertInvoice(trx, { orderId, refundId, corrects: corrected?.id ?? null, year, numberInYear: number, data });
}
