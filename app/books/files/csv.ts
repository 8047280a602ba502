/** A cell: text, or cents as « 1234,56 ». */
export type Cell = string | number | { cents: number } | null;

/** 123456 → « 1234,56 », with integers only. */
export function formatAmount(amount: number): string {
	const digits = String(Math.abs(amount)).padStart(3, "0");
	return `${amount < 0 ? "-" : ""}${digits.slice(0, -2)},${digits.slice(-2)}`;
}

interface Format {
	separator: ";" | ",";
	byteOrderMark: boolean;
}

/**
 * Writes a table as French spreadsheets read it: UTF-8 with a byte order mark, semicolons, decimal commas, CRLF.
 * A text that a spreadsheet would compute gets an apostrophe.
 * @param format commas without the mark are for programs (RFC 4180).
 */
export function writeCsv(
	head: readonly string[],
	rows: Iterable<readonly Cell[]>,
	{ separator, byteOrderMark }: Format = { separator: ";", byteOrderMark: true },
): Uint8Array<ArrayBuffer> {
	const lines = [head, ...rows].map((row) => row.map((cell) => formatCell(cell, separator)).join(separator));
	return new TextEncoder().encode(`${byteOrderMark ? "\ufeff" : ""}${lines.join("\r\n")}\r\n`);
}

function formatCell(cell: Cell, separator: Format["separator"]): string {
	if (cell === null) return "";
	if (typeof cell === "number") return String(cell);
	const text = typeof cell === "object" ? formatAmount(cell.cents) : /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
	return text.includes(separator) || /["\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
