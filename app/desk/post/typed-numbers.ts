import { findTrackingNumber } from "../../fulfilment/tracking-number.ts";
import type { Unsent } from "../shell/keep-page.ts";
import type { LetterRow } from "./post.store.server.ts";

/** The name of an order's field. */
export const fieldName = (orderId: string) => `suivi-${orderId}`;

/** The name of the fields with the numbers that the operator was asked about. */
export const askedField = "demande";

/** Characters of a typed tracking number. They are part of the act's key, which must fit its index. */
export const maxTypedLength = 100;

export type ParsedLine = { line: string } & ({ ok: true; number: string; tracking: string } | { ok: false });

/**
 * Reads pasted lines, each with the number of an order or of a letter and a tracking number in either order, separated by blanks, a comma, a semicolon or a tab.
 * Empty lines do not count.
 */
export function parsePasted(text: string): ParsedLine[] {
	return text
		.split(/\r?\n/)
		.map((line) => line.trim())
		.filter(Boolean)
		.map((line) => {
			const match = /\b(?:(KB)[\s\p{Pd}]{0,2}|(L)[\s\p{Pd}]{1,2})([A-Z0-9]{4})[\s\p{Pd}]{0,2}([A-Z0-9]{4})\b/iu.exec(line);
			if (!match) return { line, ok: false };
			const tracking = `${line.slice(0, match.index)} ${line.slice(match.index + match[0].length)}`.replace(
				/^[\s,;:]+|(?<![\s,;:])[\s,;:]+$/g,
				"",
			);
			const [, order, letter, ...halves] = match;
			const number = [order ?? letter, ...halves].join("-").toUpperCase();
			return { line, ok: true, number, tracking: tracking.slice(0, maxTypedLength) };
		});
}

/** What became of one number. */
export interface PostedNumber {
	orderId: string;
	/** The order's number. */
	number: string;
	typed: string;
	ok: boolean;
	text: string;
}

/** The answer to the form of tracking numbers. */
export interface PostAnswer {
	/** Different for each answer. */
	key: string;
	numbers: PostedNumber[];
	/** Pasted lines that were not accepted, each with the reason. They stay in the field. */
	lines: { line: string; text: string }[];
	/** The numbers whose form is not known: sent again, they are confirmed. */
	asked: string[];
	/** Why nothing was read, and for a person. */
	unsent?: Unsent;
	sentence?: string;
}

/**
 * Puts what the camera has read into the form. The code of a sheet moves to that letter's field; a tracking number goes into the field
 * that has the focus, or the first empty one. @returns what happened, in words.
 */
export function placeScan(
	form: HTMLFormElement | null,
	letters: readonly Pick<LetterRow, "id" | "number" | "sheetNumber">[],
	read: string,
): string {
	// a code may have the address of the page that shows the way of the letter
	const text = findTrackingNumber(read) ?? read;
	const findField = (id: string) => form?.elements.namedItem(fieldName(id)) as HTMLInputElement | null;
	const number = /\b(?:KB|L)-[A-Z0-9]{4}-[A-Z0-9]{4}\b/.exec(text.toUpperCase())?.[0];
	if (number !== undefined) {
		const letter = letters.find((each) => each.number === number || each.sheetNumber === number);
		if (!letter) return `Aucun courrier à poster n’a le numéro ${number}.`;
		findField(letter.id)?.focus();
		return `Courrier ${number}\u00a0: lisez maintenant son numéro de suivi.`;
	}
	const fields = letters.map(({ id, number }) => ({ number, field: findField(id) }));
	if (fields.some(({ field }) => field?.value === text)) return `${text} est déjà saisi.`;
	if (/^https?:/i.test(text)) return "Ce code est une adresse internet sans numéro de suivi.";
	const target =
		fields.find(({ field }) => field === document.activeElement && field?.value === "") ?? fields.find(({ field }) => field?.value === "");
	if (!target?.field) return "Tous les courriers à poster ont déjà leur numéro de suivi.";
	target.field.value = text;
	// as if it was typed
	target.field.dispatchEvent(new Event("input", { bubbles: true }));
	fields.find(({ field }) => field?.value === "")?.field?.focus();
	return `${text} est saisi pour ${target.number}.`;
}
