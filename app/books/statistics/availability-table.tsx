import { formatLongDay } from "../../catalogue/instants.ts";
import { Blocks } from "../../content/content-blocks.tsx";
import type { Table } from "../../content/text.ts";
import { partLabels, partNames } from "../../web/status/part.ts";
import { formatMissingChecks, formatShare } from "../../web/status/status-labels.ts";
import { formatMonth, getFirstDay, type Month } from "../month.ts";
import { smallestGroup } from "./hide-small.ts";
import type { MonthAvailability } from "./month-availability.ts";
import type { StatisticsMonth } from "./statistics.ts";
import { formatMonthLabel } from "./statistics-labels.ts";

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
