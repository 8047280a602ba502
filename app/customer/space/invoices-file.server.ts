import { readDocument } from "../../emails/read-document.server.ts";
import { findDocument } from "../../orders/documents/documents.store.server.ts";
import type { StorageContext } from "../../orders/documents/storage.ts";
import { listOrderNumbers, writeInvoiceLines, writePurchaseEntries } from "./customer-books.ts";
import { getInvoiceOwner } from "./describe-invoices.server.ts";
import { findErasedInvoiceDocument, listOwnInvoices, listSirens } from "./invoices.store.server.ts";

/** `unavailable`: the storage does not answer, or lost the file. */
export type InvoicesFile =
	| { ok: true; bytes: Uint8Array<ArrayBuffer>; contentType: string }
	| { ok: false; code: "unknown" | "unavailable" };

/**
 * @param name « achats-2026.csv », « achats-2026-fec.txt », or « F2020-000123.pdf » of an invoice whose order's data are erased: others
 * have the link of a document.
 */
export async function createInvoicesFile(context: StorageContext, mailbox: string, name: string): Promise<InvoicesFile> {
	const [, year, kind] = /^achats-(20\d\d)(\.csv|-fec\.txt)$/.exec(name) ?? [];
	if (year === undefined) return readInvoice(context, mailbox, name);
	const invoices = await listOwnInvoices(context.db, await getInvoiceOwner(context, mailbox), Number(year));
	if (kind !== ".csv") return { ok: true, bytes: writePurchaseEntries(invoices), contentType: "text/plain; charset=iso-8859-15" };
	const bytes = writeInvoiceLines(invoices, await listSirens(context.db, listOrderNumbers(invoices)));
	return { ok: true, bytes, contentType: "text/csv; charset=utf-8; header=present" };
}

async function readInvoice(context: StorageContext, mailbox: string, name: string): Promise<InvoicesFile> {
	const [, number] = /^([FA]20\d\d-\d{6,})\.pdf$/.exec(name) ?? [];
	const owner = await getInvoiceOwner(context, mailbox);
	const id = number === undefined ? null : await findErasedInvoiceDocument(context.db, owner, number);
	const document = id && (await findDocument(context.db, id));
	if (!document) return { ok: false, code: "unknown" };
	const read = await readDocument(context, document);
	return read.ok ? { ...read, contentType: "application/pdf" } : { ok: false, code: "unavailable" };
}
