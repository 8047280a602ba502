import type { InvoiceData } from "../../orders/invoices/invoice.ts";
import { calculateAmounts } from "../../orders/invoices/invoice-amounts.ts";
import { getDay } from "../month.ts";
import { writeCsv } from "./csv.ts";
import { formatFrenchDay } from "./journal-files.ts";
import { formatRate } from "./vat-statement.ts";

/** The name of the PDF of an invoice in an archive. A credit note is named after its invoice, so that both stand together. */
export const getPdfName = ({ number, corrects }: Pick<InvoiceData, "number" | "corrects">): string =>
	corrects === null ? `${number}.pdf` : `${corrects.number}-avoir-${number}.pdf`;

/** Invoices and credit notes with the hashes of their PDFs. The buyer's name stands in the PDF only. */
export function writeInvoiceList(invoices: readonly { data: InvoiceData; sha256: string | null }[]): Uint8Array {
	const head = [
		"Pièce",
		"Nature",
		"Émise le",
		"Payée le",
		"Commande",
		"Facture d’origine",
		"SIREN du client",
		"Taux",
		"Base HT",
		"TVA",
		"TTC",
	];
	return writeCsv(
		[...head, "Fichier", "SHA-256"],
		invoices.map(({ data, sha256 }) => {
			const rate = data.vatRate;
			const { net, vat, total } = calculateAmounts(data);
			const sign = data.kind === "invoice" ? 1 : -1;
			return [
				...[data.number, data.kind === "invoice" ? "Facture" : "Avoir", formatDay(data.issuedAt), formatDay(data.paidAt), data.orderNumber],
				...[data.corrects?.number ?? data.replaces?.number ?? "", data.buyer.siren ?? "", formatRate(rate)],
				...[{ cents: sign * net }, { cents: sign * vat }, { cents: sign * total }, getPdfName(data), sha256 ?? ""],
			];
		}),
	);
}

const formatDay = (instant: string) => formatFrenchDay(getDay(new Date(instant)));
