import { passesLuhn } from "../../../server/types/check-digits.ts";
import { identificationPattern, registrationPatterns } from "./extract-patterns.ts";

/** A number that a text says to be its company's, and where it stands; `end` is exclusive. */
export interface Registration {
	siren: string;
	start: number;
	end: number;
}

/** Finds in a normalised text what each of its ways to name the company says: the first number with a valid key. */
export function findRegistrations(normalized: string): Registration[] {
	const list = (patterns: readonly RegExp[]): Registration[] =>
		patterns
			.flatMap((pattern) => [...normalized.matchAll(pattern)])
			.map(({ 1: match = "", indices }) => {
				const [start, end] = indices?.[1] ?? [0, 0];
				return { siren: match.replace(/\D/g, ""), start, end };
			})
			.filter(({ siren }) => passesLuhn(siren))
			.toSorted((a, b) => a.start - b.start);
	return [...registrationPatterns.flatMap((patterns) => list(patterns).slice(0, 1)), ...list([identificationPattern])];
}
