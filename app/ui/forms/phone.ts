import { isLine } from "./text.ts";

/** The form of a number that was agreed for the shop: ten digits, or +33 and nine, in pairs (docs/rules.md, R228). */
export const agreedForm = /^(\+33|0033|0)[\s.-]?[1-9]([\s.-]?\d{2}){4}$/;

/** Numbers of France as they are dialled there: ten digits, also those of the five overseas departments with their own country codes. */
const frenchNumber = /^(?:0|\+?(?:00)?(?:33|262|590|594|596)0?)([1-9]\d{8})$/;

/** Another country's number, with + or 00: up to 15 digits (ITU-T E.164), and an extension. */
const foreignNumber = /^(?:\+|00)(?!33|262|590|594|596)[1-9]\d{6,14}(?:x\d+)?$/;

/** What stands before a number, up to its last sign: « Tél. : », « Bureau - ». A letter before the digits belongs to them, but for « tel ». */
const label = /^[^\d+]*(?:[^\p{L}\d+]|t[ée]l)(?=[+\d])/iu;

/** A number without its separators, and an extension: « poste 12 ». */
const numberAndPost = /^(\+?\d+)(?:(?:poste|ext|extension|[px#])(\d{1,6}))?$/i;

/** @returns the digits of a text that may be one number, with its + and « x » before an extension; empty when other letters follow it. */
export function compactPhone(typed: string): string {
	const line = trimPhone(typed);
	if (!isLine(line)) return "";
	const text = line.normalize("NFKC").replace(label, "");
	const [, number = "", post] = numberAndPost.exec(text.replace(/[^\p{L}\p{N}+#]/gu, "")) ?? [];
	return post ? `${number}x${post}` : number;
}

/**
 * Address books put invisible signs of direction around a number that is copied from them, and tables tabs. A dash alone says that there is
 * no number.
 */
export const trimPhone = (typed: string): string =>
	typed
		.replace(/[\s\u202a-\u202d\u2066-\u2069]+/g, " ")
		.trim()
		.replace(/^[\s\p{P}]+$/u, "");

/** @returns a French number in pairs, « 06 12 34 56 78 », with its extension; null for any other text. */
export function formatFrenchPhone(typed: string): string | null {
	const [number = "", post] = compactPhone(typed).split("x");
	const [, digits] = frenchNumber.exec(number) ?? [];
	if (digits === undefined) return null;
	return `0${digits}`.replace(/\d\d(?=\d)/g, "$& ") + (post === undefined ? "" : ` poste ${post}`);
}

/** Whether a text may be a telephone number. Only the server knows the plans of other countries, and decides (`readPhone`). */
export const mayBePhone = (typed: string): boolean => formatFrenchPhone(typed) !== null || foreignNumber.test(compactPhone(typed));
