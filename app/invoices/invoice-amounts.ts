import { type Cents, cents, splitVat, vatRate } from "../catalogue/money.ts";
import type { InvoiceData } from "./invoice.ts";

export interface InvoiceAmounts {
	/** BT-106, BT-109, BT-116: one line, so they are one amount. */
	net: Cents;
	/** BT-110, BT-117 */
	vat: Cents;
	/** BT-112, and BT-113: it was paid before the invoice was issued. */
	total: Cents;
	/** BT-115 */
	due: Cents;
}

/** The rate that an invoice was issued at, in percent: those issued before it was written on each were at 20 %. */
export const vatRateOf = (data: Pick<InvoiceData, "vatRate">): number => data.vatRate ?? 20;

/**
 * What an invoice of one line adds up to, from its price TTC and its rate of VAT in percent. The total is what the card was charged, to the cent, and net + VAT is always the total
 * (EN 16931, BR-CO-15), so that VAT is what remains of it.
 *
 * BR-CO-17 and BR-S-09 also want VAT = net × rate rounded to the cent. At 20 %, where the total is 3 cents more than a multiple of 6 (0,03 €, 0,09 € …, one
 * price in six) no net amount in cents does both: the exact VAT ends in half a cent. There VAT is the half cent rounded down, one cent less than
 * the rule's product. The published checks of both rules (CEN's and Factur-X's schematron) accept a difference below one euro, as prices that include VAT
 * need it. BT-114 (rounding) would be worse: a total that nobody was charged. None of the catalogue's prices is concerned.
 */
export function invoiceAmounts(total: Cents, rate = vatRate): InvoiceAmounts {
	const { ht, vat } = splitVat(total, rate);
	return { net: ht, vat, total, due: cents(0) };
}
