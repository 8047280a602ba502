import type { Runtime } from "../../server/runtime.ts";
import { services } from "../catalogue/services.ts";
import { findOnDesk, holdOnDesk, keepPosting } from "../issuing/issuing.store.server.ts";
import { fulfilOrderJob } from "./jobs.ts";
import { findOrder } from "./orders.store.server.ts";
import { closedSentence } from "./upload-extract.server.ts";

/**
 * Keeps the tracking number of a letter that the operator posted; the order goes on and completes.
 * The same number again changes nothing; another one is refused.
 * @param trackingNumber as typed, blanks included.
 */
export async function postExtract(
	{ db, jobs, now }: Pick<Runtime, "db" | "jobs" | "now">,
	{ orderId, trackingNumber }: { orderId: string; trackingNumber: string },
): Promise<{ ok: true } | { ok: false; reason: string }> {
	const number = parseTrackingNumber(trackingNumber);
	if (number === null)
		return refuse("Ce numéro de suivi n’est pas valide : il a de 11 à 15 lettres et chiffres, par exemple 1A 234 567 8901 2.");
	return db.transaction().execute(async (trx) => {
		const order = await findOrder(trx, orderId);
		if (order === null) return refuse("Cette commande n’existe pas.");
		if (services[order.product_code].deliveryMethod !== "postal") return refuse("Cette commande n’est pas à envoyer par courrier.");
		if ((await findOnDesk(trx, orderId))?.tracking_number === number) return { ok: true };
		const closed = closedSentence(order);
		if (closed !== null) return refuse(closed);
		const row = await holdOnDesk(trx, orderId, now());
		// the rule; net: fulfilOrder posts nothing without its extract
		if (row.storage_path === null) return refuse("Déposez d’abord l’extrait de cette commande.");
		if (row.tracking_number === number) return { ok: true }; // another operator was faster
		// the rule; net: keepPosting
		if (row.tracking_number !== null) return refuse("Cette commande a déjà un numéro de suivi, différent de celui-ci.");
		await keepPosting(trx, orderId, number, now());
		await jobs.send(trx, fulfilOrderJob, { orderId, because: "posted" });
		return { ok: true };
	});
}

/**
 * 11 to 15 letters and digits, most of them digits, however they were spaced; null otherwise. Lenient: La Poste's products differ
 * (11 characters for a followed letter, 13 for a parcel or abroad, 15 for a registered letter).
 */
function parseTrackingNumber(typed: string): string | null {
	const number = typed.replace(/[\s.\u00a0\u202f-]/g, "").toUpperCase();
	return /^[A-Z0-9]{11,15}$/.test(number) && number.replace(/\D/g, "").length >= 8 ? number : null;
}

const refuse = (reason: string) => ({ ok: false as const, reason });
