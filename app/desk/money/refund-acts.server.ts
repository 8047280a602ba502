import { typedKeys } from "../../../server/types/objects.ts";
import { type Cents, cents, formatEuros } from "../../catalogue/money.ts";
import { refuseRefund } from "../../customer/tracking/refuse-refund.server.ts";
import { stopOrder } from "../../fulfilment/stop-order.server.ts";
import { listRefundRequests } from "../../orders/customer-requests.store.server.ts";
import { isInProgress } from "../../orders/lifecycle.ts";
import type { Order } from "../../orders/order.ts";
import { isBoughtWithOthers } from "../../orders/purchases.store.server.ts";
import { operatorCauses } from "../../orders/refunds/operator-causes.ts";
import { parseEuros } from "../../orders/refunds/parse-euros.ts";
import { refundByOperator } from "../../orders/refunds/refund-by-operator.server.ts";
import { sumTowardsApproval } from "../../orders/refunds/refund-figures.store.server.ts";
import { closeFailedRefund } from "../../orders/refunds/refund-notes.store.server.ts";
import { findPayment, getRefundableAmount, isRefundedFrom } from "../../orders/refunds/refunds.store.server.ts";
import type { Shop } from "../../shop.ts";
import { readLines } from "../../ui/forms/text.ts";
import { type ActRefusal, coded, defineAct, defineOrderAct, refuse } from "../acts/act.ts";
import { type FieldParser, id, oneOf, refuseField, value } from "../acts/fields.ts";

const refundRefusals = {
	"nothing-left": "Tout ce qui a été payé est déjà rendu, ou va l’être.",
	"too-much": "C’est plus que ce qui reste à rembourser.",
	changed:
		"Un autre remboursement de ce paiement vient d’être demandé\u00a0: rien de plus n’est remboursé. Rechargez la page avant de recommencer.",
} as const;

/** In characters. */
const maxNoteLength = 1000;
const maxAnswerLength = 2000;

type Part = "whole" | "half" | Cents;

/** What was left of the payment on the page: the act is refused when it has changed since. */
const left: FieldParser<Cents> = (typed = "") =>
	/^\d{1,9}$/.test(typed) && Number(typed) > 0 ? value(cents(Number(typed))) : refuseField(refundRefusals["nothing-left"], null);

/** What to give back of what is left: everything, half of it, or an amount. */
const part: FieldParser<Part> = (typed, { amount = "", left = "" }) => {
	if (typed === "whole" || typed === "half") return value(typed);
	if (typed !== "other") return refuseField("Choisissez un montant.", "amount");
	const given = parseEuros(amount);
	if (given === null) return refuseField("Ce montant ne se lit pas. Écrivez-le en euros, par exemple 12,50.", "amount");
	const most = cents(Number(left));
	return given > most ? refuseField(describeTooMuch(most), "amount") : value(given);
};

const note: FieldParser<string | null> = (typed, { cause }) => {
	const lines = readLines(typed).slice(0, maxNoteLength);
	return cause === "other" && lines === "" ? refuseField("Précisez le motif dans la note.") : value(lines || null);
};

/** Whether an order in progress stops; null when the form did not ask. */
const stop: FieldParser<boolean | null> = (typed) => value(typed === "yes" ? true : typed === "no" ? false : null);

const noOpenRequest = "Cette commande n’a plus de demande en attente.";

/** Acts on refunds. */
export const refundActs = [
	defineOrderAct({
		name: "refund",
		role: "refund",
		label: "Rembourser",
		undoable: true,
		fields: {
			payment: (typed = "") => (/^[\w-]{1,200}$/.test(typed) ? value(typed) : refuseField(refundRefusals["nothing-left"], null)),
			left,
			part,
			cause: oneOf(typedKeys(operatorCauses), "Choisissez le motif."),
			note,
			stop,
		},
		async check({ shop, order }, { payment: paymentId, part, left, stop }) {
			const amount = await computeAmount(shop, order, { paymentId, part, left });
			if (!amount.ok) return amount;
			const ends = amount.isWhole && isInProgress(order.status);
			if (ends && stop === null)
				return refuse("Cette commande est en cours. Dites si elle s’arrête ou si son extrait part quand même.", "stop");
			return { ok: true, amount: amount.cents, stops: ends && stop === true };
		},
		needsApproval: ({ shop, order }, _, { amount }) => isAboveLimit(shop, order, amount),
		async run({ shop, order, actor, isApproved }, { payment: paymentId, left, cause, note }, { amount, stops }) {
			const after = { amount: formatEuros(amount), cause };
			// other refunds of this purchase may have left since this one was asked for
			const most = isApproved ? null : cents(shop.environment.refundApprovalCents);
			const why = { by: actor.name, cause, note };
			if (stops) {
				const stopped = await stopOrder(shop, order.id, { ...why, limit: most === null ? null : { amount, most } });
				if (!stopped.ok && stopped.code === "needs-approval") return refuse(await describeLimit(shop, order));
				if (!stopped.ok) return refuse("Cette commande n’est plus en cours\u00a0: rechargez la page, puis remboursez-la.");
				return {
					ok: true,
					text: "La commande est arrêtée et remboursée en entier. Le client est prévenu.",
					after: { ...after, order: "stopped" },
				};
			}
			const outcome = await refundByOperator(shop, { ...why, orderId: order.id, paymentId, amount, left, mostWithoutApproval: most });
			if (outcome.ok) return { ok: true, text: describeRequested(order, outcome.amount), after };
			if (outcome.code === "needs-approval") return refuse(await describeLimit(shop, order));
			return refuse(refundRefusals[outcome.code], outcome.code === "too-much" ? "amount" : undefined);
		},
		changes: {
			amount: "Montant",
			cause: coded("Motif", operatorCauses),
			order: coded("Commande", { stopped: "arrêtée" }),
		},
	}),
	defineOrderAct({
		name: "refuse-refund-request",
		role: "refund",
		label: "Refuser une demande de remboursement",
		undoable: true,
		fields: {
			answer(typed) {
				const answer = readLines(typed);
				if (answer === "") return refuseField("Écrivez votre réponse\u00a0: le client la lira telle quelle.");
				return answer.length > maxAnswerLength
					? refuseField("Cette réponse est trop longue\u00a0: 2 000 caractères au plus.")
					: value(answer);
			},
		},
		async check({ shop, order }) {
			const requests = await listRefundRequests(shop.db, order.id);
			return requests.some(({ decided_at }) => decided_at === null) ? { ok: true } : refuse(noOpenRequest);
		},
		async run({ shop, order }, { answer }) {
			const isRefused = await refuseRefund(shop, order.id, answer);
			return isRefused ? { ok: true, text: "La demande est refusée. Votre réponse part au client." } : refuse(noOpenRequest);
		},
	}),
	defineAct({
		name: "close-failed-refund",
		role: "refund",
		label: "Régler autrement un remboursement revenu",
		fields: {
			refund: id("Ce remboursement n’existe pas."),
			note(typed) {
				const lines = readLines(typed).slice(0, maxNoteLength);
				return lines === "" ? refuseField("Dites comment il est réglé\u00a0: virement, chèque, référence.") : value(lines);
			},
		},
		async run({ shop }, { refund, note }) {
			const isClosed = await closeFailedRefund(shop.db, refund, { note, now: shop.now() });
			return isClosed
				? { ok: true, text: "C’est noté\u00a0: ce remboursement est réglé.", after: { refund } }
				: refuse("Ce remboursement est déjà réglé.");
		},
		changes: { refund: "Remboursement" },
	}),
];

/** What the refund gives back. It is computed from what is left now: the form only says what its reader saw. */
async function computeAmount(
	{ db }: Shop,
	order: Order,
	{ paymentId, part, left }: { paymentId: string; part: Part; left: Cents },
): Promise<{ ok: true; cents: Cents; isWhole: boolean } | ActRefusal> {
	const payment = await findPayment(db, paymentId);
	const leftNow = payment && isRefundedFrom(order, payment) ? await getRefundableAmount(db, payment, order) : cents(0);
	if (leftNow <= 0) return refuse(refundRefusals["nothing-left"]);
	if (leftNow !== left) return refuse(refundRefusals.changed);
	const amount = part === "whole" ? left : part === "half" ? cents(Math.floor(left / 2)) : part;
	if (amount <= 0 || amount > left) return refuse(describeTooMuch(left), "amount");
	return { ok: true, cents: amount, isWhole: payment?.role === "order" && amount === left };
}

/** Whether the refunds of the purchase and this one together need a second person: so several smaller refunds do not pass it. */
const isAboveLimit = async ({ db, environment }: Shop, order: Order, amount: Cents): Promise<boolean> =>
	(await sumTowardsApproval(db, order)) + amount > environment.refundApprovalCents;

const describeTooMuch = (left: Cents) => `C’est trop\u00a0: il reste ${formatEuros(left)} à rembourser au plus.`;

async function describeLimit({ db, environment }: Shop, order: Order): Promise<string> {
	const whose = (await isBoughtWithOthers(db, order)) ? "cette commande groupée" : "cette commande";
	return `Les remboursements de ${whose} dépassent ensemble ${formatEuros(cents(environment.refundApprovalCents))}\u00a0: demandez-le de nouveau, et une deuxième personne l’approuve.`;
}

const describeRequested = (order: Order, amount: Cents) =>
	order.disputed_at
		? `Un remboursement de ${formatEuros(amount)} est demandé. Le paiement est contesté\u00a0: il attend la fin de la contestation.`
		: `Un remboursement de ${formatEuros(amount)} est demandé. Le client est prévenu quand il est fait.`;
