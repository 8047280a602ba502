import { type Cents, cents, splitVat, vatRate } from "../catalogue/money.ts";
import type { InvoiceData } from "./invoice.ts";

export interface InvoiceAmounts {
	/** BT-106, BT-109 and BT-116 are equal, because there is one line. */
	net: Cents;
	/** BT-110, BT-117 */
	vat: Cents;
	/** BT-112 and BT-113, because it was paid before the invoice was issued. */
	total: Cents;
	/** BT-115 */
	due: Cents;
}

/** Returns the VAT rate of an invoice in percent. Older invoices do not state it; theirs was 20. */
export const getVatRate = (data: Pick<InvoiceData, "vatRate">): number => data.vatRate ?? 20;

/**
 * Calculates the amounts of an invoice from its price TTC and VAT rate in percent. The total is the charged amount, and VAT is the total
 * minus net (EN 16931, BR-CO-15). At 20 %, one price in six (0,03 €, 0,09 € …) has an exact VAT with half a cent, which is rounded down.
 */
export function calculateAmounts(total: Cents, rate = vatRate): InvoiceAmounts {
	// BR-CO-17 and BR-S-09 would round that half cent up; their published checks accept a difference below one euro
	const { ht, vat } = splitVat(total, rate);
	return { net: ht, vat, total, due: cents(0) };
}
