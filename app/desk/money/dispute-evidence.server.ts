import { once } from "node:events";
import { PassThrough, type Readable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { ParisDate } from "../../books/files/zip-time.ts";
import { getDocumentFileName } from "../../emails/name-document.server.ts";
import { listDocuments } from "../../orders/documents/documents.store.server.ts";
import type { Order } from "../../orders/order.ts";
import { listOrdersOfPurchase } from "../../orders/orders.store.server.ts";
import type { Shop } from "../../shop.ts";
import { type EvidenceFile, listEvidenceEmails } from "./evidence-emails.server.ts";
import { describeInTexts, type EvidenceLines } from "./evidence-texts.server.ts";

/**
 * Streams the evidence about a disputed payment as one archive: of the order, or of all orders of its purchase, each in a folder. Each file
 * is named after the field of the provider's form that it answers (docs.stripe.com/api/disputes/evidence_object).
 * PDFs are read one by one, as the client takes them.
 */
export async function createEvidenceZip(shop: Shop, order: Order): Promise<Readable> {
	const [first = order, ...others] = await listOrdersOfPurchase(shop.db, order.purchase_id);
	const folder = (of: Order) => (others.length > 0 ? `${of.order_number}/` : "");
	const readLine = async (of: Order) => ({ order: of, emails: await listEvidenceEmails(shop, of, folder(of)) });
	const lines: EvidenceLines = [await readLine(first)];
	for (const other of others) lines.push(await readLine(other));
	const files = [...(await describeInTexts(shop, lines)), ...lines.flatMap(({ emails }) => emails.flatMap((email) => email.files))];
	const { ZipFile } = await import("yazl");
	const zip = new ZipFile();
	const mtime = new ParisDate(shop.now());
	const output = zip.outputStream as PassThrough;
	const stream = output.pipe(new PassThrough());
	const left = new AbortController();
	stream.on("close", () => left.abort());
	const addPdfs = async () => {
		for (const { order: each } of lines)
			for await (const { name, content } of readPdfs(shop, each, folder(each))) {
				zip.addBuffer(Buffer.from(content), name, { mtime, compress: false });
				await setImmediate();
				if (output.writableNeedDrain) await once(output, "drain", { signal: left.signal });
			}
		zip.end();
	};
	for (const { name, content } of files) zip.addBuffer(Buffer.from(content), name, { mtime });
	addPdfs().catch((error) => stream.destroy(error));
	return stream;
}

/** Reads the PDFs of an order that are still stored. A lost one does not keep the others from the bank. */
async function* readPdfs({ db, storage, log }: Shop, order: Order, ofOrder: string): AsyncGenerator<EvidenceFile> {
	for (const document of await listDocuments(db, order.id)) {
		if (document.purged_at !== null) continue;
		const folder = document.doc_type === "kbis" ? "service_documentation" : "receipt";
		try {
			const content = await storage.get(document.storage_path);
			yield { name: `${folder}/${ofOrder}${await getDocumentFileName(db, order, document)}`, content };
		} catch {
			log.warn({ order: order.id, document: document.id }, "a document is missing in the evidence of a dispute");
		}
	}
}
