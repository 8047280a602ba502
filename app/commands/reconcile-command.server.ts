import { formatStamp } from "../catalogue/instants.ts";
import { cents, formatEuros } from "../catalogue/money.ts";
import { findOrder } from "../orders/orders.store.server.ts";
import type { Difference } from "../payments/payments.store.server.ts";
import { reconcile as compareBooks, gracePeriod, type Reconciliation } from "../payments/reconcile.server.ts";
import type { Shop } from "../shop.ts";
import { alignColumns } from "./columns.ts";
import { type Command, done, refuse } from "./command.ts";

/** The refusal of every command that needs the payment provider. */
export const providerUnavailable = "Le prestataire de paiement ne répond pas. Réessayez plus tard.";

export const reconcile: Command = {
	usage: "[jours, 3 sinon]",
	description: "compare les livres du prestataire aux nôtres",
	argCount: [0, 1],
	async run({ shop, args }) {
		const days = args[0] === undefined ? 3 : Number(args[0]);
		if (!Number.isInteger(days) || days < 1 || days > 3660) return refuse("Donnez un nombre de jours, par exemple 7.");
		const reconciled = await compareBooks(shop, days);
		if (!reconciled.ok) return refuse(providerUnavailable);
		const compared = `${formatComparedPeriod(reconciled)}\nPaiements comparés : ${reconciled.compared}.`;
		if (reconciled.compared === 0 && reconciled.differences.length === 0)
			return done(`${compared} Le prestataire n’en a aucun pour cette période.`);
		if (reconciled.differences.length === 0) return done(`${compared} Aucune différence.`);
		return refuse(`${compared} Différences : ${reconciled.differences.length}.\n${await formatDifferences(shop, reconciled.differences)}`);
	},
};

function formatComparedPeriod({ since, until }: Reconciliation): string {
	const exclusion = `les paiements des ${gracePeriod / 60_000} dernières minutes ne le sont pas encore`;
	return `Période comparée : du ${formatStamp(since)} au ${formatStamp(until)} ; ${exclusion}.`;
}

async function formatDifferences({ db }: Shop, differences: Difference[]): Promise<string> {
	const euros = (amount: number | null) => (amount === null ? "—" : formatEuros(cents(amount)));
	const rows = [];
	for (const { paymentId, orderId, what, here, there, copy } of differences) {
		const order = orderId && (await findOrder(db, orderId));
		const unreadable = copy === "unavailable" ? ", copie illisible pour l’instant" : "";
		const toRecreate = copy === "lost" || copy === "behind" ? ", à recréer" : unreadable;
		rows.push([paymentId, order ? order.order_number : (orderId ?? "—"), differenceLabels[what] + toRecreate, euros(here), euros(there)]);
	}
	return [
		alignColumns([["Paiement", "Commande", "Différence", "Chez nous", "Chez lui"], ...rows]),
		...describeNextSteps(differences),
		"Ce qu’un événement perdu suffit à expliquer vient d’être mis à jour : comparez de nouveau.",
	].join("\n");
}

/** The operator's next steps for orders that a restored database lacks. */
function describeNextSteps(differences: Difference[]): string[] {
	const lost = differences.filter(({ what, copy }) => (what === "missing-here" || what === "refunded") && copy !== "here");
	const recreatable = lost.filter(({ copy }) => copy === "lost" || copy === "behind");
	const withoutCopy = lost.filter(({ what, copy }) => what === "missing-here" && !copy);
	return [
		...(recreatable.length > 0
			? ["Commandes perdues ou en retard sur leur copie : recréez-les avec npm run orders -- recreate --all, puis comparez de nouveau."]
			: []),
		...(withoutCopy.length > 0
			? [
					"Ces paiements n’ont ni commande ni copie, sans doute payés juste avant la panne : cherchez la commande dans les e-mails d’alerte reçus, sinon remboursez chez le prestataire et écrivez au client.",
				]
			: []),
	];
}

const differenceLabels: Record<Difference["what"], string> = {
	"missing-here": "inconnu chez nous",
	"missing-there": "inconnu chez lui",
	amount: "montant encaissé",
	refunded: "montant rendu",
};
