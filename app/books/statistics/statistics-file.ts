import { isPosted, type ServiceCode, serviceCodes } from "../../catalogue/services.ts";
import { partNames } from "../../web/status/part.ts";
import { type Cell, writeCsv } from "../files/csv.ts";
import { type Count, formatPublishedCount, smallestGroup } from "./hide-small.ts";
import type { MonthAvailability } from "./month-availability.ts";
import { type Deliveries, type OtherMotive, otherMotives, type Statistics, type StatisticsMonth } from "./statistics.ts";
import { getPromisedTime } from "./statistics-labels.ts";

/** The names of columns are plain ASCII, for programs. */
const motiveColumns: Record<OtherMotive, string> = {
	cancelled: "annulation",
	failed: "impossible_a_servir",
	wrong: "extrait_errone",
	withdrawal: "retractation",
	duplicate: "double",
	other: "autre_decision",
};
const partColumns = { database: "site", search: "recherche", payment: "paiement", jobs: "commandes", storage: "documents", mail: "emails" };

const head = [
	...["mois", "etat", "service", "services_comptes", "livrees", "a_l_heure", "part_a_l_heure_pct"],
	...["unite_delai", "delai_promis", "delai_median", "delai_95_pct"],
	...["remboursees_retard", "remboursees_autre_motif", ...otherMotives.map((motive) => `remboursees_${motiveColumns[motive]}`)],
	...partNames.map((part) => `disponibilite_${partColumns[part]}_pct`),
];

/** The published figures as one table (RFC 4180), a row for each month and service. An empty cell does not apply, or is hidden with its group. */
export function writeStatistics({ months }: Statistics): Uint8Array<ArrayBuffer> {
	const rows = months.flatMap((month) => [...serviceCodes.map((code) => toServiceRow(month, code)), toAllRow(month)]);
	return writeCsv(head, rows, { separator: ",", byteOrderMark: false });
}

function toServiceRow(month: StatisticsMonth, code: ServiceCode): Cell[] {
	const { refunds, median, p95, ...deliveries } = month.services[code];
	return [
		...[month.month, getState(month), code, code, ...toCells(deliveries)],
		...[isPosted(code) ? "jours_ouvres" : "minutes_ouvrees", getPromisedTime(code), roundTime(median), roundTime(p95)],
		...[toCell(refunds.late), toCell(refunds.other), ...otherMotives.map((motive) => toCell(refunds.motives[motive]))],
		...partNames.map(() => null),
	];
}

function toAllRow(month: StatisticsMonth): Cell[] {
	const { all, availability } = month;
	return [
		...[month.month, getState(month), "ensemble", all.services.join(" "), ...toCells(all)],
		...Array.from({ length: 4 + 2 + otherMotives.length }, () => null),
		...partNames.map((part) => getAvailability(availability, part)),
	];
}

const getState = ({ isCurrent }: StatisticsMonth) => (isCurrent ? "en cours" : "termine");

const toCells = ({ delivered, kept, share }: Deliveries): Cell[] => [toCell(delivered), toCell(kept), share];

const toCell = (count: Count): Cell => (typeof count === "number" ? count : count === "few" ? formatPublishedCount(count) : "non publie");

/** Tenths are enough. */
const roundTime = (time: number | null): Cell => (time === null ? null : Math.round(time * 10) / 10);

/** Percent, rounded down to hundredths as on the page. */
function getAvailability(availability: MonthAvailability | null, part: (typeof partNames)[number]): Cell {
	if (availability === null) return null;
	const { checks, failed } = availability.parts[part];
	return checks < smallestGroup ? null : Math.floor(((checks - failed) * 10_000) / checks) / 100;
}
