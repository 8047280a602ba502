import { readPageTable } from "./page-table.server.ts";
import { hasCompanyNumber, maxRows, type ReadList, readList, readTable } from "./read-list.ts";
import { readWorkbook } from "./workbook.server.ts";

/** In bytes. Two hundred lines have a few kilobytes; a larger file is not such a list. */
export const maxFileBytes = 1024 * 1024;

export type ListFileOutcome =
	| ({ ok: true } & ReadList)
	/**
	 * `spreadsheet`: a workbook of another format than .xlsx. `unreadable`: no text. `too-large`: more bytes than `maxFileBytes`.
	 * `too-many`: more rows than `maxRows`.
	 */
	| { ok: false; code: "spreadsheet" | "unreadable" | "too-large" | "too-many" | "empty" };

/** Reads the list of a text file, in any usual encoding, as `readList` does, or that of an .xlsx workbook: its first sheet with numbers. */
export async function readListFile(bytes: Uint8Array): Promise<ListFileOutcome> {
	if (bytes.length > maxFileBytes) return { ok: false, code: "too-large" };
	if (isZip(bytes)) {
		const workbook = await readWorkbook(bytes);
		if (!workbook.ok) return workbook;
		const lists = workbook.sheets.map((rows) => readTable(rows.slice(0, maxRows + 1)));
		const found = lists.filter(({ lines }) => lines.length > 0);
		return answer(found.find(({ lines }) => lines.some(({ company }) => hasCompanyNumber(company))) ?? found[0]);
	}
	if (isOldWorkbook(bytes)) return { ok: false, code: "spreadsheet" };
	const text = decode(bytes);
	if (text === null) return { ok: false, code: "unreadable" };
	if (isPage(text)) return answer(readTable(readPageTable(text, maxRows + 1)));
	if (isXmlWorkbook(text)) return { ok: false, code: "spreadsheet" };
	return answer(readList(text, { most: maxRows + 1 }));
}

function answer(list: ReadList | undefined): ListFileOutcome {
	if (list === undefined || list.lines.length === 0) return { ok: false, code: "empty" };
	return list.lines.length > maxRows ? { ok: false, code: "too-many" } : { ok: true, ...list };
}

/** A workbook of Excel, or of another program. */
const isZip = ([a, b, c, d]: Uint8Array): boolean => a === 0x50 && b === 0x4b && c === 3 && d === 4;

/** The older format of Excel, and what protects a newer one by a password. */
const isOldWorkbook = ([a, b, c, d]: Uint8Array): boolean => a === 0xd0 && b === 0xcf && c === 0x11 && d === 0xe0;

/** UTF-16 by its byte order mark or its zeros, UTF-8, or else what Excel writes on Windows or on a Mac. @returns null for bytes that are no text. */
function decode(bytes: Uint8Array): string | null {
	const text = decodeUnicode(bytes) ?? decodeLegacy(bytes);
	// some programs end a file with Control-Z
	const whole = text.endsWith("\x1a") ? text.slice(0, -1) : text;
	// biome-ignore lint/suspicious/noControlCharactersInRegex: they tell a text from other bytes
	return /[\0-\x08\x0e-\x1f]/.test(whole) ? null : whole;
}

function decodeUnicode(bytes: Uint8Array): string | null {
	const [a, b] = bytes;
	if (a === 0xff && b === 0xfe) return tryDecode(bytes, "utf-16le") ?? "\0";
	if (a === 0xfe && b === 0xff) return tryDecode(bytes, "utf-16be") ?? "\0";
	// of UTF-16 without its mark, most bytes of one kind are zeros
	const zeros = (odd: 0 | 1) => bytes.filter((byte, index) => byte === 0 && index % 2 === odd).length;
	if (zeros(1) > bytes.length / 4 && zeros(0) === 0) return tryDecode(bytes, "utf-16le");
	if (zeros(0) > bytes.length / 4 && zeros(1) === 0) return tryDecode(bytes, "utf-16be");
	return tryDecode(bytes, "utf-8");
}

/** @returns null where the bytes are not of this encoding. A byte order mark is left out. */
function tryDecode(bytes: Uint8Array, encoding: string): string | null {
	try {
		return new TextDecoder(encoding, { fatal: true }).decode(bytes);
	} catch {
		return null;
	}
}

/** What French texts have beside ASCII. */
const frenchLetters = /[àâçéèêëîïôùûüÿœæÀÂÇÉÈÊËÎÏÔÙÛÜŒÆ’«»°€–—\xa0]/g;

/** Both encodings give a text to any bytes; the right one gives more French letters. */
function decodeLegacy(bytes: Uint8Array): string {
	const [windows = "", mac = ""] = ["windows-1252", "macintosh"].map((encoding) => new TextDecoder(encoding).decode(bytes));
	const count = (text: string) => text.match(frenchLetters)?.length ?? 0;
	return count(mac) > count(windows) ? mac : windows;
}

/** « Feuille de calcul XML 2003 » */
const isXmlWorkbook = (text: string): boolean => /^\s*<\?xml\b/i.test(text);

/** Programs export tables of HTML under the names of workbooks. */
const isPage = (text: string): boolean => /^\s*<(?:!doctype html|html|table|meta)\b/i.test(text) || /^\s*<[\s\S]*<tr\b/i.test(text);
