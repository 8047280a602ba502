import { isKeyOf } from "../../server/types/objects.ts";
import { formatStamp } from "../catalogue/instants.ts";
import { type Cents, cents, formatEuros } from "../catalogue/money.ts";
import { stopOrder } from "../fulfilment/stop-order.server.ts";
import { findRefundRequest } from "../orders/customer-requests.server.ts";
import { isInProgress, statusLabels } from "../orders/lifecycle.ts";
import type { Order } from "../orders/order.ts";
import { parseOrderNumber } from "../orders/order-number.server.ts";
import { findOrder } from "../orders/orders.server.ts";
import type { Difference } from "../payments/payment-sessions.server.ts";
import { reconcile as compareBooks, gracePeriod, type Reconciliation } from "../payments/reconcile.server.ts";
import { syncPurchase } from "../payments/sync-purchase.server.ts";
import { listRefundablePayments } from "../refunds/list-refundable-payments.server.ts";
import { operatorCauses } from "../refunds/operator-causes.ts";
import { parseEuros } from "../refunds/parse-euros.ts";
import { refundByOperator } from "../refunds/refund-by-operator.server.ts";
import { listHeldRefunds, listRefunds, type Refund } from "../refunds/refunds.server.ts";
import { releaseRefunds } from "../refunds/release-refunds.server.ts";
import type { Shop } from "../shop.ts";
import { refuseRefund } from "../tracking/refuse-refund.server.ts";
import { alignColumns, toOneLine } from "./columns.ts";
import { type Command, type CommandResult, done, type OrderCommand, refuse } from "./command.ts";
import { getOperatorName } from "./run-recorded.server.ts";

/** The refusal of every command that needs the payment provider. */
export const providerUnavailable = "Le prestataire de paiement ne répond pas. Réessayez plus tard.";

export const refund: OrderCommand = {
	usage: "KB-… [montant, par exemple 12,50] --reason <motif> [--note <texte>] [--stop | --go-on] [--payment <id>] [--again]",
	description: "rembourse une commande, ou un paiement qui ne lui correspond pas",
	argCount: [0, 2],
	options: {
		reason: { type: "string" },
		note: { type: "string" },
		stop: { type: "boolean" },
		"go-on": { type: "boolean" },
		payment: { type: "string" },
		again: { type: "boolean" },
	},
	async run({ shop, args, options }, order) {
		const amount = args.length > 0 ? parseEuros(args.join(" ")) : undefined;
		if (amount === null) return refuse("Ce montant ne se lit pas. Écrivez-le en euros, par exemple 12,50.");
		const earlier = await listRefunds(shop.db, order.id);
		const refundable = await listRefundablePayments(shop.db, order);
		const own = refundable.find(({ role }) => role === "order");
		const others = refundable.filter(({ role }) => role !== "order");
		const named = typeof options.payment === "string" ? refundable.find(({ id }) => id === options.payment) : undefined;
		if (options.payment !== undefined && !named) return refuse("Cette commande n’a pas ce paiement, ou il est déjà rendu en entier.");
		if (!named && !own && others.length > 1)
			return refuse(`Plusieurs paiements restent à rendre. Choisissez : ${others.map(({ id }) => `--payment ${id}`).join(", ")}.`);
		const payment = named ?? own ?? others[0];
		if (payment === undefined) return refuseWithoutPayment(earlier); // gives the reason; requestRefund applies the rule under the lock
		const same = earlier.find((refund) => refund.payment_id === payment.id && refund.amount_cents === amount && isUnderWay(refund));
		if (same && options.again !== true)
			return done(
				`Un remboursement de ${formatEuros(same.amount_cents)} est déjà demandé (${formatStamp(same.requested_at)}). Pour en faire un second : --again.`,
			);
		const cause = typeof options.reason === "string" ? options.reason : "";
		if (!isKeyOf(operatorCauses, cause)) return refuse(`Donnez le motif avec --reason : ${Object.keys(operatorCauses).join(", ")}.`);
		const note = typeof options.note === "string" ? options.note.trim() : "";
		if (cause === "other" && note === "") return refuse("Précisez le motif avec --note. Le client ne la lit pas.");
		const { left } = payment;
		const isWholeOfOpen = payment.role === "order" && (amount ?? left) === left && isInProgress(order.status);
		if (!isWholeOfOpen && (options.stop === true || options["go-on"] === true))
			return refuse("--stop et --go-on ne servent qu’à rembourser en entier une commande en cours. Recommencez sans eux.");
		if (isWholeOfOpen && (options.stop === true) === (options["go-on"] === true))
			return refuse("Cette commande est en cours. Dites si elle s’arrête (--stop) ou si son extrait part quand même (--go-on).");
		if (isWholeOfOpen && options.stop === true) {
			// docs/rules.md, R95: who has the machine has the database
			const stopped = await stopOrder(shop, order.id, { by: getOperatorName(options.as), cause, note: note || null, limit: null });
			if (!stopped.ok) return refuse("Cette commande n’est plus en cours : regardez-la, puis recommencez.");
			return done("La commande est arrêtée et remboursée en entier. Le client est prévenu.");
		}
		const requested = await refundByOperator(shop, {
			...{
				orderId: order.id,
				paymentId: payment.id,
				amount: amount ?? left,
				left,
				cause,
				note: note || null,
				by: getOperatorName(options.as),
			},
			// docs/rules.md, R95: who has the machine has the database
			mostWithoutApproval: null,
		});
		return formatRefund(order, requested, left);
	},
};

const isUnderWay = ({ status, reason }: Refund) =>
	(status === "requested" || status === "pending" || status === "succeeded") && (reason === "operator" || reason === "guarantee");

function refuseWithoutPayment(earlier: Refund[]): CommandResult {
	return earlier.length > 0
		? done("Tout ce qui a été payé est déjà rendu, ou va l’être.")
		: refuse("Rien n’a été payé pour cette commande : il n’y a rien à rembourser.");
}

function formatRefund(order: Order, requested: Awaited<ReturnType<typeof refundByOperator>>, left: Cents): CommandResult {
	if (!requested.ok && requested.code === "too-much") return refuse(`C’est trop : il reste ${formatEuros(left)} à rembourser au plus.`);
	if (!requested.ok && requested.code === "changed")
		return refuse("Un autre remboursement de ce paiement vient d’être demandé : rien de plus n’est remboursé. Recommencez s’il le faut.");
	if (!requested.ok) return done("Tout ce qui a été payé est déjà rendu, ou va l’être.");
	const frozen = order.disputed_at ? " Le paiement est contesté : le remboursement attend la fin de la contestation." : "";
	return done(`Un remboursement de ${formatEuros(requested.amount)} est demandé. Le client sera prévenu quand il sera fait.${frozen}`);
}

export const releaseHeld: Command = {
	usage: "[KB-… | --all]",
	description: "montre les remboursements de retard retenus par le frein, ou les fait partir",
	argCount: [0, 1],
	options: { all: { type: "boolean" } },
	async run({ shop, args: [typed], options }) {
		const held = await listHeldRefunds(shop.db, shop.now());
		if (typed === undefined && options.all !== true) return done(formatHeld(held));
		const number = typed === undefined ? null : parseOrderNumber(typed);
		const chosen = typed === undefined ? null : held.find(({ order_number }) => order_number === number);
		if (chosen === undefined) return refuse(`Aucun remboursement de ${typed} n’est retenu.`);
		const released = await releaseRefunds(shop, chosen?.order_id ?? null, getOperatorName(options.as));
		const sum = cents(released.reduce((total, { amount_cents }) => total + amount_cents, 0));
		return done(
			released.length === 0 ? "Aucun remboursement n’est retenu." : `Remboursements qui partent : ${released.length}, ${formatEuros(sum)}.`,
		);
	},
};

function formatHeld(held: Awaited<ReturnType<typeof listHeldRefunds>>): string {
	if (held.length === 0) return "Aucun remboursement n’est retenu.";
	const rows = held.map((refund) => [
		refund.order_number,
		toOneLine(refund.company_name),
		formatEuros(refund.amount_cents),
		formatStamp(refund.requested_at),
		refund.held_until ? formatStamp(refund.held_until) : "",
	]);
	return alignColumns([["Commande", "Société", "Montant", "Retenu le", "Part au plus tard"], ...rows]);
}

export const refuseRequest: OrderCommand = {
	usage: 'KB-… "<réponse>"',
	description: "refuse la demande de remboursement du client, avec votre réponse",
	argCount: [1, 1],
	async run({ shop, args }, order) {
		const answer = args.join(" ").trim();
		if (answer === "") return refuse("Écrivez votre réponse : le client la lira telle quelle.");
		if (await refuseRefund(shop, order.id, answer)) return done("La demande est refusée. Votre réponse part au client.");
		const last = await findRefundRequest(shop.db, order.id);
		if (last?.granted === false && last.answer === answer) return done("Cette réponse est déjà donnée.");
		return refuse("Cette commande n’a pas de demande de remboursement en attente.");
	},
};

export const sync: OrderCommand = {
	usage: "KB-…",
	description: "interroge de nouveau le prestataire de paiement",
	argCount: [0, 0],
	async run({ shop }, order) {
		const synced = await syncPurchase(shop, order.purchase_id);
		if (!synced.ok) return refuse(providerUnavailable);
		const current = await findOrder(shop.db, order.id);
		const state = `État : ${statusLabels[current?.status ?? order.status]}.`;
		if (synced.sessions === 0) return done(`Cette commande n’a aucune session de paiement. ${state}`);
		return done(`Sessions interrogées : ${synced.sessions}, paiements : ${synced.payments}. ${state}`);
	},
};

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
