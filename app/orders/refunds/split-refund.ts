import { type Cents, cents } from "../../catalogue/money.ts";

interface Line {
	orderId: string;
	/** Cents that are neither refunded nor requested; not positive when there are none. */
	left: Cents;
	/** Cents that are not refunded, requested or not. */
	unrefunded: Cents;
}

/**
 * Splits a refund that names no order among the orders of its purchase (docs/decisions/0041-purchases.md): all of it to the first order of
 * which exactly so much is left, otherwise to the orders in turn, to each what is left of it. If that is not enough, they also share what
 * is requested for them, because the provider has paid it back already. What exceeds all of them is added to the first part.
 * @param amount cents.
 * @returns parts whose sum is `amount`; none without lines.
 */
export function splitRefund(lines: readonly Line[], amount: Cents): { orderId: string; amount: Cents }[] {
	const exact = lines.find(({ left }) => left === amount);
	if (exact) return [{ orderId: exact.orderId, amount }];
	const parts = new Map<string, number>();
	let rest: number = amount;
	const add = (orderId: string, most: number) => {
		const part = Math.max(0, Math.min(most, rest));
		rest -= part;
		if (part > 0) parts.set(orderId, (parts.get(orderId) ?? 0) + part);
	};
	for (const { orderId, left } of lines) add(orderId, left);
	for (const { orderId, unrefunded } of lines) add(orderId, unrefunded - (parts.get(orderId) ?? 0));
	const first = parts.keys().next().value ?? lines[0]?.orderId;
	if (first !== undefined) add(first, rest);
	return [...parts].map(([orderId, part]) => ({ orderId, amount: cents(part) }));
}

/** Whether splitRefund chose among several orders that the refund may have been meant for. */
export function isSplitGuessed(lines: readonly Line[], amount: Cents): boolean {
	const exact = lines.filter(({ left }) => left === amount);
	if (exact.length > 0) return exact.length > 1;
	const open = lines.filter(({ unrefunded }) => unrefunded > 0);
	return open.length > 1 && open.reduce((sum, { unrefunded }) => sum + unrefunded, 0) > amount;
}
