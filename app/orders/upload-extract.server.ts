import type { Runtime } from "../../server/runtime.ts";
import { findExtractByHash } from "../documents/documents.store.server.ts";
import type { DocumentStorage } from "../documents/storage.ts";
import { type Confirmations, checkExtract, type ExtractProblem } from "../issuing/check-extract.server.ts";
import { findUploadByHash, holdHash, holdOnDesk, keepUpload } from "../issuing/issuing.store.server.ts";
import { fulfilOrderJob } from "./jobs.ts";
import type { Order } from "./order.ts";
import { findOrder } from "./orders.store.server.ts";

export type UploadOutcome =
	| { ok: true; warnings: string[] }
	/** `problem`, `confirm`: of the file's own checks (check-extract); null where the order or another order stands against it. */
	| { ok: false; reason: string; problem: ExtractProblem | null; confirm: keyof Confirmations | null };

/**
 * Takes the extract that the operator obtained for an order: checked, kept byte for byte, then the order goes on.
 * The same file again changes nothing; another one is refused.
 * @param confirmed what the operator answers for, having looked at the file.
 * @throws when the storage or the inspector of PDFs fails: nothing is kept.
 */
export async function uploadExtract(
	{ db, jobs, now, environment, storage }: Pick<Runtime, "db" | "jobs" | "now" | "environment"> & { storage: DocumentStorage },
	{ orderId, bytes, confirmed = {} }: { orderId: string; bytes: Uint8Array; confirmed?: Confirmations },
): Promise<UploadOutcome> {
	const order = await findOrder(db, orderId);
	if (order === null) return refuse("Cette commande n’existe pas.");
	const notOpen = closedSentence(order);
	if (notOpen !== null) return refuse(notOpen); // so that nothing is stored in vain; the rule is looked at again below
	const check = await checkExtract(bytes, { siren: order.siren, now: now(), specimens: !environment.production, confirmed });
	if (!check.ok) return check;

	const stored = await storage.put(bytes);
	return db.transaction().execute(async (trx): Promise<UploadOutcome> => {
		// the rule: it may have ended while its file was looked at
		const still = await findOrder(trx, orderId);
		const closed = still === null ? null : closedSentence(still);
		if (closed !== null) return refuse(closed);
		await holdHash(trx, stored.sha256);
		const row = await holdOnDesk(trx, orderId, now());
		// the rule; net: of both, the issuer gives the extract
		if (row.not_found_at) return refuse("Cette commande a été signalée comme introuvable au registre.");
		// the rule; net: keepUpload
		if (row.sha256 !== null && row.sha256 !== stored.sha256) return refuse("Cette commande a déjà un extrait, différent de celui-ci.");
		// the rule; net: extract_requests.sha256 is unique
		const elsewhere = (await findUploadByHash(trx, stored.sha256)) ?? (await findExtractByHash(trx, stored.sha256));
		if (elsewhere !== null && elsewhere.order_id !== orderId) return refuse("Ce fichier a déjà été remis pour une autre commande.");
		await keepUpload(trx, orderId, { ...stored, issuedAt: check.issuedAt }, now());
		await jobs.send(trx, fulfilOrderJob, { orderId, because: "uploaded" });
		return { ok: true, warnings: check.warnings };
	});
}

/** A sentence when nothing can be done for an order any more, or yet; null while it is being served. */
export function closedSentence({ status }: Pick<Order, "status">): string | null {
	if (status === "paid" || status === "processing") return null;
	if (status === "pending") return "Cette commande n’est pas payée.";
	return status === "completed" ? "Cette commande est déjà terminée." : "Cette commande a échoué ou a été annulée.";
}

const refuse = (reason: string): UploadOutcome => ({ ok: false, reason, problem: null, confirm: null });
