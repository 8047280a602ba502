import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { parse } from "csv-parse/sync";

/** One of the two stock files of the embedded sample of real legal persons (data/README.md). */
export interface SampleFile {
	/** The official columns, in the official order. */
	header: readonly string[];
	/** What all official names of columns end with, but the few that both files share. */
	suffix: "UniteLegale" | "Etablissement";
	/** What a column (named without the ending) holds, row by row, where it holds anything. */
	values(column: string): string[];
	/** The cells of some columns, row by row; "" where there is nothing. */
	rows<Column extends string>(...columns: Column[]): Record<Column, string>[];
}

export function readSample(suffix: SampleFile["suffix"]): SampleFile {
	const file = fileURLToPath(new URL(`../../data/sirene/Stock${suffix}_utf8.csv.gz`, import.meta.url));
	const [first = "", ...lines] = gunzipSync(readFileSync(file)).toString("utf8").trimEnd().split(/\r?\n/);
	const header = first.split(",");
	// no cell of the sample holds a line break, few a quote: the parser reads those only, the rest takes a tenth of its time and memory
	const cellsOf = (line: string): string[] => (line.includes('"') ? (parse(line)[0] ?? []) : line.split(","));
	const place = (column: string) => header.indexOf(header.includes(column) ? column : column + suffix);
	return {
		header,
		suffix,
		values: (column) => lines.map((line) => cellsOf(line)[place(column)] ?? "").filter(Boolean),
		rows: (...columns) => {
			const places = columns.map((column) => [column, place(column)] as const);
			return lines.map((line) => {
				const cells = cellsOf(line);
				return Object.fromEntries(places.map(([column, at]) => [column, cells[at] ?? ""])) as Record<(typeof columns)[number], string>;
			});
		},
	};
}
