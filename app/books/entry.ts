import type { AccountName } from "../../server/environment/account-settings.ts";
import type { Cents } from "../catalogue/money.ts";
import type { Day, Month } from "./month.ts";

/** The journals, with their names in the file of the entries. */
export const journals = { VT: "Ventes", PP: "Prestataire de paiement", BQ: "Banque" } as const;
export type Journal = keyof typeof journals;

/** The names of the accounts, after the French chart of accounts (PCG). */
export const accountLabels = {
	customers: "Clients",
	disputed: "Clients douteux ou litigieux",
	vat: "TVA collectée",
	provider: "Prestataire de paiement",
	suspense: "Compte d’attente",
	bank: "Banque",
	fees: "Services bancaires et assimilés",
	losses: "Pertes sur créances irrécouvrables",
	sales: "Prestations de services",
} as const satisfies Record<AccountName, string>;

/** The accounts whose lines are lettered, each order apart. */
export const letteredAccounts: ReadonlySet<AccountName> = new Set(["customers", "disputed", "suspense"]);

/** One of debit and credit is 0, and neither is negative. */
export interface EntryLine {
	account: AccountName;
	/** The account's number when it was posted. */
	number: string;
	debit: Cents;
	credit: Cents;
}

/** The sale or credit note of an entry. A credit note has negative amounts. */
export interface EntryVat {
	/** The month in which the VAT is declared. */
	month: Month;
	/** In percent. */
	rate: number;
	net: Cents;
	vat: Cents;
}

/** An entry before it gets its number. */
export interface EntryDraft {
	/** What it books, once. */
	fact: string;
	journal: Journal;
	/** The instant of the fact, in whose month it is booked if that is open. */
	at: Date;
	pieceRef: string;
	label: string;
	/** The number of the order, for a purchase of several that of its first one; or the payout. */
	subject: string;
	lines: EntryLine[];
	/** Of a sale or credit note: the instant at which its VAT is due. */
	vat?: Omit<EntryVat, "month"> & { dueAt: Date };
}

/** A posted entry, which never changes. */
export interface Entry extends Pick<EntryDraft, "fact" | "journal" | "pieceRef" | "label" | "subject" | "lines"> {
	/** Its position among all entries. */
	id: number;
	/** « VT2026-000001 » */
	number: string;
	day: Day;
	pieceDay: Day;
	vat: EntryVat | null;
	/** The day on which it was posted: from then on it never changes. */
	postedOn: Day;
}

/** « VT2026-000001 »: each journal has one series a year, without gaps. */
export const formatEntryNumber = (journal: Journal, year: number, place: number): string =>
	`${journal}${year}-${String(place).padStart(6, "0")}`;
