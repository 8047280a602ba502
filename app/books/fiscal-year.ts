import { addToMonth, getFirstMonth, type Month } from "./month.ts";

/** Twelve months, named after the calendar year in which they end. */
export interface FiscalYear {
	year: number;
	first: Month;
	last: Month;
}

/** @param start the month in which fiscal years begin: 1 to 12. */
export function getFiscalYear(year: number, start: number): FiscalYear {
	const last = start === 1 ? addToMonth(getFirstMonth(year), { months: 11 }) : addToMonth(getFirstMonth(year), { months: start - 2 });
	return { year, first: addToMonth(last, { months: -11 }), last };
}

/** The fiscal year that a month belongs to. */
export function findFiscalYear(month: Month, start: number): FiscalYear {
	const year = Number(month.slice(0, 4));
	const same = getFiscalYear(year, start);
	return month <= same.last ? same : getFiscalYear(year + 1, start);
}

/** How many of its months are closed. @param lastClosed null before the first closing. */
export function countClosedMonths({ first }: FiscalYear, lastClosed: Month | null): number {
	let count = 0;
	while (count < 12 && lastClosed !== null && addToMonth(first, { months: count }) <= lastClosed) count += 1;
	return count;
}
