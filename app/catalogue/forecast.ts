import { hour, minute } from "../../server/durations.ts";
import type { OpeningCalendar } from "./opening-hours.ts";
import { addOpenTime, measureOpenTime } from "./promise.ts";

/** The most lines of a purchase that the desk serves like single orders; a purchase of more is a list (docs/rules.md, R280). */
export const mostSingleLines = 5;

/** Extracts that wait for the desk and are promised for one instant. */
export interface Due {
	at: Date;
	/** Of small purchases. */
	singles: number;
	/** Of lists. */
	lists: number;
}

/** The time from taking an extract to its delivery. */
const handling = 5 * minute;

/** What an instant's forecast needs. */
export interface Desk {
	/** What waits, in the order of the promises. */
	load: readonly Due[];
	/** Extracts an opening hour that the desk serves, all operators together. */
	pace: number;
	now: Date;
	calendar: OpeningCalendar;
}

/** Counts, for each instant of the load, what the desk serves until then and what is promised until then. */
function listDemand({ load, pace, now, calendar }: Desk) {
	const times = measureOpenTime(
		now,
		load.map(({ at }) => at),
		calendar,
	);
	let [singles, lists] = [0, 0];
	return load.map((due, index) => {
		singles += due.singles;
		lists += due.lists;
		return { ...due, served: (pace * (times[index] ?? 0)) / hour, until: { singles, all: singles + lists } };
	});
}

/**
 * Chooses what « Prendre la suivante » gives. Lines of lists fill the time that single orders leave. They come by their own promise when
 * it would be lost otherwise, unless single orders alone are more than the desk can serve in time.
 * @returns `single`: the single order promised first; `earliest`: what is promised first of all.
 */
export function chooseNext(desk: Desk): "single" | "earliest" {
	const demand = listDemand(desk);
	/** One more extract, taken now, costs the others its time; what is taken is delivered some minutes later. */
	const isLost = (count: number, served: number) => count + 1 > served - (desk.pace * handling) / hour;
	const firstSingle = demand.findIndex(({ singles }) => singles > 0);
	const before = firstSingle < 0 ? demand : demand.slice(0, firstSingle);
	const isListAtRisk = before.some(({ until, served }) => isLost(until.all, served));
	const areSinglesSafe = demand.every(({ singles, until, served }) => singles === 0 || !isLost(until.singles, served));
	return isListAtRisk && areSinglesSafe ? "earliest" : "single";
}

/** How the promises end at a pace, when they are served in their order. */
export interface Forecast {
	/** Promises that would be lost, without those whose hour has passed. */
	lost: number;
	/** The hour of the first of them. */
	firstLost: Date | null;
	/** When the last promise until the given instant is served; null when there is none. */
	lastServed: Date | null;
}

/** @param until the end of the day, for `lastServed`. */
export function forecast(desk: Desk, until: Date): Forecast {
	let lost = 0;
	let firstLost: Date | null = null;
	let count = 0;
	for (const { at, singles, lists, served, until: promised } of listDemand(desk)) {
		if (at <= until) count = promised.all;
		if (at <= desk.now) continue;
		const ofThese = Math.min(singles + lists, Math.max(0, promised.all - Math.floor(served)));
		lost += ofThese;
		if (ofThese > 0) firstLost ??= at;
	}
	const lastServed = count === 0 ? null : addOpenTime(desk.now, (count / desk.pace) * hour, desk.calendar);
	return { lost, firstLost, lastServed };
}
