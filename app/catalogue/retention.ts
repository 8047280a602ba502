import { cents } from "./money.ts";

/** Days for which the browser offers a draft of the order form. */
export const draftDays = 30;

/** Hours for which the server stores an order form that was sent, for the payment page. The purge of the next night deletes it. */
export const orderFormHours = 24;

/** The longest time for which personal data is stored (docs/rules.md, R43). The legal pages print it. */
export const retention = {
	/** From an order's last event. */
	orders: { years: 3 },
	/** Contracts of `archivedContractCents` and more, from their delivery: C. conso. art. D213-2. */
	contracts: { years: 10 },
	/** Unpaid orders, from their creation. The period is short because the e-mail address may be a stranger’s (R43). */
	unpaidOrders: { days: 30 },
	/** Invoices and accounts, from the end of the year in which they were issued: C. com. art. L123-22. */
	invoices: { years: 10 },
	/** Consents to receive e-mails, with their addresses. For the newsletter, also the proof of consent after its end. */
	marketing: { years: 3 },
	/** Unconfirmed requests for the newsletter. The confirmation link is valid for as long. */
	newsletterRequests: { days: 30 },
	/**
	 * Messages of the contact form: as long as orders, because many messages are about one. The CNIL allows the same period for
	 * prospects (référentiel « gestion des activités commerciales »).
	 */
	messages: { years: 3 },
	/** Technical records: events of the provider, reconciliations, payments of the sandbox. */
	logs: { months: 12 },
	/** PDFs of extracts, from their delivery. */
	deliveredExtracts: { days: 90 },
	/** Extracts that an operator dropped for an order and did not deliver. */
	extractDrafts: { days: 1 },
	/** Results of the status probes: not personal; the status page shows this period. */
	probes: { days: 90 },
} as const;

/** Cents, including VAT. A contract of at least this price is kept for longer: C. conso. art. D213-1. It is that of all orders bought together. */
export const archivedContractCents = cents(12_000);

/** Computes the creation time of the oldest records still stored at `now`, in UTC. A 29 February becomes 1 March. */
export function computeRetentionCutoff(now: Date, { years = 0, months = 0, days = 0 }: Omit<Duration, "hours">): Date {
	const since = new Date(now);
	since.setUTCFullYear(since.getUTCFullYear() - years, since.getUTCMonth() - months, since.getUTCDate() - days);
	return since;
}

/** Computes when a record of `since` has been stored long enough, in UTC. A 29 February becomes 1 March. */
export function computeRetentionEnd(since: Date, { years = 0, months = 0, days = 0 }: Omit<Duration, "hours">): Date {
	return computeRetentionCutoff(since, { years: -years, months: -months, days: -days });
}

export type Duration = { years?: number; months?: number; days?: number; hours?: number };

/** « 3 ans », « 12 mois », « 90 jours », « 24 heures » */
export function formatPeriod(duration: Duration): string {
	const { years, months, days, hours } = duration;
	if (years !== undefined) return `${years}\u00a0an${years > 1 ? "s" : ""}`;
	if (months !== undefined) return `${months}\u00a0mois`;
	if (hours !== undefined) return `${hours}\u00a0heure${hours > 1 ? "s" : ""}`;
	return `${days}\u00a0jour${days === 1 ? "" : "s"}`;
}
