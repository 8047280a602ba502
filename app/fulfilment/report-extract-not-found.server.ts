import type { Runtime } from "../../server/runtime.ts";
import { findOrder } from "../orders/orders.server.ts";
import { lockRequest, recordNotFound } from "./extract-requests.store.server.ts";
import { fulfilOrderJob } from "./jobs.ts";
import { closedSentence } from "./upload-extract.server.ts";

/** Notes that the registry has no extract of an order's company: the order then fails and is refunded (docs/rules.md, R27). Again: nothing more happens. */
export async function reportExtractNotFound(
	{ db, jobs, now }: Pick<Runtime, "db" | "jobs" | "now">,
	orderId: string,
): Promise<{ ok: true } | { ok: false; reason: string }> {
	return db.transaction().execute(async (trx) => {
		const order = await findOrder(trx, orderId);
		if (order === null) return { ok: false, reason: "Cette commande n’existe pas." };
		const closed = closedSentence(order);
		if (closed !== null) return { ok: false, reason: closed };
		const row = await lockRequest(trx, orderId, now());
		// the rule; net: of both, the issuer gives the extract
		if (row.storage_path !== null) return { ok: false, reason: "Cette commande a déjà son extrait." };
		await recordNotFound(trx, orderId, now());
		await jobs.send(trx, fulfilOrderJob, { orderId, because: "not-found" });
		return { ok: true };
	});
}
