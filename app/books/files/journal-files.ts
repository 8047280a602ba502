import type { BooksSettings } from "../../catalogue/settings/shop-settings.ts";
import { accountLabels, type Entry, type EntryLine, journals, letteredAccounts } from "../entry.ts";
import { formatLetter, getLetterKey, type Letter, type Letters } from "../letter-lines.ts";
import { type Day, getLastDay, type Month } from "../month.ts";
import { formatAmount } from "./csv.ts";

/** Entries as files. Those of a month depend on the entries up to its end only, so the same entries give the same bytes. */
export interface JournalPart {
	entries: readonly Entry[];
	letters: Letters;
	customers: BooksSettings["customers"];
}

const listLines = ({ entries, letters, customers }: JournalPart) =>
	entries.flatMap((entry) =>
		entry.lines.map((line, position) => ({
			entry,
			line,
			letter: getLetter(letters.get(getLetterKey(entry, position)), customers),
			aux: customers === "order" ? getAuxiliary(entry, line) : "",
		})),
	);

/** The auxiliary account is the order: the books name no person. */
const getAuxiliary = ({ subject }: Entry, { account }: EntryLine): string => (letteredAccounts.has(account) ? subject : "");

/** Within one account for all orders, the letter is that of the balancing entry: no other group has it, and it is the same in each file. */
const getLetter = (letter: Letter | undefined, customers: JournalPart["customers"]) =>
	letter && (customers === "order" ? letter : { ...letter, code: formatLetter(letter.balancedBy) });

/** « 2026-11-23 » → « 23/11/2026 » */
export const formatFrenchDay = (day: Day): string => day.split("-").reverse().join("/");

/** The 18 fields of the file of entries, in this order (LPF art. A47 A-1, VII, 1°). */
export const fecFields = [
	...([
		"JournalCode",
		"JournalLib",
		"EcritureNum",
		"EcritureDate",
		"CompteNum",
		"CompteLib",
		"CompAuxNum",
		"CompAuxLib",
		"PieceRef",
	] as const),
	...(["PieceDate", "EcritureLib", "Debit", "Credit", "EcritureLet", "DateLet", "ValidDate", "Montantdevise", "Idevise"] as const),
] as const;

export type FecField = (typeof fecFields)[number];

/**
 * The journal in the shape of the « fichier des écritures comptables »: 18 fields separated by tabs, days as AAAAMMJJ, decimal commas,
 * ISO 8859-15, entries in the order of their validation (LPF art. A47 A-1, III, VI and VII). It holds the shop's sales and money, not all its accounts.
 */
export const writeFec = (journal: JournalPart): Uint8Array<ArrayBuffer> => writeFecRows(listFecRows(journal));

/** Writes rows of the 18 fields in that shape, below their names. */
export const writeFecRows = (rows: readonly (readonly string[])[]): Uint8Array<ArrayBuffer> => writeTabs([fecFields, ...rows]);

/** Writes lines with tabs between their fields, in ISO 8859-15. */
export const writeTabs = (rows: readonly (readonly string[])[]): Uint8Array<ArrayBuffer> =>
	encodeLatin9(rows.map((row) => `${row.map((field) => field.replace(/[\t\r\n]/g, " ")).join("\t")}\r\n`).join(""));

/** The fields of each line. */
export const listFecRows = (journal: JournalPart): string[][] =>
	listLines(journal).map(({ entry, line, letter, aux }) => [
		...[entry.journal, journals[entry.journal], entry.number, toFecDay(entry.day), line.number, accountLabels[line.account]],
		...[aux, aux === "" ? "" : describeAuxiliary(aux), entry.pieceRef, toFecDay(entry.pieceDay), entry.label],
		...[formatAmount(line.debit), formatAmount(line.credit), letter?.code ?? "", letter ? toFecDay(letter.day) : ""],
		...[toFecDay(entry.postedOn), "", ""],
	]);

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
