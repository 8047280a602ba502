import type { Trx } from "../../server/database.ts";
import type { Runtime } from "../../server/runtime.ts";
import { cents } from "../catalogue/money.ts";
import { services } from "../catalogue/services.ts";
import { keepDocument } from "../documents/keep-document.server.ts";
import type { DocumentStorage } from "../documents/storage.ts";
import { type IssuedInvoice, listInvoices, setInvoiceDocument } from "../invoices/invoices.store.server.ts";
import { type InvoiceDraft, issueCreditNote, issueInvoice } from "../invoices/issue-invoice.server.ts";
import { makeInvoice } from "../invoices/make-invoice.server.ts";
import { listMails } from "../mail/mails.store.server.ts";
import type { Order } from "./order.ts";
import { lockOrder } from "./orders.store.server.ts";
import { queueOrderMail } from "./queue-order-mail.server.ts";
import { findPayment, findRefund, listRefunds } from "./refunds.store.server.ts";

type Deps = Pick<Runtime, "db" | "jobs" | "now" | "environment"> & {
	storage: DocumentStorage;
	/** How a PDF is made, where it is not what matters: most of the work lies in it. */
	makePdf?: typeof makeInvoice;
};

/**
 * Issues the invoice of a paid order, keeps its PDF and lets the confirmation leave with it. May run again from anywhere:
 * the number is taken in one transaction with its invoice, the PDF is made from what was issued.
 * @throws when the PDF cannot be kept: the job is tried again.
 */
export async function invoiceOrder(deps: Deps, orderId: string): Promise<void> {
	const invoice = await deps.db.transaction().execute(async (trx) => {
		const order = await lockOrder(trx, orderId);
		return order?.paid_at ? issueInvoice(trx, orderId, draftOf(deps, order, order.paid_at), deps.now()) : null;
	});
	if (invoice) await keepPdf(deps, invoice, (trx, documentId) => queueOrderMail(deps, trx, orderId, "confirmation", { documentId }));
}

/**
 * Issues the credit note of a refund that went through (CGI art. 272, 1), keeps its PDF and tells the customer.
 * A payment that paid for nothing was never invoiced: its refund needs none. Nor does what is credited already: a refund that the bank
 * sent back keeps its credit note, and the ones that make it again are credited with no more than what is out beyond that.
 */
export async function creditRefund(deps: Deps, refundId: string): Promise<void> {
	const { db, now } = deps;
	const found = await findRefund(db, refundId);
	if (found === null) return;
	const tellAs = (kind: "refunded" | "surplus-refunded") => (trx: Trx, documentId: string | null) =>
		queueOrderMail(deps, trx, found.order_id, kind, { documentId, refundId });
	const tell = tellAs("refunded");
	const creditNote = await db.transaction().execute(async (trx) => {
		const order = await lockOrder(trx, found.order_id);
		// once more: the bank may have sent it back meanwhile
		const refund = await findRefund(trx, refundId);
		if (order === null || refund?.status !== "succeeded") return null;
		const payment = await findPayment(trx, refund.payment_id);
		if (payment?.role !== "order") return void (await tellAs("surplus-refunded")(trx, null));
		if (!order.paid_at) return null;
		const credits = (await listInvoices(trx, order.id)).filter(({ kind }) => kind === "credit_note");
		const issued = credits.find(({ refund_id }) => refund_id === refundId);
		if (issued) return issued;
		// told without a credit note before: what is to be credited now is another refund's
		if ((await listMails(trx, order.id)).some((mail) => mail.kind === "refunded" && mail.refund_id === refundId)) return null;
		const out = (await listRefunds(trx, order.id)).filter((each) => each.payment_id === payment.id && each.status === "succeeded");
		const uncredited = sumOf(out.map(({ amount_cents }) => amount_cents)) - sumOf(credits.map(({ total_cents }) => total_cents));
		const total = cents(Math.min(refund.amount_cents, uncredited));
		if (total <= 0) return void (await tell(trx, null));
		const invoice = await issueInvoice(trx, order.id, draftOf(deps, order, order.paid_at), now());
		const line = { ...invoice.data.line, total };
		const refundedAt = (refund.settled_at ?? now()).toISOString();
		const { email: _, ...buyer } = invoice.data.buyer; // of an invoice from when they had one
		return issueCreditNote(trx, refundId, invoice, { ...invoice.data, buyer, line, paidAt: refundedAt }, now());
	});
	if (creditNote) await keepPdf(deps, creditNote, tell);
}

const sumOf = (amounts: number[]) => amounts.reduce((sum, amount) => sum + amount, 0);

async function keepPdf(
	{ db, storage, now, makePdf = makeInvoice }: Deps,
	invoice: IssuedInvoice,
	then: (trx: Trx, documentId: string) => Promise<void>,
) {
	if (invoice.document_id !== null) return;
	const stored = await storage.put(await makePdf(invoice.data));
	await db.transaction().execute(async (trx) => {
		if (!(await lockOrder(trx, invoice.order_id))) return;
		const document = await keepDocument(trx, {
			orderId: invoice.order_id,
			type: invoice.kind,
			issuedAt: invoice.issued_at,
			stored,
			now: now(),
		});
		// another run was faster: its document counts
		if (!(await setInvoiceDocument(trx, invoice.id, document.id))) throw new Error("the invoice has its PDF already");
		await then(trx, document.id);
	});
}

/** An order as its invoice tells it. */
function draftOf({ environment }: Pick<Runtime, "environment">, order: Order, paidAt: Date): InvoiceDraft {
	const { shop, invoices } = environment;
	const person = `${order.first_name} ${order.last_name}`;
	const service = services[order.product_code];
	return {
		suppliedAt: paidAt.toISOString(),
		paidAt: paidAt.toISOString(),
		orderNumber: order.order_number,
		seller: {
			name: shop.name,
			legalEntity: shop.legalEntity,
			address: shop.address,
			siren: shop.siren.replace(/\s/g, ""),
			vat: shop.vat.replace(/\s/g, ""),
			email: shop.email,
			phone: shop.phone,
		},
		buyer: {
			name: order.billing_company ?? person,
			contact: order.billing_company ? person : null,
			address: order.address,
			postalCode: order.postal_code,
			city: order.city,
			// a company that orders its own extract has told us its SIREN
			siren: order.billing_company?.trim().toUpperCase() === order.company_name.toUpperCase() ? order.siren : null,
		},
		line: { description: `${service.name} : extrait de ${order.company_name} (SIREN ${order.siren})`, total: order.price_cents },
		vatOnDebits: invoices.vatOnDebits,
		latePenalty: invoices.latePenalty,
	};
}
