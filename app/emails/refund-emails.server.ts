import { guaranteePeriod, replyTime } from "../catalogue/after-sale.ts";
import { formatInstant } from "../catalogue/instants.ts";
import { maxAttachedBytes, maxAttachedSize } from "../catalogue/link-lifetimes.ts";
import { type Cents, cents, formatEuros } from "../catalogue/money.ts";
import { services } from "../catalogue/services.ts";
import { nameInSubject } from "../companies/company-name.ts";
import type { EmailBlock } from "../mail/email.ts";
import {
	findRefundRequest,
	findWithdrawal,
	listDeclaration,
	listDeclaredTogether,
	type Withdrawal,
} from "../orders/customer-requests.store.server.ts";
import { listDocumentsById, type StoredDocument } from "../orders/documents/documents.store.server.ts";
import { listCreditedWithdrawals } from "../orders/invoices/invoices.store.server.ts";
import type { Order } from "../orders/order.ts";
import { bankDays, refundReasonLabels } from "../orders/refunds/refund-reason-labels.ts";
import { defineOrderEmail } from "./define-order-email.server.ts";
import {
	beginSubject,
	countServices,
	explainRefund,
	greetCustomer,
	identifyOrder,
	linkTracking,
	nameCompany,
	numberPurchase,
	when,
} from "./email-parts.ts";
import { findMailDocument, findMailRefund, loadPurchase } from "./load-parts.server.ts";
import { createTrackingUrl } from "./tracking-urls.server.ts";

export const refunded = defineOrderEmail({
	name: "refunded",
	to: "customer",
	label: "Remboursement",
	async load({ db }, { mail }) {
		const refund = await findMailRefund(db, mail);
		return refund && { refund, creditNote: await findMailDocument(db, mail) };
	},
	attaches: ({ creditNote }) => [creditNote],
	compose: (order, data) => ({
		subject: `${nameInSubject(order)} : remboursement de votre commande ${order.order_number}`,
		preheader: `${formatEuros(data.refund.amount)} vous sont remboursés.${data.creditNote ? " L’avoir est joint." : ""}`,
		title: "Vous êtes remboursé",
		blocks: [
			greetCustomer(order),
			refundReasonLabels[data.refund.reason],
			{ descriptionList: [...identifyOrder(order), describeAmount(data)] },
			bankDays,
			...when(data.creditNote, "L’avoir qui corrige votre facture est joint à ce message."),
			linkTracking(data),
		],
	}),
});

export const duplicateRefunded = defineOrderEmail({
	name: "surplus-refunded",
	to: "customer",
	label: "Second paiement remboursé",
	async load({ db }, { mail }) {
		const refund = await findMailRefund(db, mail);
		return refund && { refund };
	},
	compose: (order, data) => ({
		subject: `Commande ${order.order_number} : un paiement en double vous est remboursé`,
		preheader: `${formatEuros(data.refund.amount)} vous sont remboursés. Vous n’avez rien à faire.`,
		title: "Un paiement en double vous est remboursé",
		blocks: [
			greetCustomer(order),
			"Nous avons reçu un paiement qui n’était pas dû pour cette commande, par exemple parce qu’elle a été payée deux fois. Nous vous le remboursons en entier.",
			{ descriptionList: [...identifyOrder(order), describeAmount(data)] },
			"Rien d’autre ne change pour votre commande.",
			bankDays,
			linkTracking(data),
		],
	}),
});

/** The most receipts a day to the mailbox of orders that are not paid. */
const receiptLimit = { name: "unpaid-receipt", most: 3 };

/** Before the payment, a purchase is cancelled with all its orders; after it, each order by itself. */
export const cancelled = defineOrderEmail({
	name: "cancelled",
	to: "customer",
	label: "Commande annulée",
	dailyLimit: receiptLimit,
	load: (context, { order }) => loadPurchase(context, order),
	compose(order, { orders, happenedAt }) {
		const isLine = orders.length > 1 && order.paid_at !== null;
		const isWhole = orders.length > 1 && order.paid_at === null;
		const number = isWhole ? numberPurchase(order, orders) : order.order_number;
		return {
			// the first line of a purchase has its number
			subject: isLine
				? `${nameInSubject(order)} : annulation de l’extrait, commande ${number}`
				: `Annulation de votre ${isWhole ? "commande groupée" : "commande"} ${number}`,
			preheader: order.paid_at
				? isLine
					? "Le prix de cet extrait vous est remboursé."
					: "Elle vous est remboursée en entier."
				: "Vous n’avez rien payé et ne devez rien.",
			title: isWhole
				? "Votre commande groupée est annulée"
				: isLine
					? "L’extrait que vous avez annulé ne sera pas livré"
					: "Votre commande est annulée",
			blocks: [
				greetCustomer(order),
				"Nous accusons réception de votre annulation.",
				{
					descriptionList: [
						...(isWhole ? ([["Numéro de commande groupée", number], ...countServices(orders)] as const) : identifyOrder(order)),
						["Annulée le", formatInstant(happenedAt)],
					],
				},
				...(order.paid_at ? explainRefund(order, { isLine }) : ["Vous n’avez rien payé et ne devez rien."]),
			],
		};
	},
});

/** Acknowledges a withdrawal on a durable medium, with its content, date and hour (C. conso. L221-21). */
export const withdrawalReceipt = defineOrderEmail({
	name: "withdrawal-receipt",
	to: "customer",
	label: "Accusé de rétractation",
	dailyLimit: receiptLimit,
	async load(context, { order }) {
		const withdrawal = await findWithdrawal(context.db, order.id);
		if (withdrawal === null) return null;
		const declared = await listDeclaration(context.db, withdrawal.declaration_id ?? withdrawal.id);
		const { orders, trackingUrl } = await loadPurchase(context, order);
		return { withdrawal, declared, orders, trackingUrl: declared.length > 1 ? trackingUrl : createTrackingUrl(context, order) };
	},
	compose(order, data) {
		const { withdrawal, declared, orders } = data;
		const isOne = declared.length === 1;
		const declaredAt = formatInstant(withdrawal.declared_at);
		const named = isOne ? `commande ${order.order_number}` : `commande groupée ${numberPurchase(order, orders)}`;
		return {
			subject: `Accusé de réception de votre rétractation — ${named}`,
			preheader: `Déclaration reçue le ${declaredAt}.`,
			title: "Votre rétractation est reçue",
			blocks: [
				greetCustomer(order),
				"Nous accusons réception de la déclaration suivante.",
				{
					quote: [
						`Je vous notifie par la présente ma rétractation du contrat portant sur la ${named}${isOne ? "." : ", pour ces extraits :"}`,
						...(isOne ? [`Objet : ${nameCompany(order)}`] : declared.map((line) => nameDeclared(line.order))),
						...(order.paid_at ? [`Nom : ${order.first_name} ${order.last_name}`] : []),
						`E-mail : ${order.customer_email}`,
					],
				},
				{ descriptionList: [["Reçue le", declaredAt]] },
				{ heading: "Notre réponse" },
				...(isOne ? explainOutcome(order, withdrawal) : explainOutcomes(declared)),
				linkTracking(data),
			],
		};
	},
});

/** The refunds of a withdrawal from several orders, once the last of them has ended. Their order is the first. */
export const withdrawalRefunded = defineOrderEmail({
	name: "withdrawal-refunded",
	to: "customer",
	label: "Rétractation remboursée",
	async load(context, { order }) {
		const credited = await listCreditedWithdrawals(context.db, await listDeclaredTogether(context.db, order.id));
		const purchase = await loadPurchase(context, order);
		const refunds = credited.flatMap(({ order_id, amount_cents }) => {
			const line = purchase.orders.find(({ id }) => id === order_id);
			return line ? { line, amount: cents(amount_cents) } : [];
		});
		if (refunds.length === 0) return null;
		const ids = credited.map(({ document_id }) => document_id);
		return { ...purchase, refunds, creditNotes: limitBytes(await listDocumentsById(context.db, ids)) };
	},
	attaches: ({ creditNotes }) => creditNotes,
	compose(order, { orders, refunds, creditNotes, ...data }) {
		const total = formatEuros(cents(refunds.reduce((sum, { amount }) => sum + amount, 0)));
		const number = numberPurchase(order, orders);
		const [isAll, isOne] = [creditNotes.length >= refunds.length, refunds.length === 1];
		return {
			subject: `${beginSubject(refunds.map(({ line }) => line))} : remboursement de votre rétractation — commande groupée ${number}`,
			preheader: `${total} vous sont remboursés.${isAll ? ` ${isOne ? "L’avoir est joint" : "Les avoirs sont joints"}.` : ""}`,
			title: "Vous êtes remboursé",
			blocks: [
				greetCustomer(order),
				refundReasonLabels.withdrawal,
				{
					descriptionList: [
						["Numéro de commande groupée", number],
						...refunds.map(({ line, amount }) => [`${line.order_number}, ${nameInSubject(line)}`, `${formatEuros(amount)} TTC`] as const),
						["Total remboursé", `${total} TTC`],
					],
				},
				bankDays,
				`${isOne ? "L’avoir qui corrige votre facture est joint" : "Les avoirs qui corrigent votre facture sont joints"} à ce message${isAll ? "" : `, jusqu’à ${maxAttachedSize}. Chacun est aussi sur la page de suivi de son extrait`}.`,
				linkTracking(data),
			],
		};
	},
});

/** The first documents that one e-mail may bring together. */
function limitBytes(documents: readonly StoredDocument[]): StoredDocument[] {
	let sum = 0;
	return documents.filter(({ bytes }) => {
		sum += bytes;
		return sum <= maxAttachedBytes;
	});
}

export const refundRequestReceived = defineOrderEmail({
	name: "refund-request-received",
	to: "customer",
	label: "Demande de remboursement reçue",
	load: async () => ({}),
	compose: (order, data) => ({
		subject: `${nameInSubject(order)} : votre demande de remboursement — commande ${order.order_number}`,
		preheader: `Nous la vérifions et nous vous répondons sous ${replyTime}.`,
		title: "Votre demande est reçue",
		blocks: [
			greetCustomer(order),
			`Nous avons bien reçu votre demande de remboursement pour un extrait erroné ou inutilisable. Nous la vérifions et nous vous répondons sous ${replyTime}.`,
			{ descriptionList: [...identifyOrder(order), ["Reçue le", formatInstant(data.happenedAt)]] },
			linkTracking(data),
		],
	}),
});

export const refundRequestRefused = defineOrderEmail({
	name: "refund-request-refused",
	to: "customer",
	label: "Demande de remboursement refusée",
	async load({ db }, { order }) {
		const request = await findRefundRequest(db, order.id);
		return request?.answer ? { answer: request.answer } : null;
	},
	compose: (order, data) => ({
		subject: `${nameInSubject(order)} : réponse à votre demande de remboursement — commande ${order.order_number}`,
		preheader: "Après vérification, nous ne pouvons pas l’accorder. Voici pourquoi.",
		title: "Réponse à votre demande",
		blocks: [
			greetCustomer(order),
			"Nous avons vérifié l’extrait que vous nous avez signalé. Nous ne pouvons pas accorder le remboursement demandé.",
			{ quote: data.answer.split("\n") },
			{ descriptionList: identifyOrder(order) },
			`Si cette réponse ne vous satisfait pas, écrivez-nous à ${data.shop.email}. Si vous êtes un consommateur, vous pouvez aussi saisir gratuitement le médiateur : ${data.shop.mediator}.`,
			linkTracking(data),
		],
	}),
});

const describeAmount = ({ refund }: { refund: { amount: Cents } }) => ["Montant remboursé", `${formatEuros(refund.amount)} TTC`] as const;

interface Declared {
	order: Order;
	withdrawal: Withdrawal;
}

const nameDeclared = (order: Order) => `${order.order_number} : ${nameCompany(order)}, ${services[order.product_code].name}`;

const isDeliveredAndPaid = (order: Order) => order.status === "completed" && order.refunded_cents < order.price_cents;

/** One row for each order of a declaration, and the sum of what is refunded. */
function explainOutcomes(lines: readonly Declared[]): EmailBlock[] {
	const total = cents(lines.reduce((sum, { withdrawal }) => sum + withdrawal.refund_cents, 0));
	const isPaid = lines.some(({ order }) => order.paid_at !== null);
	return [
		{
			descriptionList: [
				...lines.map((line) => [`${line.order.order_number}, ${nameInSubject(line.order)}`, describeLineOutcome(line)] as const),
				...(isPaid ? ([["Total remboursé", `${formatEuros(total)} TTC`]] as const) : []),
			],
		},
		...when(!isPaid, "Vous n’avez rien payé et ne devez rien."),
		...when(total > 0, "Un autre e-mail vous confirme ces remboursements, avec les avoirs.", bankDays),
		...when(
			lines.some(({ withdrawal, order }) => withdrawal.outcome === "refused" && isDeliveredAndPaid(order)),
			`Si un document est erroné ou inutilisable, vous pouvez en demander le remboursement dans les ${guaranteePeriod} qui suivent sa livraison, depuis la page de suivi.`,
		),
	];
}

function describeLineOutcome({ order, withdrawal: { outcome, reason, refund_cents } }: Declared): string {
	if (outcome === "refused") return `Refusée. ${reason ?? ""}`;
	const done = outcome === "cancelled" ? "Annulée" : "Acceptée";
	if (order.paid_at === null) return `${done}.`;
	return refund_cents
		? `${done}, ${formatEuros(cents(refund_cents))} remboursés.`
		: `${done}. Elle vous a déjà été remboursée, ou va l’être.`;
}

function explainOutcome(order: Order, { outcome, reason, refund_cents }: Withdrawal): EmailBlock[] {
	if (outcome === "refused") {
		return [
			"Nous ne pouvons pas donner suite à cette rétractation.",
			reason ??
				`Le document a été livré${order.completed_at ? ` le ${formatInstant(order.completed_at)}` : ""}${order.withdrawal_waived_at ? `, après que vous avez demandé l’exécution immédiate et reconnu perdre votre droit de rétractation le ${formatInstant(order.withdrawal_waived_at)}` : ""}.`,
			// a recorded reason cites its article
			...when(
				reason === null && isDeliveredAndPaid(order) && order.withdrawal_waived_at,
				"Le droit de rétractation ne peut être exercé pour un service pleinement exécuté avant la fin du délai, lorsque l’exécution a commencé avec l’accord préalable et exprès du consommateur et qu’il a reconnu perdre ce droit (C. conso. art. L221-28, 1°).",
			),
			...when(
				isDeliveredAndPaid(order),
				`Si le document est erroné ou inutilisable, vous pouvez en demander le remboursement dans les ${guaranteePeriod} qui suivent sa livraison, depuis la page de suivi.`,
			),
		];
	}
	if (!order.paid_at) return ["Votre commande est annulée. Vous n’avez rien payé et ne devez rien."];
	const done = outcome === "cancelled" ? "Votre rétractation est acceptée : la commande est annulée." : "Votre rétractation est acceptée.";
	return refund_cents > 0
		? [done, `Nous vous remboursons ${formatEuros(cents(refund_cents))}. Un autre e-mail vous le confirme, avec l’avoir.`, bankDays]
		: [done, "Cette commande vous a déjà été remboursée, ou va l’être."];
}
