import type { ShopIdentity } from "../../server/environment/shop-identity.ts";
import type { Cents } from "../catalogue/money.ts";
import { services } from "../catalogue/services.ts";
import type { EmailNotices } from "../extract-watch/email-notices.server.ts";
import type { EmailBlock, EmailContent } from "../mail/email.ts";
import type { NotFoundReason } from "../orders/lifecycle.ts";
import type { Order } from "../orders/order.ts";
import { bankDays, type refundReasonLabels } from "../refunds/refund-reason-labels.ts";
import { absoluteUrl } from "../ui/absolute-url.ts";

/** The data of an e-mail beside the order. Null where the e-mail is not about it. */
export interface OrderEmailContext {
	/** Without a trailing slash. */
	baseUrl: string;
	shop: ShopIdentity;
	/** When the mail's event happened: the instant at which the mail was queued. */
	happenedAt: Date;
	/** Opens the order's page without typing where the address is known to be the customer's; otherwise the page asks. */
	trackingUrl: string;
	documentId: string | null;
	/** A signed link, valid for 24 hours. */
	documentUrl: string | null;
	/** Whether the e-mail has the extract's file; null when the e-mail is not to have one. */
	extractFile: "attached" | "too-large" | null;
	/** Whether the attached invoice replaces another: the credit note of that one is attached too. */
	invoiceCorrected: boolean;
	/** The attached terms of sale, for a confirmation; null for an order of which no version of them is kept. */
	termsUrl: string | null;
	/** The order in the desk, for the operator; null while there is no desk. */
	deskOrderUrl: string | null;
	/** The refund of a late order leaves then at the latest; null: at once. */
	refundDueBy: Date | null;
	/** Whether the registry was asked for the extracts of a confirmed order or purchase; null when none is awaited any more. */
	request: string | null;
	/** A closure or a day off has moved the promise since the order was placed. */
	promiseMoved: boolean;
	/** Whether the extract is of a sole trader: an extract K. */
	soleTrader: boolean;
	/** Resumes an unfinished payment. */
	resumeUrl: string | null;
	refund: { amount: Cents; reason: keyof typeof refundReasonLabels } | null;
	withdrawal: DeclaredWithdrawal | null;
	/** Why the registry has no extract, where the operator said it. */
	notFoundBecause: NotFoundReason | null;
	/** The operator's reason for a refused refund request. */
	answer: string | null;
	/** Of an e-mail about all orders of a purchase of several. */
	purchase: PurchaseOfEmail | null;
	/** What was published since the extract. */
	emailNotices: EmailNotices | null;
}

export interface DeclaredWithdrawal {
	declaredAt: Date;
	outcome: "cancelled" | "refunded" | "refused";
	reason: string | null;
	/** What it gives back; absent from old receipts. */
	refund?: Cents | null;
	/** Of a declaration for several orders of a purchase, with the number that names it. */
	several?: { number: string; lines: readonly (Omit<DeclaredWithdrawal, "declaredAt" | "several"> & { order: Order })[] } | null;
}

/** A purchase of several orders. */
export interface PurchaseOfEmail {
	/** In the order of its lines. */
	orders: readonly Order[];
	/** Opens its page as `trackingUrl` opens that of an order; null to a recipient. */
	url: string | null;
	/** Downloads the extracts that the e-mail announces; null while there are none, and when a dispute stops downloads. */
	filesUrl: string | null;
}

export type OrderEmailTemplate = (order: Order, context: OrderEmailContext) => EmailContent;

/** Greets by name only after the payment. Before it, the address may be a stranger's, who must not receive a typed name. */
export const greetCustomer = (order: Order): EmailBlock => (order.paid_at ? `Bonjour ${order.first_name} ${order.last_name},` : "Bonjour,");

export const linkTracking = ({ trackingUrl }: OrderEmailContext): EmailBlock => ({ link: "Suivre votre commande", url: trackingUrl });

/** Where all orders of a customer are. */
export const mentionSpace = ({ baseUrl }: Pick<OrderEmailContext, "baseUrl">): EmailBlock[] => [
	{ link: "Retrouver toutes vos commandes et vos factures, sans mot de passe", url: absoluteUrl(baseUrl, "/mes-commandes") },
];

/** What a recipient who did not order is told of their data, in each e-mail to them (GDPR art. 14). */
export const informRecipient = (order: Order, { baseUrl }: Pick<OrderEmailContext, "baseUrl">): EmailBlock[] => [
	{ heading: "Vos données" },
	`${order.first_name} ${order.last_name} nous a donné votre adresse e-mail pour cet envoi. Nous ne l’utilisons pour rien d’autre.`,
	{ link: "Vos données et vos droits", url: `${absoluteUrl(baseUrl, "/politique-confidentialite")}#destinataire` },
];

/** « extrait Kbis », « extrait K » */
export const nameExtract = ({ soleTrader }: Pick<OrderEmailContext, "soleTrader">): string => (soleTrader ? "extrait K" : "extrait Kbis");

/** Number, company and the customer's own reference of an order, for customers with several orders. */
export const identifyOrder = (order: Order) =>
	[
		["Numéro de commande", order.order_number],
		["Entreprise", `${order.company_name} (SIREN ${order.siren})`],
		...(order.reference ? ([["Votre référence", order.reference]] as const) : []),
	] as const;

/**
 * Announces the refund of a failed or cancelled order. A late order may already be refunded.
 * @param isLine the order was bought with others, which stay.
 */
export const explainRefund = (order: Order, { isLine = false }: { isLine?: boolean } = {}): EmailBlock[] =>
	services[order.product_code].refundedWhenLate && order.late_at !== null
		? [
				`Cette commande était en retard : ${isLine ? "son prix vous a déjà été remboursé" : "la totalité de ce que vous avez payé vous a déjà été remboursée"}, ou est en cours de remboursement.`,
			]
		: [
				`${isLine ? "Le prix de cet extrait vous est remboursé" : "La totalité de ce que vous avez payé vous est remboursée"}. Un autre e-mail vous le confirme, avec l’avoir.`,
				bankDays,
			];

/** @returns the blocks if `holds` is truthy, otherwise none. */
export const when = (holds: unknown, ...blocks: EmailBlock[]): EmailBlock[] => (holds ? blocks : []);
