import type { Database } from "../../server/database/database.ts";
import type { Company } from "../companies/company.ts";
import { unnamed } from "../companies/company-name.ts";
import { findCompany } from "../companies/find-company.server.ts";
import type { StoredDocument } from "../orders/documents/documents.store.server.ts";
import { formatFileName, formatFileNameInPurchase } from "../orders/documents/file-name.ts";
import { findInvoiceOfDocument } from "../orders/invoices/invoices.store.server.ts";
import type { Order } from "../orders/order.ts";

/** Finds the company of an order as it is in the registry now; null when the registry no longer has it. */
export const findOrderedCompany = (db: Database, { siren }: Order): Promise<Company | null> => findCompany(db, siren);

/** Whether the extract of a company is that of a sole trader: an extract K. */
export const isSoleTrader = (company: Company | null): boolean => company?.eligibility === "extrait-k";

/** Returns the name of an order's extract beside those of the other orders of its purchase; without the company when it is masked. */
export async function getExtractNameInPurchase(db: Database, order: Order): Promise<string> {
	const company = await findOrderedCompany(db, order);
	const isMasked = order.company_name === unnamed || company?.name === null;
	return formatFileNameInPurchase({
		companyName: isMasked ? null : order.company_name,
		soleTrader: isSoleTrader(company),
		reference: order.reference,
		orderNumber: order.order_number,
	});
}

/** Returns the file name of a document, for downloads and attachments; without the company when it is masked, also since the order. */
export async function getDocumentFileName(db: Database, order: Order, document: StoredDocument): Promise<string> {
	const { doc_type: type, issued_at: issuedAt } = document;
	const company = type === "kbis" ? await findOrderedCompany(db, order) : null;
	const invoice = type === "kbis" ? null : await findInvoiceOfDocument(db, document.id);
	const isMasked = order.company_name === unnamed || company?.name === null;
	return formatFileName({
		type,
		issuedAt,
		siren: order.siren,
		number: invoice?.number ?? null,
		companyName: isMasked ? null : order.company_name,
		soleTrader: isSoleTrader(company),
	});
}
