/** Rows as lines of plain text, each column as wide as its widest cell. Empty cells at the end of a line leave no blanks. */
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

/** A cell whose text may have several lines: a line of its own would read as another row. */
export const oneLine = (cell: string) => cell.trim().replace(/\s*\n\s*/g, " ⏎ ");

/** A heading with its lines below; nothing when there are none. */
export function section(heading: string, rows: readonly (readonly string[])[]): string {
	return rows.length === 0
		? ""
		: `${heading}\n${alignColumns(
				rows.map((row) => row.map(oneLine)),
				"  ",
			)}`;
}
