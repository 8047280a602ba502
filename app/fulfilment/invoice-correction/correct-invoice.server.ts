import type { Database, Trx } from "../../../server/database/database.ts";
import { day, hourSeconds } from "../../../server/durations.ts";
import { correctionDays, maxCorrections } from "../../catalogue/after-sale.ts";
import { type AccessKey, mayAsk } from "../../orders/access.ts";
import type { InvoiceData, InvoiceLine } from "../../orders/invoices/invoice.ts";
import { type IssuedInvoice, listInvoicesOfPurchase } from "../../orders/invoices/invoices.store.server.ts";
import { replaceInvoice } from "../../orders/invoices/issue-invoice.server.ts";
import type { Order } from "../../orders/order.ts";
import { listOrdersOfPurchase, lockPurchase, recordEvent, updateOrder } from "../../orders/orders.store.server.ts";
import { isEffective, listPaymentsOfPurchase, listRefundsOfPayment } from "../../orders/refunds/refunds.store.server.ts";
import { isLineOf } from "../invoice-draft.server.ts";
import { getNumbering, type InvoicingContext, issueNumbered } from "../invoice-order.server.ts";

export type Buyer = InvoiceData["buyer"];

/** Why an invoice stays as it is. `not-ready`: its PDF is being made. `too-many`: it was corrected three times. */
export type InvoiceRefusal = "no-invoice" | "not-ready" | "too-late" | "disputed" | "refunded" | "too-many";

export type CorrectableInvoice = { ok: true; invoice: IssuedInvoice; until: Date; left: number } | { ok: false; code: InvoiceRefusal };

/**
 * Finds the invoice of a purchase that its customer may correct now (docs/rules.md, R57).
 * @returns it with the last instant and the number of corrections left.
 */
export async function findCorrectableInvoice(db: Database, purchaseId: string, now: Date): Promise<CorrectableInvoice> {
	const [orders, invoices] = await Promise.all([listOrdersOfPurchase(db, purchaseId), listInvoicesOfPurchase(db, purchaseId)]);
	return checkCorrectableInvoice(db, { orders, invoices, now });
}

/** As findCorrectableInvoice. @param orders all of the purchase. @param invoices all of the purchase. */
export async function checkCorrectableInvoice(
	db: Database | Trx,
	{ orders, invoices, now }: { orders: readonly Order[]; invoices: readonly IssuedInvoice[]; now: Date },
): Promise<CorrectableInvoice> {
	const bills = invoices.filter(({ kind }) => kind === "invoice");
	const first = bills.find(({ replaces }) => replaces === null);
	const invoice = bills.find(({ id }) => bills.every(({ replaces }) => replaces !== id));
	if (first === undefined || invoice === undefined || orders.some(({ erased_at }) => erased_at !== null))
		return { ok: false, code: "no-invoice" };
	const until = new Date(first.issued_at.getTime() + correctionDays * day);
	const left = maxCorrections - (bills.length - 1);
	if (now > until) return { ok: false, code: "too-late" };
	if (orders.some((order) => order.disputed_at !== null || order.dispute_status === "lost")) return { ok: false, code: "disputed" };
	if (orders.some(({ status }) => status === "failed") || (await isRefunded(db, invoice.order_id, invoices)))
		return { ok: false, code: "refunded" };
	if (left <= 0) return { ok: false, code: "too-many" };
	return invoice.document_id === null ? { ok: false, code: "not-ready" } : { ok: true, invoice, until, left };
}

/** Whether money of an order goes back, went back, or came back again: a credit note of it is issued or will be. */
async function isRefunded(db: Database | Trx, purchaseId: string, invoices: readonly IssuedInvoice[]): Promise<boolean> {
	if (invoices.some(({ refund_id }) => refund_id !== null)) return true;
	const payment = (await listPaymentsOfPurchase(db, purchaseId)).find(({ role }) => role === "order");
	return payment !== undefined && (await listRefundsOfPayment(db, payment.id)).some(isEffective);
}

/** `unchanged`: the invoice says the same already. `corrected-meanwhile`: another invoice is in force than the customer saw. */
export type InvoiceCorrectionRefusal = InvoiceRefusal | "unchanged" | "corrected-meanwhile";

export type InvoiceCorrectionOutcome =
	| { ok: true; number: string }
	| { ok: false; code: InvoiceCorrectionRefusal | "no-access" }
	/** `retryAfter`: seconds. */
	| { ok: false; code: "limited"; retryAfter: number };

/** Tries allowed per purchase and hour. */
const triesPerHour = 10;

/**
 * Makes the invoice of a purchase out to another buyer, or with other references of its lines: a credit note cancels it, and a new invoice takes its place, in one transaction.
 * No money moves. A job makes their PDFs and sends them.
 * @param seen the number of the invoice that the customer saw, so that two tabs or clicks correct it once.
 * @param references the customer's own, in the order of the lines; a line without one keeps its own. Their orders get them too.
 * @throws when the storage does not answer, or no number can be taken: nothing was issued.
 */
export async function correctInvoice(
	context: InvoicingContext,
	purchaseId: string,
	access: AccessKey,
	{ seen, buyer, references = [] }: { seen: string; buyer: Buyer; references?: readonly string[] },
): Promise<InvoiceCorrectionOutcome> {
	const { jobs, limits, now } = context;
	if (!mayAsk(access, "correct-invoice")) return { ok: false, code: "no-access" };
	const taken = await limits("invoice-correction", triesPerHour, hourSeconds).take(purchaseId);
	if (!taken.ok) return { ...taken, code: "limited" };
	return issueNumbered(context, purchaseId, async (trx): Promise<InvoiceCorrectionOutcome> => {
		const orders = await lockPurchase(trx, purchaseId);
		const invoices = await listInvoicesOfPurchase(trx, purchaseId);
		const seenInvoice = invoices.find(({ number }) => number === seen);
		if (invoices.some(({ replaces }) => replaces !== null && replaces === seenInvoice?.id))
			return { ok: false, code: "corrected-meanwhile" };
		const found = await checkCorrectableInvoice(trx, { orders, invoices, now: now() });
		if (!found.ok) return found;
		const replaced = found.invoice;
		if (replaced.number !== seen) return { ok: false, code: "corrected-meanwhile" };
		const lines = replaced.data.lines.map((line, index) => setReference(line, references[index] ?? line.reference ?? ""));
		const isChanged = (index: number) => lines[index]?.reference !== replaced.data.lines[index]?.reference;
		const changed = lines.filter((_, index) => isChanged(index));
		if (isSameBuyer(replaced.data.buyer, buyer) && changed.length === 0) return { ok: false, code: "unchanged" };
		const { number } = await replaceInvoice(getNumbering(context), trx, { replaced, buyer, lines, now: now() });
		const payload = { invoice: number, replaces: replaced.number };
		for (const order of orders) {
			const line = changed.find((each) => isLineOf(each, order));
			if (line) await updateOrder(trx, order.id, { reference: line.reference ?? null });
			if (line || order.id === purchaseId) await recordEvent(trx, { orderId: order.id, type: "invoice_corrected", payload, now: now() });
		}
		await jobs.send(trx, "invoice-order", { orderId: purchaseId, corrected: number });
		return { ok: true, number };
	});
}

function setReference({ reference: _, ...line }: InvoiceLine, reference: string): InvoiceLine {
	return reference === "" ? line : { ...line, reference };
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
