import { typedEntries, typedFromEntries } from "../../server/types/objects.ts";
import { formatHour, zone } from "../catalogue/instants.ts";
import type { OpeningCalendar } from "../catalogue/opening-hours.ts";
import { computePromise } from "../catalogue/promise.ts";
import { type ServiceCode, serviceCodes } from "../catalogue/services.ts";

/** The payments of the examples, in weeks without holidays except the last one. */
const payments = {
	Monday: "2026-11-23T10:00+01:00", // a Monday at 10 h
	Friday: "2026-11-27T17:00+01:00", // a Friday at 17 h
	Saturday: "2026-11-28T11:00+01:00", // a Saturday at 11 h
	Holiday: "2027-05-14T17:00+02:00", // a Friday at 17 h, before Whit Monday
} as const;

type Example = `${ServiceCode}Paid${keyof typeof payments}`;

const weekday = new Intl.DateTimeFormat("fr-FR", { weekday: "long", timeZone: zone });
const date = new Intl.DateTimeFormat("fr-FR", { dateStyle: "short", timeZone: zone });

/**
 * Computes the promise of each service for these payments: « le jour même avant 12 h », « le lundi suivant avant 9 h ».
 * The examples have no date, so that texts can use them in any year.
 */
export function computeWorkedExamples(calendar: OpeningCalendar): Record<Example, string> {
	const examples = serviceCodes.flatMap((code) =>
		typedEntries(payments).map(([name, instant]) => {
			const paid = new Date(instant);
			return [`${code}Paid${name}`, formatPromise(paid, computePromise(code, paid, calendar))] as const;
		}),
	);
	return typedFromEntries(examples);
}

function formatPromise(paid: Date, promise: Date): string {
	const day = date.format(promise) === date.format(paid) ? "le jour même" : `le ${weekday.format(promise)} suivant`;
	return `${day} avant ${formatHour(promise)}`;
}
