import type { Database, Trx } from "../../../server/database/database.ts";
import { companyName } from "../../companies/company-name.ts";
import { findCompany } from "../../companies/find-company.server.ts";
import type { Siren } from "../../companies/siren.ts";
import { queueOrderEmail } from "../../emails/queue-order-email.server.ts";
import { deleteMailsOfKind } from "../../mail/mails.store.server.ts";
import { findExtract } from "../../orders/documents/documents.store.server.ts";
import { findInvoiceOfPurchase } from "../../orders/invoices/invoices.store.server.ts";
import { replaceInvoice } from "../../orders/invoices/issue-invoice.server.ts";
import type { Order } from "../../orders/order.ts";
import { lockOrderWithPurchase, recordEvent, updateOrder } from "../../orders/orders.store.server.ts";
import { checkServable, type NotServable } from "../check-servable.ts";
import { deleteDrafts } from "../drafts/drafts.store.server.ts";
import { findRequest } from "../extract-requests.store.server.ts";
import { isLineOf, toLineDescription } from "../invoice-draft.server.ts";
import { getNumbering, type InvoicingContext, issueNumbered } from "../invoice-order.server.ts";
import { insertNote } from "../notes/notes.store.server.ts";

/** `no-agreement`: nothing says how the customer agreed. `invoice-not-ready`: the PDF of the invoice is being made. */
export type ChangeCompanyRefusal =
	| NotServable
	| "unknown-order"
	| "unknown-company"
	| "company-without-extract"
	| "removed"
	| "same-company"
	| "has-extract"
	| "reported-not-found"
	| "disputed"
	| "no-agreement"
	| "invoice-not-ready";

/**
 * Changes the company of an order that is not served yet, when its customer agreed, in place of a refund: the price stays, an invoice that
 * names the company is replaced, and the customer gets an e-mail.
 * @param agreement how and when the customer agreed: a note of the order.
 * @throws when no invoice number can be taken; nothing changes then.
 */
export async function changeCompany(
	context: InvoicingContext,
	{ orderId, siren, agreement, operator }: { orderId: string; siren: Siren; agreement: string; operator: string },
): Promise<{ ok: true; name: string } | { ok: false; code: ChangeCompanyRefusal }> {
	const { db, jobs, now } = context;
	if (agreement.trim() === "") return { ok: false, code: "no-agreement" };
	const found = await findOrderable(db, siren);
	if (!found.ok) return found;
	const { name } = found;
	return issueNumbered(context, orderId, async (trx) => {
		const order = (await lockOrderWithPurchase(trx, orderId))?.order ?? null;
		const refused = order === null ? "unknown-order" : await checkOrder(trx, order, siren);
		if (order === null || refused !== null) return { ok: false as const, code: refused ?? "unknown-order" };
		const replaced = await findInvoiceOfPurchase(trx, order.purchase_id);
		if (replaced !== null && replaced.document_id === null) return { ok: false as const, code: "invoice-not-ready" };

		// the registry was asked for another company
		await updateOrder(trx, orderId, { siren, company_name: name, extract_requested_at: null });
		await deleteDrafts(trx, [orderId]);
		await insertNote(trx, { orderId, operator, text: agreement.trim(), now: now() });
		await recordEvent(trx, { orderId, type: "company_changed", payload: { siren, replaces: order.siren, name, by: operator }, now: now() });
		if (replaced !== null) {
			const description = toLineDescription({ ...order, siren, company_name: name });
			const lines = replaced.data.lines.map((line) => (isLineOf(line, order) ? { ...line, description } : line));
			const { buyer } = replaced.data;
			const invoice = await replaceInvoice(getNumbering(context), trx, { replaced, buyer, lines, now: now() });
			await recordEvent(trx, {
				orderId,
				type: "invoice_corrected",
				payload: { invoice: invoice.number, replaces: replaced.number },
				now: now(),
			});
			await jobs.send(trx, "invoice-order", { orderId, corrected: invoice.number });
		}
		// a second change sends a second e-mail
		await deleteMailsOfKind(trx, orderId, "company-changed");
		await queueOrderEmail(context, trx, { orderId, kind: "company-changed" });
		return { ok: true as const, name };
	});
}

/** Why the company of an order would not change now; null when nothing speaks against it. */
export async function checkCompanyChange(db: Database, order: Order, siren: Siren): Promise<ChangeCompanyRefusal | null> {
	const found = await findOrderable(db, siren);
	return found.ok ? checkOrder(db, order, siren) : found.code;
}

async function findOrderable(db: Database, siren: Siren): Promise<{ ok: true; name: string } | { ok: false; code: ChangeCompanyRefusal }> {
	const company = await findCompany(db, siren);
	if (company === null) return { ok: false, code: "unknown-company" };
	if (company.eligibility === "none") return { ok: false, code: "company-without-extract" };
	if (company.status === "removed") return { ok: false, code: "removed" };
	return { ok: true, name: companyName(company.name) };
}

async function checkOrder(db: Database | Trx, order: Order, siren: Siren): Promise<ChangeCompanyRefusal | null> {
	const refused = checkServable(order);
	if (refused !== null) return refused;
	if (order.siren === siren) return "same-company";
	if (order.disputed_at !== null) return "disputed";
	const request = await findRequest(db, order.id);
	// an issuer's own extract is no upload
	if (request?.storage_path || (await findExtract(db, order.id))) return "has-extract";
	return request?.not_found_at ? "reported-not-found" : null;
}
