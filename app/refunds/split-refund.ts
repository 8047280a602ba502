import { type Cents, cents } from "../catalogue/money.ts";

interface Line {
	orderId: string;
	/** Cents that can still be refunded; not positive when nothing can. */
	left: Cents;
}

/**
 * Splits a refund that names no order among the orders of its purchase (docs/decisions/0041-purchases.md): all of it to the first order of
 * which exactly so much is left, otherwise to the orders in turn, to each what is left of it. What exceeds all of them is added to the
 * first part, because the provider has paid it back.
 * @param amount cents.
 * @returns parts whose sum is `amount`; none without lines.
 */
export function splitRefund(lines: readonly Line[], amount: Cents): { orderId: string; amount: Cents }[] {
	const exact = lines.find(({ left }) => left === amount);
	if (exact) return [{ orderId: exact.orderId, amount }];
	let rest: number = amount;
	const parts = lines.flatMap(({ orderId, left }) => {
		const part = Math.max(0, Math.min(left, rest));
		rest -= part;
		return part > 0 ? [{ orderId, amount: cents(part) }] : [];
	});
	const [first, ...others] = parts;
	if (rest === 0) return parts;
	if (first) return [{ orderId: first.orderId, amount: cents(first.amount + rest) }, ...others];
	return lines[0] ? [{ orderId: lines[0].orderId, amount }] : [];
}
