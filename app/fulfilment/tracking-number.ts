import { passesLuhn } from "../../server/types/check-digits.ts";

/** Tracking numbers of letters, as people type and paste them. */

const gap = "[\\s.,_/\\u00b7\\u2010-\\u2015\\u2212-]";

/** The Universal Postal Union's form (S10): two letters, eight digits, their check digit, the country. */
const universal = /^[A-Z]{2}(\d{8})(\d)[A-Z]{2}$/;

/** What is a number whatever stands around it: the form above, and that of La Poste, of a digit and a letter before nine or eleven digits. */
const inText = new RegExp(
	[
		`(?<![\\p{L}\\p{N}])${["[A-Z]", "[A-Z]", ...Array(9).fill("\\d"), "[A-Z]", "[A-Z]"].join(`${gap}{0,3}`)}`,
		`(?<!\\p{N})\\d${gap}{0,3}[A-Z](?:${gap}{0,3}\\d){9}(?:(?:${gap}{0,3}\\d){2})?`,
	]
		.map((form) => `${form}(?![\\p{L}\\p{N}])`)
		.join("|"),
	"gu",
);

/** Words before a number on receipts and in mails. */
const label =
	/^(?:(?:n(?:um[ée]ro)?|ref(?:[ée]rence)?|code|suivi|envoi|colis|colissimo|lettre|suivie|recommand[ée]e?|lrar|lr|ar|la|poste|de|du|d|avec|avis|r[ée]ception)(?![a-z0-9é])[\s.:°º#’'-]*)+/iu;

const gaps = new RegExp(gap, "g");
const compact = (part: string): string => part.replace(gaps, "");

/**
 * Finds the tracking number in a typed text: with any blanks and hyphens, in small letters. One in a form that is known may stand among
 * other words, or in an address of a page that shows the way of a letter; another one only after words such as « N° de suivi : ».
 * @returns 11 to 15 letters and digits, at least 8 of them digits; null without, and for several.
 */
export function findTrackingNumber(typed: string): string | null {
	const text = typed
		.normalize("NFKC")
		.replace(/\p{Cf}/gu, "")
		.trim();
	const written = text.replace(/%20|\+/g, " ").toUpperCase();
	const known = new Set(
		[...written.matchAll(inText)].map(([found]) => compact(found)).filter((each) => checkTrackingNumber(each) === "known"),
	);
	const [first, ...others] = known;
	if (first !== undefined) return others.length === 0 ? first : null;
	const inAddress = /^(?:https?:\/\/|www\.|[a-z.]*laposte\.fr)/i.test(text) ? readAddress(text) : text;
	const whole = compact(inAddress).toUpperCase();
	// LR is also how numbers of the Universal Postal Union begin
	const number = universal.test(whole) ? whole : compact(inAddress.replace(label, "")).toUpperCase();
	return /^[A-Z0-9]{11,15}$/.test(number) && number.replace(/\D/g, "").length >= 8 ? number : null;
}

/** The last part of an address that has eight digits: « …/suivre-vos-envois?code=1A23456789012 ». */
const readAddress = (address: string): string =>
	address
		.split(/[?&#=/]/)
		.map((part) => part.replace(/%20|\+/g, ""))
		.findLast((part) => part.replace(/\D/g, "").length >= 8) ?? "";

/** `unknown`: it may be one, in a format that the shop does not know. `wrong-key`: a digit is wrong. `other-number`: it is no tracking number. */
export type TrackingCheck = "known" | "unknown" | "wrong-key" | "other-number";

/**
 * Checks the form of a tracking number. Known are those of La Poste: a digit and a letter before nine or eleven digits (letters and parcels
 * in France; their key is not published), 87 before nine to thirteen digits (prepaid letters), and those of the Universal Postal Union.
 * @param number as `findTrackingNumber` finds it.
 */
export function checkTrackingNumber(number: string): TrackingCheck {
	const [, serial = "", key] = universal.exec(number) ?? [];
	if (key !== undefined) return calculateS10Key(serial) === Number(key) ? "known" : "wrong-key";
	if (isOtherNumber(number)) return "other-number";
	return /^(?:\d[A-Z]\d{9}(?:\d{2})?|87\d{9}(?:\d{2}|\d{4})?)$/.test(number) ? "known" : "unknown";
}

/** The check digit of eight digits (UPU S10-12, 6.2.3). */
function calculateS10Key(serial: string): number {
	const weights = [8, 6, 4, 2, 3, 5, 9, 7];
	const rest = 11 - (weights.reduce((sum, weight, index) => sum + weight * Number(serial[index]), 0) % 11);
	return rest === 10 ? 0 : rest === 11 ? 5 : rest;
}

const isZeros = (text: string): boolean => /^0*$/.test(text);

/** A telephone number of France with its country, a SIREN filled with zeros, a SIRET, a VAT number, a European number of a company. */
function isOtherNumber(number: string): boolean {
	const [, ofVat] = /^FR(?:\d{2}|\d{4})(\d{9})$/.exec(number) ?? [];
	const filled = [...number].flatMap((_, place) =>
		isZeros(number.slice(0, place) + number.slice(place + 9)) ? [number.slice(place, place + 9)] : [],
	);
	const sirens = [ofVat ?? "", ...filled].filter((siren) => /^\d{9}$/.test(siren));
	const isSiret = /^\d{14}$/.test(number) && passesLuhn(number);
	return isSiret || /^(?:00)?330?[1-9]\d{8}$/.test(number) || sirens.some(passesLuhn);
}
