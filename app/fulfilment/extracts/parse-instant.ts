import { Temporal } from "temporal-polyfill";
import { zone } from "../../catalogue/instants.ts";

/** Parses a day, with or without a time, in Europe/Paris, in French or ISO 8601 notation; null when it is invalid. */
export function parseInstant(text: string): Date | null {
	const french = /^(\d{1,2})\/(\d{1,2})\/(\d{4})(?:\s+(?:à\s+)?(\d{1,2})\s*(?::|h)\s*(\d{2})?)?$/i.exec(text.trim());
	const [, day = "", month = "", year, hour = "0", minute = "00"] = french ?? [];
	const padTwo = (digits: string) => digits.padStart(2, "0");
	const iso = french ? `${year}-${padTwo(month)}-${padTwo(day)}T${padTwo(hour)}:${minute}` : text.trim();
	try {
		return new Date(Temporal.PlainDateTime.from(iso).toZonedDateTime(zone).epochMilliseconds);
	} catch {
		return null;
	}
}
