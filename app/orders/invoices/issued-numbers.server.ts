import type { Database, Trx } from "../../../server/database/database.ts";
import type { DocumentStorage } from "../documents/storage.ts";
import { formatInvoiceNumber, type InvoiceNumber, parseInvoiceNumber } from "./invoice-number.ts";
import { findDatabaseIdentity, type IssuedInvoice } from "./invoices.store.server.ts";

/** The document storage has one object per issued number, which survives a restore of the database. */

const folder = "invoices/";

const getObjectName = (number: string) => `${folder}${number}`;

/** An invoice that this database lacks has the number, and a customer may have received it. */
export class NumberIssuedElsewhere extends Error {
	readonly number: string;

	constructor(number: string) {
		super(`the number ${number} is in the document storage, and not in the database: none is issued until the series has moved on`);
		this.number = number;
	}
}

/** The storage of issued numbers. */
export interface NumberStorage {
	storage: DocumentStorage;
	/** In a demo, numbers of other databases do not count, so that a new database starts at 1. */
	demo?: boolean;
}

/** The object of a number; empty when it is damaged. */
interface NumberObject {
	order?: string;
	invoice?: string;
	/** The path of the PDF; null before it exists. */
	pdf?: string | null;
	/** The identity of the issuing database. */
	database?: string;
}

/**
 * Records a number in the storage before its invoice is sent, with its order and the path of its PDF.
 * @throws NumberIssuedElsewhere when another invoice has it, such as one of an old primary; another error when the storage fails. The
 * invoice must not be sent then.
 */
export async function recordIssuedNumber(
	numbers: NumberStorage,
	db: Database | Trx,
	invoice: Pick<IssuedInvoice, "id" | "number" | "order_id">,
	pdfPath: string | null,
): Promise<void> {
	const database = await findDatabaseIdentity(db);
	const previous = await findNumber(numbers, database, invoice.number);
	if (previous !== null && previous.invoice !== invoice.id) throw new NumberIssuedElsewhere(invoice.number);
	const pdf = pdfPath ?? previous?.pdf ?? null;
	if (previous !== null && previous.pdf === pdf) return;
	const content: NumberObject = { order: invoice.order_id, invoice: invoice.id, pdf, database };
	await numbers.storage.putObject(getObjectName(invoice.number), Buffer.from(JSON.stringify(content)));
}

/** @throws NumberIssuedElsewhere when the number was issued already; another error when the storage fails. */
export async function assertNumberIsFree(numbers: NumberStorage, trx: Trx, number: string): Promise<void> {
	if ((await findNumber(numbers, await findDatabaseIdentity(trx), number)) !== null) throw new NumberIssuedElsewhere(number);
}

/** Finds the object of a number; null when it was not issued, or in a demo by another database. */
async function findNumber({ storage, demo }: NumberStorage, database: string, number: string): Promise<NumberObject | null> {
	const bytes = await storage.findObject(getObjectName(number));
	if (bytes === null) return null;
	const found = parseNumberObject(Buffer.from(bytes).toString());
	return demo && found.database !== undefined && found.database !== database ? null : found;
}

function parseNumberObject(text: string): NumberObject {
	try {
		return Object(JSON.parse(text));
	} catch {
		return {};
	}
}

/** Lists the numbers of a series in the storage after `last`, in order. */
export async function listNumbersAfter(storage: DocumentStorage, last: InvoiceNumber): Promise<InvoiceNumber[]> {
	const prefix = getObjectName(formatInvoiceNumber(last).split("-")[0] ?? "");
	const found: InvoiceNumber[] = [];
	for await (const { path } of storage.list(`${prefix}-`, getObjectName(formatInvoiceNumber(last)))) {
		const number = parseInvoiceNumber(path.slice(folder.length));
		if (number !== null && number.place > last.place) found.push(number);
	}
	return found.sort((a, b) => a.place - b.place);
}

/** Deletes the object of a number after the legal retention of its invoice. */
export async function deleteNumber(storage: DocumentStorage, number: string): Promise<void> {
	await storage.remove(getObjectName(number));
}
