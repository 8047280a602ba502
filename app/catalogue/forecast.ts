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
	const until = { singles: 0, lists: 0, all: 0 };
	return load.map((due, index) => {
		until.singles += due.singles;
		until.lists += due.lists;
		until.all += due.singles + due.lists;
		return { ...due, served: (pace * (times[index] ?? 0)) / hour, until: { ...until } };
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

/** The part of the desk's pace that lines of lists may take, beyond the first of each. */
const listShare = 1 / 3;

/** The hours of work that are kept free for single orders to come. */
const keptHours = 3;

/**
 * Finds the instants from which on the desk could promise further extracts, so that every promise given so far can still be kept: by the
 * demand bound of the earliest deadline first. The first ones of a purchase, as many as single orders have, find any free time; those
 * after them leave hours free for the orders to come, and take a share of the pace.
 * @returns for the lines of one purchase by their rank, to the minute.
 */
export function listSlots(desk: Desk, count: number): Date[] {
	const { pace, now, calendar } = desk;
	const demand = listDemand(desk);
	const inHand = (pace * handling) / hour;
	/** For each instant of the load: the extracts that may be added before it and all later ones; then the lines of lists. */
	const free = demand.map(({ served, until }) => ({ all: served - inHand - until.all, lists: served * listShare - until.lists }));
	for (const [index, room] of [...free.entries()].reverse()) {
		const later = free[index + 1];
		if (later) free[index] = { all: Math.min(room.all, later.all), lists: Math.min(room.lists, later.lists) };
	}
	/** How many instants of the load come before the slot. */
	let passed = 0;
	return Array.from({ length: count }, (_, rank) => {
		const isFurther = rank >= mostSingleLines;
		const all = rank + 1 + (isFurther ? keptHours * pace : 0);
		const lists = isFurther ? rank + 1 - mostSingleLines : Number.NEGATIVE_INFINITY;
		const isFree = (room: { all: number; lists: number } | undefined) => room === undefined || (room.all >= all && room.lists >= lists);
		while (!isFree(free[passed])) passed++;
		const before = demand[passed - 1];
		const served = Math.max(before?.served ?? 0, (before?.until.all ?? 0) + inHand + all, ((before?.until.lists ?? 0) + lists) / listShare);
		return new Date(Math.ceil(addOpenTime(now, (served / pace) * hour, calendar).getTime() / minute) * minute);
	});
}
