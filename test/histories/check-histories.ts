import { inspect, isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { type Histories, histories, type Perturbations, type Scenario } from "./history.ts";
import { classOf, type End, findBrokenInvariants, readEnd, summarize } from "./invariants.ts";
import { runHistory } from "./run-history.ts";
import type { HistoryShop } from "./shop.ts";

/** How many histories share a scenario, at most. */
const ways = 8;

export interface HistoriesReport {
	count: number;
	/** How many ended in the class of the same commands unperturbed, and were compared with it in everything. */
	compared: number;
	/** How they ended, and how often. */
	ends: Map<string, number>;
	/** The smallest history that goes wrong, why, and what makes it again; null when none does. */
	failure: string | null;
}

/**
 * Plays random histories, each also unperturbed, and looks at how they end: what must always hold, and that the same commands end
 * the same whatever the order, the repetition and the loss of what was told of them.
 * @param path makes one failure again, with the seed that was told with it, in one shop.
 * @param places shops with a database each: they work side by side.
 */
export async function checkHistories(
	places: readonly HistoryShop[],
	{ runs, seed, path, onRun = () => {} }: { runs: number; seed: number; path?: string | undefined; onRun?: (count: number) => void },
): Promise<HistoriesReport> {
	const report: HistoriesReport = { count: 0, compared: 0, ends: new Map(), failure: null };

	async function judge(place: HistoryShop, scenario: Scenario, perturbations: Perturbations | null): Promise<End> {
		const { orderId, reconciled } = await runHistory(place, scenario, perturbations);
		const end = await readEnd(place, orderId, reconciled);
		const broken = findBrokenInvariants(end);
		if (broken.length > 0) throw new Error(`${perturbations ? "perturbations" : "unperturbed"}: ${broken.join("; ")}\n${tellEnd(end)}`);
		return end;
	}

	async function hold(place: HistoryShop, { scenario, perturbations }: Histories): Promise<void> {
		const plain = await judge(place, scenario, null);
		for (const way of perturbations) {
			const end = await judge(place, scenario, way);
			report.count++;
			onRun(report.count);
			const { status, failure_reason: reason } = end.order;
			const ended = reason ? `${status}: ${reason}` : status;
			report.ends.set(ended, (report.ends.get(ended) ?? 0) + 1);
			if (classOf(plain) !== classOf(end)) continue;
			report.compared++;
			const [expected, actual] = [summarize(plain), summarize(end)];
			if (!isDeepStrictEqual(expected, actual))
				throw new Error(`ends otherwise than unperturbed:\n${JSON.stringify(expected)}\n${JSON.stringify(actual)}\n${tellEnd(end)}`);
		}
	}

	/** Where a history went wrong: it is made smaller there, and the others stop. */
	let failing: number | undefined;
	const results = await Promise.all(
		places.map((place, at) =>
			fc.check(
				fc.asyncProperty(histories(ways), async (drawn) => {
					// whoever is quicker plays more
					if (failing === undefined ? report.count >= runs : failing !== at) return;
					await hold(place, drawn).catch((error) => {
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

/** What is worth reading of an end that is wrong. */
function tellEnd({ order, events, refunds, truth, reconciled, waiting }: End): string {
	const { status, failure_reason, refunded_cents, dispute_status } = order;
	return [
		JSON.stringify({ status, failure_reason, refunded_cents, dispute_status }),
		events.map(({ event_type }) => event_type).join(" "),
		...refunds.map((row) => JSON.stringify([row.reason, row.status, row.amount_cents, row.replaces && "again"])),
		...truth.map(({ amount, left, dispute, refunds: given }) => JSON.stringify({ amount, left, dispute, given })),
		JSON.stringify({ differences: reconciled?.differences, waiting: waiting.map(({ name }) => name) }),
	].join("\n");
}
