import type { Database } from "../../server/database/database.ts";
import { cancellableWhile } from "../catalogue/cancellation.ts";
import { formatPromisedInstant } from "../catalogue/instants.ts";
import { isPosted, services } from "../catalogue/services.ts";
import { nameInSentence, nameInSubject } from "../companies/company-name.ts";
import type { EmailBlock } from "../mail/email.ts";
import { isInProgress, type NotFoundReason, notFoundReasons } from "../orders/lifecycle.ts";
import type { Order } from "../orders/order.ts";
import { listEvents } from "../orders/orders.store.server.ts";
import { bankDays } from "../orders/refunds/refund-reason-labels.ts";
import { isHeld, listRefunds } from "../orders/refunds/refunds.store.server.ts";
import { defineOrderEmail } from "./define-order-email.server.ts";
import {
	explainFailure,
	explainRefund,
	greetCustomer,
	hasServiceEnded,
	identifyOrder,
	linkTracking,
	listFailures,
	listLines,
	nameLine,
	when,
} from "./email-parts.ts";
import { loadPurchase } from "./load-parts.server.ts";

// What went wrong. An order that was bought alone has an e-mail for its delay and one for its failure, which say what to do. Those of a
// purchase have one for the first delay or failure: fifty orders that are late together bring one e-mail.

export const late = defineOrderEmail({
	name: "late",
	to: "customer",
	label: "Commande en retard",
	load: async ({ db, now }, { order }) => ({ refundDueBy: await findLatestRefundDue(db, [order], now()) }),
	compose(order, data) {
		const { name, deliveryMethod } = services[order.product_code];
		const refunded = isRefundedForDelay(order);
		return {
			subject: `${nameInSubject(order)} : votre commande ${order.order_number} est en retard`,
			preheader: refunded
				? "Nous vous la remboursons en entier, et vous recevrez quand même votre extrait."
				: "Nous nous en occupons. Voici vos choix.",
			title: "Nous sommes en retard",
			blocks: [
				greetCustomer(order),
				apologise(order.promised_at ? ` (${formatPromisedInstant(order.promised_at)})` : ""),
				{ descriptionList: [...identifyOrder(order), ["Service", name]] },
				...(refunded
					? [
							promiseRefund(
								data.refundDueBy ? "votre commande vous est remboursée" : "nous vous remboursons votre commande",
								data.refundDueBy,
							),
							"Vous recevrez quand même votre extrait, dès que nous l’aurons.",
							bankDays,
						]
					: [
							`Notre équipe s’occupe de votre commande. Vous recevrez un e-mail dès que ${isPosted(order.product_code) ? "le courrier sera posté" : "l’extrait sera prêt"}.`,
							`Vous pouvez attendre, ou annuler ${cancellableWhile[deliveryMethod]}, depuis la page de suivi : vous serez remboursé immédiatement de la totalité.`,
						]),
				linkTracking(data),
			],
		};
	},
});

export const failed = defineOrderEmail({
	name: "failed",
	to: "customer",
	label: "Commande non aboutie",
	load: async ({ db }, { order }) => ({ because: await findNotFoundReason(db, order.id) }),
	compose: (order, data) => ({
		subject: `${nameInSubject(order)} : votre commande ${order.order_number} n’a pas abouti et vous est remboursée`,
		preheader: explainFailure(order),
		title: "Votre commande n’a pas abouti",
		blocks: [
			greetCustomer(order),
			explainFailure(order),
			{ descriptionList: identifyOrder(order) },
			...explainRefund(order),
			...notFoundAdvice[data.because](order),
			linkTracking(data),
		],
	}),
});

/**
 * The first delay or failure in a purchase. Orders of one service have the same promise: those whose promise has run out too are named,
 * though the check of each may not have run yet. A failure that ends its service is told by the e-mail about that end. Nothing is left to
 * tell once all that it would name is cancelled or told so: the next delay or failure of the purchase has its e-mail.
 */
export const purchaseProblem = defineOrderEmail({
	name: "purchase-problem",
	to: "customer",
	label: "Retard ou échec dans une commande groupée",
	async load(context, { mail, order }) {
		const { orders: all, trackingUrl } = await loadPurchase(context, order);
		const orders: readonly Order[] = all.filter((each) => each.status !== "failed" || !hasServiceEnded(each, all));
		const { late, failed } = findProblems(orders, mail.created_at);
		if (late.length + failed.length === 0) return null;
		return { orders, trackingUrl, refundDueBy: await findLatestRefundDue(context.db, orders, context.now()) };
	},
	compose(order, data) {
		const { orders, happenedAt, refundDueBy } = data;
		const { late, failed } = findProblems(orders, happenedAt);
		const summary = summarise(late, failed.length);
		return {
			subject: `${summary} — commande groupée ${order.order_number}`,
			preheader: "Voici les extraits concernés et ce que nous faisons.",
			title: summary,
			blocks: [
				greetCustomer(order),
				...when(late.length > 0, ...explainDelay(late, refundDueBy)),
				...when(failed.length > 0, ...explainFailed(failed)),
				"Rien ne change pour les autres extraits : la page de suivi montre où en est chacun. Si d’autres sont en retard ou ne peuvent pas être obtenus, cette page l’indiquera, ainsi que l’e-mail envoyé quand tous ceux du service sont terminés.",
				linkTracking(data),
			],
		};
	},
});

const apologise = (detail: string) => `Nous n’avons pas tenu le délai promis${detail}. Nous vous présentons nos excuses.`;

/** @param what « votre commande vous est remboursée ». @param dueBy the refund leaves then at the latest; null: at once. */
const promiseRefund = (what: string, dueBy: Date | null) =>
	`Conformément à notre engagement, ${what} en entier, sans que vous ayez à le demander.${dueBy ? ` Ce remboursement vous est dû et part au plus tard le ${formatPromisedInstant(dueBy)}.` : ""} Un autre e-mail vous le confirmera, avec l’avoir.`;

const isRefundedForDelay = ({ product_code, disputed_at }: Order) => services[product_code].refundedWhenLate && disputed_at === null;

/** Until when the last refund of these orders for their delay waits for a person; null when none waits. */
async function findLatestRefundDue(db: Database, orders: readonly Order[], now: Date): Promise<Date | null> {
	let latest: Date | null = null;
	for (const { id, late_at, product_code } of orders) {
		if (late_at === null || !services[product_code].refundedWhenLate) continue;
		const heldUntil = (await listRefunds(db, id)).find((refund) => isHeld(refund, now))?.held_until;
		if (heldUntil && (latest === null || heldUntil > latest)) latest = heldUntil;
	}
	return latest;
}

/** Why the registry has no extract, as the operator said it in the event that failed the order. */
async function findNotFoundReason(db: Database, orderId: string): Promise<NotFoundReason> {
	const failure = (await listEvents(db, orderId)).findLast(({ event_type }) => event_type === "failed");
	return notFoundReasons.find((reason) => reason === failure?.payload.because) ?? "unknown";
}

const beginWithName = (order: Order) => nameInSentence(order).replace(/^l’/, "L’");

/** What the customer can do, by the reason that the operator gave. */
const notFoundAdvice: Record<NotFoundReason, (order: Order) => string[]> = {
	removed: (order) => [
		`${beginWithName(order)} est radiée du registre du commerce et des sociétés : le greffe ne délivre plus d’extrait Kbis à son nom.`,
		"L’attestation gratuite du registre national des entreprises (RNE), sur data.inpi.fr, indique la date de cette radiation.",
	],
	"wrong-siren": ({ siren }) => [
		`Le SIREN ${siren} n’est pas celui de l’entreprise dont vous demandez l’extrait, ou il n’est pas inscrit au registre du commerce et des sociétés.`,
		"Vérifiez ce numéro sur une facture ou un contrat de l’entreprise. Vous pouvez passer une nouvelle commande avec le bon numéro.",
	],
	"no-kbis": (order) => [
		`${beginWithName(order)} n’est pas inscrite au registre du commerce et des sociétés : les associations, les professions libérales et les organismes publics n’ont pas d’extrait Kbis.`,
		"L’avis de situation au répertoire Sirene atteste leur existence. Il est gratuit sur avis-situation-sirene.insee.fr.",
	],
	unknown: () => [
		"L’extrait du registre national des entreprises (RNE) est gratuit sur data.inpi.fr. Ce n’est pas un Kbis, mais il peut suffire à votre démarche.",
	],
};

function findProblems(orders: readonly Order[], at: Date) {
	return {
		late: orders.filter((order) => isLate(order, at)),
		failed: orders.filter(({ status, failure_reason }) => status === "failed" && failure_reason !== "cancelled"),
	};
}

/** Not delivered by its promise. One that was delivered between the delay and the sending was late too. */
function isLate({ status, late_at, promised_at }: Order, at: Date): boolean {
	if (!isInProgress(status)) return status === "completed" && late_at !== null;
	return late_at !== null || (promised_at !== null && promised_at <= at);
}

function summarise(lateOrders: readonly Order[], failed: number): string {
	const late = lateOrders.length;
	const count = late + failed;
	const extracts = count > 1 ? `${count} extraits` : "Un extrait";
	if (failed === 0 && !lateOrders.some(({ status }) => isInProgress(status)))
		return count > 1 ? `${extracts} ont été livrés en retard` : `${extracts} a été livré en retard`;
	if (failed === 0) return count > 1 ? `${extracts} sont en retard` : `${extracts} est en retard`;
	if (late === 0) return count > 1 ? `${extracts} n’ont pas pu être obtenus` : `${extracts} n’a pas pu être obtenu`;
	return `${extracts} sont en retard ou n’ont pas pu être obtenus`;
}

function explainDelay(late: readonly Order[], refundDueBy: Date | null): EmailBlock[] {
	const refunded = late.filter(isRefundedForDelay).length;
	const waiting = late.filter(({ status }) => isInProgress(status)).length;
	return [
		apologise(late.length > 1 ? " pour ces extraits" : " pour cet extrait"),
		...listLines(
			late,
			(order) =>
				`${nameLine(order)}, ${services[order.product_code].name}${describePromise(order)}${isInProgress(order.status) ? "" : ", livré depuis"}`,
		),
		...when(
			refunded > 0,
			promiseRefund(`${refunded > 1 ? "chaque extrait express en retard" : "l’extrait express en retard"} vous est remboursé`, refundDueBy),
			bankDays,
		),
		...when(waiting > 0, explainWaiting(waiting, late.length)),
	];
}

function explainWaiting(waiting: number, late: number): string {
	if (waiting === 1)
		return `Vous recevrez quand même ${late === 1 ? "cet extrait" : "l’extrait qui manque"}, dès que nous l’aurons. Vous pouvez aussi annuler sa commande, depuis sa page de suivi, ${cancellableWhile.any}.`;
	const extracts = waiting === late ? "ces extraits" : "les extraits qui manquent";
	return `Vous recevrez quand même ${extracts}, dès que nous les aurons. Vous pouvez aussi annuler la commande de chacun, depuis sa page de suivi, ${cancellableWhile.any}.`;
}

const describePromise = ({ promised_at }: Order) => (promised_at ? `, promis ${formatPromisedInstant(promised_at)}` : "");

const explainFailed = (failed: readonly Order[]): EmailBlock[] => [
	failed.length > 1 ? "Ces extraits n’ont pas pu être obtenus." : "Cet extrait n’a pas pu être obtenu.",
	...listFailures(failed, `La totalité de ${failed.length > 1 ? "leur" : "son"} prix vous est remboursée.`),
	bankDays,
];
