import { formatCount } from "../../web/status/status-labels.ts";

/** Smaller counts are not published, nor what describes so few orders (docs/rules.md, R6). */
export const smallestGroup = 20;

/** A count as published. `few`: it is below the smallest group. `withheld`: a hidden count could be worked out from it. */
export type Count = number | "few" | "withheld";

export const publishCount = (count: number): Exclude<Count, "withheld"> => (count < smallestGroup ? "few" : count);

/**
 * Publishes the sum of counts that are published as well, unless a hidden one could be worked out by subtraction. The hidden ones must be
 * together neither a small group nor so many that each must be just below the limit.
 */
export function publishSum(counts: readonly number[]): Count {
	const sum = add(counts);
	if (sum < smallestGroup) return "few";
	const hidden = counts.filter((count) => count < smallestGroup);
	const rest = add(hidden);
	const isSafe = hidden.length === 0 || (rest >= smallestGroup && rest <= hidden.length * (smallestGroup - 2));
	return isSafe ? sum : "withheld";
}

const add = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0);

/** « moins de 20 », « 1 240 » */
export function formatPublishedCount(count: Count): string {
	if (count === "few") return `moins de ${smallestGroup}`;
	if (count === "withheld") return "non publié";
	return formatCount(count);
}
