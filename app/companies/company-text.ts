import { findCompanyNumbers, type PlacedNumber } from "./company-numbers.ts";
import { tokenize } from "./search/tokens.ts";
import { hasValidKey, parseSiren, type Siren, type Siret } from "./siren.ts";

/** What company a text means. `beside`: the words around a number, as `tokenize` writes them, without labels. */
export type CompanyText =
	/** Exactly one number with a right key. `siret`: the establishment, where the text names one. */
	| { kind: "number"; siren: Siren; siret: Siret | null; beside: string[] }
	| { kind: "several"; sirens: Siren[] }
	/** A whole number whose key is wrong; `siren`: the nine digits that should name the company. */
	| { kind: "wrong"; siren: Siren; digits: number; beside: string[] }
	/**
	 * Digits alone, of a number that is not finished or has another length. `leading`: at most nine of its SIREN. `restored`: the company, if a
	 * spreadsheet has dropped the zeros before them, which the key confirms.
	 */
	| { kind: "digits"; digits: number; leading: string; restored: Siren | null }
	/** A spreadsheet has rounded the number: its digits are gone. */
	| { kind: "shortened"; beside: string[] }
	/** Empty: the text has nothing but labels. `number`: digits among the words that may be meant for a company's: « 55203253 (DANONE) ». */
	| { kind: "name"; name: string; number?: OtherNumber };

/** A number of another length than a company's, and the words around it. `restored`: as of digits alone. */
interface OtherNumber {
	digits: number;
	restored: Siren | null;
	beside: string[];
}

/** What stands before and after numbers on letters, in registers and in the heads of tables, and names no company. */
const surelyLabels = "siren siret tva vat rcs rne rsac kbis euid intracommunautaire identifiant immatriculation".split(" ");
const numberLabels = new Set([...surelyLabels, ..."nic rm n no nr num numero intracom intra fr identification".split(" ")]);

/** Words that only belong to a label or to an address of numbers: they are no name beside a number. */
const labelWords = new Set([
	...numberLabels,
	..."id code insee entreprise societe ste etablissement siege social unite legale client tiers fournisseur nom raison sociale denomination registre commerce societes immatricule immatriculee sous au aux du des de la le les l d et ou a capital euros euro eur".split(
		" ",
	),
]);

/** « R.C.S. Paris B », « RCS de Saint-Denis »: the register, and its town. */
const register = /\br\.?\s?c\.?\s?s\b\.?(?:[ \t]+(?:de |d['’]|n° ?)?[\p{L}'’-]+){0,5}/giu;

/** « 5,52032534E+8 »: what a spreadsheet makes of a number in a narrow column. « 2E2 » is a name. */
const scientific = /(?<![\p{L}\d])(\d{1,14})(?:[.,](\d{1,15})\s?e\s?\+?|\s?e\+)(\d{1,3})(?![\p{L}\d])/giu;

/** What a spreadsheet shows in place of a number that does not fit. */
const hashes = /(?<!\S)#{3,}(?!\S)/g;

/** Whether a word is a label of numbers, as in « SIREN » : no company is found by it alone. */
export const isNumberLabel = (word: string): boolean => numberLabels.has(word);

/**
 * Reads what company a text means, as people type it, copy it from letters, and as spreadsheets write it: numbers with right keys first,
 * wherever they stand; then numbers that are not right; then a name. C. com. R123-237 has companies print their number, the register and
 * their name on all papers.
 * @param text in characters, bounded by who calls.
 */
export function readCompanyText(text: string): CompanyText {
	const plain = text
		.normalize("NFKC")
		.replace(/\p{Cf}/gu, "")
		.replace(writtenSpace, " ")
		.replace(decimals, "")
		.replace(threes, "$1 $3 $4");
	const repaired = plain.replace(scientific, repairExponent);
	const [found, ...others] = findNumbers(repaired);
	if (found && others.length > 0) return { kind: "several", sirens: [found, ...others].map(({ siren }) => siren) };
	if (found) return { kind: "number", siren: found.siren, siret: found.siret, beside: listWordsBeside(repaired, found) };
	const [rounded] = [...repaired.matchAll(hashes), ...repaired.matchAll(scientific)];
	if (rounded)
		return { kind: "shortened", beside: listWordsBeside(repaired, { start: rounded.index, end: rounded.index + rounded[0].length }) };
	return readOtherDigits(repaired, readName(text));
}

/** A space in an address of the web, or in HTML. */
const writtenSpace = /&nbsp;|&#160;|%20|%c2%a0|(?<=\d)\+(?=\d)/gi;

/** Of a whole number: « 552 032 534,00 ». */
const decimals = /(?<=\d)[.,]0{1,2}(?!\d)/g;

/** Three times three digits with the same marks between them: « 552|032|534 ». */
const threes = /(?<!\d)(\d{3})([^\p{L}\d]{1,6})(\d{3})\2(\d{3})(?!\d)/gu;

/** The numbers of a text; or else those that a scanner or a hand wrote with letters, « 552 O32 534 », which the key confirms. */
function findNumbers(text: string): PlacedNumber[] {
	const numbers = findCompanyNumbers(text);
	if (numbers.length > 0) return numbers;
	const asDigits = text.replace(misread, (run) => (run.replace(/\D/g, "").length < fewestRead ? run : toDigits(run)));
	return asDigits === text ? [] : findCompanyNumbers(asDigits);
}

/** Digits, and the letters that look like some. */
const misread = /(?<![\p{L}\d])[\doOIl|](?:[\s.]?[\doOIl|])*(?![\p{L}\d])/gu;

const toDigits = (text: string): string => text.replace(/[oO]/g, "0").replace(/[Il|]/g, "1");

/** In digits: fewer may be anything. */
const fewestRead = 6;

/** Undoes an exponent that lost no digit. */
function repairExponent(cell: string, first: string, rest = "", exponent: string): string {
	const size = Number(exponent);
	const digits = `${first}${rest.slice(0, size)}`;
	const isWhole = digits.length === first.length + size && /^0*$/.test(rest.slice(size));
	return isWhole && hasValidKey(digits) ? digits : cell;
}

/** The words of a text beside a number of it. The site of a page, and an e-mail address, are none. */
function listWordsBeside(text: string, { start, end }: { start: number; end: number }): string[] {
	const around = `${text.slice(0, start)}\n${text.slice(end)}`.replace(register, "\n").replace(site, "\n");
	return tokenize(around).filter((word) => !labelWords.has(word) && !partOfNumber.test(word));
}

/** « https://annuaire-entreprises.data.gouv.fr », « .html » or « contact@exemple.fr ». */
const site = /https?:\/\/[^\s/]+|\bwww\.[^\s/]+|\.html?\b|(?<!\S)[^\s@]+@[^\s@]+/gi;

/** What is left of other numbers: « FR27552032534 », « FR7501 », « 2026 », « 9e ». */
const partOfNumber = /^(?:fr[a-z0-9]{2}|[a-z]?\d+|\d+(?:er|e|eme))$|\d{3}/;

/** Digits as they stand together, after the country's code of a VAT number. */
const written = /(?:\bFR\s?)?\d(?:[\s.,'’\p{Pd}]{0,3}\d)*/giu;

/** « 2026-00119 » is a reference. */
const hasYear = /(?<!\d)(?:19|20)\d\d(?!\d)\D|\D(?:19|20)\d\d(?!\d)/;

/** Reads a text whose digits are no right number: one whole number among words, or digits with nothing but labels, or a name. */
function readOtherDigits(text: string, name: string): CompanyText {
	const runs = [...text.matchAll(written)].flatMap(({ 0: run, index }) => {
		if (hasYear.test(run)) return [];
		const digits = run.replace(/\D/g, "");
		const isVat = /^fr/i.test(run);
		const isWhole = (isVat ? [11] : [9, 14]).includes(digits.length);
		return [{ digits, own: isVat ? digits.slice(2) : digits, isWhole, start: index, end: index + run.length }];
	});
	const whole = runs.find(({ isWhole }) => isWhole);
	const siren = whole && parseSiren(whole.own.slice(0, 9));
	if (siren) return { kind: "wrong", siren, digits: whole.digits.length, beside: listWordsBeside(text, whole) };
	const [only, ...others] = runs;
	if (only === undefined || others.length > 0 || /^0+$/.test(only.digits)) return { kind: "name", name };
	const { digits, own } = only;
	const beside = listWordsBeside(text, only);
	const number = { digits: digits.length, restored: restoreZeros(digits) };
	if (beside.length === 0 && digits.length >= fewestDigits) return { kind: "digits", ...number, leading: own.slice(0, 9) };
	const isMeant = digits.length >= fewestOfOther && digits.length < 14 && !telephone.test(digits);
	return { kind: "name", name, ...(isMeant && { number: { ...number, beside } }) };
}

/** Fewer begin too many numbers. */
const fewestDigits = 3;

/** Fewer, among words, are a count or a postal code. */
const fewestOfOther = 7;

const telephone = /^0[1-9]\d{8}$/;

/** A spreadsheet drops the zeros with which a number begins, and a program may add some. The keys of the number say whether it has. */
function restoreZeros(digits: string): Siren | null {
	const bare = digits.replace(/^0+/, "");
	const size = bare.length <= 9 ? 9 : 14;
	const isLong = (bare.length >= 6 && bare.length <= 9) || (bare.length >= 11 && bare.length <= 14);
	const [number] = isLong && !telephone.test(digits) ? findCompanyNumbers(bare.padStart(size, "0")) : [];
	return number?.siren ?? null;
}

/** « Raison sociale : DANONE » and « www.danone.com » name DANONE, and « N° SIREN : » names nobody. */
export function readName(text: string): string {
	const [, label = "", rest = ""] = /^([^:]{1,40}):(.*)$/su.exec(text) ?? [];
	const name = (label !== "" && tokenize(label).every((word) => labelWords.has(word)) ? rest : text).trim().replace(siteStart, "");
	const words = tokenize(name);
	const isLabel = words.every((word) => numberLabels.has(word)) && surelyLabels.some((word) => words.includes(word));
	return words.length === 0 || isLabel ? "" : name;
}

/** The beginning of a web page's address, or the person of an e-mail address. */
const siteStart = /^(?:https?:\/\/)?(?:www\.)?(?:[^\s@]{1,64}@(?=\S+\.[a-z]{2,}$))?/i;
