import { formatDeadline } from "./instants.ts";
import type { OpeningCalendar } from "./opening-hours.ts";
import { promisedAt } from "./promise.ts";
import { type ServiceCode, serviceCodes, services } from "./services.ts";

/** What each service would promise for a payment at `now`: « lundi 23 novembre avant 10 h », for a letter « posté … ». */
export function describeDeadlines(now: Date, calendar: OpeningCalendar): Record<ServiceCode, string> {
	const describe = (code: ServiceCode) =>
		`${services[code].deliveryMethod === "postal" ? "posté " : ""}${formatDeadline(promisedAt(code, now, calendar))}`;
	return Object.fromEntries(serviceCodes.map((code) => [code, describe(code)])) as Record<ServiceCode, string>;
}
