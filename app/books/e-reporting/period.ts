import type { BooksSettings } from "../../catalogue/settings/shop-settings.ts";
import { type Day, getFirstDay, getLastDay, type Month } from "../month.ts";

/** The days that a transmission is about, both included. */
export interface Period {
	start: Day;
	end: Day;
}

/** Flow 10.3, sales to consumers, and flow 10.4, the payments received for them. */
export type Flow = "sales" | "payments";

/**
 * The periods of a month, for which a transmission is due each. Under the normal monthly scheme sales are reported three times a month, and
 * payments once (CGI ann. II; DGFiP, « dossier général », table 13).
 */
export function listPeriods(month: Month, flow: Flow, salesPeriod: BooksSettings["salesPeriod"]): Period[] {
	const day = (text: string) => `${month}-${text}` as Day;
	const last = getLastDay(month);
	if (flow === "payments" || salesPeriod === "month") return [{ start: getFirstDay(month), end: last }];
	return [
		{ start: getFirstDay(month), end: day("10") },
		{ start: day("11"), end: day("20") },
		{ start: day("21"), end: last },
	];
}

export const isWithin = (day: Day, { start, end }: Period): boolean => day >= start && day <= end;
