import type { Database, Trx } from "../../../server/database/database.ts";
import { correctionDays, maxCorrections } from "../../catalogue/invoice-correction.ts";
import type { InvoiceData } from "../../invoices/invoice.ts";
import { type IssuedInvoice, listInvoices } from "../../invoices/invoices.server.ts";
import { replaceInvoice } from "../../invoices/issue-invoice.server.ts";
import type { Order } from "../../orders/order.ts";
import { lockOrder, recordEvent } from "../../orders/orders.server.ts";
import { listEffectiveRefunds, listPaymentsOfPurchase } from "../../refunds/refunds.server.ts";
import { getNumbering, type InvoicingContext, issueNumbered } from "../invoice-order.server.ts";
import { invoiceOrderJob } from "../jobs.ts";

export type Buyer = Omit<InvoiceData["buyer"], "email">;

/** Why an invoice stays as it is. `not-ready`: its PDF is being made. `too-many`: it was corrected three times. */
export type InvoiceRefusal = "no-invoice" | "not-ready" | "too-late" | "disputed" | "refunded" | "too-many";

export type CorrectableInvoice = { ok: true; invoice: IssuedInvoice; until: Date; left: number } | { ok: false; code: InvoiceRefusal };

/**
 * Finds the invoice of an order that its customer may correct now (docs/rules.md, R57).
 * @param invoices all of the order. @returns it with the last instant and the number of corrections left.
 */
export async function findCorrectableInvoice(
	db: Database | Trx,
	order: Order,
	invoices: readonly IssuedInvoice[],
	now: Date,
): Promise<CorrectableInvoice> {
	const bills = invoices.filter(({ kind }) => kind === "invoice");
	const first = bills.find(({ replaces }) => replaces === null);
	const invoice = bills.find(({ id }) => bills.every(({ replaces }) => replaces !== id));
	if (first === undefined || invoice === undefined || order.erased_at !== null) return { ok: false, code: "no-invoice" };
	const until = new Date(first.issued_at.getTime() + correctionDays * 86_400_000);
	const left = maxCorrections - (bills.length - 1);
	if (now > until) return { ok: false, code: "too-late" };
	if (order.disputed_at !== null || order.dispute_status === "lost") return { ok: false, code: "disputed" };
	if (order.status === "failed" || (await isRefunded(db, order, invoices))) return { ok: false, code: "refunded" };
	if (left <= 0) return { ok: false, code: "too-many" };
	return invoice.document_id === null ? { ok: false, code: "not-ready" } : { ok: true, invoice, until, left };
}

/** Whether money of the order goes back, went back, or came back again: a credit note of it is issued or will be. */
async function isRefunded(db: Database | Trx, order: Order, invoices: readonly IssuedInvoice[]): Promise<boolean> {
	if (invoices.some(({ refund_id }) => refund_id !== null)) return true;
	const payment = (await listPaymentsOfPurchase(db, order.purchase_id)).find(({ role }) => role === "order");
	const refunds = await listEffectiveRefunds(db, order.id);
	return refunds.some(({ payment_id }) => payment_id === payment?.id);
}

/** `unchanged`: the invoice says the same already. `corrected-meanwhile`: another invoice is in force than the customer saw. */
export type InvoiceCorrectionRefusal = InvoiceRefusal | "unchanged" | "corrected-meanwhile";

export type InvoiceCorrectionOutcome =
	| { ok: true; number: string }
	| { ok: false; code: InvoiceCorrectionRefusal }
	/** `retryAfter`: seconds. */
	| { ok: false; code: "limited"; retryAfter: number };

/** Tries allowed per order and hour. */
const triesPerHour = 10;

/**
 * Makes the invoice of an order out to another buyer: a credit note cancels it, and a new invoice takes its place, in one transaction.
 * No money moves. A job makes their PDFs and sends them.
 * @param seen the number of the invoice that the customer saw, so that two tabs or clicks correct it once.
 * @throws when the storage does not answer, or no number can be taken: nothing was issued.
 */
export async function correctInvoice(
	context: InvoicingContext,
	orderId: string,
	{ seen, buyer }: { seen: string; buyer: Buyer },
): Promise<InvoiceCorrectionOutcome> {
	const { jobs, limits, now } = context;
	const taken = await limits("invoice-correction", triesPerHour, 3600).take(orderId);
	if (!taken.ok) return { ...taken, code: "limited" };
	return issueNumbered(context, orderId, async (trx): Promise<InvoiceCorrectionOutcome> => {
		const order = await lockOrder(trx, orderId);
		if (order === null) return { ok: false, code: "no-invoice" };
		const invoices = await listInvoices(trx, orderId);
		const seenInvoice = invoices.find(({ number }) => number === seen);
		if (invoices.some(({ replaces }) => replaces !== null && replaces === seenInvoice?.id))
			return { ok: false, code: "corrected-meanwhile" };
		const found = await findCorrectableInvoice(trx, order, invoices, now());
		if (!found.ok) return found;
		const replaced = found.invoice;
		if (replaced.number !== seen) return { ok: false, code: "corrected-meanwhile" };
		if (isSameBuyer(replaced.data.buyer, buyer)) return { ok: false, code: "unchanged" };
		const { number } = await replaceInvoice(getNumbering(context), trx, { replaced, buyer, now: now() });
		await recordEvent(trx, { orderId, type: "invoice_corrected", payload: { invoice: number, replaces: replaced.number }, now: now() });
		await jobs.send(trx, invoiceOrderJob, { orderId, corrected: number });
		return { ok: true, number };
	});
}

function isSameBuyer(issued: InvoiceData["buyer"], { name, contact, address, postalCode, city, siren, vat }: Buyer): boolean {
	const same: [unknown, unknown][] = [
		[issued.name, name],
		[issued.contact, contact],
		[issued.address, address],
		[issued.postalCode, postalCode],
		[issued.city, city],
		[issued.siren, siren],
		[issued.vat, vat],
	];
	return same.every(([before, after]) => (before || null) === (after || null));
}
