import type { Database, Trx } from "../../server/database/database.ts";
import type { Order } from "../orders/order.ts";
import { listRefunds } from "../refunds/refunds.server.ts";
import { closedSentence } from "./upload-extract.server.ts";

/** Between `post` and the job that completes the order: another extract would come too late for the letter that left. */
export const letterJustNoted = "Le courrier vient d’être noté : réessayez quand la commande est terminée.";

/** A sentence when there is nothing to put right in an order any more; null while its document is owed, or was delivered. */
export async function whyNotCorrected(db: Database | Trx, order: Order): Promise<string | null> {
	if (order.erased_at !== null) return "Le client de cette commande a été effacé : il n’y a plus rien à corriger.";
	if (order.status === "pending" || order.status === "failed") return closedSentence(order);
	if (order.disputed_at !== null)
		return "Le paiement de cette commande est contesté : ses documents restent bloqués jusqu’à la décision de la banque.";
	const refunds = (await listRefunds(db, order.id)).filter(({ status }) => status !== "failed" && status !== "refused");
	const total = refunds.reduce((sum, { amount_cents }) => sum + amount_cents, 0);
	// what was given back because it was late is still owed
	const ended = total >= order.price_cents && refunds.every(({ reason }) => reason !== "late");
	return ended ? "Cette commande a été remboursée en entier : il n’y a plus rien à corriger." : null;
}
