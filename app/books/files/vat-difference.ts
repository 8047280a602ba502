import { type Cents, cents, formatEuros } from "../../catalogue/money.ts";
import type { Entry } from "../entry.ts";
import { formatMonth, type Month } from "../month.ts";
import { type Cell, writeCsv } from "./csv.ts";
import { formatFrenchDay } from "./journal-files.ts";
import { formatRate, sumVat, type VatAmounts } from "./vat-statement.ts";

/**
 * Why the VAT that a month declares is not the VAT on its account: an invoice is written after its payment, perhaps in the next month, and
 * its VAT is due with the payment (CGI art. 269, 2, c).
 */
export interface VatDifference {
	month: Month;
	/** On the account, by the day of the entry. */
	booked: Cents;
	declared: VatAmounts;
	/** Booked in the month, declared before it. */
	before: readonly Entry[];
	/** Declared in the month, booked after it. */
	after: readonly Entry[];
	/** Declared but not yet booked, when the month begins and when it ends. */
	opening: Cents;
	ending: Cents;
}

/** What the documents of the file leave unexplained; 0 unless the books are wrong. */
export function getUnexplained({ booked, declared, before, after, opening, ending }: VatDifference): Cents {
	const shift = sumVat(after).vat - sumVat(before).vat;
	const [byDocuments, byBalance] = [declared.vat - booked - shift, ending - opening - shift];
	return cents(byDocuments === 0 ? byBalance : byDocuments);
}

/** The month's sales without VAT as they are invoiced, where `declared` has them as they are received. */
const getBookedNet = ({ declared, before, after }: VatDifference): Cents => cents(declared.net - sumVat(after).net + sumVat(before).net);

/** « 2 factures payées en novembre 2026, écrites ensuite » */
function describeShifted({ month, before, after }: VatDifference): string {
	const name = formatMonth(month);
	const describe = (count: number, s: string) => `${count} facture${s}`;
	const plural = (entries: readonly Entry[]) => (entries.length > 1 ? "s" : "");
	const [a, b] = [plural(after), plural(before)];
	return [
		...(after.length > 0 ? [`${describe(after.length, a)} payée${a} en ${name}, écrite${a} ensuite`] : []),
		...(before.length > 0 ? [`${describe(before.length, b)} écrite${b} en ${name}, payée${b} et déclarée${b} avant`] : []),
	].join("\u00a0; ");
}

/** Why the sales of a month are not what it received; null where they are. */
export function explainBases(difference: VatDifference): string | null {
	const [invoiced, received] = [getBookedNet(difference), difference.declared.net];
	if (invoiced === received) return null;
	return `Facturé ${formatEuros(invoiced)} HT, encaissé ${formatEuros(received)} HT\u00a0: ${describeShifted(difference)}.`;
}

/** Why the declared VAT is not that of its account; null where it is. @param account its number. */
export function explainVat(difference: VatDifference, account: string): string | null {
	const more = difference.declared.vat - difference.booked;
	if (more === 0) return null;
	const amount = `${formatEuros(cents(Math.abs(more)))} de ${more > 0 ? "plus" : "moins"} que le compte ${account}`;
	return `${amount}\u00a0: ${describeShifted(difference)}.`;
}

/** From the account to the declaration: the last column adds up, document by document. Below, what is declared and not yet booked. @param account the number of the account of VAT. */
export function writeVatDifference(difference: VatDifference, account: string): Uint8Array {
	const { month, booked, declared, before, after, opening, ending } = difference;
	const head = ["Ligne", "Pièce", "Commande", "Écriture", "Comptabilisée le", "Déclarée en", "Taux", "Base HT", "TVA"];
	const sum = (label: string, vat: Cents, net: Cents | null = null): Cell[] => [
		...[label, null, null, null, null, null, null, net === null ? null : { cents: net }, { cents: vat }],
	];
	const document = (label: string, sign: 1 | -1, { pieceRef, subject, number, day, vat }: Entry): Cell[] => [
		...[label, pieceRef, subject, number, formatFrenchDay(day), vat && formatMonth(vat.month), vat && formatRate(vat.rate)],
		...[{ cents: sign * (vat?.net ?? 0) }, { cents: sign * (vat?.vat ?? 0) }],
	];
	return writeCsv(head, [
		sum(`TVA écrite au compte ${account}`, booked, getBookedNet(difference)),
		...before.map((entry) => document("Écrite ce mois, déclarée avant", -1, entry)),
		...after.map((entry) => document("Déclarée ce mois, écrite ensuite", 1, entry)),
		sum(`TVA à déclarer pour ${formatMonth(month)}`, declared.vat, declared.net),
		sum("Déclarée et pas encore écrite, au début du mois", opening),
		sum("Déclarée et pas encore écrite, à la fin du mois", ending),
	]);
}
