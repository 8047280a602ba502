import { type Cents, cents } from "../../catalogue/money.ts";
import type { Entry } from "../entry.ts";
import type { Month } from "../month.ts";
import { writeCsv } from "./csv.ts";
import { formatFrenchDay } from "./journal-files.ts";

export interface VatAmounts {
	net: Cents;
	vat: Cents;
}

/** The VAT of a month at one rate. Credit notes are negative. */
export interface VatOfRate {
	/** In percent. */
	rate: number;
	sales: VatAmounts;
	creditNotes: VatAmounts;
	total: VatAmounts;
}

/** The VAT on receipts of a month, for the declaration CA3, with the documents behind it. */
export interface VatStatement {
	month: Month;
	rates: VatOfRate[];
	/** The sales and credit notes whose VAT belongs to the month. */
	entries: readonly Entry[];
}

export function createVatStatement(month: Month, entries: readonly Entry[]): VatStatement {
	const byRate = Map.groupBy(entries, ({ vat }) => vat?.rate ?? 0);
	const rates = [...byRate].sort(([a], [b]) => b - a);
	return {
		month,
		entries,
		rates: rates.map(([rate, all]) => ({
			rate,
			sales: sumVat(all.filter(({ vat }) => (vat?.net ?? 0) >= 0)),
			creditNotes: sumVat(all.filter(({ vat }) => (vat?.net ?? 0) < 0)),
			total: sumVat(all),
		})),
	};
}

export function sumVat(entries: readonly Pick<Entry, "vat">[]): VatAmounts {
	const sum = (amount: (vat: NonNullable<Entry["vat"]>) => number) =>
		entries.reduce((total, { vat }) => total + (vat ? amount(vat) : 0), 0);
	return { net: cents(sum(({ net }) => net)), vat: cents(sum(({ vat }) => vat)) };
}

/** « 20 % » */
export const formatRate = (rate: number): string => `${String(rate).replace(".", ",")}\u00a0%`;

/** The sums of each rate. */
export function writeVatSums({ rates }: VatStatement): Uint8Array {
	const rows = rates.flatMap(({ rate, sales, creditNotes, total }) =>
		(
			[
				["Ventes encaissées", sales],
				["Avoirs", creditNotes],
				["À déclarer", total],
			] as const
		).map(([label, { net, vat }]) => [...[formatRate(rate), label, { cents: net }, { cents: vat }, { cents: net + vat }]]),
	);
	return writeCsv(["Taux", "Opérations", "Base HT", "TVA", "TTC"], rows);
}

/** Each invoice and credit note, with its day in the journal: an order paid in the last seconds of a month is invoiced in the next one. */
export function writeVatDetail({ entries }: VatStatement): Uint8Array {
	const head = ["Pièce", "Émise le", "Commande", "Écriture", "Comptabilisée le", "Taux", "Base HT", "TVA", "TTC"];
	const rows = entries.flatMap(({ pieceRef, pieceDay, subject, number, day, vat }) =>
		vat === null
			? []
			: [
					[
						...[pieceRef, formatFrenchDay(pieceDay), subject, number, formatFrenchDay(day), formatRate(vat.rate)],
						...[{ cents: vat.net }, { cents: vat.vat }, { cents: vat.net + vat.vat }],
					],
				],
	);
	return writeCsv(head, rows);
}
