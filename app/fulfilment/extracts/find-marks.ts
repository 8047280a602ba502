import { blank, issueDateLabels, normalizeWithSources } from "./extract-patterns.ts";
import { findRegistrations } from "./find-registrations.ts";

/** `siren`: the ordered company's number. `other-siren`: the extract's company is another one. */
export type MarkKind = "siren" | "other-siren" | "date";

/** A part of a page's text that the operator compares with the order; `end` is exclusive. */
export interface Mark {
	kind: MarkKind;
	start: number;
	end: number;
}

const maxMarks = 12;

/** Finds the company's SIREN and the date of issue in the text of a page: what the checks of the extract read. */
export function findMarks(text: string, siren: string): Mark[] {
	const { text: normalized, sources } = normalizeWithSources(text);
	const toMark = (kind: MarkKind, [start, end]: readonly [number, number]): Mark => ({
		kind,
		start: sources[start] ?? 0,
		end: (sources[end - 1] ?? 0) + 1,
	});
	// several ways may name the same number
	const others = new Map(findRegistrations(normalized).map((registration) => [registration.start, registration]));
	const ordered = new RegExp(`(?<!\\d)${siren.split("").join(`${blank}{0,2}`)}(?!\\d)`, "g");
	const marks: Mark[] = [...others.values()]
		.filter((other) => other.siren !== siren)
		.map(({ start, end }) => toMark("other-siren", [start, end]));
	marks.push(...[...normalized.matchAll(ordered)].map(({ 0: found, index }) => toMark("siren", [index, index + found.length])));
	for (const label of issueDateLabels) {
		const dates = [...normalized.matchAll(label)].flatMap(({ indices }) => (indices?.groups?.when ? [indices.groups.when] : []));
		marks.push(...dates.map((when) => toMark("date", when)));
		if (dates.length > 0) break;
	}
	return marks.slice(0, maxMarks);
}

/** A page of a PDF as a picture. */
export interface DrawnPage {
	width: number;
	height: number;
	/** In base64. */
	png: string;
	/** What is marked on it. */
	marks: MarkKind[];
}
