import type { InvoiceData, InvoiceLine } from "./invoice.ts";

/** Issued invoices never change, so those issued until 26 November 2026 keep their single `line`. Everything else sees `lines`. */

type StoredInvoice = Omit<InvoiceData, "lines"> & { lines?: InvoiceLine[]; line?: InvoiceLine };

/**
 * Reads the column `invoices.data`, also when it is damaged, so that lists and exports work. Each query that selects it passes it here.
 * `line` counts before `lines`: the previous version copies both from an invoice to its credit note, and changes `line` only.
 */
export function parseStoredInvoice(stored: unknown): InvoiceData {
	const { line, lines, ...data } = stored as StoredInvoice;
	return { ...data, lines: line ? [line] : (lines ?? []) };
}

/**
 * Formats an invoice for the column `invoices.data`. A single line is also stored as `line`, so that a process of the previous version draws
 * and books it too. This may go when no such process runs any more: from 1 January 2027. An invoice of several lines has no `line`: that
 * version fails on it, and its job runs again in a process of this one, which is better than a wrong document.
 */
export function formatStoredInvoice(data: InvoiceData): string {
	const [line, ...others] = data.lines;
	return JSON.stringify(others.length === 0 ? { ...data, line } : data);
}
