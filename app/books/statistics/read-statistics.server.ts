import { describeFault } from "../../../server/observability/log.ts";
import type { Runtime } from "../../../server/runtime.ts";
import type { OpeningCalendar } from "../../catalogue/opening-hours.ts";
import { retention } from "../../catalogue/retention.ts";
import { toPastCalendar } from "../../catalogue/settings/days-off.ts";
import { listDaysOffChanges } from "../../catalogue/settings/shop-settings.store.server.ts";
import { lastDays } from "../../web/status/availability.ts";
import { findProbeSpan, listProbeDays } from "../../web/status/status.store.server.ts";
import { getBounds, getDay, getFirstDay, getMonth, type Month } from "../month.ts";
import { sumUpMonths } from "./month-availability.ts";
import { countDeliveries, countRefunds, listOpeningDays } from "./statistics.store.server.ts";
import { publishMonth, type Statistics } from "./statistics.ts";

/** The finished months that are published, besides the current one. */
const finishedMonths = 12;

type CountedShop = Pick<Runtime, "db" | "now"> & {
	/** Opening hours and public holidays. */
	openingHours: OpeningCalendar;
};

/** Reads the published figures of the last months. */
export async function readStatistics({ db, now: clock, openingHours }: CountedShop): Promise<Statistics> {
	const now = clock();
	const months = listMonths(now);
	const [first] = months;
	const { since } = getBounds(first);
	const calendar = toPastCalendar(openingHours, await listDaysOffChanges(db));
	const probeDays = lastDays(now, retention.probes.days);
	const [deliveries, refunds, measured, probeSpan] = await Promise.all([
		countDeliveries(db, since, listOpeningDays(getFirstDay(first), getDay(now), calendar), now),
		countRefunds(db, since),
		listProbeDays(db, probeDays[0]?.day ?? ""),
		findProbeSpan(db),
	]);
	const availability = sumUpMonths(measured, probeDays, probeSpan, now);
	return {
		at: now,
		months: months.map((month) =>
			publishMonth({
				month,
				isCurrent: month === months.at(-1),
				deliveries: deliveries.filter((row) => row.month === month),
				refunds: refunds.filter((row) => row.month === month),
				availability: availability.get(month) ?? null,
			}),
		),
	};
}

/** Oldest first, the current one last. */
function listMonths(now: Date): [Month, ...Month[]] {
	const months: [Month, ...Month[]] = [getMonth(now)];
	for (let i = 0; i < finishedMonths; i++) {
		const { since } = getBounds(months[0]);
		months.unshift(getMonth(new Date(since.getTime() - 1)));
	}
	return months;
}

/** Milliseconds for which figures are shown again. */
const ttlMs = 300_000;

/** Milliseconds that a page which only quotes them waits for the first ones. */
const maxQuoteWaitMs = 300;

/** Reads the figures from memory, so that pages do not count the orders of a year each time. */
export interface StatisticsReader {
	/** At most five minutes old. @throws when the database fails. */
	read(): Promise<Statistics>;
	/** The last ones, while new ones are read; null when there are none yet. Does not throw. */
	readForQuote(): Promise<Statistics | null>;
}

export function createStatisticsReader(shop: CountedShop & Pick<Runtime, "log">): StatisticsReader {
	let last: Statistics | undefined;
	let running: Promise<Statistics> | undefined;
	// the absolute value: a clock that was set back does not extend a result
	const isFresh = ({ at }: Statistics) => Math.abs(shop.now().getTime() - at.getTime()) < ttlMs;
	const read = async (): Promise<Statistics> => {
		if (last && isFresh(last)) return last;
		running ??= readStatistics(shop).finally(() => {
			running = undefined;
		});
		last = await running;
		return last;
	};
	return {
		read,
		async readForQuote() {
			const result = read().catch((error: Error) => {
				shop.log.warn({ error: describeFault(error) }, "the figures of the shop could not be read");
				return null;
			});
			return last ?? Promise.race([result, waitFor(maxQuoteWaitMs)]);
		},
	};
}

const waitFor = (milliseconds: number) =>
	new Promise<null>((resolve) => {
		setTimeout(() => resolve(null), milliseconds).unref();
	});
