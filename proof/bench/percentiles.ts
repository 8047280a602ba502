/** The value that a share (0 to 1) of the values do not exceed, by nearest rank. */
export function percentile(values: readonly number[], share: number): number {
	const sorted = values.toSorted((a, b) => a - b);
	const value = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
	if (value === undefined) throw new Error("no values, no percentile");
	return value;
}

/** « p50 1.2 · p95 3.4 · max 5.6 ms » */
export function formatSpread(values: readonly number[], unit: string): string {
	const [p50, p95, max] = [0.5, 0.95, 1].map((share) => formatFigure(percentile(values, share)));
	return `p50 ${p50} · p95 ${p95} · max ${max} ${unit}`;
}

/** Three significant digits. */
export function formatFigure(value: number): string {
	if (value === 0) return "0";
	if (value >= 10_000) return value.toLocaleString("en-GB", { maximumSignificantDigits: 3 });
	if (value >= 100) return value.toFixed(0);
	return value >= 10 ? value.toFixed(1) : value.toFixed(value >= 1 ? 2 : 3);
}

/** The middle value, or the mean of the two in the middle. */
export function median(values: readonly number[]): number {
	const sorted = values.toSorted((a, b) => a - b);
	const half = sorted.length / 2;
	return mean(sorted.slice(Math.ceil(half) - 1, Math.floor(half) + 1));
}

export function mean(values: readonly number[]): number {
	return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Milliseconds that some work takes. */
export async function measureMs(work: () => unknown): Promise<number> {
	const started = performance.now();
	await work();
	return performance.now() - started;
}

/** Milliseconds of each item, one after the other. */
export async function measureEach<Item>(items: readonly Item[], work: (item: Item) => unknown): Promise<number[]> {
	const latencies: number[] = [];
	for (const item of items) latencies.push(await measureMs(() => work(item)));
	return latencies;
}
