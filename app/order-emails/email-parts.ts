import type { ShopIdentity } from "../../server/environment/shop-identity.ts";
import type { Cents } from "../catalogue/money.ts";
import { services } from "../catalogue/services.ts";
import type { EmailBlock, EmailContent } from "../mail/email.ts";
import type { Order } from "../orders/order.ts";
import { bankDays, type refundReasonLabels } from "../refunds/refund-reason-labels.ts";
import { absoluteUrl } from "../ui/absolute-url.ts";

/** What an e-mail says beside the order itself. Null where the e-mail is not about it. */
export interface OrderEmailContext {
	/** Without a trailing slash. */
	baseUrl: string;
	shop: ShopIdentity;
	/** When what the mail tells of happened: when the mail was written down. */
	happenedAt: Date;
	documentId: string | null;
	/** A signed link, good for 24 hours. */
	documentUrl: string | null;
	/** Leads back to a payment that was not finished. */
	resumeUrl: string | null;
	refund: { amount: Cents; reason: keyof typeof refundReasonLabels } | null;
	withdrawal: { declaredAt: Date; outcome: "cancelled" | "refunded" | "refused"; reason: string | null } | null;
	/** What the operator answered to a request for a refund that they refuse, in their words. */
	answer: string | null;
}

export type OrderEmailTemplate = (order: Order, context: OrderEmailContext) => EmailContent;

/** Greets by name after payment only. Before, the e-mail address may be a stranger's: no typed name is sent to it. */
export const greetCustomer = (order: Order): EmailBlock => (order.paid_at ? `Bonjour ${order.first_name} ${order.last_name},` : "Bonjour,");

export const linkTracking = (order: Order, { baseUrl }: OrderEmailContext): EmailBlock => ({
	link: "Suivre votre commande",
	url: absoluteUrl(baseUrl, "/suivi/:number", { number: order.order_number }),
});

/** Which order the e-mail is about, for customers who have several. */
export const identifyOrder = (order: Order) =>
	[
		["Numéro de commande", order.order_number],
		["Entreprise", `${order.company_name} (SIREN ${order.siren})`],
	] as const;

/** What happens to the price when a paid order ends. A service that is refunded when late is not refunded twice. */
export const explainRefund = (order: Order): EmailBlock[] =>
	services[order.product_code].refundedWhenLate && order.late_at !== null
		? ["Cette commande était en retard : la totalité de ce que vous avez payé vous a déjà été rendue, ou l’est en ce moment."]
		: ["La totalité de ce que vous avez payé vous est remboursée. Un autre e-mail vous le confirme, avec l’avoir.", bankDays];

/** Blocks that only some e-mails have. */
export const when = (holds: unknown, ...blocks: EmailBlock[]): EmailBlock[] => (holds ? blocks : []);
