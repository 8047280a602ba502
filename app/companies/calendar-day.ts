const daysOfMonth = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** The registers' « without end », such as 9999-12-31, and typing errors. */
const firstImpossibleDay = "2100-01-01";

/**
 * Returns the day, yyyy-mm-dd, of a date or an instant; null for no date, one up to 1900-01-01, the registers' « unknown », or an impossible one.
 * Hand-written, because an import parses a hundred million values.
 */
export function parseCalendarDay(value: string | null | undefined): string | null {
	if (!value || !/^\d{4}-\d{2}-\d{2}/.test(value)) return null;
	const day = value.slice(0, 10);
	if (day <= "1900-01-01" || day >= firstImpossibleDay) return null;
	const [year, month, date] = [Number(day.slice(0, 4)), Number(day.slice(5, 7)), Number(day.slice(8))];
	const isLeapYear = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
	return date >= 1 && date <= (month === 2 && !isLeapYear ? 28 : (daysOfMonth[month - 1] ?? 0)) ? day : null;
}
