/** A cell: text, or cents as « 1234,56 ». */
export type Cell = string | number | { cents: number } | null;

/** 123456 → « 1234,56 », with integers only. */
export function formatAmount(amount: number): string {
	const digits = String(Math.abs(amount)).padStart(3, "0");
	return `${amount < 0 ? "-" : ""}${digits.slice(0, -2)},${digits.slice(-2)}`;
}

/**
 * Writes a table as French spreadsheets read it: UTF-8 with a byte order mark, semicolons, decimal commas, CRLF.
 * A text that a spreadsheet would compute gets an apostrophe.
 */
export function writeCsv(head: readonly string[], rows: Iterable<readonly Cell[]>): Uint8Array {
	const lines = [head, ...rows].map((row) => row.map(formatCell).join(";"));
	return new TextEncoder().encode(`\ufeff${lines.join("\r\n")}\r\n`);
}

function formatCell(cell: Cell): string {
	if (cell === null) return "";
	if (typeof cell === "number") return String(cell);
	if (typeof cell === "object") return formatAmount(cell.cents);
	const text = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
	return /[";\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
