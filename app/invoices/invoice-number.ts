import type { InvoiceData } from "./invoice.ts";

/** A number of a series: those of each kind and year begin with 1. */
export interface InvoiceNumber {
	kind: InvoiceData["kind"];
	year: number;
	/** Its place in the year. */
	place: number;
}

const letters = { invoice: "F", credit_note: "A" } as const;

/** « F2026-000031 » */
export function formatInvoiceNumber({ kind, year, place }: InvoiceNumber): string {
	return `${letters[kind]}${year}-${String(place).padStart(6, "0")}`;
}

/** « f2026-31 » and « F2026-000031 » alike; null for anything else. */
export function parseInvoiceNumber(text: string): InvoiceNumber | null {
	const [, letter, year, place] = /^([FA])(\d{4})-(\d{1,9})$/i.exec(text.trim()) ?? [];
	if (letter === undefined || Number(place) === 0) return null;
	return { kind: letter.toUpperCase() === letters.invoice ? "invoice" : "credit_note", year: Number(year), place: Number(place) };
}
