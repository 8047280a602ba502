import { inspect, isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { drawHistories, type Histories, type Perturbations, type Scenario } from "./history.ts";
import { type End, findBrokenInvariants, getClass, readEnd, summarize } from "./invariants.ts";
import { runHistory } from "./run-history.ts";
import type { HistoryShop } from "./shop.ts";

/** Highest number of histories per scenario. */
const maxHistories = 8;

/** Highest number of orders of a purchase. */
const maxOrders = 6;

export interface HistoriesReport {
	count: number;
	/** How many ended in the class of their unperturbed run, and were compared with it in everything. */
	compared: number;
	/** How often each end was reached. */
	ends: Map<string, number>;
	/** The smallest failing history, with its reason and the path that repeats it; null when none fails. */
	failure: string | null;
}

/**
 * A stateful property test: runs random histories with and without perturbations. Every run must keep the invariants, and the same
 * commands must end in the same state in whatever order, how often and whether events arrive.
 * @param path repeats one failure in one shop, with its seed.
 * @param shops run side by side.
 */
export async function checkHistories(
	shops: readonly HistoryShop[],
	{ runs, seed, path, onRun = () => {} }: { runs: number; seed: number; path?: string | undefined; onRun?: (count: number) => void },
): Promise<HistoriesReport> {
	const report: HistoriesReport = { count: 0, compared: 0, ends: new Map(), failure: null };

	async function runAndCheck(shop: HistoryShop, scenario: Scenario, perturbations: Perturbations | null): Promise<End> {
		const { orderId, reconciled } = await runHistory(shop, scenario, perturbations);
		const end = await readEnd(shop, orderId, reconciled);
		const broken = findBrokenInvariants(end);
		if (broken.length > 0) throw new Error(`${perturbations ? "perturbed" : "unperturbed"}: ${broken.join("; ")}\n${formatEnd(end)}`);
		return end;
	}

	async function compare(shop: HistoryShop, { scenario, perturbations }: Histories): Promise<void> {
		const plain = await runAndCheck(shop, scenario, null);
		for (const perturbed of perturbations) {
			const end = await runAndCheck(shop, scenario, perturbed);
			report.count++;
			onRun(report.count);
			for (const { status, failure_reason: reason } of end.orders) {
				const ended = reason ? `${status}: ${reason}` : status;
				report.ends.set(ended, (report.ends.get(ended) ?? 0) + 1);
			}
			if (getClass(plain) !== getClass(end)) continue;
			report.compared++;
			const [expected, actual] = [summarize(plain), summarize(end)];
			if (!isDeepStrictEqual(expected, actual))
				throw new Error(
					`ends in another state than the unperturbed run:\n${JSON.stringify(expected)}\n${JSON.stringify(actual)}\n${formatEnd(end)}`,
				);
		}
	}

	/** The shop in which a history failed: it shrinks the history, and the others stop. */
	let failing: number | undefined;
	const results = await Promise.all(
		shops.map((shop, at) =>
			fc.check(
				fc.asyncProperty(drawHistories(maxHistories, maxOrders), async (drawn) => {
					// faster shops run more histories
					if (failing === undefined ? report.count >= runs : failing !== at) return;
					await compare(shop, drawn).catch((error) => {
						failing ??= at;
						throw error;
					});
				}),
				{ numRuns: runs, seed: seed + at, ...(path && { path }) },
			),
		),
	);
	const failed = results.find((result) => result.failed);
	if (failed) report.failure = `${fc.defaultReportMessage(failed)}\n${inspect(failed.errorInstance)}`;
	return report;
}

/** The details of an end that help to explain a failure. */
function formatEnd({ orders, events, refunds, truth, reconciled, dueJobs }: End): string {
	const lineOf = (orderId: string) => orders.find(({ id }) => id === orderId)?.purchase_line;
	return [
		...orders.map(({ id, product_code, status, failure_reason, refunded_cents, dispute_status }) =>
			[
				JSON.stringify({ product_code, status, failure_reason, refunded_cents, dispute_status }),
				...events.filter(({ order_id }) => order_id === id).map(({ event_type }) => event_type),
			].join(" "),
		),
		...refunds.map((row) => JSON.stringify([lineOf(row.order_id), row.reason, row.status, row.amount_cents, row.replaces && "again"])),
		...truth.map(({ amount, left, dispute, refunds: given }) => JSON.stringify({ amount, left, dispute, given })),
		JSON.stringify({ differences: reconciled?.differences, dueJobs: dueJobs.map(({ name }) => name) }),
	].join("\n");
}
