import { type ServiceCode, serviceCodes, services } from "../../catalogue/services.ts";
import type { Table } from "../../content/text.ts";
import { formatMonth } from "../month.ts";
import { formatPublishedCount } from "./hide-small.ts";
import type { StatisticsMonth } from "./statistics.ts";
import { formatMonthLabel, formatOtherRefunds, formatPercent, formatTime, listServiceNames } from "./statistics-labels.ts";

/** The figures of all services by month, newest first. */
export const createAllTable = (months: readonly StatisticsMonth[]): Table => ({
	caption: "Tous les services",
	columns: ["Mois", "Livrées", "À l’heure", "Part à l’heure", "Services comptés"],
	rows: createRows(months, ({ all: { delivered, kept, share, services: counted } }) => [
		formatPublishedCount(delivered),
		formatPublishedCount(kept),
		share === null ? dash : formatPercent(share),
		counted.length === serviceCodes.length ? "tous" : listServiceNames(counted) || dash,
	]),
});

/** The figures of a service by month, newest first. */
export const createServiceTable = (code: ServiceCode, months: readonly StatisticsMonth[]): Table => ({
	caption: services[code].name,
	columns: [
		"Mois",
		"Livrées",
		"À l’heure",
		"Part à l’heure",
		"Délai médian",
		"95\u00a0% en",
		"Remboursées pour retard",
		"Remboursées, autre motif",
	],
	rows: createRows(months, ({ services: { [code]: service } }) => [
		formatPublishedCount(service.delivered),
		formatPublishedCount(service.kept),
		service.share === null ? dash : formatPercent(service.share),
		service.median === null ? dash : formatTime(code, service.median),
		service.p95 === null ? dash : formatTime(code, service.p95),
		formatPublishedCount(service.refunds.late),
		formatOtherRefunds(service.refunds),
	]),
});

const dash = "–";

/** A row for each month; consecutive months without any figure share one. */
function createRows(months: readonly StatisticsMonth[], getCells: (month: StatisticsMonth) => readonly string[]): string[][] {
	const rows: { last: StatisticsMonth; first: StatisticsMonth; cells: readonly string[] }[] = [];
	for (const month of months.toReversed()) {
		const cells = getCells(month);
		const previous = rows.at(-1);
		const isEmpty = cells.every((cell) => cell === formatPublishedCount("few") || cell === dash);
		if (isEmpty && previous && !previous.last.isCurrent && previous.cells.join() === cells.join()) previous.first = month;
		else rows.push({ last: month, first: month, cells });
	}
	return rows.map(({ first, last, cells }) => [
		first === last ? formatMonthLabel(first) : `${formatMonth(first.month)} à ${formatMonth(last.month)}, chaque mois`,
		...cells,
	]);
}
