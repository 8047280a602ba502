import { type Options, parse } from "csv-parse/sync";
import { cleanLine } from "../../forms/text.ts";
import { isCompanyNumber } from "./company-entry.ts";
import { maxLines, type TypedLine, toTypedLine } from "./typed-lines.ts";

/** In bytes. Two hundred lines have a few kilobytes; a larger file is not such a list. */
export const maxFileBytes = 1024 * 1024;

/** A list that is a little too long may be shortened on the page. Rows of different lengths take the parser long. */
export const maxRows = 2000;

export type ListFileOutcome =
	| { ok: true; lines: TypedLine[] }
	/**
	 * `spreadsheet`: a workbook in place of a CSV. `unreadable`: no text. `too-large`: more bytes than `maxFileBytes`. `too-many`: more
	 * rows than `maxRows`.
	 */
	| { ok: false; code: "spreadsheet" | "unreadable" | "too-large" | "too-many" | "empty" };

/** Reads the list of a CSV file: any usual encoding and separator; the columns are found by their heads, or by what is in them. */
export function readListFile(bytes: Uint8Array): ListFileOutcome {
	if (bytes.length > maxFileBytes) return { ok: false, code: "too-large" };
	if (isSpreadsheet(bytes)) return { ok: false, code: "spreadsheet" };
	const text = decode(bytes);
	if (text === null) return { ok: false, code: "unreadable" };
	const rows = readTable(text);
	if (rows.length > maxRows) return { ok: false, code: "too-many" };
	const lines = toLines(rows.filter((row) => row.some((cell) => cell !== "")));
	return lines.length > 0 ? { ok: true, lines } : { ok: false, code: "empty" };
}

/** ZIP (xlsx, ods) or the older format of Excel. */
function isSpreadsheet([a, b, c, d]: Uint8Array): boolean {
	return (a === 0x50 && b === 0x4b && c === 3 && d === 4) || (a === 0xd0 && b === 0xcf && c === 0x11 && d === 0xe0);
}

/** UTF-8, UTF-16 with its byte order mark, or else Windows-1252, which Excel writes. @returns null for bytes that are no text. */
function decode(bytes: Uint8Array): string | null {
	const [a, b] = bytes;
	const encoding = a === 0xff && b === 0xfe ? "utf-16le" : a === 0xfe && b === 0xff ? "utf-16be" : "utf-8";
	const text = tryDecode(bytes, encoding) ?? (encoding === "utf-8" ? tryDecode(bytes, "windows-1252") : null);
	// biome-ignore lint/suspicious/noControlCharactersInRegex: they tell a text from other bytes
	return text === null || /[\0-\x08\x0e-\x1f]/.test(text) ? null : text;
}

/** @returns null where the bytes are not of this encoding. A byte order mark is left out. */
function tryDecode(bytes: Uint8Array, encoding: string): string | null {
	try {
		return new TextDecoder(encoding, { fatal: true }).decode(bytes);
	} catch {
		return null;
	}
}

/** A spreadsheet may write thousands of them after the table. */
const blankRows = /^[;,\t ]+$/gm;

/** Trimmed cells; of a longer table, one row more than `maxRows`. */
function readTable(text: string): string[][] {
	// the line with which Excel names the separator
	const [, named, rest = text] = /^sep=([^\r\n"])\r?\n(.*)$/su.exec(text) ?? [];
	const options = {
		delimiter: named ?? findSeparator(rest),
		record_delimiter: ["\r\n", "\n", "\r"],
		relax_column_count: true,
		relax_quotes: true,
		skip_empty_lines: true,
		to: maxRows + 1,
	};
	return parseRows(rest.replace(blankRows, ""), options).map((row) => row.map((cell) => cell.trim()));
}

function parseRows(text: string, options: Options): string[][] {
	try {
		return parse(text, options) as string[][];
	} catch {
		// a quote that never ends: it belongs to a name
		return parse(text, { ...options, quote: null }) as string[][];
	}
}

/** The separator that is in most of the first lines, outside of quotes; a semicolon before a tab and a comma. */
function findSeparator(text: string): string {
	const sample = text
		.slice(0, 100_000)
		.split(/\r\n?|\n/)
		.slice(0, maxLines)
		.map((line) => line.replace(/"[^"]*"/g, ""));
	const count = (separator: string) => sample.filter((line) => line.includes(separator)).length;
	return [";", "\t", ","].reduce((best, other) => (count(other) > count(best) ? other : best));
}

const columnHeads = {
	siren: /^(?:(?:n|no|numero|num)(?: de)? )?siren(?: .*)?$/,
	siret: /^(?:(?:n|no|numero|num)(?: de)? )?siret(?: .*)?$/,
	// « Société Générale » is no head
	name: /^(?:nom|entreprise|societe|denomination|raison|company|name)(?: (?:du|de|des|la|l|d|sociale|commerciale|client|entreprise|societe))*$/,
	reference: /^(?:(?:votre|notre|ma|n|no|numero|num)(?: de)? )?(?:reference|ref|dossier)\b/,
} as const;

type Column = keyof typeof columnHeads;

/** The columns in which companies and references are looked for. */
const maxColumns = 50;

/** In characters; a longer cell is no head. */
const maxHeadLength = 100;

/** « N° SIREN » → « n siren » */
const toHead = (cell: string) =>
	cleanLine(cell, maxHeadLength)
		.normalize("NFD")
		.replace(/\p{M}/gu, "")
		.toLowerCase()
		.replace(/[^a-z0-9]+/g, " ")
		.trim();

function toLines(rows: readonly string[][]): TypedLine[] {
	const [first = [], ...others] = rows;
	const heads = first.slice(0, maxColumns).map(toHead);
	const find = (column: Column) => heads.findIndex((head) => columnHeads[column].test(head));
	const columns = { siren: find("siren"), siret: find("siret"), name: find("name") };
	const named = Object.values(columns).some((column) => column >= 0) && !first.slice(0, maxColumns).some(isCompanyNumber);
	if (!named) return rows.map(readUnnamed(findNumbers(rows)));
	const reference = find("reference");
	return others
		.map((row) => {
			const [company = ""] = [columns.siren, columns.siret, columns.name].map((column) => row[column] ?? "").filter((cell) => cell !== "");
			return toTypedLine(company, row[reference] ?? "");
		})
		.filter(({ company }) => company !== "");
}

/** The column with the most SIREN and SIRET in the first rows. Without any of these, the first column, which has names. */
function findNumbers(rows: readonly string[][]): number {
	const counts = new Array<number>(maxColumns).fill(0);
	for (const row of rows.slice(0, maxLines))
		for (const [column, cell] of row.slice(0, maxColumns).entries()) if (isCompanyNumber(cell)) counts[column] = (counts[column] ?? 0) + 1;
	return counts.indexOf(Math.max(...counts));
}

/** Of two columns the other one has the references. Of more, nobody knows which. */
const readUnnamed =
	(numbers: number) =>
	(row: readonly string[]): TypedLine =>
		toTypedLine(row[numbers] ?? "", row.length === 2 ? (row[1 - numbers] ?? "") : "");
