import { type Options, parse } from "csv-parse/sync";
import { type CompanyText, readCompanyText } from "../../../companies/company-text.ts";
import type { Siren } from "../../../companies/siren.ts";
import { cleanLine, readLine } from "../../../ui/forms/text.ts";
import { maxCompanyLength, maxLines } from "./line-fields.ts";
import { type TypedLine, toTypedLine } from "./typed-lines.ts";

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
	/** Rows that name no company: titles, heads and sums, as they stand. */
	leftOut: string[];
}

/**
 * Reads a list as it was typed, pasted or decoded from a file: one company a row, in a table of any usual separator, with the customer's own
 * reference. « 552032534 ; dossier 2026-114 » is such a row.
 * @param most the rows that are read; by default all, since who calls bounds the text.
 */
export const readList = (text: string, { most }: { most?: number } = {}): ReadList => readTable(readRows(text, most));

/**
 * Reads the rows of a table. Its columns are found by what is in them and by their heads: that of numbers names the companies, whatever its
 * head, and a name does where no number is given. A name that stands beside a number goes with it, so that both can be compared:
 * « 552032534 (DANONE) ».
 * @param cells trimmed texts, by row.
 */
export function readTable(cells: readonly (readonly string[])[]): ReadList {
	const rows = cells.filter((row) => row.some((cell) => hasSigns.test(cell)));
	const show = (row: readonly string[]) => row.filter((cell) => cell !== "").join(" ; ");
	// too long to be ordered: only counted, and shown as it is
	if (rows.length > maxRows) return { lines: rows.map((row) => toTypedLine(show(row), "")), leftOut: [] };
	const head = findHead(rows);
	const below = rows.slice(head + 1);
	const table = withoutEnd(below);
	const columns = findColumns(rows[head] ?? [], table);
	// « TOTAL ; 12 » among names is a company with a reference
	const body = columns.numbers.length > 0 ? table : below;
	const read = body.map((row) => ({ row, line: readRow(row, columns) }));
	const isNamed = ({ company, reference }: TypedLine) => company !== "" || (head < 0 && reference !== "");
	const others = [
		...rows.slice(0, head + 1),
		...read.flatMap(({ row, line }) => (isNamed(line) ? [] : [row])),
		...below.slice(body.length),
	];
	return { lines: read.flatMap(({ line }) => (isNamed(line) ? [line] : [])), leftOut: others.map((row) => cleanLine(show(row), maxShown)) };
}

/** Other rows are rules and brackets: « |---|---| », « { ». A spreadsheet writes hashes for a number that does not fit. */
const hasSigns = /[\p{L}\p{N}#]/u;

/** Of a row that is left out, in characters. */
const maxShown = 80;

const read = (cell: string): CompanyText => readCompanyText(cleanLine(cell, maxCompanyLength));

/** Whether a cell has the number of a company, with a right key: other numbers may be telephones or accounts. */
export const hasCompanyNumber = (cell: string): boolean => /\d/.test(cell) && "number several".includes(read(cell).kind);

/** Whether a cell has a number that may be meant for a company's, right or wrong. */
const isNumber = (cell: string): boolean => {
	const text = read(cell);
	if (text.kind === "name") return text.number !== undefined;
	return text.kind !== "digits" || text.digits >= fewestDigits;
};

/** Fewer are a name, or a count. */
const fewestDigits = 5;

function listSirens(cell: string): Siren[] {
	const text = read(cell);
	return "siren" in text ? [text.siren] : text.kind === "several" ? text.sirens : [];
}

/** A spreadsheet may write thousands of them after the table. */
const blankRows = /^[;,|\t ]+$/gm;

/** A spreadsheet that takes a table of commas for one column writes semicolons after it. */
const emptyColumns = /(?<![;\t])[;\t]+$/gm;

/** What separates columns. In a list that is not a table of commas, they belong to the names. */
const separators = [";", "\t", "|"] as const;

/** Trimmed cells. */
function readRows(text: string, most: number | undefined): string[][] {
	// the line with which Excel names the separator
	const plain = text.replace(/^\ufeff+/, "").replace(/\r\n?|[\v\f\x85\u2028\u2029]/g, "\n");
	const [, named, rest = plain] = /^"?sep=([^\n"])"?\n(.*)$/isu.exec(plain) ?? [];
	const table = rest.replace(blankRows, "");
	const typed = table.replace(emptyColumns, "");
	const separator = named ?? findSeparator(typed);
	const lines = separator === null || separator === "," ? typed : table;
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
	const lines = text.slice(0, 100_000).split("\n");
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

/** A line that was typed among those of a table: « 552032534, dossier 12 », « DANONE 552032534 réf. 12 » or « DANONE ; dossier 12 ». */
function splitOtherwise(line: string): string[] {
	const [, company = "", reference = ""] = /^([^;\t|]*)[;\t|](.*)$/s.exec(line) ?? /^([^,]*),(.*)$/s.exec(line) ?? [];
	const isSplit = reference !== "" && (!line.slice(company.length).startsWith(",") || hasCompanyNumber(company));
	if (isSplit) return [company, reference];
	const [, before = "", labelled = ""] = labelledReference.exec(line) ?? [];
	return hasCompanyNumber(before) ? [before, labelled] : [line];
}

/** « dossier 2026-114 » after something else. */
const labelledReference = /^(.{0,200}?)[\s:,–—-]{1,5}((?:[nv]\/)?(?:r[ée]f(?:[ée]rence)?|dossier|affaire)s?\b.*)$/isu;

/** The roles of columns, by their heads. A head has no number, and a cell of a company's name is none: « Société Générale ». */
const heads = {
	number:
		/^(?:(?:n|no|num|numero|code|id|identifiant)(?: (?:de|d|prof \d))* )?(?:siren|siret|tva|rcs|identification|immatriculation)(?: (?:de|du|des|la|l|d|client|tiers|fournisseur|entreprise|societe|etablissement|siege|insee|intracommunautaire))*$/,
	reference:
		/^(?:(?:votre|notre|ma|n|no|numero|num)(?: de?)? )?(?:reference|ref|dossier|affaire)s?(?: (?:de|du|des|la|l|d|votre|notre|client|interne|dossier|affaire|commande|reference))*$/,
	name: /^(?:(?:legal|full|customer) )?(?:nom|entreprise|societe|denomination|raison|company|name|tiers|client|fournisseur|intitule|organisme|structure)s?(?: (?:du|de|des|la|le|l|d|ou|et|nom|name|sociale?|commerciale?|usuelle?|legale?|complete?|client|tiers|fournisseur|compte|entreprise|societe|etablissement|denomination|raison))*$/,
} as const;

type Role = keyof typeof heads;

/** The same beside other words, in a row that is known to have heads. */
const otherHeads: Record<Role, RegExp> = {
	number: /\b(?:siren|siret)\b/,
	reference: /\b(?:ref|reference|dossier|affaire)s?\b/,
	name: /\b(?:nom|name|raison|denomination)\b/,
};

/** A head of companies' names, and not of persons'. */
const companyHead = /\b(?:entreprise|societe|raison|denomination|company|tiers|client|fournisseur|organisme|structure)s?\b/;

const roles: readonly Role[] = ["number", "reference", "name"];

/** « N° SIREN », « numeroSiren » → « n siren », « numero siren » */
const toHead = (cell: string) =>
	cleanLine(cell, maxHeadLength)
		.normalize("NFD")
		.replace(/\p{M}/gu, "")
		.replace(/(?<=[a-z])(?=[A-Z])/g, " ")
		.toLowerCase()
		.replace(/[^a-z0-9]+/g, " ")
		.trim();

const getRole = (cell: string, patterns: Record<Role, RegExp> = heads): Role | undefined =>
	roles.find((role) => patterns[role].test(toHead(cell)));

/** What heads consist of, beside those of the three roles. */
const headWords = new Set(
	"siren siret nic tva vat rcs rne naf ape insee numero num no n nr code id identifiant identification immatriculation matricule registre nom prenom raison sociale denomination usuelle enseigne sigle societe societes entreprise entreprises etablissement tiers client clients fournisseur compte company name reference references ref dossier affaire votre notre interne commande bon ville commune cp postal adresse pays departement region date creation statut etat forme juridique effectif capital telephone tel mobile fax portable mail email e courriel contact observation observations commentaire commentaires remarque note notes service type montant prix quantite qte ht ttc activite libelle secteur siege social principal prof legal legale de du des la le les l d et a liste export extrait extraits kbis commander chiffres".split(
		" ",
	),
);

/**
 * Whether a row looks like heads, and names no company itself: one of them has the role of a number or a name, or all of several cells, or
 * of a title, are words that heads have. A reference alone could be that of a line.
 */
const isHead = (row: readonly string[]): boolean => {
	const cells = row.slice(0, maxColumns).filter((cell) => cell !== "");
	if (cells.some(isNumber)) return false;
	const named = cells.map((cell) => getRole(cell));
	if (named.includes("number") || named.includes("name")) return true;
	if (cells.length > 1 && cells.some((cell) => otherHeads.number.test(toHead(cell)))) return true;
	const words = cells.map((cell) => toHead(cell).split(" "));
	return (words.length > 1 || (words[0]?.length ?? 0) > 1) && words.flat().every((word) => headWords.has(word));
};

/** @returns the place of the row of heads; -1 without one. Above it stand titles, which are no companies; a single name could be one. */
function findHead(rows: readonly (readonly string[])[]): number {
	const first = rows.findIndex((row) => row.some(hasCompanyNumber));
	const above = rows.slice(0, first < 0 ? maxTitles : Math.min(first, maxTitles));
	const isTable = (row: readonly string[]) => row.filter((cell) => cell !== "").length > 1 || getRole(row[0] ?? "") === "number";
	return Math.max(
		above.findLastIndex((row) => isTable(row) && isHead(row)),
		above.findIndex((row, place) => place === 0 && isHead(row)),
		first < 0 ? -1 : above.findLastIndex(isOfMail),
	);
}

/** The rows without those of sums and signatures below them: « Total ; 12 », « Édité le 24/11/2026 », « Cordialement, ». */
function withoutEnd(rows: readonly (readonly string[])[]): readonly (readonly string[])[] {
	const last = rows.findLastIndex((row) => row.some(hasCompanyNumber));
	const end = last < 0 ? -1 : rows.findIndex((row, place) => place > last && isOfMail(row));
	const above = end < 0 ? rows : rows.slice(0, end);
	return above.slice(0, above.findLastIndex((row) => !isSum(row)) + 1);
}

/** « Bonjour, », « Voici les sociétés : » and « Cordialement », above and below the companies of a mail. */
const isOfMail = (row: readonly string[]): boolean => mailLine.test(row.filter((cell) => cell !== "").join(" "));

const mailLine =
	/:$|^(?:(?:(?:bonjour|bonsoir)(?: (?:madame|monsieur))?|madame|monsieur|mesdames|messieurs|(?:bien |très )?cordialement|cdlt|merci|bien à vous|salutations)\s*(?:[,;.!].*)?$|merci (?:d|de|pour|par|beaucoup)\b)/iu;

const isSum = (row: readonly string[]): boolean => {
	const [first = "", ...others] = row.filter((cell) => cell !== "");
	// « TOTAL » alone is a company
	const counts = others.length > 0 ? others.every((cell) => /^[\d\s.,€]+$/.test(cell)) : /\d/.test(first);
	return (
		/^(?:(?:sous )?tota(?:l|ux)|tva|nombre|edite|exporte|genere|page|\d+ (?:lignes?|rows?|societes?|entreprises?|resultats?))\b/.test(
			toHead(first),
		) &&
		counts &&
		!row.some(hasCompanyNumber)
	);
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
	const usual = head.slice(0, maxColumns).map((cell) => getRole(cell));
	const named = usual.map((role, column) => {
		const other = role ?? getRole(head[column] ?? "", otherHeads);
		// « SIREN » rather than « SIREN maison mère »
		return role ?? (usual.includes(other) ? undefined : other);
	});
	const rows = body.slice(0, maxLines);
	const width = Math.min(maxColumns, Math.max(0, ...rows.map((row) => row.length)));
	const numbers = findNumberColumns(
		named,
		[...Array(width).keys()].map((column) => rows.map((row) => row[column] ?? "").filter((cell) => cell !== "")),
	);
	const ofName = named.findIndex((role, column) => role === "name" && companyHead.test(toHead(head[column] ?? "")));
	const [name, reference] = [ofName < 0 ? named.indexOf("name") : ofName, named.indexOf("reference")];
	if (head.length === 0) return { numbers, asks: true, name: 0, reference: null };
	return {
		numbers,
		asks: named[numbers[0] ?? -1] !== "number",
		// a table of names alone may have another word above them
		name: name < 0 && numbers.length === 0 ? named.indexOf(undefined) : name,
		// « SIREN » alone stands above lines as they are typed
		reference: (reference < 0 && head.length === 1) || numbers.includes(reference) ? null : reference,
	};
}

/** @param cells of each column, without empty ones. @returns the columns of numbers, the surest first. */
function findNumberColumns(named: readonly (Role | undefined)[], cells: readonly (readonly string[])[]): number[] {
	const columns = [...cells.keys()];
	const ofCells = (column: number) => cells[column] ?? [];
	const isNamed = (column: number) => named[column] === "number";
	const hasMost = (column: number, test: (cell: string) => boolean) => ofCells(column).filter(test).length > ofCells(column).length / 2;
	// a tax or an account may have the head of a number
	const isOfHead = (column: number) => isNamed(column) && (ofCells(column).length === 0 || ofCells(column).some(isNumber));
	const isOfContent = (column: number) => named[column] !== "reference" && hasMost(column, hasCompanyNumber);
	const found = columns.filter((column) => isOfHead(column) || isOfContent(column));
	if (found.length > 0) return found.toSorted((one, other) => Number(isNamed(other)) - Number(isNamed(one)));
	// most of them are damaged; or they are the customer's references, if nothing else names a company
	const isDamaged = (column: number) => hasMost(column, isNumber) && ofCells(column).some(hasCompanyNumber);
	const hasNames = named.includes("name");
	return columns.filter((column) => (named[column] !== "reference" || !hasNames) && isDamaged(column)).slice(0, 1);
}

function readRow(row: readonly string[], { numbers, asks, name, reference }: Columns): TypedLine {
	const isGiven = (column: number) => (row[column] ?? "") !== "";
	const anywhere = [...row.slice(0, maxColumns).keys()].filter((column) => column !== reference);
	const isNumbered = (column: number) => hasCompanyNumber(row[column] ?? "");
	const column =
		numbers.find(isNumbered) ??
		// a number that is wrong is still what was given
		numbers.find((each) => isNumber(row[each] ?? "")) ??
		// any cell may have it
		(reference === null ? (anywhere.find(isNumbered) ?? anywhere.find((each) => groupedNumber.test(row[each] ?? ""))) : undefined) ??
		// « NULL » and « à compléter » are no names
		(isGiven(name) ? name : undefined) ??
		numbers.find(isGiven) ??
		name;
	const numbered = numbers.filter(isNumbered);
	// the form asks which of several companies is meant
	const used = asks && new Set(numbered.flatMap((each) => listSirens(row[each] ?? ""))).size > 1 ? numbered : [column];
	const company = used.map((each) => row[each] ?? "").join(" ; ");
	const isNamed = (text: string) => isName.test(text) && !hasCompanyNumber(text);
	const addName = (text: string) => (used.length === 1 && isNamed(text) && isNumber(company) ? `${company} (${text})` : company);
	if (reference !== null) return toTypedLine(name === column ? company : addName(row[name] ?? ""), row[reference] ?? "");
	const others = row.flatMap((cell, index) => (used.includes(index) || cell === "" ? [] : [{ cell, isBefore: index < column }]));
	const withDigits = others.filter(({ cell }) => /\d/.test(cell));
	const [marked] = withDigits.length === 1 ? withDigits : [];
	const list = (cells: typeof others, separator: string) => cells.map(({ cell }) => cell).join(separator);
	const texts = others.filter(({ cell }) => !/\d/.test(cell));
	if (marked) return toTypedLine(addName(list(texts, ", ")), marked.cell);
	// a text before the number may be a name, and one after it is a reference
	return toTypedLine(
		addName(
			list(
				texts.filter(({ isBefore }) => isBefore),
				", ",
			),
		),
		list(others, " ; "),
	);
}

/** Digits in the groups of a SIREN or a SIRET: meant for one, even if the key is wrong. « 202611401 » is a reference. */
const groupedNumber = /^\d{3}([ .])\d{3}\1\d{3}(?:\1\d{5})?$/;

/** Two letters: of one, nobody would know. */
const isName = /\p{L}{2}/u;
