import type { Database, Trx } from "../../../server/database/database.ts";
import type { Environment } from "../../../server/environment/environment.ts";
import { createEReport, writeEReport } from "../e-reporting/e-report.ts";
import { toSeller } from "../e-reporting/prepare-report.server.ts";
import { listReportedInvoices } from "../e-reporting/reported-invoices.store.server.ts";
import type { Month } from "../month.ts";
import { readJournal } from "../read-journal.server.ts";
import { readVat, readVatDifference } from "../read-vat.server.ts";
import { listInvoicesOfMonth, listMargins, listPaidOut } from "./files.store.server.ts";
import { writeInvoiceList } from "./invoice-list.ts";
import { getFecName, writeFec } from "./journal-files.ts";
import { writeJournal } from "./journal-layouts.ts";
import { writeMargins } from "./margin.ts";
import { writePayouts } from "./payouts-file.ts";
import { writeVatDifference } from "./vat-difference.ts";
import { writeVatDetail, writeVatSums } from "./vat-statement.ts";

/** A file of a month for the accountant. */
export interface MonthFile {
	name: string;
	bytes: Uint8Array;
}

export type Settings = Pick<Environment, "shop" | "officialPrice" | "accountNumbers">;

/** The files of a month, and what each holds. Names do not change, so that programs find them. */
export const monthFiles = {
	journal: { label: "Journal des ventes et des encaissements (tableau)", getName: (month) => `journal-${month}.csv` },
	fec: { label: "Les mêmes écritures, au format du FEC", getName: (month, { shop }) => getFecName(shop.siren, month) },
	vat: { label: "TVA sur les encaissements, par taux", getName: (month) => `tva-${month}.csv` },
	"vat-detail": { label: "TVA, pièce par pièce", getName: (month) => `tva-detail-${month}.csv` },
	"vat-difference": { label: "TVA\u00a0: du compte à la déclaration", getName: (month) => `tva-ecart-${month}.csv` },
	payouts: { label: "Virements du prestataire et leurs mouvements", getName: (month) => `virements-${month}.csv` },
	invoices: { label: "Factures et avoirs, avec l’empreinte de chaque PDF", getName: (month) => `factures-${month}.csv` },
	"e-reporting": {
		label: "Préparation de l’e-reporting\u00a0: ventes et paiements par jour, factures aux entreprises",
		getName: (month) => `e-reporting-${month}.json`,
	},
	margins: { label: "Marge par commande", getName: (month) => `marge-${month}.csv` },
} as const satisfies Record<string, { label: string; getName: (month: Month, settings: Settings) => string }>;

export type MonthFileKey = keyof typeof monthFiles;

/** Writes one file of a month from its entries. */
export async function writeMonthFile(db: Database | Trx, settings: Settings, month: Month, key: MonthFileKey): Promise<MonthFile> {
	const writers: Record<MonthFileKey, () => Promise<Uint8Array>> = {
		journal: async () => writeJournal(await readJournal(db, month)),
		fec: async () => writeFec(await readJournal(db, month)),
		vat: async () => writeVatSums(await readVat(db, month)),
		"vat-detail": async () => writeVatDetail(await readVat(db, month)),
		"vat-difference": async () => writeVatDifference(await readVatDifference(db, month), settings.accountNumbers.vat),
		payouts: async () => writePayouts(await listPaidOut(db, month)),
		invoices: async () => writeInvoiceList(await listInvoicesOfMonth(db, month)),
		"e-reporting": async () => writeEReport(createEReport(month, toSeller(settings), await listReportedInvoices(db, month))),
		margins: async () => writeMargins(await listMargins(db, month, { usualCost: settings.officialPrice.cents, asOf: null })),
	};
	return { name: monthFiles[key].getName(month, settings), bytes: await writers[key]() };
}
