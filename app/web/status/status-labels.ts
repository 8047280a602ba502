import { hour } from "../../../server/durations.ts";
import { formatDay, formatHour, formatLongDay } from "../../catalogue/instants.ts";
import { setFrenchSpaces } from "../../ui/french-spaces.ts";
import type { Availability, DayState } from "./availability.ts";
import type { Incident } from "./incidents.ts";

/** The legend of the bars. */
export const dayStateLabels: Record<DayState, string> = {
	ok: "aucun échec",
	gaps: "aucun échec, plus d’une heure sans mesure",
	some: "une partie des contrôles en échec",
	all: "tous les contrôles en échec",
	none: "aucune mesure",
};

/** « 8 637 » */
export function formatCount(count: number): string {
	return new Intl.NumberFormat("fr-FR").format(count).replace(/\s/g, "\u00a0");
}

/** Formats a share in percent, « 99,97 % ». It is rounded down, so that only a complete share is 100 %. */
export function formatShare(part: number, whole: number): string {
	const hundredths = Math.floor((part * 10_000) / whole);
	if (hundredths === 0 && part > 0) return "moins de 0,01\u00a0%";
	const digits = part === whole || part === 0 ? 0 : 2;
	return `${(hundredths / 100).toLocaleString("fr-FR", { minimumFractionDigits: digits })}\u00a0%`;
}

/**
 * « Disponible lors de 8 637 des 8 640 contrôles des 90 derniers jours (99,97 %) ; 12 contrôles n’ont pas eu lieu. »
 * @param begunAt the first measure, if it is within those days.
 */
export function describeAvailability({ checks, failed, missing, days }: Availability, begunAt: Date | null): string {
	if (checks === 0) return "Aucun contrôle enregistré pour l’instant.";
	const period = begunAt ? `faits depuis le ${formatUnbrokenDay(begunAt)}` : `des ${days.length} derniers jours`;
	const ok = checks - failed;
	const absent = missing === 0 ? "." : `\u00a0; ${formatMissingChecks(missing)}.`;
	if (checks === 1) return `${ok ? "Disponible" : "Indisponible"} lors du seul contrôle enregistré${absent}`;
	return `Disponible lors ${formatPassedChecks(ok, checks)}\u00a0contrôles ${period} (${formatShare(ok, checks)})${absent}`;
}

/** « 12 contrôles n’ont pas eu lieu » */
export const formatMissingChecks = (missing: number): string =>
	missing === 1 ? "1\u00a0contrôle n’a pas eu lieu" : `${formatCount(missing)}\u00a0contrôles n’ont pas eu lieu`;

function formatPassedChecks(part: number, whole: number): string {
	const all = `des ${formatCount(whole)}`;
	if (part === whole) return all;
	return part === 0 ? `d’aucun ${all}` : part === 1 ? `d’un seul ${all}` : `de ${formatCount(part)} ${all}`;
}

/** « 14 h 05 » for today, « le 20 novembre 2026 à 14 h 05 » for earlier days; follows « depuis ». */
export function formatSince(since: Date, now: Date): string {
	return formatDay(since) === formatDay(now) ? formatUniqueHour(since) : `le ${formatUnbrokenDay(since)} à ${formatUniqueHour(since)}`;
}

/** « du 21 novembre 2026 à 14 h 05 à 14 h 20, 15 min » */
export function describeIncident({ from, until }: Incident): string {
	const begin = `${formatUnbrokenDay(from)} à ${formatUniqueHour(from)}`;
	if (until === null) return `depuis le ${begin}, en cours`;
	const end =
		formatDay(from) === formatDay(until) ? `à ${formatUniqueHour(until)}` : `au ${formatUnbrokenDay(until)} à ${formatUniqueHour(until)}`;
	return `du ${begin} ${end}, ${formatDuration(until.getTime() - from.getTime())}`;
}

/** Milliseconds as « 15 min », « 1 h 05 min », « 2 jours 3 h »; less than a minute is « moins d’une minute ». */
export function formatDuration(milliseconds: number): string {
	const minutes = Math.floor(milliseconds / 60_000);
	if (minutes === 0) return "moins d’une minute";
	const days = Math.floor(minutes / 1440);
	const hours = Math.floor(minutes / 60) % 24;
	const rest = minutes % 60;
	const parts = [
		days > 0 && `${days}\u00a0jour${days > 1 ? "s" : ""}`,
		hours > 0 && `${hours}\u00a0h`,
		rest > 0 && `${days + hours > 0 ? String(rest).padStart(2, "0") : rest}\u00a0min`,
	];
	return parts.filter((part) => part !== false).join(" ");
}

/** « 21 novembre 2026 », with a no-break space between number and month. */
const formatUnbrokenDay = (instant: Date) => setFrenchSpaces(formatLongDay(instant));

/** « 14 h 05 »; adds summer or winter time in the hour that occurs twice when the clocks go back. */
function formatUniqueHour(instant: Date): string {
	const label = formatHour(instant);
	const again = (offset: number) => formatHour(new Date(instant.getTime() + offset)) === label;
	return again(hour) ? `${label} (heure d’été)` : again(-hour) ? `${label} (heure d’hiver)` : label;
}
