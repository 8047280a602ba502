import { Temporal } from "temporal-polyfill";

/** Month and day of the holidays that do not move (Code du travail, art. L3133-1). */
const fixed = ["01-01", "05-01", "05-08", "07-14", "08-15", "11-01", "11-11", "12-25"];

/** Days from Easter Sunday: Easter Monday, Ascension, Whit Monday (same article). */
const movable = [1, 39, 50];

/** Whether a day (ISO date) is a public holiday in metropolitan France. Leaves out the two that only Alsace and Moselle have. */
export function isFrenchHoliday(day: string): boolean {
	if (fixed.includes(day.slice(5))) return true;
	const easter = computeEaster(Number(day.slice(0, 4)));
	return movable.some((days) => easter.add({ days }).toString() === day);
}

/** Computes Easter Sunday of a Gregorian year with the Meeus/Jones/Butcher algorithm (Nature, 20 April 1876). */
function computeEaster(year: number): Temporal.PlainDate {
	const a = year % 19;
	const b = Math.floor(year / 100);
	const c = year % 100;
	const d = (19 * a + b - Math.floor(b / 4) - Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3) + 15) % 30;
	const e = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - d - (c % 4)) % 7;
	const n = d + e - 7 * Math.floor((a + 11 * d + 22 * e) / 451) + 114;
	return new Temporal.PlainDate(year, Math.floor(n / 31), (n % 31) + 1);
}
