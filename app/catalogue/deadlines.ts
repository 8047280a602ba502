import { typedFromEntries } from "../../server/types/objects.ts";
import { formatDeadline } from "./instants.ts";
import type { OpeningCalendar } from "./opening-hours.ts";
import { promisedAt } from "./promise.ts";
import { isPosted, type ServiceCode, serviceCodes } from "./services.ts";

/** Formats the promise of each service for a payment at `now`: « lundi 23 novembre avant 10 h », with « posté » for a posted extract. */
export function describeDeadlines(now: Date, calendar: OpeningCalendar): Record<ServiceCode, string> {
	const describe = (code: ServiceCode) => `${isPosted(code) ? "posté " : ""}${formatDeadline(promisedAt(code, now, calendar))}`;
	return typedFromEntries(serviceCodes.map((code) => [code, describe(code)] as const));
}
