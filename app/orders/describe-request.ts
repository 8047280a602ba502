import { formatDayAndHour, inParis } from "../catalogue/instants.ts";
import { isInProgress } from "./lifecycle.ts";
import type { Order } from "./order.ts";

/**
 * Says whether the registry was asked for extracts that are still awaited, and otherwise when it will be (docs/rules.md, R204).
 * @param requested whether it was, for all of them. @param nextOpening when the shop opens again; null while it is open.
 * @param extracts how many the sentence is about.
 */
export function describeRequest(requested: boolean, nextOpening: Date | null, extracts = 1): string {
	const one = extracts === 1;
	if (requested)
		return one
			? "Demande transmise au greffe\u00a0: nous attendons l’extrait."
			: "Demandes transmises aux greffes\u00a0: nous attendons les extraits.";
	const extract = one ? "l’extrait au greffe" : "les extraits aux greffes";
	return nextOpening === null
		? `Commande enregistrée\u00a0: nous allons demander ${extract}.`
		: `Commande enregistrée\u00a0: nous demanderons ${extract} à partir de ${formatDayAndHour(nextOpening)}${inParis}.`;
}

/**
 * The same for the orders of a purchase: about those for which the registry was not asked, if there are any.
 * @param issued the orders that have their extract. @returns null when none is awaited, or a dispute stops them.
 */
export function describeRequests(orders: readonly Order[], issued: ReadonlySet<string>, nextOpening: Date | null): string | null {
	const awaited = orders.filter(({ id, status, disputed_at }) => isInProgress(status) && disputed_at === null && !issued.has(id));
	if (awaited.length === 0) return null;
	const unasked = awaited.filter(({ extract_requested_at }) => extract_requested_at === null);
	return describeRequest(unasked.length === 0, nextOpening, unasked.length || awaited.length);
}
