import { blank, companySirenPatterns, issueDateLabels, normalizeWithSources } from "./extract-patterns.ts";

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
	const company = companySirenPatterns.map((pattern) => pattern.exec(normalized)).find((match) => match !== null);
	const ordered = new RegExp(`(?<!\\d)${siren.slice(0, 3)}${blank}?${siren.slice(3, 6)}${blank}?${siren.slice(6)}(?!\\d)`, "gu");
	const marks: Mark[] = [...text.matchAll(ordered)].map(({ 0: found, index }) => ({
		kind: "siren",
		start: index,
		end: index + found.length,
	}));
	if (company?.[1] !== undefined && company.indices?.[1] && company[1].replaceAll(" ", "") !== siren)
		marks.unshift(toMark("other-siren", company.indices[1]));
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
