import type { Context } from "../../server/runtime.ts";
import { vatRate } from "../catalogue/money.ts";
import { isPosted, services } from "../catalogue/services.ts";
import { nameInSentence } from "../companies/company-name.ts";
import type { InvoiceData, InvoiceLine } from "../orders/invoices/invoice.ts";
import type { InvoiceDraft } from "../orders/invoices/issue-invoice.server.ts";
import { getLetterAddress, isDeliveredElsewhere } from "../orders/letter-address.ts";
import type { Order } from "../orders/order.ts";
import { nameWithOf } from "../ui/name-with-of.ts";

/** The description of an order's line. */
export const toLineDescription = (order: Pick<Order, "product_code" | "company_name" | "siren">) =>
	`${services[order.product_code].name} : extrait ${nameWithOf(nameInSentence(order))}`;

/** The content of the invoice of a purchase, with a line for each of its orders. */
export function toInvoiceDraft({ environment }: Pick<Context, "environment">, orders: readonly Order[], paidAt: Date): InvoiceDraft {
	const { shop, invoices } = environment;
	const [first] = orders;
	if (first === undefined) throw new Error("a purchase has at least one order");
	const person = `${first.first_name} ${first.last_name}`;
	const delivery = findLetterAddress(orders);
	return {
		suppliedAt: paidAt.toISOString(),
		paidAt: paidAt.toISOString(),
		orderNumber: first.order_number,
		seller: {
			name: shop.name,
			legalEntity: shop.legalEntity,
			address: shop.address,
			siren: shop.siren.replace(/\s/g, ""),
			rcs: shop.rcs,
			vat: shop.vat.replace(/\s/g, ""),
			email: shop.email,
			phone: shop.phone,
		},
		buyer: {
			name: first.billing_company ?? person,
			contact: first.billing_company ? person : null,
			address: first.address,
			postalCode: first.postal_code,
			city: first.city,
			siren: first.billing_siren,
			...(first.billing_vat !== null && { vat: first.billing_vat }),
		},
		...(delivery && { delivery }),
		lines: orders.map((order) => toLine(order, orders.length > 1)),
		vatRate,
		vatOnDebits: invoices.vatOnDebits,
		latePenalty: invoices.latePenalty,
	};
}

/** The line of an order, with the customer's reference; one of several also names the order. */
const toLine = (order: Order, isOneOfSeveral: boolean): InvoiceLine => ({
	description: toLineDescription(order),
	total: order.price_cents,
	...(isOneOfSeveral && { orderNumber: order.order_number }),
	...(order.reference !== null && { reference: order.reference }),
});

/** Where the letters of a purchase go, if elsewhere than to the buyer, and all to one address: an invoice has one at most (BG-15). */
function findLetterAddress(orders: readonly Order[]): InvoiceData["delivery"] {
	const posted = orders.filter(({ product_code }) => isPosted(product_code));
	const [address, ...others] = new Set(
		posted.map((order) => (isDeliveredElsewhere(order) ? JSON.stringify(getLetterAddress(order)) : null)),
	);
	return address && others.length === 0 ? JSON.parse(address) : undefined;
}

/** Whether a line of an invoice is that of an order. */
export const isLineOf = ({ orderNumber }: InvoiceLine, order: Pick<Order, "order_number">): boolean =>
	orderNumber === undefined || orderNumber === order.order_number;

/**
 * The content of the credit note of an order's refund: what its invoice says, with the order's line only.
 * @param total the refunded cents that have no credit note yet.
 */
export function toCreditNoteDraft(
	invoice: InvoiceData,
	order: Order,
	{ total, refundedAt }: { total: InvoiceLine["total"]; refundedAt: Date },
): InvoiceDraft {
	const { delivery, ...content } = invoice;
	const lines = invoice.lines.filter((line) => isLineOf(line, order)).map((line) => ({ ...line, total }));
	return { ...content, lines, ...(delivery && isPosted(order.product_code) && { delivery }), paidAt: refundedAt.toISOString() };
}
