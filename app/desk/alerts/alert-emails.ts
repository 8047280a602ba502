import { formatHour, formatInstant } from "../../catalogue/instants.ts";
import { type Cents, formatEuros } from "../../catalogue/money.ts";
import { services } from "../../catalogue/services.ts";
import type { EmailBlock, EmailContent } from "../../mail/email.ts";
import { capitalise } from "../../ui/capitalise.ts";
import type { UnservedOrder } from "./alerts.store.server.ts";

/** E-mails to the operators that are not about one order. */

/** Orders that are promised soon, in one message. @param toUrl the page of an order in the desk. */
export function alertEmail(
	orders: readonly UnservedOrder[],
	{ toUrl, deskUrl }: { toUrl: (number: string) => string; deskUrl: string },
): EmailContent {
	const [first] = orders;
	const hour = first ? formatHour(first.promised_at) : "";
	const count = orders.length === 1 ? "Une commande" : `${orders.length} commandes`;
	return {
		subject: `${count} à livrer avant ${hour}${orders.length > 1 ? " ou peu après" : ""}`,
		preheader: orders.map(({ order_number }) => order_number).join(", "),
		title: `${count} à livrer bientôt`,
		blocks: [
			"L’heure promise approche, et l’extrait n’est pas encore livré ou posté.",
			...orders.flatMap((order) => describeOrder(order, toUrl)),
			{ link: "Ouvrir le bureau", url: deskUrl },
		],
	};
}

function describeOrder(
	{ order_number, product_code, company_name, promised_at, holder }: UnservedOrder,
	toUrl: (number: string) => string,
): EmailBlock[] {
	const rows = [
		["Promise pour", formatInstant(promised_at)],
		["Société", company_name],
		["Service", services[product_code].name],
		...(holder ? ([["Prise par", holder.name]] as const) : []),
	] as const;
	return [{ heading: order_number }, { descriptionList: rows }, { link: `Ouvrir ${order_number}`, url: toUrl(order_number) }];
}

export interface DayWork {
	waiting: number;
	/** Of them, how many are promised until each hour of the day. */
	due: readonly { until: Date; orders: number }[];
	/** The most orders an hour that one person must serve to keep every promise of the day. */
	perHour: number;
	held: { refunds: number; cents: Cents; leavesAt: Date | null };
	/** Whether the bulletin is read, in a sentence; null when all is well. */
	bulletin: string | null;
}

/** The day's work, and nothing else. */
export function morningEmail(
	{ waiting, due, perHour, held, bulletin }: DayWork,
	{ day, deskUrl }: { day: string; deskUrl: string },
): EmailContent {
	const count = waiting === 0 ? "aucune commande n’attend" : waiting === 1 ? "une commande attend" : `${waiting} commandes attendent`;
	return {
		subject: `${capitalise(day)}\u00a0: ${count}`,
		preheader: due.map(({ until, orders }) => `avant ${formatHour(until)}\u00a0: ${orders}`).join(", "),
		title: `Les commandes du ${day}`,
		blocks: [
			{
				descriptionList: [
					["Commandes à servir", String(waiting)],
					...due.map(({ until, orders }) => [`Promises avant ${formatHour(until)}`, String(orders)] as const),
					["Rythme à tenir pour une personne", `${perHour} par heure`],
				],
			},
			...describeHeld(held),
			...(bulletin ? [`Relevé du BODACC. ${bulletin} À régler au bureau, dans «\u00a0Réglages\u00a0».`] : []),
			{ link: "Ouvrir le bureau", url: deskUrl },
		],
	};
}

function describeHeld({ refunds, cents, leavesAt }: DayWork["held"]): EmailBlock[] {
	if (refunds === 0 || leavesAt === null) return [];
	const what = refunds === 1 ? "Un remboursement de retard attend" : `${refunds} remboursements de retard attendent`;
	return [`${what} une décision (${formatEuros(cents)}). Sans décision, le premier part le ${formatInstant(leavesAt)}.`];
}
