import type { DocumentStorage } from "../documents/storage.ts";
import { formatInvoiceNumber, type InvoiceNumber, parseInvoiceNumber } from "./invoice-number.ts";
import type { IssuedInvoice } from "./invoices.store.server.ts";

/** What the document storage knows of the numbers that were issued: one object for each, which a restored database does not have. */

const folder = "invoices/";

const nameOf = (number: string) => `${folder}${number}`;

/** A number is taken by an invoice that this database does not have: it may have reached another customer. */
export class NumberIssuedElsewhere extends Error {
	readonly number: string;

	constructor(number: string) {
		super(`the number ${number} is in the document storage, and not in the database: none is issued until the series has moved on`);
		this.number = number;
	}
}

/**
 * Keeps a number beside the documents, before its invoice leaves: whose it is, and where its PDF is; null while it has none.
 * @throws when the storage fails: the invoice must not leave then.
 */
export async function keepNumber(storage: DocumentStorage, invoice: IssuedInvoice, pdfPath: string | null): Promise<void> {
	const content = { order: invoice.order_id, invoice: invoice.id, pdf: pdfPath };
	await storage.putObject(nameOf(invoice.number), Buffer.from(JSON.stringify(content)));
}

/** @throws NumberIssuedElsewhere when a number that is about to be taken was issued already; another error when the storage fails. */
export async function refuseIssuedNumber(storage: DocumentStorage, number: string): Promise<void> {
	if ((await storage.findObject(nameOf(number))) !== null) throw new NumberIssuedElsewhere(number);
}

/** The numbers of a series that the storage knows behind `last`, in their order. */
export async function listNumbersBehind(storage: DocumentStorage, last: InvoiceNumber): Promise<InvoiceNumber[]> {
	const prefix = nameOf(formatInvoiceNumber(last).split("-")[0] ?? "");
	const found: InvoiceNumber[] = [];
	for await (const name of storage.listObjects(`${prefix}-`, nameOf(formatInvoiceNumber(last)))) {
		const number = parseInvoiceNumber(name.slice(folder.length));
		if (number !== null && number.place > last.place) found.push(number);
	}
	return found.sort((one, other) => one.place - other.place);
}

/** Deletes what the storage knows of a number: the law asks for its invoice no more. */
export async function deleteNumber(storage: DocumentStorage, number: string): Promise<void> {
	await storage.remove(nameOf(number));
}
