import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";

/** INSEE writes this in place of what a unit does not want to publish. */
export const hidden = "[ND]";

/** Cells of a row as they stand in the file, quotes included. */
export type Row = readonly string[];

/** One of the two stock files of the embedded sample of real legal persons (data/README.md). */
export interface Sample {
	/** The official columns in their official order. */
	header: readonly string[];
	rows: readonly Row[];
	/** Index of a column. Columns are named without the file's ending. @throws for an unknown column. */
	at(column: string): number;
	/** A line like a row, with some cells replaced. */
	toLine(template: Row, cells: Readonly<Record<string, string>>): string;
}

export function readSample(suffix: "UniteLegale" | "Etablissement"): Sample {
	const file = fileURLToPath(new URL(`../../../data/sirene/Stock${suffix}_utf8.csv.gz`, import.meta.url));
	const [first = "", ...lines] = gunzipSync(readFileSync(file)).toString("utf8").trimEnd().split(/\r?\n/);
	const header = first.split(",");
	const columns = new Map(header.map((column, index) => [column.replace(suffix, ""), index]));
	const at = (column: string) => {
		const index = columns.get(column);
		if (index === undefined) throw new Error(`the official file has no column ${column}`);
		return index;
	};
	return {
		header,
		at,
		// no cell of the sample has a line break, and few have a quote
		rows: lines.map((line) => (line.includes('"') ? splitQuoted(line) : line.split(","))),
		toLine(template, cells) {
			const line = [...template];
			for (const column in cells) line[at(column)] = cells[column] ?? "";
			return line.join(",");
		},
	};
}

const splitQuoted = (line: string) => [...line.matchAll(/(?:^|,)("(?:[^"]|"")*"|[^,]*)/g)].map(([, cell = ""]) => cell);

/** A cell's text without its quotes. */
export const unquote = (cell: string) => (cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell);

/** A text as a cell, in quotes where it needs them. */
export const quote = (text: string) => (/[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
