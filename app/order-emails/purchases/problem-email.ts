import { cancellableWhile } from "../../catalogue/cancellation.ts";
import { formatInstant } from "../../catalogue/instants.ts";
import { services } from "../../catalogue/services.ts";
import type { EmailBlock } from "../../mail/email.ts";
import { isInProgress } from "../../orders/lifecycle.ts";
import type { Order } from "../../orders/order.ts";
import { bankDays } from "../../refunds/refund-reason-labels.ts";
import { explainFailure } from "../delivery-emails.ts";
import { greetCustomer, type OrderEmailContext, type OrderEmailTemplate, when } from "../email-parts.ts";
import { getPurchase, linkPurchase, listLines, nameLine } from "./purchase-parts.ts";

/**
 * The first delay or failure in a purchase. Orders of one service have the same promise: those whose promise has run out too are named,
 * though the check of each may not have run yet.
 */
export const purchaseProblem: OrderEmailTemplate = (order, context) => {
	const purchase = getPurchase(order, context);
	const { late, failed } = findProblems(purchase.orders, context);
	const summary = summarise(late, failed.length);
	return {
		subject: `${summary} — commande groupée ${purchase.number}`,
		preheader: "Voici les extraits concernés et ce que nous faisons.",
		title: summary,
		blocks: [
			greetCustomer(order),
			...when(late.length > 0, ...explainDelay(late, context)),
			...when(failed.length > 0, ...explainFailed(failed)),
			"Rien ne change pour les autres extraits : la page de suivi montre où en est chacun. Si d’autres sont en retard ou ne peuvent pas être obtenus, cette page l’indiquera, ainsi que l’e-mail envoyé quand tous ceux du service sont terminés.",
			...linkPurchase(purchase),
		],
	};
};

/** Whether the e-mail still has something to tell: not once all that it would name is cancelled. */
export function hasProblem(order: Order, context: OrderEmailContext): boolean {
	const { late, failed } = findProblems(getPurchase(order, context).orders, context);
	return late.length + failed.length > 0;
}

function findProblems(orders: readonly Order[], context: OrderEmailContext) {
	return {
		late: orders.filter((order) => isLate(order, context)),
		failed: orders.filter(({ status, failure_reason }) => status === "failed" && failure_reason !== "cancelled"),
	};
}

/** Not delivered by its promise. One that was delivered between the delay and the sending was late too. */
function isLate({ status, late_at, promised_at }: Order, { happenedAt }: OrderEmailContext): boolean {
	if (!isInProgress(status)) return status === "completed" && late_at !== null;
	return late_at !== null || (promised_at !== null && promised_at <= happenedAt);
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

function explainDelay(late: readonly Order[], { refundDueBy }: OrderEmailContext): EmailBlock[] {
	const refunded = late.filter(({ product_code, disputed_at }) => services[product_code].refundedWhenLate && disputed_at === null);
	const waiting = late.filter(({ status }) => isInProgress(status)).length;
	return [
		`Nous n’avons pas tenu le délai promis pour ${late.length > 1 ? "ces extraits" : "cet extrait"}. Nous vous présentons nos excuses.`,
		...listLines(
			late,
			(order) =>
				`${nameLine(order)}, ${services[order.product_code].name}${describePromise(order)}${isInProgress(order.status) ? "" : ", livré depuis"}`,
		),
		...when(
			refunded.length > 0,
			`Conformément à notre engagement, ${refunded.length > 1 ? "chaque extrait express en retard" : "l’extrait express en retard"} vous est remboursé en entier, sans que vous ayez à le demander.${refundDueBy ? ` Ce remboursement vous est dû et part au plus tard le ${formatInstant(refundDueBy)}.` : ""} Un autre e-mail vous le confirmera, avec l’avoir.`,
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

const describePromise = ({ promised_at }: Order) => (promised_at ? `, promis ${formatInstant(promised_at)}` : "");

const explainFailed = (failed: readonly Order[]): EmailBlock[] => [
	failed.length > 1 ? "Ces extraits n’ont pas pu être obtenus." : "Cet extrait n’a pas pu être obtenu.",
	...listLines(failed, (order) => `${nameLine(order)}. ${explainFailure(order)}`),
	failed.length > 1
		? "La totalité de leur prix vous est remboursée. Un autre e-mail vous le confirme pour chacun, avec l’avoir."
		: "La totalité de son prix vous est remboursée. Un autre e-mail vous le confirme, avec l’avoir.",
	bankDays,
];
