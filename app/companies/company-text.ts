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
	| { kind: "shortened" }
	/** Empty: the text has nothing but labels. */
	| { kind: "name"; name: string };

/** What stands before and after numbers on letters, in registers and in the heads of tables, and names no company. */
const numberLabels = new Set(
	"siren siret nic tva vat rcs rne rm rsac kbis euid n no nr num numero intracommunautaire intracom intra fr identifiant identification immatriculation insee".split(
		" ",
	),
);

/** Words that only belong to a label or to an address of numbers: they are no name beside a number. */
const labelWords = new Set([
	...numberLabels,
	..."id code entreprise societe ste etablissement siege social unite legale client tiers fournisseur nom raison sociale denomination registre commerce societes immatricule immatriculee sous au aux du des de la le les l d et ou a capital euros euro eur".split(
		" ",
	),
]);

/** « R.C.S. Paris B », « RCS de Saint-Denis »: the register, and its town. */
const register = /\br\.?\s?c\.?\s?s\b\.?(?:[ \t]+(?:de |d['’]|n° ?)?[\p{L}'’-]+){0,5}/giu;

/** « 5,52032534E+8 »: what a spreadsheet makes of a number in a narrow column. */
const scientific = /(?<![\p{L}\d])(\d)(?:[.,](\d{1,15}))?\s?e\+?(\d{1,2})(?![\p{L}\d])/giu;

/** What a spreadsheet shows in place of a number that does not fit. */
const hashes = /^#{3,}$/;

/** Whether a word is a label of numbers, as in « SIREN » : no company is found by it alone. */
export const isNumberLabel = (word: string): boolean => numberLabels.has(word);

/**
 * Reads what company a text means, as people type it, copy it from letters, and as spreadsheets write it: numbers with right keys first,
 * wherever they stand; then numbers that are not right; then a name. C. com. R123-237 has companies print their number, the register and
 * their name on all papers.
 * @param text in characters, bounded by who calls.
 */
export function readCompanyText(text: string): CompanyText {
	const plain = text.normalize("NFKC").replace(/\p{Cf}/gu, "");
	const repaired = plain.replace(scientific, repairExponent);
	const [found, ...others] = findNumbers(repaired);
	if (found && others.length > 0) return { kind: "several", sirens: [found, ...others].map(({ siren }) => siren) };
	if (found) return { kind: "number", siren: found.siren, siret: found.siret, beside: listWordsBeside(repaired, found) };
	if (hashes.test(plain.trim()) || repaired.search(scientific) >= 0) return { kind: "shortened" };
	return readOtherDigits(plain) ?? { kind: "name", name: readName(text) };
}

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
function repairExponent(cell: string, first: string, decimals = "", exponent: string): string {
	const size = Number(exponent);
	const digits = `${first}${decimals.slice(0, size)}`;
	const isWhole = digits.length === size + 1 && /^0*$/.test(decimals.slice(size));
	return isWhole && hasValidKey(digits) ? digits : cell;
}

/** The words of a text beside a number of it. */
function listWordsBeside(text: string, { start, end }: { start: number; end: number }): string[] {
	const around = `${text.slice(0, start)}\n${text.slice(end)}`.replace(register, "\n");
	return tokenize(around).filter((word) => !labelWords.has(word) && !partOfNumber.test(word));
}

/** What is left of other numbers: « FR27552032534 », « FR7501 », « 2026 ». */
const partOfNumber = /^(?:fr[a-z0-9]{2}|[a-z]?\d+)$|\d{3}/;

/** Digits as they stand together, after the country's code of a VAT number. */
const written = /(?:\bFR\s?)?\d(?:[\s.,'’\p{Pd}]{0,3}\d)*/giu;

/** Reads a text whose digits are no right number: one whole number among words, or digits with nothing but labels. */
function readOtherDigits(text: string): CompanyText | null {
	const runs = [...text.matchAll(written)].map((match) => {
		const digits = match[0].replace(/\D/g, "");
		const isVat = /^fr/i.test(match[0]);
		const beside = listWordsBeside(text, { start: match.index, end: match.index + match[0].length });
		return { digits, own: isVat ? digits.slice(2) : digits, isWhole: (isVat ? [11] : [9, 14]).includes(digits.length), beside };
	});
	const whole = runs.find(({ isWhole }) => isWhole);
	const siren = whole && parseSiren(whole.own.slice(0, 9));
	if (siren) return { kind: "wrong", siren, digits: whole.digits.length, beside: whole.beside };
	const [only, ...others] = runs;
	if (only === undefined || others.length > 0 || only.beside.length > 0 || only.digits.length < fewestDigits) return null;
	return { kind: "digits", digits: only.digits.length, leading: only.own.slice(0, 9), restored: restoreZeros(only.digits) };
}

/** Fewer begin too many numbers. */
const fewestDigits = 3;

/** A spreadsheet drops the zeros with which a number begins. Its keys say whether it has. */
function restoreZeros(digits: string): Siren | null {
	const size = digits.length <= 8 ? 9 : 14;
	const isLong = (digits.length >= 6 && digits.length <= 8) || (digits.length >= 11 && digits.length <= 13);
	const [number] = isLong ? findCompanyNumbers(digits.padStart(size, "0")) : [];
	return number?.siren ?? null;
}

/** « Raison sociale : DANONE » names DANONE, and « N° SIREN : » names nobody. */
function readName(text: string): string {
	const [, label = "", rest = ""] = /^([^:]{1,40}):(.*)$/su.exec(text) ?? [];
	const name = label !== "" && tokenize(label).every((word) => labelWords.has(word)) ? rest.trim() : text.trim();
	return tokenize(name).every((word) => numberLabels.has(word)) ? "" : name;
}
