import { formatAmount, writeCsv } from "../../books/files/csv.ts";
import { formatFrenchDay, writeFecRows } from "../../books/files/journal-files.ts";
import { type Day, getDay } from "../../books/month.ts";
import type { InvoiceData, InvoiceLine } from "../../orders/invoices/invoice.ts";
import { calculateAmounts } from "../../orders/invoices/invoice-amounts.ts";

/** The invoices and credit notes of a customer as files for their own books. The amounts are those of the invoices. */

export interface BookedInvoice {
	number: string;
	kind: InvoiceData["kind"];
	issued_at: Date;
	data: InvoiceData;
}

const kindLabels: Record<InvoiceData["kind"], string> = { invoice: "Facture", credit_note: "Avoir" };

/** An invoice in short. A credit note has negative amounts. `reference`: the customer's own, of all lines. */
export function summariseInvoice({ number, kind, issued_at, data }: BookedInvoice) {
	const { net, vat, total } = calculateAmounts(data);
	const sign = kind === "invoice" ? 1 : -1;
	const [first] = data.lines;
	return {
		number,
		kindLabel: kindLabels[kind],
		day: getDay(issued_at),
		description: data.lines.length > 1 ? `${data.lines.length} extraits` : (first?.description ?? ""),
		reference: data.lines.flatMap(({ reference }) => reference ?? []).join(" + "),
		net: sign * net,
		vat: sign * vat,
		total: sign * total,
	};
}

/** The number of the order that a line is about. */
const getOrderNumber = ({ data }: BookedInvoice, line: InvoiceLine): string => line.orderNumber ?? data.orderNumber;

export const listOrderNumbers = (invoices: readonly BookedInvoice[]): string[] =>
	invoices.flatMap((invoice) => invoice.data.lines.map((line) => getOrderNumber(invoice, line)));

/**
 * A row per line of an invoice or a credit note, as an accountant divides them among clients. The rows of an invoice add up to it. New columns
 * go to the end: customers import the file by position.
 * @param sirens of the ordered companies, by the number of the order.
 */
export function writeInvoiceLines(invoices: readonly BookedInvoice[], sirens: ReadonlyMap<string, string>): Uint8Array<ArrayBuffer> {
	const head = [
		...["Date", "Numéro", "Nature", "Objet", "Montant HT", "TVA", "Montant TTC", "Votre référence"],
		...["SIREN de l’entreprise", "Numéro de commande"],
	];
	const rows = invoices.flatMap((invoice) => {
		const { number, kind, issued_at, data } = invoice;
		const { lineNets } = calculateAmounts(data);
		const sign = kind === "invoice" ? 1 : -1;
		return data.lines.map((line, index) => {
			const { description, total, reference } = line;
			const net = lineNets[index] ?? 0;
			const order = getOrderNumber(invoice, line);
			return [
				...[formatFrenchDay(getDay(issued_at)), number, kindLabels[kind], description],
				...[{ cents: sign * net }, { cents: sign * (total - net) }, { cents: sign * total }, reference ?? ""],
				...[sirens.get(order) ?? "", order],
			];
		});
	});
	return writeCsv(head, rows);
}

/** Accounts of the general plan of accounts (ANC 2014-03): costs of deeds, deductible VAT on services, suppliers. */
const accounts = {
	cost: ["6227", "Frais d'actes et de contentieux"],
	vat: ["44566", "TVA déductible sur autres biens et services"],
	supplier: ["401", "Fournisseurs"],
} as const;

/**
 * The same as entries of a purchase journal, in the shape of the « fichier des écritures comptables » (LPF art. A47 A-1). It is a file to
 * import, not the one that the law requires: it has these purchases only, and no date of validation, which is up to the accountant.
 */
export function writePurchaseEntries(invoices: readonly BookedInvoice[]): Uint8Array<ArrayBuffer> {
	return writeFecRows(
		invoices.flatMap((invoice, index) => {
			const { number, day, kindLabel, description, reference, net, vat, total } = summariseInvoice(invoice);
			const { siren, name } = invoice.data.seller;
			const date = toFecDay(day);
			const label = shorten([kindLabel, description, reference].filter((text) => text !== "").join(", "));
			const toRow = ([account, accountLabel]: readonly [string, string], amount: number, auxiliary: readonly [string, string]) => [
				...["HA", "Achats", String(index + 1), date, account, accountLabel, ...auxiliary, number, date, label],
				...[formatAmount(Math.max(amount, 0)), formatAmount(Math.max(-amount, 0)), "", "", "", "", ""],
			];
			return [
				toRow(accounts.cost, net, ["", ""]),
				...(vat === 0 ? [] : [toRow(accounts.vat, vat, ["", ""])]),
				toRow(accounts.supplier, -total, [siren.replace(/\D/g, ""), name]),
			];
		}),
	);
}

/** The law gives labels no limit, but programs that import them do; PieceRef leads to all references. */
const maxLabelLength = 200;

/** Cuts a label after a word. Three dots, because ISO 8859-15 has no ellipsis. */
function shorten(label: string): string {
	if (label.length <= maxLabelLength) return label;
	const begin = label.slice(0, maxLabelLength - 3);
	return `${begin.slice(0, begin.lastIndexOf(" ")).replace(/[,+]$/, "").trimEnd()}...`;
}

const toFecDay = (day: Day) => day.replaceAll("-", "");
