import { services } from "../../catalogue/services.ts";
import { cancelledLabel, isCancelled, isInProgress, statusLabels } from "../../orders/lifecycle.ts";
import type { Order } from "../../orders/order.ts";

/** Lines shown before and after the one of the page. */
const shownAround = 20;

/** One order of a purchase. */
export type PurchaseLine = Pick<
	Order,
	"id" | "order_number" | "purchase_line" | "reference" | "company_name" | "product_code" | "status" | "failure_reason"
>;

/** The purchase of several orders to which an order belongs, as the page of that order shows it. */
export interface LinePlace {
	/** The number of the first order, which names the purchase. */
	number: string;
	/** The place of the order of the page, from 1. */
	line: number;
	count: number;
	/** How many of its orders are in progress. */
	open: number;
	/** The lines around the order of the page. */
	lines: { line: number; number: string; company: string; reference: string | null; text: string; isThis: boolean }[];
}

/** @param lines all orders of the purchase, in their order. @returns null for an order that was bought alone. */
export function describeLinePlace(lines: readonly PurchaseLine[], order: { id: string }): LinePlace | null {
	const at = lines.findIndex(({ id }) => id === order.id);
	const [first] = lines;
	if (first === undefined || lines.length === 1) return null;
	return {
		number: first.order_number,
		line: at + 1,
		count: lines.length,
		open: lines.filter(({ status }) => isInProgress(status)).length,
		lines: lines.slice(Math.max(0, at - shownAround), at + shownAround + 1).map(describeLine(order)),
	};
}

const describeLine =
	(order: { id: string }) =>
	({ id, purchase_line, order_number, company_name, reference, product_code, status, failure_reason }: PurchaseLine) => ({
		line: purchase_line,
		number: order_number,
		company: company_name,
		reference,
		isThis: id === order.id,
		text: `${services[product_code].name}, ${(isCancelled({ failure_reason }) ? cancelledLabel : statusLabels[status]).toLowerCase()}`,
	});
