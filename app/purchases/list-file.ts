import { type Options, parse } from "csv-parse/sync";
import { isCompanyNumber } from "./company-entry.ts";
import { maxLines, type TypedLine, toTypedLine } from "./typed-lines.ts";

/** In bytes. Two hundred lines have a few kilobytes; a larger file is not such a list. */
export const maxFileBytes = 1024 * 1024;

export type ListFileOutcome =
	| { ok: true; lines: TypedLine[] }
	/** `spreadsheet`: a workbook in place of a CSV. `unreadable`: no text. `too-large`: more bytes than `maxFileBytes`. */
	| { ok: false; code: "spreadsheet" | "unreadable" | "too-large" | "empty" };

/** Reads the list of a CSV file: any usual encoding and separator; the columns are found by their heads, or by what is in them. */
export function readListFile(bytes: Uint8Array): ListFileOutcome {
	if (bytes.length > maxFileBytes) return { ok: false, code: "too-large" };
	if (isSpreadsheet(bytes)) return { ok: false, code: "spreadsheet" };
	const text = decode(bytes);
	if (text === null) return { ok: false, code: "unreadable" };
	const lines = toLines(readTable(text));
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

/** Trimmed cells, without blank rows. */
function readTable(text: string): string[][] {
	// the line with which Excel names the separator
	const [, named, rest = text] = /^sep=(.)\r?\n(.*)$/s.exec(text) ?? [];
	const options = {
		delimiter: named ?? findSeparator(rest),
		record_delimiter: ["\r\n", "\n", "\r"],
		relax_column_count: true,
		relax_quotes: true,
		skip_empty_lines: true,
	};
	return parseRows(rest, options)
		.map((row) => row.map((cell) => cell.trim()))
		.filter((row) => row.some((cell) => cell !== ""));
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
	const [best] = [";", "\t", ","]
		.map((separator) => ({ separator, lines: sample.filter((line) => line.includes(separator)).length }))
		.sort((a, b) => b.lines - a.lines);
	return best && best.lines > 0 ? best.separator : ";";
}

const columnHeads = {
	siren: /^(?:(?:n|no|numero|num)(?: de)? )?siren(?: .*)?$/,
	siret: /^(?:(?:n|no|numero|num)(?: de)? )?siret(?: .*)?$/,
	// « Société Générale » is no head
	name: /^(?:nom|entreprise|societe|denomination|raison|company|name)(?: (?:du|de|des|la|l|d|sociale|commerciale|client|entreprise|societe))*$/,
	reference: /^(?:(?:votre|notre|ma|n|no|numero|num)(?: de)? )?(?:reference|ref|dossier)\b/,
} as const;

type Column = keyof typeof columnHeads;

/** « N° SIREN » → « n siren » */
const toHead = (cell: string) =>
	cell
		.normalize("NFD")
		.replace(/\p{M}/gu, "")
		.toLowerCase()
		.replace(/[^a-z0-9]+/g, " ")
		.trim();

function toLines(rows: readonly string[][]): TypedLine[] {
	const [first = [], ...others] = rows;
	const heads = first.map(toHead);
	const find = (column: Column) => heads.findIndex((head) => columnHeads[column].test(head));
	const columns = { siren: find("siren"), siret: find("siret"), name: find("name") };
	const named = Object.values(columns).some((column) => column >= 0) && !first.some(isCompanyNumber);
	if (!named) return rows.map(readUnnamed(findNumbers(rows)));
	const reference = find("reference");
	return others
		.map((row) => {
			const [company = ""] = [columns.siren, columns.siret, columns.name].map((column) => row[column] ?? "").filter((cell) => cell !== "");
			return toTypedLine(company, row[reference] ?? "");
		})
		.filter(({ company }) => company !== "");
}

/** The column with the most SIREN and SIRET. Without any of these, the first column, which has names. */
function findNumbers(rows: readonly string[][]): number {
	const width = Math.max(...rows.map((row) => row.length), 0);
	const counts = Array.from({ length: width }, (_, column) => rows.filter((row) => isCompanyNumber(row[column] ?? "")).length);
	return Math.max(0, counts.indexOf(Math.max(...counts, 0)));
}

/** Of two columns the other one has the references. Of more, nobody knows which. */
const readUnnamed =
	(numbers: number) =>
	(row: readonly string[]): TypedLine =>
		toTypedLine(row[numbers] ?? "", row.length === 2 ? (row[1 - numbers] ?? "") : "");
