import { type Cell, writeCsv } from "../../books/files/csv.ts";
import { labelHour, labelRefunds, labelService } from "./figure-labels.ts";
import type { Deliveries } from "./figures.store.server.ts";
import type { Figures } from "./read-figures.server.ts";

const head = [
	"Tableau",
	"Ligne",
	"Commandes payées",
	"Chiffre d’affaires TTC (€)",
	"Livrées",
	"Délai médian (min)",
	"95\u00a0% livrées en moins de (min)",
	"Promesses échues",
	"Promesses tenues",
];

/** The figures as one table, for a spreadsheet. */
export function writeFigures({ byService, byHour, byOperator, refunds }: Figures): Uint8Array<ArrayBuffer> {
	const toCells = ({ orders, revenue, delivered, median, p95, due, kept }: Deliveries): Cell[] => [
		...[orders, { cents: revenue }, delivered],
		...[median === null ? null : Math.round(median), p95 === null ? null : Math.round(p95)],
		...[due, kept],
	];
	const rows: Cell[][] = [
		...byService.map((row) => ["Service", labelService(row.service), ...toCells(row)]),
		...byHour.map((row) => ["Heure du paiement", labelHour(row.hour), ...toCells(row)]),
		...byOperator.map((row) => ["Opérateur", row.operator, ...toCells(row)]),
		...refunds.map((row) => ["Remboursements", labelRefunds(row), row.count, { cents: row.amount }]),
	];
	return writeCsv(head, rows);
}
