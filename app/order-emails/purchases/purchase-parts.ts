import { serviceCodes, services } from "../../catalogue/services.ts";
import type { EmailBlock } from "../../mail/email.ts";
import { formatExtractCount, type Order } from "../../orders/order.ts";
import type { OrderEmailContext, PurchaseOfEmail } from "../email-parts.ts";

/** The most lines that an e-mail lists; the page has all. */
export const maxListed = 20;

/** Each service of a purchase with its number of extracts, in the order of the catalogue. */
export const countServices = (orders: readonly Order[]) =>
	groupByService(orders).map(({ service, ofService }) => [service.name, formatExtractCount(ofService.length)] as const);

/** The orders of each service, in the order of the catalogue. */
export const groupByService = (orders: readonly Order[]) =>
	serviceCodes
		.map((code) => ({ service: services[code], ofService: orders.filter(({ product_code }) => product_code === code) }))
		.filter(({ ofService }) => ofService.length > 0);

/** « DANONE (SIREN 552032534), dossier 2026-114 » */
export const nameLine = ({ company_name, siren, reference }: Order): string =>
	`${company_name} (SIREN ${siren})${reference ? `, ${reference}` : ""}`;

/** Lists lines as labelled values, the first ones and how many more there are. */
export function listLines(orders: readonly Order[], describe: (order: Order) => string, most = maxListed): EmailBlock[] {
	const others = orders.length - most;
	return [
		{ descriptionList: orders.slice(0, most).map((order) => [order.order_number, describe(order)] as const) },
		...(others > 0 ? [others === 1 ? "Et un autre, sur la page de suivi." : `Et ${others} autres, sur la page de suivi.`] : []),
	];
}

/** The purchase of an e-mail; of one whose purchase is not known any more, its order alone. */
export const getPurchase = (order: Order, { purchase, trackingUrl }: OrderEmailContext): PurchaseOfEmail & { number: string } => {
	const found = purchase ?? { orders: [order], url: trackingUrl, filesUrl: null };
	return { ...found, number: found.orders[0]?.order_number ?? order.order_number };
};

export const linkPurchase = ({ url }: PurchaseOfEmail): EmailBlock[] => (url ? [{ link: "Suivre votre commande", url }] : []);
