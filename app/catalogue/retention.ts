/** Days for which a draft of the order form is offered, in the browser that keeps it. */
export const draftDays = 30;

/** How long personal data is kept, at most (docs/rules.md, R43). The legal pages print it. */
export const retention = {
	/** From an order's last event. */
	orders: { years: 3 },
	/** Orders that were never paid, from the day they were made: a stranger’s e-mail may have been typed (R43). */
	unpaidOrders: { days: 30 },
	/** Invoices and accounts, from the end of the year in which they were issued: C. com. art. L123-22. */
	invoices: { years: 10 },
	/** Consents to be written to and the addresses they cover; then, for the newsletter, the proof that there was one, from its end. */
	marketing: { years: 3 },
	/** Who asked for the newsletter and did not confirm; the link that confirms lives as long. */
	newsletterRequests: { days: 30 },
	/**
	 * Messages of the contact form: as long as an order, which many of them are about. It is also how long the CNIL lets a shop keep
	 * somebody who wrote and did not buy (référentiel « gestion des activités commerciales »).
	 */
	messages: { years: 3 },
	/** What only tells how the shop worked: the provider's events, comparisons of books, the sandbox's books. */
	logs: { months: 12 },
	/** PDFs of extracts, from their delivery. */
	deliveredExtracts: { days: 90 },
	/** Whether each part of the shop answered: nothing personal, and as far back as the state page looks. */
	probes: { days: 90 },
} as const;

type Duration = { years?: number; months?: number; days?: number; hours?: number };

/** « 3 ans », « 12 mois », « 90 jours », « 24 heures » */
export function describeDuration(duration: Duration): string {
	const { years, months, days, hours } = duration;
	if (years !== undefined) return `${years}\u00a0an${years > 1 ? "s" : ""}`;
	if (months !== undefined) return `${months}\u00a0mois`;
	if (hours !== undefined) return `${hours}\u00a0heure${hours > 1 ? "s" : ""}`;
	return `${days}\u00a0jour${days === 1 ? "" : "s"}`;
}

/** The instant from which on what was made is still kept at `now`; in UTC, where a 29 February becomes 1 March. */
export function keptSince(now: Date, { years = 0, months = 0, days = 0 }: Omit<Duration, "hours">): Date {
	const since = new Date(now);
	since.setUTCFullYear(since.getUTCFullYear() - years, since.getUTCMonth() - months, since.getUTCDate() - days);
	return since;
}
