import { accountLabels, type Entry, type EntryLine, journals, letteredAccounts } from "../entry.ts";
import { getLetterKey, type Letters } from "../letter-lines.ts";
import { type Day, getLastDay, type Month } from "../month.ts";
import { formatAmount, writeCsv } from "./csv.ts";

/** The entries of a month as files. They depend on the entries up to its end only, so the same entries give the same bytes. */
export interface JournalOfMonth {
	month: Month;
	entries: readonly Entry[];
	letters: Letters;
}

const listLines = ({ entries, letters }: JournalOfMonth) =>
	entries.flatMap((entry) =>
		entry.lines.map((line, position) => ({
			entry,
			line,
			letter: letters.get(getLetterKey(entry, position)),
			aux: getAuxiliary(entry, line),
		})),
	);

/** The auxiliary account is the order: the books name no person. */
const getAuxiliary = ({ subject }: Entry, { account }: EntryLine): string => (letteredAccounts.has(account) ? subject : "");

/** The journal as a table. */
export function writeJournal(journal: JournalOfMonth): Uint8Array {
	const head = [
		...["Journal", "Écriture", "Date", "Compte", "Libellé du compte", "Auxiliaire", "Pièce", "Date de pièce", "Libellé", "Débit", "Crédit"],
		...["Lettrage", "Date de lettrage"],
	];
	return writeCsv(
		head,
		listLines(journal).map(({ entry, line, letter, aux }) => [
			...[entry.journal, entry.number, formatFrenchDay(entry.day), line.number, accountLabels[line.account], aux],
			...[entry.pieceRef, formatFrenchDay(entry.pieceDay), entry.label, { cents: line.debit }, { cents: line.credit }],
			...[letter?.code ?? "", letter ? formatFrenchDay(letter.day) : ""],
		]),
	);
}

/** « 2026-11-23 » → « 23/11/2026 » */
export const formatFrenchDay = (day: Day): string => day.split("-").reverse().join("/");

/** The 18 fields of the file of entries, in this order (LPF art. A47 A-1, VII, 1°). */
export const fecFields = [
	...["JournalCode", "JournalLib", "EcritureNum", "EcritureDate", "CompteNum", "CompteLib", "CompAuxNum", "CompAuxLib", "PieceRef"],
	...["PieceDate", "EcritureLib", "Debit", "Credit", "EcritureLet", "DateLet", "ValidDate", "Montantdevise", "Idevise"],
] as const;

/**
 * The journal in the shape of the « fichier des écritures comptables »: 18 fields separated by tabs, days as AAAAMMJJ, decimal commas,
 * ISO 8859-15, entries in the order of their validation (LPF art. A47 A-1, III, VI and VII). It holds the shop's sales and money, not all its accounts.
 */
export function writeFec(journal: JournalOfMonth): Uint8Array {
	const rows = listLines(journal).map(({ entry, line, letter, aux }) => [
		...[entry.journal, journals[entry.journal], entry.number, toFecDay(entry.day), line.number, accountLabels[line.account]],
		...[aux, aux === "" ? "" : describeAuxiliary(aux), entry.pieceRef, toFecDay(entry.pieceDay), entry.label],
		...[formatAmount(line.debit), formatAmount(line.credit), letter?.code ?? "", letter ? toFecDay(letter.day) : ""],
		...[toFecDay(entry.postedOn), "", ""],
	]);
	return writeFecRows(rows);
}

/** Writes rows of the 18 fields in that shape, below their names. */
export function writeFecRows(rows: readonly (readonly string[])[]): Uint8Array<ArrayBuffer> {
	const lines = [fecFields, ...rows].map((row) => row.map((field) => field.replace(/[\t\r\n]/g, " ")).join("\t"));
	return encodeLatin9(`${lines.join("\r\n")}\r\n`);
}

const describeAuxiliary = (aux: string) => (aux.startsWith("KB-") ? `Commande ${aux}` : aux);
const toFecDay = (day: Day) => day.replaceAll("-", "");

/** « 123456789FEC20261130.txt »: SIREN, and the last day of the period (LPF art. A47 A-1, X). */
export const getFecName = (siren: string, month: Month): string => `${siren.replace(/\D/g, "")}FEC${toFecDay(getLastDay(month))}.txt`;

/** The characters in which ISO 8859-15 differs from Unicode's first 256. */
const latin9 = new Map([
	...[..."€ŠšŽžŒœŸ"].map((character, at): [string, number] => [character, [0xa4, 0xa6, 0xa8, 0xb4, 0xb8, 0xbc, 0xbd, 0xbe][at] ?? 0x3f]),
	["’", 0x27],
]);

/** Encodes a text in ISO 8859-15; other characters become « ? ». */
export function encodeLatin9(text: string): Uint8Array<ArrayBuffer> {
	return Uint8Array.from(text, (character) => latin9.get(character) ?? toLatin1(character.codePointAt(0) ?? 0));
}

const toLatin1 = (code: number) => (code < 0x100 && ![0xa4, 0xa6, 0xa8, 0xb4, 0xb8, 0xbc, 0xbd, 0xbe].includes(code) ? code : 0x3f);
