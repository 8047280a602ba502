import { serviceCodes, services } from "../catalogue/services.ts";
import { nameInSubject } from "../companies/company-name.ts";
import type { EmailBlock } from "../mail/email.ts";
import { isFinal } from "../orders/lifecycle.ts";
import { formatExtractCount, type Order } from "../orders/order.ts";
import { bankDays } from "../orders/refunds/refund-reason-labels.ts";
import { absoluteUrl } from "../ui/absolute-url.ts";
import type { SharedEmailData } from "./define-order-email.server.ts";

/** @returns the blocks if `holds` is truthy, otherwise none. */
export const when = (holds: unknown, ...blocks: EmailBlock[]): EmailBlock[] => (holds ? blocks : []);

/** Greets by name only after the payment. Before it, the address may be a stranger's, who must not receive a typed name. */
export const greetCustomer = (order: Order): EmailBlock => (order.paid_at ? `Bonjour ${nameBuyer(order)},` : "Bonjour,");

export const linkTracking = ({ trackingUrl }: SharedEmailData): EmailBlock => ({ link: "Suivre votre commande", url: trackingUrl });

/** Where all orders of a customer are. */
export const linkSpace = ({ baseUrl }: SharedEmailData): EmailBlock => ({
	link: "Retrouver toutes vos commandes et vos factures, sans mot de passe",
	url: absoluteUrl(baseUrl, "/mes-commandes"),
});

/** « extrait Kbis », « extrait K » */
export const nameExtract = ({ soleTrader }: { soleTrader: boolean }): string => (soleTrader ? "extrait K" : "extrait Kbis");

/** Number, company and the customer's own reference of an order, for customers with several orders. */
export const identifyOrder = (order: Order) =>
	[
		["Numéro de commande", order.order_number],
		["Entreprise", nameCompany(order)],
		...(order.reference ? ([["Votre référence", order.reference]] as const) : []),
	] as const;

/** « DANONE (SIREN 552032534) » */
export const nameCompany = ({ company_name, siren }: Order): string => `${company_name} (SIREN ${siren})`;

/** « DANONE », « 3 extraits »: how a subject begins, because mailboxes cut its end. */
export const beginSubject = (orders: readonly Order[]): string =>
	orders.length === 1 && orders[0] ? nameInSubject(orders[0]) : formatExtractCount(orders.length);

/** « DANONE (SIREN 552032534), dossier 2026-114 »: an order among others of its purchase. */
export const nameLine = (order: Order): string => `${nameCompany(order)}${order.reference ? `, ${order.reference}` : ""}`;

/** A purchase has the number of its first order. @param order any of them. */
export const numberPurchase = (order: Order, orders: readonly Order[]): string => orders[0]?.order_number ?? order.order_number;

/** The orders of each service, in the order of the catalogue. */
export const groupByService = (orders: readonly Order[]) =>
	serviceCodes
		.map((code) => ({ service: services[code], ofService: orders.filter(({ product_code }) => product_code === code) }))
		.filter(({ ofService }) => ofService.length > 0);

/** The orders of a purchase with the service of this one, in the order of its lines. */
export const listOfService = ({ product_code }: Order, orders: readonly Order[]): Order[] =>
	orders.filter((each) => each.product_code === product_code);

/** Whether all orders of a purchase with the service of this one have ended: they then have one e-mail, which names those that failed. */
export const hasServiceEnded = (order: Order, orders: readonly Order[]): boolean =>
	listOfService(order, orders).every(({ status }) => isFinal(status));

/** Each service of a purchase with its number of extracts, in the order of the catalogue. */
export const countServices = (orders: readonly Order[]) =>
	groupByService(orders).map(({ service, ofService }) => [service.name, formatExtractCount(ofService.length)] as const);

/** The most lines that an e-mail lists; the page has all. */
export const maxListed = 20;

/** Lists orders of a purchase as labelled values, the first ones and how many more there are. */
export function listLines(orders: readonly Order[], describe: (order: Order) => string, most = maxListed): EmailBlock[] {
	const others = orders.length - most;
	return [
		{ descriptionList: orders.slice(0, most).map((order) => [order.order_number, describe(order)] as const) },
		...when(others > 0, others === 1 ? "Et un autre, sur la page de suivi." : `Et ${others} autres, sur la page de suivi.`),
	];
}

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

/** The reason of a failure, for the customer. */
const failureLabels: Record<string, string> = {
	"not-found": "Le registre du commerce et des sociétés ne contient pas d’extrait pour cette entreprise.",
	"not-available": "Aucun extrait n’est délivré pour cette entreprise.",
};

export const explainFailure = (order: Order): string =>
	failureLabels[order.failure_reason ?? ""] ?? "Nous n’avons pas pu obtenir l’extrait commandé.";

/** Lists the failed orders of a purchase, each with its reason. @param refunded « Il vous est remboursé en totalité. » */
export const listFailures = (failed: readonly Order[], refunded: string): EmailBlock[] => [
	...listLines(failed, (order) => `${nameLine(order)}. ${explainFailure(order)}`),
	`${refunded} Un autre e-mail vous le confirme${failed.length > 1 ? " pour chacun" : ""}, avec l’avoir.`,
];

/** What a recipient who did not order is told of their data, in each e-mail to them (GDPR art. 14). */
export const informRecipient = (order: Order, { baseUrl }: SharedEmailData): EmailBlock[] => [
	{ heading: "Vos données" },
	`${nameBuyer(order)} nous a donné votre adresse e-mail pour cet envoi. Nous ne l’utilisons pour rien d’autre.`,
	{ link: "Vos données et vos droits", url: `${absoluteUrl(baseUrl, "/politique-confidentialite")}#destinataire` },
];

/** « Claire Durand » */
export const nameBuyer = ({ first_name, last_name }: Order): string => `${first_name} ${last_name}`;

/**
 * « Claire Durand (Cabinet Exemple) »: who sends extracts to their recipient. A company that is ordered is not named as the sender's: it
 * was chosen, not typed (docs/rules.md, R198).
 * @param ordered all orders of the purchase.
 */
export function nameSender(order: Order, ordered: readonly Pick<Order, "siren" | "company_name">[]): string {
	const { billing_company, billing_siren } = order;
	const isOrdered = ordered.some(({ siren, company_name }) => siren === billing_siren || company_name === billing_company);
	return `${nameBuyer(order)}${billing_company && !isOrdered ? ` (${billing_company})` : ""}`;
}
