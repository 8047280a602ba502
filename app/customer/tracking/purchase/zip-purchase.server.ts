import { createHash } from "node:crypto";
import { PassThrough, Readable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import type { ZipFile } from "yazl";
import { describeFault } from "../../../../server/observability/log.ts";
import { writeCsv } from "../../../books/files/csv.ts";
import { ParisDate } from "../../../books/files/zip-time.ts";
import { formatDay } from "../../../catalogue/instants.ts";
import { formatPeriod, retention } from "../../../catalogue/retention.ts";
import { isPosted } from "../../../catalogue/services.ts";
import { getDocumentFileName, getExtractNameInPurchase } from "../../../emails/name-document.server.ts";
import { readDocument } from "../../../emails/read-document.server.ts";
import { recordOpening, type StoredDocument } from "../../../orders/documents/documents.store.server.ts";
import type { StorageContext } from "../../../orders/documents/storage.ts";
import { isCancelled, isInProgress } from "../../../orders/lifecycle.ts";
import type { Order } from "../../../orders/order.ts";
import type { TermsFile } from "../../../orders/terms/terms-of-order.server.ts";

export interface PurchaseFiles {
	/** In the order of their lines, also those without a file. */
	orders: readonly [Order, ...Order[]];
	/** The current extract of each order that has one, by the order's id. */
	extracts: ReadonlyMap<string, StoredDocument>;
	invoice: StoredDocument | null;
	/** As they were accepted. */
	terms: TermsFile | null;
	/** For the second address, and for those who have only the URL of the confirmation: without what is the customer's own. */
	forOthers: boolean;
}

/**
 * Streams the documents of a purchase as one archive, with a table of them at its end. One file at a time is in memory: the next is read
 * once the client took the one before. A lost or altered file is left out, and the table says so; when the storage does not answer, the
 * stream ends with an error, so that the archive does not look complete. A client that leaves ends the stream.
 */
export function zipPurchase(context: StorageContext, files: PurchaseFiles): Readable {
	return Readable.from(writeArchive(context, files), { objectMode: false });
}

async function* writeArchive(context: StorageContext, files: PurchaseFiles): AsyncGenerator<Buffer> {
	const { now, log } = context;
	const [first] = files.orders;
	const { ZipFile } = await import("yazl");
	const zip = new ZipFile();
	const names = new Set<string>();
	const rows: ManifestRow[] = [];
	let isComplete = false;
	try {
		for (const order of files.orders) {
			const extract = files.extracts.get(order.id);
			const row = describeOrder(order, files);
			rows.push(row);
			if (extract === undefined || row.remark !== "") continue;
			const name = files.forOthers
				? await getDocumentFileName(context.db, order, extract)
				: await getExtractNameInPurchase(context.db, order);
			yield* addDocument(context, zip, { document: extract, name: makeUnique(name, names), row });
		}
		if (files.invoice !== null) {
			const row = describeInvoice(first, files.invoice);
			rows.push(row);
			yield* addDocument(context, zip, { document: files.invoice, name: await getDocumentFileName(context.db, first, files.invoice), row });
		}
		if (files.terms !== null) {
			const { fileName: name, bytes: content } = files.terms;
			rows.push(describeTerms(first, files.terms));
			yield* addFile(zip, { name, content, mtime: first.created_at });
		}
		yield* addFile(zip, { name: manifestName, content: writeManifest(rows, files), mtime: now() });
		zip.end();
		yield* getOutput(zip);
		isComplete = true;
	} finally {
		const sent = rows.filter(({ fileName }) => fileName !== null).length;
		log.info({ order: first.id, files: sent, complete: isComplete }, "the documents of a purchase were downloaded");
	}
}

/** The row of a line before its file is read. `remark`: why it has none. */
function describeOrder(order: Order, { extracts }: PurchaseFiles): ManifestRow {
	const extract = extracts.get(order.id);
	return {
		siren: order.siren,
		company: order.company_name,
		reference: order.reference,
		orderNumber: order.order_number,
		issuedAt: extract?.issued_at ?? null,
		fileName: null,
		sha256: null,
		remark: explainMissing(order, extract),
	};
}

/** Why a line has no file now; empty when it has one. */
function explainMissing(order: Order, extract: StoredDocument | undefined): string {
	if (isCancelled(order)) return "Annulée à votre demande";
	if (order.status === "failed") return "N’a pas abouti";
	if (isPosted(order.product_code))
		return order.tracking_number ? `Envoyé par courrier, suivi ${order.tracking_number}` : "Sera envoyé par courrier";
	if (extract === undefined) return isInProgress(order.status) ? "Pas encore prêt" : "Sans document";
	return extract.purged_at === null ? "" : `Supprimé ${formatPeriod(retention.deliveredExtracts)} après la livraison`;
}

const describeInvoice = (first: Order, { issued_at }: StoredDocument): ManifestRow => ({
	siren: "",
	company: "",
	reference: null,
	orderNumber: first.order_number,
	issuedAt: issued_at,
	fileName: null,
	sha256: null,
	remark: "Facture",
});

const describeTerms = (first: Order, { fileName, bytes }: TermsFile): ManifestRow => ({
	siren: "",
	company: "",
	reference: null,
	orderNumber: first.order_number,
	issuedAt: first.terms_accepted_at,
	fileName,
	remark: "Conditions générales de vente",
	// of the file: a version is named by the hash of its text
	sha256: createHash("sha256").update(bytes).digest("hex"),
});

/** Adds a document whose bytes have the hash of their path, and completes its row. @throws when the storage does not answer. */
async function* addDocument(
	context: StorageContext,
	zip: ZipFile,
	{ document, name, row }: { document: StoredDocument; name: string; row: ManifestRow },
): AsyncGenerator<Buffer> {
	const read = await readDocument(context, document);
	if (!read.ok) {
		if (read.code === "unavailable") throw new Error("the storage does not answer: the archive is not complete");
		row.remark = "Fichier indisponible\u00a0: notre équipe est prévenue. Réessayez plus tard.";
		return;
	}
	row.fileName = name;
	row.sha256 = document.sha256;
	yield* addFile(zip, { name, content: read.bytes, mtime: document.created_at });
	// the proof for a dispute, as openDocument records it
	await recordOpening(context.db, document.id, context.now()).catch((error) =>
		context.log.warn({ document: document.id, error: describeFault(error) }, "an opening is not recorded"),
	);
}

/** A PassThrough, although yazl types it as a plain readable stream. */
const getOutput = (zip: ZipFile) => zip.outputStream as PassThrough;

const partBytes = 64 * 1024;

/**
 * Adds a file to an archive, and yields the bytes of the archive until all of it is written. PDFs are compressed already. The archive keeps
 * what it is given until its end, so it gets a stream that forgets what was read.
 */
async function* addFile(
	zip: ZipFile,
	{ name, content, mtime }: { name: string; content: Uint8Array; mtime: Date },
): AsyncGenerator<Buffer> {
	const source = new PassThrough();
	// in parts: each stream on the way to the client holds about one
	for (let at = 0; at < content.length; at += partBytes) source.write(content.subarray(at, at + partBytes));
	source.end();
	let isWritten = false;
	source.once("close", () => {
		isWritten = true;
	});
	zip.addReadStream(source, name, { compress: false, mtime: new ParisDate(mtime), mode: 0o100644 });
	const output = getOutput(zip);
	while (!isWritten || output.readableLength + output.writableLength > 0) {
		const part: Buffer | null = output.read();
		if (part === null) await setImmediate();
		else yield part;
	}
}

/** « Kbis_X.pdf », « Kbis_X_2.pdf » */
function makeUnique(name: string, taken: Set<string>): string {
	let unique = name;
	for (let count = 2; taken.has(unique.toLowerCase()); count++) unique = name.replace(/\.pdf$/, `_${count}.pdf`);
	taken.add(unique.toLowerCase());
	return unique;
}

/** One file of the archive, or a line of the purchase that has none. */
export interface ManifestRow {
	siren: string;
	company: string;
	/** The customer's own. */
	reference: string | null;
	orderNumber: string;
	issuedAt: Date | null;
	/** Null when the archive does not have the file; `remark` says why. */
	fileName: string | null;
	/** Hexadecimal. */
	sha256: string | null;
	remark: string;
}

export const manifestName = "manifeste.csv";

/**
 * Writes the table of an archive: which file is of which company, and its hash.
 * @param forOthers without numbers and references, which are the customer's (docs/rules.md, R34).
 */
export function writeManifest(rows: readonly ManifestRow[], { forOthers }: { forOthers: boolean }): Uint8Array {
	const head = ["SIREN", "Entreprise", ...(forOthers ? [] : ["Référence", "Commande"]), "Date", "Fichier", "SHA-256", "Remarque"];
	return writeCsv(
		head,
		rows.map(({ siren, company, reference, orderNumber, issuedAt, fileName, sha256, remark }) => [
			...[siren, company],
			...(forOthers ? [] : [reference, orderNumber]),
			...[issuedAt && formatDay(issuedAt), fileName, sha256, remark],
		]),
	);
}
