import { Temporal } from "temporal-polyfill";
import { isFrenchHoliday } from "./holidays.ts";
import { zone } from "./instants.ts";
import { isPosted, type ServiceCode } from "./services.ts";

/** C. conso. art. L221-18. */
export const withdrawalDays = 14;

/** The longest postal delivery. */
const maxPostalDays = 7;

/** The largest number of days between delivery and receipt by the customer. Legal periods start at receipt. */
export function maxDaysToReceipt(service: ServiceCode): number {
	return isPosted(service) ? maxPostalDays : 0;
}

/**
 * Computes the end of the right of withdrawal: the end of the fourteenth day in Europe/Paris, or of the next working day
 * (C. conso. art. L221-18, L221-19).
 * @param startedAt when the contract was concluded, or the extract posted.
 */
export function withdrawalEndsAt(service: ServiceCode, startedAt: Date): Date {
	const start = Temporal.Instant.fromEpochMilliseconds(startedAt.getTime()).toZonedDateTimeISO(zone).toPlainDate();
	let last = start.add({ days: withdrawalDays + maxDaysToReceipt(service) });
	while (last.dayOfWeek > 5 || isFrenchHoliday(last.toString())) last = last.add({ days: 1 });
	return new Date(last.add({ days: 1 }).toZonedDateTime(zone).epochMilliseconds);
}
