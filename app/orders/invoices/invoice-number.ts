import type { InvoiceData } from "./invoice.ts";

/** A number of a series. Each kind and year has a series that starts with 1. */
export interface InvoiceNumber {
	kind: InvoiceData["kind"];
	year: number;
	/** The position in the year. */
	place: number;
}

const prefixes = { invoice: "F", credit_note: "A" } as const;

/** « F2026-000031 » */
export function formatInvoiceNumber({ kind, year, place }: InvoiceNumber): string {
	return `${prefixes[kind]}${year}-${String(place).padStart(6, "0")}`;
}

/** Parses « F2026-000031 » or « f2026-31 »; null for other texts. */
export function parseInvoiceNumber(text: string): InvoiceNumber | null {
	const [, prefix, year, place] = /^([FA])(\d{4})-(\d{1,9})$/i.exec(text.trim()) ?? [];
	if (prefix === undefined || Number(place) === 0) return null;
	return { kind: prefix.toUpperCase() === prefixes.invoice ? "invoice" : "credit_note", year: Number(year), place: Number(place) };
}
