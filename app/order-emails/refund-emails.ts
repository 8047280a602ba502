import { guaranteePeriod } from "../catalogue/guarantee.ts";
import { formatInstant } from "../catalogue/instants.ts";
import { cents, formatEuros } from "../catalogue/money.ts";
import { replyTime } from "../catalogue/reply-time.ts";
import { services } from "../catalogue/services.ts";
import type { EmailBlock } from "../mail/email.ts";
import type { Order } from "../orders/order.ts";
import { bankDays, refundReasonLabels } from "../refunds/refund-reason-labels.ts";
import {
	type DeclaredWithdrawal,
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
		preheader: order.paid_at
			? purchase
				? "Le prix de cet extrait vous est remboursé."
				: "Elle vous est remboursée en entier."
			: "Vous n’avez rien payé et ne devez rien.",
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
			...(order.paid_at ? explainRefund(order, { isLine: purchase !== null }) : ["Vous n’avez rien payé et ne devez rien."]),
		],
	};
};

/** Acknowledges a withdrawal on a durable medium, with its content, date and hour (C. conso. L221-21). */
export const withdrawalReceipt: OrderEmailTemplate = (order, context) => {
	const declaredAt = formatInstant(context.withdrawal?.declaredAt ?? context.happenedAt);
	const several = context.withdrawal?.several ?? null;
	const named = several ? `commande groupée ${several.number}` : `commande ${order.order_number}`;
	return {
		subject: `Accusé de réception de votre rétractation — ${named}`,
		preheader: `Déclaration reçue le ${declaredAt}.`,
		title: "Votre rétractation est reçue",
		blocks: [
			greetCustomer(order),
			"Nous accusons réception de la déclaration suivante.",
			{
				quote: [
					`Je vous notifie par la présente ma rétractation du contrat portant sur la ${named}${several ? ", pour ces extraits :" : "."}`,
					...(several ? several.lines.map((line) => nameDeclared(line.order)) : [`Objet : ${order.company_name} (SIREN ${order.siren})`]),
					...(order.paid_at ? [`Nom : ${order.first_name} ${order.last_name}`] : []),
					`E-mail : ${order.customer_email}`,
				],
			},
			{ descriptionList: [["Reçue le", declaredAt]] },
			{ heading: "Notre réponse" },
			...(several ? explainLines(several.lines) : explainOutcome(order, context.withdrawal)),
			linkTracking(context),
		],
	};
};

const nameDeclared = ({ order_number, company_name, siren, product_code }: Order) =>
	`${order_number} : ${company_name} (SIREN ${siren}), ${services[product_code].name}`;

/** One row for each order of a declaration, and the sum of what is refunded. */
function explainLines(lines: NonNullable<DeclaredWithdrawal["several"]>["lines"]): EmailBlock[] {
	const total = cents(lines.reduce((sum, { refund }) => sum + (refund ?? 0), 0));
	const isPaid = lines.some(({ order }) => order.paid_at !== null);
	return [
		{
			descriptionList: [
				...lines.map((line) => [`${line.order.order_number}, ${line.order.company_name}`, describeLineOutcome(line)] as const),
				...(isPaid ? ([["Total remboursé", `${formatEuros(total)} TTC`]] as const) : []),
			],
		},
		...when(!isPaid, "Vous n’avez rien payé et ne devez rien."),
		...when(total > 0, "D’autres e-mails vous confirment chaque remboursement, avec son avoir.", bankDays),
		...when(
			lines.some(({ outcome, order }) => outcome === "refused" && order.status === "completed" && order.refunded_cents < order.price_cents),
			`Si un document est erroné ou inutilisable, vous pouvez en demander le remboursement dans les ${guaranteePeriod} qui suivent sa livraison, depuis la page de suivi.`,
		),
	];
}

function describeLineOutcome({ outcome, reason, refund, order }: NonNullable<DeclaredWithdrawal["several"]>["lines"][number]): string {
	if (outcome === "refused") return `Refusée. ${reason ?? ""}`;
	const done = outcome === "cancelled" ? "Annulée" : "Acceptée";
	if (order.paid_at === null) return `${done}.`;
	return refund ? `${done}, ${formatEuros(cents(refund))} remboursés.` : `${done}. Elle vous a déjà été remboursée, ou va l’être.`;
}

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
	const refund = withdrawal?.refund;
	if (refund === undefined || refund === null) return [done, ...explainRefund(order)];
	return refund > 0
		? [done, `Nous vous remboursons ${formatEuros(refund)}. Un autre e-mail vous le confirme, avec l’avoir.`, bankDays]
		: [done, "Cette commande vous a déjà été remboursée, ou va l’être."];
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
