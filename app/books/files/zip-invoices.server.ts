import { PassThrough, type Readable } from "node:stream";
import type { StorageContext } from "../../orders/documents/storage.ts";
import type { Month } from "../month.ts";
import { listInvoicesOfMonth } from "./files.store.server.ts";
import { getPdfName } from "./invoice-list.ts";

/** More invoices need other means than one download. */
const maxInvoices = 20_000;

export type InvoiceZip =
	| { ok: true; name: string; count: number; stream: Readable }
	/** `without-pdf`: the PDF of an invoice is not made yet. */
	| { ok: false; code: "empty" | "without-pdf" | "too-many"; count: number };

/**
 * Streams the PDFs of a month's invoices and credit notes as one archive, reading one file at a time. The same invoices give the same
 * bytes. A lost or altered PDF ends the stream with an error, so that no incomplete archive looks complete.
 */
export async function zipInvoices({ db, storage }: Pick<StorageContext, "db" | "storage">, month: Month): Promise<InvoiceZip> {
	const invoices = await listInvoicesOfMonth(db, month);
	const count = invoices.length;
	if (count === 0) return { ok: false, code: "empty", count };
	if (count > maxInvoices) return { ok: false, code: "too-many", count };
	const missing = invoices.filter(({ path }) => path === null).length;
	if (missing > 0) return { ok: false, code: "without-pdf", count: missing };
	const { ZipFile } = await import("yazl");
	const zip = new ZipFile();
	const stream = new PassThrough();
	// PDFs are compressed already. Archives have local dates: this one is the same in every time zone.
	const mtime = new Date(Number(month.slice(0, 4)), Number(month.slice(5)), 1);
	const options = { compress: false, mtime, forceDosTimestamp: true, mode: 0o100644 };
	zip.on("error", (error) => stream.destroy(error));
	stream.on("close", () => zip.outputStream.unpipe(stream));
	for (const { data, path } of invoices)
		zip.addReadStreamLazy(getPdfName(data), options, (give) => {
			if (stream.destroyed) return; // the client has left
			storage.get(path ?? "").then(
				(bytes) => {
					const file = new PassThrough();
					file.end(bytes);
					give(null, file);
				},
				(error) => stream.destroy(error),
			);
		});
	zip.end();
	zip.outputStream.pipe(stream);
	return { ok: true, name: `factures-${month}.zip`, count, stream };
}
