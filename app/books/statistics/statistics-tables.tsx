import { formatLongDay } from "../../catalogue/instants.ts";
import { type ServiceCode, serviceCodes, services } from "../../catalogue/services.ts";
import { Blocks } from "../../content/content-blocks.tsx";
import type { Table } from "../../content/text.ts";
import { partLabels, partNames } from "../../web/status/part.ts";
import { formatMissingChecks, formatShare } from "../../web/status/status-labels.ts";
import { formatMonth, getFirstDay, type Month } from "../month.ts";
import { formatPublishedCount, smallestGroup } from "./hide-small.ts";
import type { MonthAvailability } from "./month-availability.ts";
import type { StatisticsMonth } from "./statistics.ts";
import { formatMonthLabel, formatOtherRefunds, formatPercent, formatTime, listServiceNames } from "./statistics-labels.ts";

/** The share of successful probes of each part, by month, as far as probes are stored. */
export function AvailabilityTable({ months }: { months: readonly StatisticsMonth[] }) {
	const measured = months.flatMap(({ month, isCurrent, availability }) => (availability ? [{ month, isCurrent, availability }] : []));
	if (measured.length === 0) return <p className="mt-4 text-soft">Aucun contrôle enregistré pour l’instant.</p>;
	const table: Table = {
		caption: "Part des contrôles réussis",
		columns: ["Partie", ...measured.map((month) => formatMonthLabel(month))],
		rows: partNames.map((part) => [
			partLabels[part],
			...measured.map(({ availability: { parts } }) => {
				const { checks, failed } = parts[part];
				return checks < smallestGroup ? "–" : formatShare(checks - failed, checks);
			}),
		]),
	};
	const notes = measured.flatMap((month) => describeGaps(month) ?? []);
	return (
		<div className="mt-5">
			<Blocks blocks={[{ table }]} />
			{notes.length > 0 && (
				<ul className="mt-3 grid gap-1 text-sm text-soft">
					{notes.map((note) => (
						<li key={note} className="first-letter:uppercase">
							{note}
						</li>
					))}
				</ul>
			)}
		</div>
	);
}

/** « août 2026 : mesures conservées depuis le 28 août 2026, 12 contrôles n’ont pas eu lieu. »; null for a whole month without a gap. */
export function describeGaps({
	month,
	availability: { firstDay, parts },
}: {
	month: Month;
	availability: MonthAvailability;
}): string | null {
	const missing = Math.max(...partNames.map((part) => parts[part].missing));
	const gaps = [
		...(firstDay === getFirstDay(month) ? [] : [`mesures conservées depuis le ${formatLongDay(new Date(`${firstDay}T12:00:00Z`))}`]),
		...(missing === 0 ? [] : [formatMissingChecks(missing)]),
	];
	return gaps.length === 0 ? null : `${formatMonth(month)}\u00a0: ${gaps.join(", ")}.`;
}

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
