/** The value that a share (0 to 1) of the values do not exceed, by nearest rank. */
export function percentile(values: readonly number[], share: number): number {
	const sorted = values.toSorted((a, b) => a - b);
	const value = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
	if (value === undefined) throw new Error("no values, no percentile");
	return value;
}

/** « p50 1.2 · p95 3.4 · max 5.6 ms » */
export function spread(values: readonly number[], unit: string): string {
	const [p50, p95, max] = [0.5, 0.95, 1].map((share) => figure(percentile(values, share)));
	return `p50 ${p50} · p95 ${p95} · max ${max} ${unit}`;
}

/** Three digits that count, as many as these measures are worth. */
export function figure(value: number): string {
	if (value === 0) return "0";
	if (value >= 10_000) return value.toLocaleString("en-GB", { maximumSignificantDigits: 3 });
	if (value >= 100) return value.toFixed(0);
	return value >= 10 ? value.toFixed(1) : value.toFixed(value >= 1 ? 2 : 3);
}

/** The middle one, or halfway between the two in the middle. */
export function median(values: readonly number[]): number {
	return (
		(percentile(values, 0.5) -
			percentile(
				values.map((value) => -value),
				0.5,
			)) /
		2
	);
}

export function mean(values: readonly number[]): number {
	return values.reduce((sum, value) => sum + value, 0) / values.length;
}
