import { guaranteePeriod } from "../catalogue/guarantee.ts";
import { formatInstant } from "../catalogue/instants.ts";
import { formatEuros } from "../catalogue/money.ts";
import { replyTime } from "../catalogue/reply-time.ts";
import type { EmailBlock } from "../mail/email.ts";
import type { Order } from "../orders/order.ts";
import { bankDays, refundReasonLabels } from "../refunds/refund-reason-labels.ts";
import {
	explainRefund,
	greetCustomer,
	identifyOrder,
	linkTracking,
	type OrderEmailContext,
	type OrderEmailTemplate,
	when,
} from "./email-parts.ts";
import { countServices } from "./purchases/purchase-parts.ts";

const listRefundedAmount = ({ refund }: OrderEmailContext) =>
	refund ? ([["Montant remboursé", `${formatEuros(refund.amount)} TTC`]] as const) : [];

export const refunded: OrderEmailTemplate = (order, context) => ({
	subject: `Remboursement de votre commande ${order.order_number}`,
	preheader: `${context.refund ? `${formatEuros(context.refund.amount)} vous sont remboursés.` : "Vous êtes remboursé."}${context.documentId ? " L’avoir est joint." : ""}`,
	title: "Vous êtes remboursé",
	blocks: [
		greetCustomer(order),
		...when(context.refund, refundReasonLabels[context.refund?.reason ?? "operator"]),
		{ descriptionList: [...identifyOrder(order), ...listRefundedAmount(context)] },
		bankDays,
		...when(context.documentId, "L’avoir qui corrige votre facture est joint à ce message."),
		linkTracking(context),
	],
});

export const duplicateRefunded: OrderEmailTemplate = (order, context) => ({
	subject: `Commande ${order.order_number} : un paiement en double vous est remboursé`,
	preheader: `${context.refund ? `${formatEuros(context.refund.amount)} vous sont remboursés.` : "Il vous est remboursé."} Vous n’avez rien à faire.`,
	title: "Un paiement en double vous est remboursé",
	blocks: [
		greetCustomer(order),
		"Nous avons reçu un paiement qui n’était pas dû pour cette commande, par exemple parce qu’elle a été payée deux fois. Nous vous le remboursons en entier.",
		{ descriptionList: [...identifyOrder(order), ...listRefundedAmount(context)] },
		"Rien d’autre ne change pour votre commande.",
		bankDays,
		linkTracking(context),
	],
});

export const cancelled: OrderEmailTemplate = (order, { purchase, happenedAt }) => {
	// before the payment, a purchase is cancelled with all its orders
	const whole = order.paid_at === null ? purchase : null;
	const number = whole?.orders[0]?.order_number ?? order.order_number;
	return {
		subject: `Annulation de votre ${whole ? "commande groupée" : "commande"} ${number}`,
		preheader: order.paid_at ? "Elle vous est remboursée en entier." : "Vous n’avez rien payé et ne devez rien.",
		title: whole ? "Votre commande groupée est annulée" : "Votre commande est annulée",
		blocks: [
			greetCustomer(order),
			"Nous accusons réception de votre annulation.",
			{
				descriptionList: [
					...(whole ? ([["Numéro de commande groupée", number], ...countServices(whole.orders)] as const) : identifyOrder(order)),
					["Annulée le", formatInstant(happenedAt)],
				],
			},
			...(order.paid_at ? explainRefund(order) : ["Vous n’avez rien payé et ne devez rien."]),
		],
	};
};

/** Acknowledges a withdrawal on a durable medium, with its content, date and hour (C. conso. L221-21). */
export const withdrawalReceipt: OrderEmailTemplate = (order, context) => {
	const declaredAt = formatInstant(context.withdrawal?.declaredAt ?? context.happenedAt);
	return {
		subject: `Accusé de réception de votre rétractation — commande ${order.order_number}`,
		preheader: `Déclaration reçue le ${declaredAt}.`,
		title: "Votre rétractation est reçue",
		blocks: [
			greetCustomer(order),
			"Nous accusons réception de la déclaration suivante.",
			{
				quote: [
					`Je vous notifie par la présente ma rétractation du contrat portant sur la commande ${order.order_number}.`,
					`Objet : ${order.company_name} (SIREN ${order.siren})`,
					...(order.paid_at ? [`Nom : ${order.first_name} ${order.last_name}`] : []),
					`E-mail : ${order.customer_email}`,
				],
			},
			{ descriptionList: [["Reçue le", declaredAt]] },
			{ heading: "Notre réponse" },
			...explainOutcome(order, context.withdrawal),
			linkTracking(context),
		],
	};
};

function explainOutcome(order: Order, withdrawal: OrderEmailContext["withdrawal"]): EmailBlock[] {
	if (withdrawal?.outcome === "refused") {
		const isDeliveredAndPaid = order.status === "completed" && order.refunded_cents < order.price_cents;
		return [
			"Nous ne pouvons pas donner suite à cette rétractation.",
			withdrawal.reason ??
				`Le document a été livré${order.completed_at ? ` le ${formatInstant(order.completed_at)}` : ""}${order.withdrawal_waived_at ? `, après que vous avez demandé l’exécution immédiate et reconnu perdre votre droit de rétractation le ${formatInstant(order.withdrawal_waived_at)}` : ""}.`,
			// a recorded reason cites its article
			...when(
				withdrawal.reason === null && isDeliveredAndPaid && order.withdrawal_waived_at,
				"Le droit de rétractation ne peut être exercé pour un service pleinement exécuté avant la fin du délai, lorsque l’exécution a commencé avec l’accord préalable et exprès du consommateur et qu’il a reconnu perdre ce droit (C. conso. art. L221-28, 1°).",
			),
			...when(
				isDeliveredAndPaid,
				`Si le document est erroné ou inutilisable, vous pouvez en demander le remboursement dans les ${guaranteePeriod} qui suivent sa livraison, depuis la page de suivi.`,
			),
		];
	}
	if (!order.paid_at) return ["Votre commande est annulée. Vous n’avez rien payé et ne devez rien."];
	const done = withdrawal?.outcome === "cancelled" ? "Votre commande est annulée avant la livraison." : "Votre rétractation est acceptée.";
	return [done, ...explainRefund(order)];
}

export const refundRequestReceived: OrderEmailTemplate = (order, context) => ({
	subject: `Votre demande de remboursement — commande ${order.order_number}`,
	preheader: `Nous la vérifions et nous vous répondons sous ${replyTime}.`,
	title: "Votre demande est reçue",
	blocks: [
		greetCustomer(order),
		`Nous avons bien reçu votre demande de remboursement pour un extrait erroné ou inutilisable. Nous la vérifions et nous vous répondons sous ${replyTime}.`,
		{ descriptionList: [...identifyOrder(order), ["Reçue le", formatInstant(context.happenedAt)]] },
		linkTracking(context),
	],
});

export const refundRequestRefused: OrderEmailTemplate = (order, context) => ({
	subject: `Réponse à votre demande de remboursement — commande ${order.order_number}`,
	preheader: "Après vérification, nous ne pouvons pas l’accorder. Voici pourquoi.",
	title: "Réponse à votre demande",
	blocks: [
		greetCustomer(order),
		"Nous avons vérifié l’extrait que vous nous avez signalé. Nous ne pouvons pas accorder le remboursement demandé.",
		...when(context.answer, { quote: (context.answer ?? "").split("\n") }),
		{ descriptionList: identifyOrder(order) },
		`Si cette réponse ne vous satisfait pas, écrivez-nous à ${context.shop.email}. Si vous êtes un consommateur, vous pouvez aussi saisir gratuitement le médiateur : ${context.shop.mediator}.`,
		linkTracking(context),
	],
});
