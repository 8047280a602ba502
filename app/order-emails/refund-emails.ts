import { guaranteePeriod } from "../catalogue/guarantee.ts";
import { formatInstant } from "../catalogue/instants.ts";
import { formatEuros } from "../catalogue/money.ts";
import type { EmailBlock } from "../mail/email.ts";
import type { Order } from "../orders/order.ts";
import { bankDays, refundReasonLabels } from "../refunds/refund-reason-labels.ts";
import { givenBack, greet, naming, type OrderEmailContext, type OrderEmailTemplate, tracking, when } from "./email-parts.ts";

const amountOf = ({ refund }: OrderEmailContext) => (refund ? ([["Montant remboursé", `${formatEuros(refund.amount)} TTC`]] as const) : []);

export const refunded: OrderEmailTemplate = (order, facts) => ({
	subject: `Remboursement de votre commande ${order.order_number}`,
	preheader: `${facts.refund ? `${formatEuros(facts.refund.amount)} vous sont rendus.` : "Vous êtes remboursé."}${facts.documentId ? " L’avoir est joint." : ""}`,
	title: "Vous êtes remboursé",
	blocks: [
		greet(order),
		...when(facts.refund, refundReasonLabels[facts.refund?.reason ?? "operator"]),
		{ descriptionList: [...naming(order), ...amountOf(facts)] },
		bankDays,
		...when(facts.documentId, "L’avoir qui corrige votre facture est joint à ce message."),
		tracking(order, facts),
	],
});

export const surplusRefunded: OrderEmailTemplate = (order, facts) => ({
	subject: `Commande ${order.order_number} : un paiement de trop vous est rendu`,
	preheader: `${facts.refund ? `${formatEuros(facts.refund.amount)} vous sont rendus.` : "Il vous est rendu."} Vous n’avez rien à faire.`,
	title: "Un paiement de trop vous est rendu",
	blocks: [
		greet(order),
		"Nous avons reçu un paiement qui n’était pas dû pour cette commande, par exemple parce qu’elle a été payée deux fois. Il vous est rendu en entier.",
		{ descriptionList: [...naming(order), ...amountOf(facts)] },
		"Rien d’autre ne change pour votre commande.",
		bankDays,
		tracking(order, facts),
	],
});

export const cancelled: OrderEmailTemplate = (order, facts) => ({
	subject: `Annulation de votre commande ${order.order_number}`,
	preheader: order.paid_at ? "Elle vous est remboursée en entier." : "Vous n’avez rien payé et ne devez rien.",
	title: "Votre commande est annulée",
	blocks: [
		greet(order),
		"Nous accusons réception de votre annulation.",
		{ descriptionList: [...naming(order), ["Annulée le", formatInstant(facts.happenedAt)]] },
		...(order.paid_at ? givenBack(order) : ["Vous n’avez rien payé et ne devez rien."]),
	],
});

/** Acknowledges a declaration with its content, its date and its hour, on a durable medium (C. conso. L221-21). */
export const withdrawalReceipt: OrderEmailTemplate = (order, facts) => {
	const declaredAt = formatInstant(facts.withdrawal?.declaredAt ?? facts.happenedAt);
	return {
		subject: `Accusé de réception de votre rétractation — commande ${order.order_number}`,
		preheader: `Déclaration reçue le ${declaredAt}.`,
		title: "Votre rétractation est reçue",
		blocks: [
			greet(order),
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
			{ heading: "Ce qu’il en résulte" },
			...outcome(order, facts.withdrawal),
			tracking(order, facts),
		],
	};
};

function outcome(order: Order, withdrawal: OrderEmailContext["withdrawal"]): EmailBlock[] {
	if (withdrawal?.outcome === "refused") {
		const kept = order.status === "completed" && order.refunded_cents < order.price_cents;
		return [
			"Nous ne pouvons pas donner suite à cette rétractation. Voici pourquoi.",
			withdrawal.reason ??
				`Le document a été livré${order.completed_at ? ` le ${formatInstant(order.completed_at)}` : ""}${order.withdrawal_waived_at ? `, après que vous avez demandé l’exécution immédiate et reconnu perdre votre droit de rétractation le ${formatInstant(order.withdrawal_waived_at)}` : ""}.`,
			...when(
				kept && order.withdrawal_waived_at,
				"Le droit de rétractation ne peut être exercé pour un service pleinement exécuté avant la fin du délai, lorsque l’exécution a commencé avec l’accord préalable et exprès du consommateur et qu’il a reconnu perdre ce droit (C. conso. art. L221-28, 1°).",
			),
			...when(
				kept,
				`Si le document est erroné ou inutilisable, vous pouvez en demander le remboursement dans les ${guaranteePeriod} qui suivent sa livraison, depuis la page de suivi.`,
			),
		];
	}
	if (withdrawal?.outcome === "cancelled" && !order.paid_at) return ["Votre commande est annulée. Vous n’avez rien payé et ne devez rien."];
	const done =
		withdrawal?.outcome === "cancelled" ? "Votre commande est annulée avant la livraison." : "Votre droit de rétractation est exercé.";
	return [done, ...givenBack(order)];
}

export const refundRequestReceived: OrderEmailTemplate = (order, facts) => ({
	subject: `Votre demande de remboursement — commande ${order.order_number}`,
	preheader: "Nous la vérifions et nous vous répondons sous 24 h.",
	title: "Votre demande est reçue",
	blocks: [
		greet(order),
		"Nous avons bien reçu votre demande de remboursement pour un extrait erroné ou inutilisable. Nous la vérifions et nous vous répondons sous 24 h.",
		{ descriptionList: [...naming(order), ["Reçue le", formatInstant(facts.happenedAt)]] },
		tracking(order, facts),
	],
});

export const refundRequestRefused: OrderEmailTemplate = (order, facts) => ({
	subject: `Réponse à votre demande de remboursement — commande ${order.order_number}`,
	preheader: "Après vérification, nous ne pouvons pas l’accorder. Voici pourquoi.",
	title: "Réponse à votre demande",
	blocks: [
		greet(order),
		"Nous avons vérifié l’extrait que vous nous avez signalé. Nous ne pouvons pas accorder le remboursement demandé.",
		...when(facts.answer, { quote: (facts.answer ?? "").split("\n") }),
		{ descriptionList: naming(order) },
		`Si cette réponse ne vous satisfait pas, écrivez-nous à ${facts.shop.email}. Si vous êtes un consommateur, vous pouvez aussi saisir gratuitement le médiateur : ${facts.shop.mediator}.`,
		tracking(order, facts),
	],
});
