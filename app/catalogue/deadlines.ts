import { formatDeadline } from "./instants.ts";
import type { OpeningCalendar } from "./opening-hours.ts";
import { promisedAt } from "./promise.ts";
import { type ServiceCode, serviceCodes } from "./services.ts";

/** What each service would promise for a payment at `now`: « lundi 23 novembre avant 10 h ». */
export function describeDeadlines(now: Date, calendar: OpeningCalendar): Record<ServiceCode, string> {
	return Object.fromEntries(serviceCodes.map((code) => [code, formatDeadline(promisedAt(code, now, calendar))])) as Record<
		ServiceCode,
		string
	>;
}
