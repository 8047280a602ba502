import { Temporal } from "temporal-polyfill";
import type { Trx } from "../../server/database/database.ts";
import { zone } from "../catalogue/instants.ts";
import type { InvoiceData } from "./invoice.ts";
import { formatInvoiceNumber } from "./invoice-number.ts";
import { allocateNumber, findCreditNoteOfRefund, findInvoiceOfOrder, type IssuedInvoice, insertInvoice } from "./invoices.store.server.ts";
import { assertNumberIsFree, type NumberStorage } from "./issued-numbers.server.ts";

/** The content of an invoice before its number is allocated. */
export type InvoiceDraft = Omit<InvoiceData, "kind" | "number" | "issuedAt" | "corrects">;

/**
 * Issues the invoice of an order once; a second call returns the first one. The caller's transaction must hold the order's lock.
 * The index invoices_one_per_order prevents a second invoice as well.
 * Numbers are gapless in each year (CGI ann. II art. 242 nonies A, I, 7°); the year is that of Europe/Paris.
 * @throws NumberIssuedElsewhere when the storage has the next number, so that this database is older than the issued invoices.
 */
export async function issueInvoice(
	numbers: NumberStorage,
	trx: Trx,
	{ orderId, draft, now }: { orderId: string; draft: InvoiceDraft; now: Date },
): Promise<IssuedInvoice> {
	const issued = await findInvoiceOfOrder(trx, orderId);
	return issued ?? issue(numbers, trx, { kind: "invoice", orderId, refundId: null, corrected: null, draft, now });
}

/**
 * Issues the credit note of a refund once, in a separate series. It names the corrected invoice.
 * The unique column refund_id prevents a second one as well.
 * @throws NumberIssuedElsewhere as issueInvoice does.
 */
export async function issueCreditNote(
	numbers: NumberStorage,
	trx: Trx,
	{ refundId, corrected, draft, now }: { refundId: string; corrected: IssuedInvoice; draft: InvoiceDraft; now: Date },
): Promise<IssuedInvoice> {
	const issued = await findCreditNoteOfRefund(trx, refundId);
	return issued ?? issue(numbers, trx, { kind: "credit_note", orderId: corrected.order_id, refundId, corrected, draft, now });
}

interface InvoiceToIssue {
	kind: InvoiceData["kind"];
	orderId: string;
	refundId: string | null;
	/** The invoice that a credit note corrects. */
	corrected: IssuedInvoice | null;
	draft: InvoiceDraft;
	now: Date;
}

async function issue(
	numbers: NumberStorage,
	trx: Trx,
	{ kind, orderId, refundId, corrected, draft, now }: InvoiceToIssue,
): Promise<IssuedInvoice> {
	const year = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(zone).year;
	const { number: place, issuedAt } = await allocateNumber(trx, kind, year, now);
	const number = formatInvoiceNumber({ kind, year, place });
	await assertNumberIsFree(numbers, trx, number);
	const data: InvoiceData = {
		...draft,
		kind,
		number,
		issuedAt: issuedAt.toISOString(),
		corrects: corrected && { number: corrected.number, issuedAt: corrected.data.issuedAt },
	};
	return insertInvoice(trx, { orderId, refundId, corrects: corrected?.id ?? null, year, numberInYear: place, data });
}
