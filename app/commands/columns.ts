/** Formats rows as lines of text; each column is as wide as its widest cell. Lines have no trailing blanks. */
export function alignColumns(rows: readonly (readonly string[])[], indent = ""): string {
	const widths = rows.reduce<number[]>((widest, row) => {
		row.forEach((cell, column) => {
			widest[column] = Math.max(widest[column] ?? 0, [...cell].length);
		});
		return widest;
	}, []);
	return rows
		.map((row) => indent + row.map((cell, column) => cell + " ".repeat((widths[column] ?? 0) - [...cell].length)).join("  "))
		.map((line) => line.trimEnd())
		.join("\n");
}

/** Puts a text on one line, because a line break would look like another row. */
export const toOneLine = (cell: string) => cell.trim().replace(/(?<!\s)\s*\n\s*/g, " ⏎ ");

/** Formats a heading with its rows below; empty without rows. */
export function formatSection(heading: string, rows: readonly (readonly string[])[]): string {
	return rows.length === 0
		? ""
		: `${heading}\n${alignColumns(
				rows.map((row) => row.map(toOneLine)),
				"  ",
			)}`;
}
