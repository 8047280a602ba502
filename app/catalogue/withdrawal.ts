import { Temporal } from "temporal-polyfill";
import { isFrenchHoliday } from "./holidays.ts";
import { zone } from "./instants.ts";
import { isPosted, type ServiceCode } from "./services.ts";

/** C. conso. art. L221-18. */
const days = 14;

/** The most days that a posted letter is on its way. */
const longestPost = 7;

/** The most days between the delivery of an order and its receipt by the customer, from which periods count. */
export function maxDaysToReceipt(service: ServiceCode): number {
	return isPosted(service) ? longestPost : 0;
}

/**
 * The end of the right of withdrawal: the close of the last of fourteen days in Europe/Paris, or of the next working day
 * (C. conso. art. L221-18, L221-19).
 * @param begun when the contract was made, or the letter posted.
 */
export function withdrawalEndsAt(service: ServiceCode, begun: Date): Date {
	const start = Temporal.Instant.fromEpochMilliseconds(begun.getTime()).toZonedDateTimeISO(zone).toPlainDate();
	let last = start.add({ days: days + maxDaysToReceipt(service) });
	while (last.dayOfWeek > 5 || isFrenchHoliday(last.toString())) last = last.add({ days: 1 });
	return new Date(last.add({ days: 1 }).toZonedDateTime(zone).epochMilliseconds);
}
