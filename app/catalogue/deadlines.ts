import { typedFromEntries } from "../../server/types/objects.ts";
import { formatDeadline } from "./instants.ts";
import type { OpeningCalendar } from "./opening-hours.ts";
import { computePromise } from "./promise.ts";
import { isPosted, type ServiceCode, serviceCodes } from "./services.ts";

/** Formats the promise of each service for a payment at `now`: « lundi 23 novembre avant 10 h », with « posté » for a posted extract. */
export function formatDeadlines(now: Date, calendar: OpeningCalendar): Record<ServiceCode, string> {
	const format = (code: ServiceCode) => `${isPosted(code) ? "posté " : ""}${formatDeadline(computePromise(code, now, calendar))}`;
	return typedFromEntries(serviceCodes.map((code) => [code, format(code)] as const));
}
