import type { Part } from "./part.ts";

/** The result of a probe. */
export interface Measure {
	part: Part;
	at: Date;
	ok: boolean;
}

/** A part failed from its first failed measure until the next that did not fail. */
export interface Incident {
	part: Part;
	from: Date;
	/** Null: it lasts. */
	until: Date | null;
}

/**
 * Groups measures into incidents, the latest first.
 *
 * Missing measures between two failures count as failures, so that the shop does not profit from the doubt. A measure that repeats the
 * one before it may therefore be left out.
 * @param measures of any parts, oldest first.
 */
export function groupIncidents(measures: readonly Measure[]): Incident[] {
	const open = new Map<Part, Incident>();
	const incidents: Incident[] = [];
	for (const { part, at, ok } of measures) {
		const lasting = open.get(part);
		if (ok && lasting) {
			lasting.until = at;
			open.delete(part);
		} else if (!ok && !lasting) {
			const incident = { part, from: at, until: null };
			incidents.push(incident);
			open.set(part, incident);
		}
	}
	return incidents.sort((a, b) => b.from.getTime() - a.from.getTime());
}
