import { isUuid } from "../../../server/uuid.ts";
import { type Cents, cents, formatEuros } from "../../catalogue/money.ts";
import type { Fields } from "../../desk-log/acts.store.server.ts";
import { readLines } from "../../forms/text.ts";
import { stopOrder } from "../../fulfilment/stop-order.server.ts";
import { listRefundRequests } from "../../orders/customer-requests.server.ts";
import { isInProgress } from "../../orders/lifecycle.ts";
import type { Order } from "../../orders/order.ts";
import { findOrder, isBoughtWithOthers } from "../../orders/orders.server.ts";
import { type OperatorCause, operatorCauses } from "../../refunds/operator-causes.ts";
import { parseEuros } from "../../refunds/parse-euros.ts";
import { refundByOperator } from "../../refunds/refund-by-operator.server.ts";
import { closeFailedRefund, findPayment, getRefundableAmount, isRefundedFrom, sumTowardsApproval } from "../../refunds/refunds.server.ts";
import { refuseRefund } from "../../tracking/refuse-refund.server.ts";
import { type ActCall, type ActRefusal, defineAct } from "../acts/act.ts";

const refuse = (text: string, field?: string): ActRefusal => ({ ok: false, text, ...(field && { field }) });

const maxNoteLength = 1000;

interface RefundInput {
	paymentId: string;
	/** What to give back of what is left: everything, half of it, or an amount. */
	part: "whole" | "half" | Cents;
	/** What was left of the payment on the page: the act is refused when it has changed since. */
	left: Cents;
	cause: OperatorCause;
	note: string | null;
	/** Null: the form did not ask. */
	stop: boolean | null;
}

/** Acts on refunds. */
export const refundActs = {
	refund: defineAct<RefundInput>({
		role: "refund",
		label: "Rembourser",
		undoable: true,
		parse: parseRefund,
		async check(call, input) {
			if (call.order === null) return refuse("Cette commande n’existe pas.");
			const amount = await computeAmount(call, input);
			if (!amount.ok) return amount;
			const whole = await checkWhole(call, call.order, input, amount.isWhole);
			return whole.ok ? null : whole;
		},
		async needsApproval(call, input) {
			const amount = await computeAmount(call, input);
			return amount.ok && (await isAboveLimit(call, amount.cents));
		},
		async run(call, input) {
			const { shop, order, actor } = call;
			if (order === null) return refuse("Cette commande n’existe pas.");
			const amount = await computeAmount(call, input);
			if (!amount.ok) return amount;
			const whole = await checkWhole(call, order, input, amount.isWhole);
			if (!whole.ok) return whole;
			const after = { amount: formatEuros(amount.cents), cause: input.cause };
			// other refunds of this purchase may have left since this one was asked for
			const most = call.isApproved ? null : cents(shop.environment.refundApprovalCents);
			if (whole.stops) {
				const stopped = await stopOrder(shop, order.id, {
					...{ by: actor.name, cause: input.cause, note: input.note },
					limit: most === null ? null : { amount: amount.cents, most },
				});
				if (!stopped.ok && stopped.code === "needs-approval") return refuse(await describeLimit(shop, order));
				if (!stopped.ok) return refuse("Cette commande n’est plus en cours\u00a0: rechargez la page, puis remboursez-la.");
				return {
					ok: true,
					text: "La commande est arrêtée et remboursée en entier. Le client est prévenu.",
					after: { ...after, order: "stopped" },
				};
			}
			const { paymentId, left, cause, note } = input;
			const outcome = await refundByOperator(shop, {
				...{ orderId: order.id, paymentId, amount: amount.cents, left, cause, note },
				mostWithoutApproval: most,
			});
			if (outcome.ok) return { ok: true, text: describeRequested(order, outcome.amount), after };
			if (outcome.code === "needs-approval") return refuse(await describeLimit(shop, order));
			return refuse(refundRefusals[outcome.code], outcome.code === "too-much" ? "amount" : undefined);
		},
	}),
	"refuse-refund-request": defineAct({
		role: "refund",
		label: "Refuser une demande de remboursement",
		undoable: true,
		parse(fields) {
			const answer = readLines(fields.answer);
			if (answer === "") return refuse("Écrivez votre réponse\u00a0: le client la lira telle quelle.", "answer");
			return answer.length > 2000
				? refuse("Cette réponse est trop longue\u00a0: 2 000 caractères au plus.", "answer")
				: { ok: true, input: { answer } };
		},
		async check({ shop, order }) {
			const requests = order === null ? [] : await listRefundRequests(shop.db, order.id);
			return requests.some(({ decided_at }) => decided_at === null) ? null : refuse("Cette commande n’a plus de demande en attente.");
		},
		async run({ shop, order }, { answer }) {
			if (order === null) return refuse("Cette commande n’existe pas.");
			const isRefused = await refuseRefund(shop, order.id, answer);
			return isRefused
				? { ok: true, text: "La demande est refusée. Votre réponse part au client." }
				: refuse("Cette commande n’a plus de demande en attente.");
		},
	}),
	"close-failed-refund": defineAct({
		role: "refund",
		label: "Régler autrement un remboursement revenu",
		parse(fields) {
			const note = readLines(fields.note).slice(0, maxNoteLength);
			if (!isUuid(fields.refund ?? "")) return refuse("Ce remboursement n’existe pas.");
			return note === ""
				? refuse("Dites comment il est réglé\u00a0: virement, chèque, référence.", "note")
				: { ok: true, input: { id: fields.refund ?? "", note } };
		},
		async run({ shop }, { id, note }) {
			const isClosed = await closeFailedRefund(shop.db, id, { note, now: shop.now() });
			return isClosed
				? { ok: true, text: "C’est noté\u00a0: ce remboursement est réglé.", after: { refund: id } }
				: refuse("Ce remboursement est déjà réglé.");
		},
	}),
};

function parseRefund(fields: Fields): { ok: true; input: RefundInput } | ActRefusal {
	const { payment = "", cause = "", stop } = fields;
	const left = /^\d{1,9}$/.test(fields.left ?? "") ? cents(Number(fields.left)) : cents(0);
	if (!/^[\w-]{1,200}$/.test(payment) || left <= 0) return refuse(refundRefusals["nothing-left"]);
	const part = parsePart(fields);
	if (part === null)
		return refuse(
			fields.part === "other" ? "Ce montant ne se lit pas. Écrivez-le en euros, par exemple 12,50." : "Choisissez un montant.",
			"amount",
		);
	if (typeof part === "number" && part > left) return refuse(describeTooMuch(left), "amount");
	if (!Object.hasOwn(operatorCauses, cause)) return refuse("Choisissez le motif.", "cause");
	const note = readLines(fields.note).slice(0, maxNoteLength);
	if (cause === "other" && note === "") return refuse("Précisez le motif dans la note.", "note");
	const isStop = stop === "yes" ? true : stop === "no" ? false : null;
	return { ok: true, input: { paymentId: payment, part, left, cause: cause as OperatorCause, note: note || null, stop: isStop } };
}

function parsePart({ part, amount }: Fields): RefundInput["part"] | null {
	if (part === "whole" || part === "half") return part;
	const typed = part === "other" ? parseEuros(amount ?? "") : null;
	return typed !== null && typed > 0 ? typed : null;
}

/** What the refund gives back. It is computed from what is left now: the form only says what its reader saw. */
async function computeAmount(
	{ shop, order }: ActCall,
	{ paymentId, part, left }: RefundInput,
): Promise<{ ok: true; cents: Cents; isWhole: boolean } | ActRefusal> {
	const payment = await findPayment(shop.db, paymentId);
	const leftNow = payment && order && isRefundedFrom(order, payment) ? await getRefundableAmount(shop.db, payment, order) : cents(0);
	if (leftNow <= 0) return refuse(refundRefusals["nothing-left"]);
	if (leftNow !== left) return refuse(refundRefusals.changed);
	const amount = part === "whole" ? left : part === "half" ? cents(Math.floor(left / 2)) : part;
	if (amount <= 0 || amount > left) return refuse(describeTooMuch(left), "amount");
	return { ok: true, cents: amount, isWhole: payment?.role === "order" && amount === left };
}

/** Whether the refunds of the purchase and this one together need a second person: so several smaller refunds do not pass it. */
async function isAboveLimit({ shop, order }: ActCall, amount: Cents): Promise<boolean> {
	const returned = order === null ? 0 : await sumTowardsApproval(shop.db, order);
	return returned + amount > shop.environment.refundApprovalCents;
}

/** A whole refund of an order in progress: whether it stops the order. */
async function checkWhole(
	{ shop }: ActCall,
	{ id }: Order,
	{ stop }: RefundInput,
	isWhole: boolean,
): Promise<{ ok: true; stops: boolean } | ActRefusal> {
	const order = await findOrder(shop.db, id);
	if (!isWhole || order === null || !isInProgress(order.status)) return { ok: true, stops: false };
	if (stop === null) return refuse("Cette commande est en cours. Dites si elle s’arrête ou si son extrait part quand même.", "stop");
	return { ok: true, stops: stop };
}

const describeTooMuch = (left: Cents) => `C’est trop\u00a0: il reste ${formatEuros(left)} à rembourser au plus.`;

async function describeLimit({ db, environment }: ActCall["shop"], order: Order): Promise<string> {
	const whose = (await isBoughtWithOthers(db, order)) ? "cette commande groupée" : "cette commande";
	return `Les remboursements de ${whose} dépassent ensemble ${formatEuros(cents(environment.refundApprovalCents))}\u00a0: demandez-le de nouveau, et une deuxième personne l’approuve.`;
}

const describeRequested = (order: Order, amount: Cents) =>
	order.disputed_at
		? `Un remboursement de ${formatEuros(amount)} est demandé. Le paiement est contesté\u00a0: il attend la fin de la contestation.`
		: `Un remboursement de ${formatEuros(amount)} est demandé. Le client est prévenu quand il est fait.`;

const refundRefusals = {
	"nothing-left": "Tout ce qui a été payé est déjà rendu, ou va l’être.",
	"too-much": "C’est plus que ce qui reste à rembourser.",
	changed:
		"Un autre remboursement de ce paiement vient d’être demandé\u00a0: rien de plus n’est remboursé. Rechargez la page avant de recommencer.",
} as const;
