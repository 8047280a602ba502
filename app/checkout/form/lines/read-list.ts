import { type Options, parse } from "csv-parse/sync";
import { cleanLine, readLine } from "../../../ui/forms/text.ts";
import { hasCompanyNumber, listSirens, readCompanyEntry } from "./company-entry.ts";
import { maxLines, type TypedLine, toTypedLine } from "./typed-lines.ts";

/** A list that is a little too long may be shortened on the page. Rows of different lengths take the parser long. */
export const maxRows = 2000;

/** The columns in which companies and references are looked for. */
const maxColumns = 50;

/** In characters; a longer cell is no head. */
const maxHeadLength = 100;

/** The rows among which the heads are looked for: titles stand above them. */
const maxTitles = 20;

/** What a list says. */
export interface ReadList {
	/** Of a list with more than `maxRows` rows, its rows as they stand. */
	lines: TypedLine[];
	/** Rows that name no company: titles, heads and sums. */
	leftOut: number;
}

/**
 * Reads a list as it was typed, pasted or decoded from a file: one company a row, in a table of any usual separator, with the customer's own
 * reference. A table's columns are found by their heads and by what is in them: that of numbers names the companies, and a name does where
 * no number is given. « 552032534 ; dossier 2026-114 » is such a row.
 * @param most the rows that are read; by default all, since who calls bounds the text.
 */
export function readList(text: string, { most }: { most?: number } = {}): ReadList {
	const rows = readRows(text, most).filter((row) => row.some((cell) => cell !== ""));
	// too long to be ordered: only counted, and shown as it is
	if (rows.length > maxRows) return { lines: rows.map((row) => toTypedLine(row.join(" ; "), "")), leftOut: 0 };
	const head = findHead(rows);
	const body = rows.slice(head + 1);
	const columns = findColumns(rows[head] ?? [], body);
	const isTable = columns.numbers.length > 0;
	const lines = body.filter((row, index) => !(isTable && index === body.length - 1 && isSum(row))).map((row) => readRow(row, columns));
	const named = lines.filter(({ company, reference }) => company !== "" || (head < 0 && reference !== ""));
	return { lines: named, leftOut: rows.length - named.length };
}

/** A spreadsheet may write thousands of them after the table. */
const blankRows = /^[;,|\t ]+$/gm;

/** What separates columns. In a list that is not a table of commas, they belong to the names. */
const separators = [";", "\t", "|"] as const;

/** Trimmed cells. */
function readRows(text: string, most: number | undefined): string[][] {
	// the line with which Excel names the separator
	const plain = text.replace(/^\ufeff+/, "").replace(/\r\n?|[\u2028\u2029]/g, "\n");
	const [, named, rest = plain] = /^sep=([^\n"])\n(.*)$/su.exec(plain) ?? [];
	const lines = rest.replace(blankRows, "");
	const separator = named ?? findSeparator(lines);
	// one column: a quote belongs to a name, unless it is around the whole line
	if (separator === null) return lines.split("\n", most).map((line) => splitOtherwise(readLine(unquote(line))));
	const options = {
		delimiter: separator,
		record_delimiter: "\n",
		relax_column_count: true,
		relax_quotes: true,
		skip_empty_lines: true,
		...(most !== undefined && { to: most }),
	};
	const rows = parseRows(lines, options).map((row) => row.map(readLine));
	return rows.map((row) => (row.length === 1 ? splitOtherwise(row[0] ?? "") : row));
}

const unquote = (line: string): string => /^\s*"(.*)"\s*$/.exec(line)?.[1]?.replaceAll('""', '"') ?? line;

function parseRows(text: string, options: Options): string[][] {
	try {
		return parse(text, options);
	} catch {
		// a quote that never ends: it belongs to a name
		return parse(text, { ...options, quote: null });
	}
}

/**
 * The separator that is in most of the first lines, outside of quotes; a semicolon before the others. A comma separates columns if they have
 * heads or quotes, or if most lines have a number among them.
 */
function findSeparator(text: string): string | null {
	const lines = text.slice(0, 100_000).split("\n").slice(0, maxLines);
	const unquoted = lines.map((line) => line.replace(/"[^"]*"/g, '""'));
	const count = (separator: string) => unquoted.filter((line) => line.includes(separator)).length;
	const best = separators.reduce((one, other) => (count(other) > count(one) ? other : one));
	if (count(best) > 0 && count(best) >= count(",") / 2) return best;
	const withCommas = lines.map((line) => line.split(",")).filter((cells) => cells.length > 1);
	const numbered = withCommas.filter((cells) => cells.some(hasCompanyNumber)).length;
	const isTable =
		numbered > withCommas.length / 2 || withCommas.slice(0, maxTitles).some(isHead) || unquoted.some((line) => /"",|,""/.test(line));
	return isTable ? "," : count(best) > 0 ? best : null;
}

/** A line that was typed among those of a table: « 552032534, dossier 12 » or « DANONE ; dossier 12 ». */
function splitOtherwise(line: string): string[] {
	const [, company = "", reference = ""] = /^([^;\t|]*)[;\t|](.*)$/s.exec(line) ?? /^([^,]*),(.*)$/s.exec(line) ?? [];
	const isSplit = reference !== "" && (!line.slice(company.length).startsWith(",") || hasCompanyNumber(company));
	return isSplit ? [company, reference] : [line];
}

/** The roles of columns, by their heads. A head has no number, and a cell of a company's name is none: « Société Générale ». */
const heads = {
	number:
		/^(?:(?:n|no|num|numero|code|id|identifiant)(?: (?:de|d|prof \d))* )?(?:siren|siret|tva|rcs|identification|immatriculation)(?: (?:de|du|des|la|l|d|client|tiers|fournisseur|entreprise|societe|etablissement|siege|insee|intracommunautaire))*$/,
	reference:
		/^(?:(?:votre|notre|ma|n|no|numero|num)(?: de?)? )?(?:reference|ref|dossier|affaire)s?(?: (?:de|du|des|la|l|d|votre|notre|client|interne|dossier|affaire|commande|reference))*$/,
	name: /^(?:nom|entreprise|societe|denomination|raison|company|name|tiers|client)(?: (?:du|de|des|la|l|d|sociale|commerciale|client|tiers|entreprise|societe))*$/,
} as const;

type Role = keyof typeof heads;

const roles: readonly Role[] = ["number", "reference", "name"];

/** « N° SIREN » → « n siren » */
const toHead = (cell: string) =>
	cleanLine(cell, maxHeadLength)
		.normalize("NFD")
		.replace(/\p{M}/gu, "")
		.toLowerCase()
		.replace(/[^a-z0-9]+/g, " ")
		.trim();

const getRole = (cell: string): Role | undefined => roles.find((role) => heads[role].test(toHead(cell)));

/** Whether a row looks like heads, and names no company itself. A reference alone could be that of a line. */
const isHead = (row: readonly string[]): boolean => {
	const cells = row.slice(0, maxColumns);
	const namesCompanies = (role: Role | undefined) => role === "number" || role === "name";
	return cells.some((cell) => namesCompanies(getRole(cell))) && !cells.some(hasCompanyNumber);
};

/** @returns the place of the row of heads; -1 without one. Above it stand titles, which are no companies; a single name could be one. */
function findHead(rows: readonly (readonly string[])[]): number {
	const place = rows.slice(0, maxTitles).findIndex(isHead);
	const row = rows[place] ?? [];
	const isOfTable = row.filter((cell) => cell !== "").length > 1 || getRole(row[0] ?? "") === "number";
	return place === 0 || (isOfTable && !rows.slice(0, place).some((above) => above.some(hasCompanyNumber))) ? place : -1;
}

/** « Total ; 12 », below a table. */
const isSum = (row: readonly string[]): boolean => {
	const [first = "", ...others] = row.filter((cell) => cell !== "");
	// « TOTAL » alone is a company
	const counts = others.length > 0 ? others.every((cell) => /^[\d\s.,€]+$/.test(cell)) : /\d/.test(first);
	return /^(?:sous )?total\b/.test(toHead(first)) && counts && !hasCompanyNumber(first);
};

interface Columns {
	/** Those that name companies by number, the surest first. */
	numbers: readonly number[];
	/** No head says which of them is meant. */
	asks: boolean;
	/** Those of names and references; -1: there is none. Null: no head can name it, and the reference is what is left of a row. */
	name: number;
	reference: number | null;
}

/** @param head the row of heads; empty without one. */
function findColumns(head: readonly string[], body: readonly (readonly string[])[]): Columns {
	const named = head.slice(0, maxColumns).map(getRole);
	const rows = body.slice(0, maxLines);
	const cellsOf = (column: number) => rows.map((row) => row[column] ?? "").filter((cell) => cell !== "");
	const isOfNumbers = (column: number) => {
		const cells = cellsOf(column);
		// a tax or an account may have the head of a number
		if (named[column] === "number") return cells.length === 0 || cells.some((cell) => readCompanyEntry(cell).kind !== "name");
		return named[column] !== "reference" && cells.filter(hasCompanyNumber).length > cells.length / 2;
	};
	const width = Math.min(maxColumns, Math.max(0, ...rows.map((row) => row.length)));
	const isNamed = (column: number) => named[column] === "number";
	const numbers = [...Array(width).keys()]
		.filter(isOfNumbers)
		.sort((one, other) => Number(isNamed(other)) - Number(isNamed(one)) || one - other);
	const [name, reference] = [named.indexOf("name"), named.indexOf("reference")];
	if (head.length === 0) return { numbers, asks: true, name: 0, reference: null };
	return {
		numbers,
		asks: named[numbers[0] ?? -1] !== "number",
		// a table of names alone may have another word above them
		name: name < 0 && numbers.length === 0 ? named.indexOf(undefined) : name,
		// « SIREN » alone stands above lines as they are typed
		reference: reference < 0 && head.length === 1 ? null : reference,
	};
}

/** Whether the columns of numbers name several companies. The form asks which one is meant. */
function namesSeveral(row: readonly string[], numbers: readonly number[]): boolean {
	if (numbers.length < 2) return false;
	const cells = numbers.map((column) => row[column] ?? "").filter(hasCompanyNumber);
	return new Set(cells.flatMap((cell) => listSirens(readCompanyEntry(cell)))).size > 1;
}

function readRow(row: readonly string[], { numbers, asks, name, reference }: Columns): TypedLine {
	const isGiven = (column: number) => (row[column] ?? "") !== "";
	const isTypedNumber = (column: number) => readCompanyEntry(row[column] ?? "").kind !== "name";
	const anywhere = [...row.slice(0, maxColumns).keys()].filter((column) => column !== reference);
	const isNumbered = (column: number) => hasCompanyNumber(row[column] ?? "");
	const column =
		numbers.find(isNumbered) ??
		// a number that is wrong is still what was given
		numbers.find(isTypedNumber) ??
		// any cell may have it
		(reference === null ? anywhere.find(isNumbered) : undefined) ??
		numbers.find(isGiven) ??
		name;
	const used = asks && namesSeveral(row, numbers) ? numbers.filter(isNumbered) : [column];
	const company = used.map((each) => row[each] ?? "").join(" ; ");
	if (reference !== null) return toTypedLine(company, row[reference] ?? "");
	const others = row.filter((cell, index) => !used.includes(index) && cell !== "");
	const withDigits = others.filter((cell) => /\d/.test(cell));
	return toTypedLine(company, withDigits.length === 1 ? (withDigits[0] ?? "") : others.join(" ; "));
}
