import type { Company } from "../company.ts";
import type { ArrangedNotices } from "./arrange-notices.ts";
import type { BulletinNotice } from "./notice.ts";

/** A day of a register. `source` as a page says it: « l’Insee », « le RNE ». */
export interface RegisterDay {
	day: string;
	label: string;
	source: string;
}

export type TimelineEntry = { notice: BulletinNotice } | RegisterDay;

export type RegisterDates = Pick<Company, "creationDate" | "registrationDate" | "removalDate">;

/** The notices of a company and the days that registers have of it. `origin` comes last, after the fold. */
export interface Timeline {
	first: TimelineEntry[];
	folded: TimelineEntry[];
	origin: RegisterDay[];
}

/** Adds to arranged notices the removal, before the first one that is older, and registration and creation as the oldest days. */
export function createTimeline({ first, folded }: ArrangedNotices, dates: RegisterDates): Timeline {
	const entries: TimelineEntry[] = [...first, ...folded].map((notice) => ({ notice }));
	const { removalDate, registrationDate, creationDate } = dates;
	if (removalDate) {
		const older = entries.findIndex((entry) => "notice" in entry && entry.notice.publishedOn < removalDate);
		entries.splice(older < 0 ? entries.length : older, 0, { day: removalDate, label: "Radiation du registre", source: "le\u00a0RNE" });
	}
	// the fold begins where it would without the removal, unless that stands before it
	const start = first.length + entries.slice(0, first.length).filter((entry) => !("notice" in entry)).length;
	const isUnfolded = folded.length === 0;
	return {
		first: isUnfolded ? entries : entries.slice(0, start),
		folded: isUnfolded ? [] : entries.slice(start),
		origin: [
			...(registrationDate ? [{ day: registrationDate, label: "Immatriculation", source: "le\u00a0RNE" }] : []),
			...(creationDate ? [{ day: creationDate, label: "Création", source: "l’Insee" }] : []),
		],
	};
}
