import { readLine } from "../../ui/forms/text.ts";

/** What was typed to find orders. */
export const readSearch = (typed: FormDataEntryValue | null): string => readLine(typed).slice(0, 100);

/** The page of a query, from 1; the first for anything but a number. */
export function readPage(query: URLSearchParams): number {
	const typed = query.get("page") ?? "";
	return /^[1-9]\d{0,5}$/.test(typed) ? Number(typed) : 1;
}

/** The year of a query; null for anything else. */
export function readYear(query: URLSearchParams): number | null {
	const typed = query.get("annee") ?? "";
	return /^20\d\d$/.test(typed) ? Number(typed) : null;
}
