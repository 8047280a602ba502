import { Temporal } from "temporal-polyfill";
import type { Trx } from "../../../server/database/database.ts";
import { zone } from "../../catalogue/instants.ts";
import type { InvoiceData, InvoiceLine } from "./invoice.ts";
import { formatInvoiceNumber } from "./invoice-number.ts";
import {
	allocateNumber,
	findCreditNoteOfRefund,
	findInvoiceOfPurchase,
	type IssuedInvoice,
	insertInvoice,
} from "./invoices.store.server.ts";
import { assertNumberIsFree, type NumberStorage } from "./issued-numbers.server.ts";

/** The content of an invoice before its number is allocated. */
export type InvoiceDraft = Omit<InvoiceData, "kind" | "number" | "issuedAt" | "corrects" | "replaces" | "replacedBy">;

/**
 * Issues the invoice of a purchase once; a second call returns the one in force. The caller's transaction must hold the purchase's lock.
 * The index invoices_first_of_order prevents a second invoice as well.
 * Numbers are gapless in each year (CGI ann. II art. 242 nonies A, I, 7°); the year is that of Europe/Paris.
 * @throws NumberIssuedElsewhere when the storage has the next number, so that this database is older than the issued invoices.
 */
export async function issueInvoice(
	numbers: NumberStorage,
	trx: Trx,
	{ purchaseId, draft, now }: { purchaseId: string; draft: InvoiceDraft; now: Date },
): Promise<IssuedInvoice> {
	const issued = await findInvoiceOfPurchase(trx, purchaseId);
	return issued ?? issue(numbers, trx, { kind: "invoice", orderId: purchaseId, draft, now });
}

/**
 * Issues an invoice with another buyer, or other descriptions of its lines, in the place of one that was issued, and the credit note that
 * cancels that one (CGI art. 289, I, 5). The caller's transaction must hold the purchase's lock. The indexes invoices_replaced_once and
 * invoices_cancelled_once prevent a second pair.
 * @throws NumberIssuedElsewhere as issueInvoice does.
 */
export async function replaceInvoice(
	numbers: NumberStorage,
	trx: Trx,
	{
		replaced,
		buyer,
		lines = replaced.data.lines,
		now,
	}: { replaced: IssuedInvoice; buyer: InvoiceData["buyer"]; lines?: InvoiceLine[]; now: Date },
): Promise<IssuedInvoice> {
	const { order_id: orderId, data } = replaced;
	const invoice = await issue(numbers, trx, {
		kind: "invoice",
		orderId,
		replaced,
		draft: { ...data, buyer, lines },
		now,
	});
	const draft = { ...data, paidAt: invoice.data.issuedAt };
	await issue(numbers, trx, { kind: "credit_note", orderId, corrected: replaced, replacedBy: invoice.number, draft, now });
	return invoice;
}

/**
 * Issues the credit note of a refund once, in a separate series. It names the corrected invoice, and belongs to the refunded order.
 * The unique column refund_id prevents a second one as well.
 * @throws NumberIssuedElsewhere as issueInvoice does.
 */
export async function issueCreditNote(
	numbers: NumberStorage,
	trx: Trx,
	{
		refundId,
		orderId,
		corrected,
		draft,
		now,
	}: { refundId: string; orderId: string; corrected: IssuedInvoice; draft: InvoiceDraft; now: Date },
): Promise<IssuedInvoice> {
	const issued = await findCreditNoteOfRefund(trx, refundId);
	return issued ?? issue(numbers, trx, { kind: "credit_note", orderId, refundId, corrected, draft, now });
}

interface InvoiceToIssue {
	kind: InvoiceData["kind"];
	/** The first order of the purchase or, for the credit note of a refund, the refunded order. */
	orderId: string;
	/** The refund of a credit note. */
	refundId?: string;
	/** The invoice that a credit note corrects. */
	corrected?: IssuedInvoice;
	/** The invoice in whose place an invoice is. */
	replaced?: IssuedInvoice;
	/** The number of the invoice in the place of the one that a credit note cancels. */
	replacedBy?: string;
	draft: InvoiceDraft;
	now: Date;
}

async function issue(
	numbers: NumberStorage,
	trx: Trx,
	{ kind, orderId, refundId, corrected, replaced, replacedBy, draft, now }: InvoiceToIssue,
): Promise<IssuedInvoice> {
	const year = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(zone).year;
	const { number: place, issuedAt } = await allocateNumber(trx, kind, year, now);
	const number = formatInvoiceNumber({ kind, year, place });
	await assertNumberIsFree(numbers, trx, number);
	// a draft made from an issued invoice also has what that one replaces
	const { replaces: _, replacedBy: __, ...content }: InvoiceDraft & Pick<InvoiceData, "replaces" | "replacedBy"> = draft;
	const data: InvoiceData = {
		...content,
		kind,
		number,
		issuedAt: issuedAt.toISOString(),
		corrects: corrected ? refer(corrected) : null,
		...(replaced && { replaces: refer(replaced) }),
		...(replacedBy && { replacedBy }),
	};
	const references = { refundId: refundId ?? null, corrects: corrected?.id ?? null, replaces: replaced?.id ?? null };
	return insertInvoice(trx, { orderId, ...references, year, numberInYear: place, data });
}

const refer = ({ number, data: { issuedAt } }: IssuedInvoice) => ({ number, issuedAt });
