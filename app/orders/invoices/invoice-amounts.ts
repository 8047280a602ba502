import { type Cents, cents, splitVat } from "../../catalogue/money.ts";
import type { InvoiceData } from "./invoice.ts";

export interface InvoiceAmounts {
	/** BT-131 of each line; their sum is `net` (EN 16931, BR-CO-10). */
	lineNets: Cents[];
	/** BT-106, BT-109 and BT-116 are equal, because there is one rate and no allowance. */
	net: Cents;
	/** BT-110, BT-117 */
	vat: Cents;
	/** BT-112 and BT-113, because it was paid before the invoice was issued. */
	total: Cents;
	/** BT-115 */
	due: Cents;
}

/** The sum of an invoice with VAT. */
export const sumLines = ({ lines }: Pick<InvoiceData, "lines">): Cents => cents(lines.reduce((sum, { total }) => sum + total, 0));

/**
 * Calculates the amounts of an invoice from its prices TTC and its VAT rate. The total is the charged amount, and VAT is the total minus
 * net (EN 16931, BR-CO-15), computed once on the sum of the lines. At 20 %, one price in six (0,03 €, 0,09 € …) has an exact VAT with half
 * a cent, which is rounded down.
 */
export function calculateAmounts(data: Pick<InvoiceData, "lines" | "vatRate">): InvoiceAmounts {
	const total = sumLines(data);
	// BR-CO-17 and BR-S-09 would round that half cent up; their published checks accept a difference below one euro
	const { ht: net, vat } = splitVat(total, data.vatRate);
	const lineNets = divide(
		net,
		data.lines.map(({ total }) => total),
	);
	return { lineNets, net, vat, total, due: cents(0) };
}

/**
 * Divides an amount in proportion to `weights`, to whole cents that add up to it: each share is rounded down, then the cents that are left
 * go to the shares that lost most, the first ones among equals. So no share is a cent or more away from its exact value.
 */
export function divide(amount: Cents, weights: readonly number[]): Cents[] {
	const whole = weights.reduce((sum, weight) => sum + weight, 0);
	if (whole === 0) return weights.map(() => cents(0));
	// exact: the products stay below 2^53 up to 900 000 €
	const shares = weights.map((weight, index) => ({ index, share: Math.floor((amount * weight) / whole), lost: (amount * weight) % whole }));
	const left = amount - shares.reduce((sum, { share }) => sum + share, 0);
	const raised = new Set(
		shares
			.toSorted((one, other) => other.lost - one.lost)
			.slice(0, left)
			.map(({ index }) => index),
	);
	return shares.map(({ index, share }) => cents(raised.has(index) ? share + 1 : share));
}
