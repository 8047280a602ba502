/** How long personal data is kept, at most (decision D3 of the specification). The legal pages print it. */
export const retention = {
	orders: { years: 3 },
	/** Invoices and accounts: C. com. art. L123-22. */
	invoices: { years: 10 },
	/** Consents to be written to, and the addresses they cover. */
	marketing: { years: 3 },
	logs: { months: 12 },
	/** PDFs of extracts, from their delivery. */
	deliveredExtracts: { days: 90 },
} as const;

/** « 3 ans », « 12 mois », « 90 jours » */
export function describeDuration(duration: { years?: number; months?: number; days?: number }): string {
	const { years, months, days } = duration;
	if (years !== undefined) return `${years}\u00a0an${years > 1 ? "s" : ""}`;
	if (months !== undefined) return `${months}\u00a0mois`;
	return `${days}\u00a0jour${days === 1 ? "" : "s"}`;
}
