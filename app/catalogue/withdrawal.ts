import { Temporal } from "temporal-polyfill";
import { isFrenchHoliday } from "./holidays.ts";
import { zone } from "./instants.ts";
import type { ServiceCode } from "./services.ts";

/** C. conso. art. L221-18. */
const days = 14;

/** Days: a letter that we posted is in the customer's hands by then, in the worst of cases. What counts from its receipt begins with it. */
export const longestPost = 7;

/**
 * The end of the right of withdrawal: the close of the last of fourteen days in Europe/Paris, or of the next working day
 * (C. conso. art. L221-18, L221-19).
 * @param begun when the contract was made, or the letter posted.
 */
export function withdrawalEndsAt(service: ServiceCode, begun: Date): Date {
	const start = Temporal.Instant.fromEpochMilliseconds(begun.getTime()).toZonedDateTimeISO(zone).toPlainDate();
	let last = start.add({ days: days + (service === "postal" ? longestPost : 0) });
	while (last.dayOfWeek > 5 || isFrenchHoliday(last.toString())) last = last.add({ days: 1 });
	return new Date(last.add({ days: 1 }).toZonedDateTime(zone).epochMilliseconds);
}
