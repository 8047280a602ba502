import type { Database, Trx } from "../../server/database/database.ts";
import type { Runtime } from "../../server/runtime.ts";
import { findExtractByHash, listNeededPaths } from "../documents/documents.server.ts";
import type { DocumentStorage } from "../documents/storage.ts";
import { type Confirmations, checkExtract, type ExtractProblem } from "../extracts/check-extract.server.ts";
import { isInProgress } from "../orders/lifecycle.ts";
import type { Order } from "../orders/order.ts";
import { findOrder } from "../orders/orders.server.ts";
import { findUploadByHash, lockHash, lockRequest, recordUpload, type UploadedExtract } from "./extract-requests.store.server.ts";
import { fulfilOrderJob } from "./jobs.ts";

export type UploadOutcome =
	| { ok: true; warnings: string[] }
	/** `problem`, `confirm`: of the file's own checks (check-extract); null where the order or another order stands against it. */
	| { ok: false; reason: string; problem: ExtractProblem | null; confirm: keyof Confirmations | null };

/** A file that the operator hands in for an order. `confirmed`: what they answer for, having looked at it. */
export interface UploadedFile {
	orderId: string;
	bytes: Uint8Array;
	confirmed?: Confirmations;
}

type Deps = Pick<Runtime, "db" | "jobs" | "now" | "environment"> & { storage: DocumentStorage };

/**
 * Takes the extract that the operator obtained for an order: checked, kept byte for byte, then the order goes on.
 * The same file again changes nothing; another one is refused.
 * @throws when the storage or the inspector of PDFs fails: nothing is kept.
 */
export async function uploadExtract(deps: Deps, handedIn: UploadedFile): Promise<UploadOutcome> {
	const { jobs, now } = deps;
	return takeExtract(deps, handedIn, {
		refuses: async (_, order) => closedSentence(order),
		async keep(trx, { id: orderId }, extract) {
			const row = await lockRequest(trx, orderId, now());
			// the rule; net: of both, the issuer gives the extract
			if (row.not_found_at) return "Cette commande a été signalée comme introuvable au registre.";
			// the rule; net: recordUpload
			if (row.sha256 !== null && row.sha256 !== extract.sha256) return "Cette commande a déjà un extrait, différent de celui-ci.";
			const elsewhere = await isAnotherOrders(trx, orderId, extract.sha256);
			if (elsewhere !== null) return elsewhere;
			await recordUpload(trx, orderId, extract, now());
			await jobs.send(trx, fulfilOrderJob, { orderId, because: "uploaded" });
			return null;
		},
	});
}

/**
 * Checks a file, stores it, and has it kept in a transaction.
 * @param refuses a sentence when the order takes no extract; asked before anything is stored, and again in the transaction.
 * @param keep writes it down, while nobody else keeps a file with this hash; a sentence when it may not, and then the file goes again.
 */
export async function takeExtract(
	{ db, now, environment, storage }: Deps,
	{ orderId, bytes, confirmed = {} }: UploadedFile,
	{
		refuses,
		keep,
	}: {
		refuses: (db: Database | Trx, order: Order) => Promise<string | null>;
		keep: (trx: Trx, order: Order, extract: UploadedExtract) => Promise<string | null>;
	},
): Promise<UploadOutcome> {
	const order = await findOrder(db, orderId);
	if (order === null) return refuse("Cette commande n’existe pas.");
	const refused = await refuses(db, order);
	if (refused !== null) return refuse(refused);
	const check = await checkExtract(bytes, { siren: order.siren, now: now(), specimens: !environment.production, confirmed });
	if (!check.ok) return check;

	const stored = await storage.put(bytes);
	return db.transaction().execute(async (trx): Promise<UploadOutcome> => {
		await lockHash(trx, stored.sha256);
		// the rule: it may have ended while its file was looked at
		const still = await findOrder(trx, orderId);
		const because =
			(still === null ? "Cette commande n’existe pas." : await refuses(trx, still)) ??
			(await keep(trx, still ?? order, { ...stored, issuedAt: check.issuedAt }));
		if (because === null) return { ok: true, warnings: check.warnings };
		const named = (await findUploadByHash(trx, stored.sha256))?.storage_path ?? (await listNeededPaths(trx, [stored.path], [])).at(0);
		if (!named) await storage.remove(stored.path);
		return refuse(because);
	});
}

/** A sentence when a file is another order's extract. The rule; net: extract_requests.sha256 is unique. */
export async function isAnotherOrders(trx: Trx, orderId: string, sha256: string): Promise<string | null> {
	const elsewhere = [await findUploadByHash(trx, sha256), await findExtractByHash(trx, sha256)];
	return elsewhere.some((of) => of !== null && of.order_id !== orderId) ? "Ce fichier a déjà été remis pour une autre commande." : null;
}

/** A sentence when nothing can be done for an order any more, or yet; null while it is being served. */
export function closedSentence({ status }: Pick<Order, "status">): string | null {
	if (isInProgress(status)) return null;
	if (status === "pending") return "Cette commande n’est pas payée.";
	return status === "completed" ? "Cette commande est déjà terminée." : "Cette commande a échoué ou a été annulée.";
}

export const refuse = (reason: string) => ({ ok: false as const, reason, problem: null, confirm: null });
