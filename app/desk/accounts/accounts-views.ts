import type { BooksSettings } from "../../catalogue/settings/shop-settings.ts";

/** What the pages of the accounts show: texts, so that nothing is computed twice. */

export interface MonthRow {
	month: string;
	/** « Novembre 2026 » */
	name: string;
	closed: string | null;
	/** The month is not over. */
	running: boolean;
	figures: Figure[];
}

export interface Figure {
	label: string;
	value: string;
}

export interface YearRow {
	/** « Exercice finissant le 31/12/2026 » */
	name: string;
	href: string;
	/** « 10 mois clôturés sur 12 : provisoire »; null when all are closed. */
	provisional: string | null;
}

export interface AccountsView {
	rows: MonthRow[];
	years: YearRow[];
	/** The fiscal year is not the calendar year, so that it has two series of numbers. */
	hasTwoSeries: boolean;
	books: BooksSettings;
	/** In words. */
	booksText: string;
	/** The names of columns. */
	columns: readonly string[];
	/** « 23/11/2026 à 4 h 15 »; null before the first time. */
	postedAt: string | null;
	readUntil: string | null;
}

/** A period of e-reporting. */
export interface ReportView {
	/** « Ventes du 01/09/2027 au 10/09/2027 » */
	title: string;
	/** Why it cannot be prepared, or why it is due again. */
	note: string | null;
	files: { href: string; name: string; made: string }[];
	/** Its form; null when there is nothing to prepare. */
	form: { flow: string; start: string; end: string; label: string } | null;
}

export interface MonthView {
	month: string;
	name: string;
	state: "open" | "running" | "closed";
	/** « 2 décembre 2026 à 10 h, par Ada » */
	closed: string | null;
	figures: Figure[];
	/** Why sales are not what was received; null when they are the same. */
	bases: string | null;
	/** Why the declared VAT is not that of its account. */
	vatDifference: string | null;
	vat: { rate: string; sales: string; creditNotes: string; net: string; vat: string }[];
	blocking: string[];
	remarks: string[];
	/** Sentences that are not listed. */
	hidden: number;
	files: { href: string; label: string; name: string; sha256: string | null }[];
	/** What the accountant's software takes, as the setting asks for it. */
	imports: { href: string; label: string; name: string }[];
	/** The transmissions of e-reporting; empty without a platform. */
	reports: ReportView[];
	zip: { href: string; count: number } | null;
	hash: string;
}
