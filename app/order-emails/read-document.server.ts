import { describeFault } from "../../server/observability/log.ts";
import type { Runtime } from "../../server/runtime.ts";
import type { StoredDocument } from "../documents/documents.server.ts";
import { type DocumentStorage, LostFile } from "../documents/storage.ts";
import { alertOperator } from "./alert-operator.server.ts";

/** `lost`: its file is gone, and the operator was told. `unavailable`: the storage does not answer. */
export type UnreadDocument = { ok: false; code: "lost" | "unavailable" };

/** Reads the file of a document. */
export async function readDocument(
	deps: Pick<Runtime, "db" | "jobs" | "now" | "log"> & { storage: DocumentStorage },
	{ id, order_id, storage_path }: StoredDocument,
): Promise<{ ok: true; bytes: Uint8Array<ArrayBuffer> } | UnreadDocument> {
	try {
		return { ok: true, bytes: new Uint8Array(await deps.storage.get(storage_path)) };
	} catch (error) {
		const code = error instanceof LostFile ? "lost" : "unavailable";
		deps.log.error({ order: order_id, document: id, reason: code, error: describeFault(error) }, "a document cannot be read");
		if (code === "lost")
			await deps.db.transaction().execute((trx) => alertOperator(deps, trx, order_id, "alert-document-lost", { document: id }));
		return { ok: false, code };
	}
}
