import { day as dayMs } from "../../../../server/durations.ts";

/** Days of publication of which every notice was read, yyyy-mm-dd. */
export interface Coverage {
	from: string;
	to: string;
}

/**
 * Adds days to those that were read before. What is covered has no gap: days that are apart from it replace it where they are more, and
 * count for nothing where they are fewer. The next daily import then goes on from its end.
 * @returns whether the new days are part of the result.
 */
export function extendCoverage(known: Coverage | null, added: Coverage | null): { coverage: Coverage | null; isExtended: boolean } {
	if (added === null) return { coverage: known, isExtended: true };
	if (known === null) return { coverage: added, isExtended: true };
	if (touches(known, added)) {
		const from = added.from < known.from ? added.from : known.from;
		return { coverage: { from, to: added.to > known.to ? added.to : known.to }, isExtended: true };
	}
	return getLength(added) > getLength(known) ? { coverage: added, isExtended: true } : { coverage: known, isExtended: false };
}

/** Adds days of a reading that goes on: as long as they are apart from those that were read before, they count for nothing. */
export function joinCoverage(known: Coverage | null, added: Coverage | null): ReturnType<typeof extendCoverage> {
	if (known !== null && added !== null && !touches(known, added)) return { coverage: known, isExtended: false };
	return extendCoverage(known, added);
}

const touches = (known: Coverage, added: Coverage) => added.from <= addDays(known.to, 1) && known.from <= addDays(added.to, 1);

export function addDays(day: string, days: number): string {
	return new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10);
}

const getLength = ({ from, to }: Coverage) => Date.parse(to) - Date.parse(from);
