import { day as dayMs } from "../../../server/durations.ts";
import { formatLongDay } from "../../catalogue/instants.ts";
import { type BulletinReading, formatDay } from "./notice.ts";

/** The names under which pages, e-mails and the API cite the bulletin. */
export const bulletinSource = { name: "BODACC (DILA)", licence: "Licence Ouverte 2.0" } as const;

/** « Source : BODACC (DILA, Licence Ouverte 2.0), dernier relevé le 25 novembre 2026. » @param importedAt null where it is said beside. */
export const formatSource = (importedAt: Date | null): string =>
	`Source\u00a0: BODACC (DILA, ${bulletinSource.licence})${importedAt ? `, ${formatLastReading(importedAt)}` : ""}.`;

/** Said where the day of a publication might pass for the day of the change. */
export const publicationDelay = "Une annonce paraît quelques jours après l’inscription au registre.";

const formatLastReading = (importedAt: Date) => `dernier relevé le ${formatLongDay(importedAt)}`;

/** The first day of the bulletin's open data, yyyy-mm-dd. */
export const firstDay = "2008-01-01";

/** Days. A bulletin appears on five days a week, and no day counts before its issue is there: after a holiday on Monday, the last one is of Friday. */
export const maxDelayDays = 4;

/**
 * Days after the last one that was read, for which pages still promise the watch and the alerts (docs/rules.md, R205). More than
 * `maxDelayDays`, so that operators are told before a promise ends.
 */
export const promiseDays = 7;

/** The whole days since a day of publication, yyyy-mm-dd. */
export const countDaysSince = (day: string, now: Date): number => Math.floor((now.getTime() - Date.parse(day)) / dayMs);

/**
 * Says which days were read. Absence is said only of days of which every notice was read.
 * @param total the number of notices in the list.
 * @returns null when all days were read.
 */
export function describeCoverage({ importedAt, covered }: BulletinReading, total: number): string | null {
	if (covered === null) return "Seules quelques annonces ont été relevées\u00a0: d’autres peuvent manquer.";
	const [from, to] = [covered.from, covered.to].map(formatDay);
	const isLate = countDaysSince(covered.to, importedAt) > maxDelayDays;
	if (total === 0)
		return `Aucune annonce reçue depuis le ${from} (${formatLastReading(importedAt)}${isLate ? `, complet jusqu’au ${to}` : ""}).`;
	if (isLate) return `Toutes les annonces parues du ${from} au ${to} ont été relevées.`;
	return covered.from <= firstDay ? null : `Toutes les annonces parues depuis le ${from} ont été relevées.`;
}
