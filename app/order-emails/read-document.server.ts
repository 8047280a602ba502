import { describeFault } from "../../server/observability/log.ts";
import type { StoredDocument } from "../documents/documents.server.ts";
import { LostFile, type StorageContext } from "../documents/storage.ts";
import { alertOperator } from "./alert-operator.server.ts";

/** `lost`: the file is missing, and the operator receives an alert. `unavailable`: the storage does not answer. */
export type DocumentReadFailure = { ok: false; code: "lost" | "unavailable" };

/** Reads the file of a document. */
export async function readDocument(
	context: StorageContext,
	{ id, order_id, storage_path }: StoredDocument,
): Promise<{ ok: true; bytes: Uint8Array<ArrayBuffer> } | DocumentReadFailure> {
	try {
		return { ok: true, bytes: new Uint8Array(await context.storage.get(storage_path)) };
	} catch (error) {
		const code = error instanceof LostFile ? "lost" : "unavailable";
		context.log.error({ order: order_id, document: id, reason: code, error: describeFault(error) }, "a document cannot be read");
		if (code === "lost")
			await context.db
				.transaction()
				.execute((trx) => alertOperator(context, trx, { orderId: order_id, kind: "alert-document-lost", details: { document: id } }));
		return { ok: false, code };
	}
}
