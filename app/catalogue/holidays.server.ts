import Holidays from "date-holidays";

/** Whether a day (ISO date) is a public holiday in metropolitan France (Code du travail, art. L3133-1). */
export function isFrenchHoliday(day: string): boolean {
	return holidaysOf(Number(day.slice(0, 4))).has(day);
}

const calendar = new Holidays("FR");
const years = new Map<number, Set<string>>();

function holidaysOf(year: number): Set<string> {
	const known = years.get(year);
	if (known) return known;
	const days = calendar
		.getHolidays(year)
		.filter(({ type }) => type === "public")
		.map(({ date }) => date.slice(0, 10));
	const set = new Set(days);
	years.set(year, set);
	return set;
}
