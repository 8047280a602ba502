import type { Database, Trx } from "../../server/database/database.ts";
import type { DocumentStorage } from "../documents/storage.ts";
import { formatInvoiceNumber, type InvoiceNumber, parseInvoiceNumber } from "./invoice-number.ts";
import { findDatabaseIdentity, type IssuedInvoice } from "./invoices.store.server.ts";

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

/** Where numbers are kept, and for whom. */
export interface Numbers {
	storage: DocumentStorage;
	/** True: nothing that it issues counts, so that a database made anew beside a storage that another one has used begins at 1. */
	demo?: boolean;
}

/** What the storage says of a number. Nothing of it can be read when the object is damaged. */
interface KeptNumber {
	order?: string;
	invoice?: string;
	/** Where its PDF is; null while it has none. */
	pdf?: string | null;
	/** The database that issued it. */
	database?: string;
}

/**
 * Keeps a number beside the documents, before its invoice leaves: whose it is, and where its PDF is, if it is known.
 * @throws NumberIssuedElsewhere when another invoice has it, such as one of a primary that was not stopped; another error when the
 * storage fails. The invoice must not leave then.
 */
export async function recordIssuedNumber(
	numbers: Numbers,
	db: Database | Trx,
	invoice: Pick<IssuedInvoice, "id" | "number" | "order_id">,
	pdfPath: string | null,
): Promise<void> {
	const database = await findDatabaseIdentity(db);
	const before = await findNumber(numbers, database, invoice.number);
	if (before !== null && before.invoice !== invoice.id) throw new NumberIssuedElsewhere(invoice.number);
	const pdf = pdfPath ?? before?.pdf ?? null;
	if (before !== null && before.pdf === pdf) return;
	const content: KeptNumber = { order: invoice.order_id, invoice: invoice.id, pdf, database };
	await numbers.storage.putObject(nameOf(invoice.number), Buffer.from(JSON.stringify(content)));
}

/** @throws NumberIssuedElsewhere when a number that is about to be taken was issued already; another error when the storage fails. */
export async function refuseIssuedNumber(numbers: Numbers, trx: Trx, number: string): Promise<void> {
	if ((await findNumber(numbers, await findDatabaseIdentity(trx), number)) !== null) throw new NumberIssuedElsewhere(number);
}

/** What the storage says of a number; null when it was not issued, or in a demo by another database. */
async function findNumber({ storage, demo }: Numbers, database: string, number: string): Promise<KeptNumber | null> {
	const bytes = await storage.findObject(nameOf(number));
	if (bytes === null) return null;
	const found = parseKept(Buffer.from(bytes).toString());
	return demo && found.database !== undefined && found.database !== database ? null : found;
}

function parseKept(text: string): KeptNumber {
	try {
		return Object(JSON.parse(text));
	} catch {
		return {};
	}
}

/** The numbers of a series that the storage knows behind `last`, in their order. */
export async function listNumbersBehind(storage: DocumentStorage, last: InvoiceNumber): Promise<InvoiceNumber[]> {
	const prefix = nameOf(formatInvoiceNumber(last).split("-")[0] ?? "");
	const found: InvoiceNumber[] = [];
	for await (const { path } of storage.list(`${prefix}-`, nameOf(formatInvoiceNumber(last)))) {
		const number = parseInvoiceNumber(path.slice(folder.length));
		if (number !== null && number.place > last.place) found.push(number);
	}
	return found.sort((one, other) => one.place - other.place);
}

/** Deletes what the storage knows of a number: the law asks for its invoice no more. */
export async function deleteNumber(storage: DocumentStorage, number: string): Promise<void> {
	await storage.remove(nameOf(number));
}
