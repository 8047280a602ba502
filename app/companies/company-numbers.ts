import { hasValidKey, parseSiren, parseSiret, type Siren, type Siret } from "./siren.ts";
import { parseVatNumber } from "./vat-number.ts";

/** A number with a right key that names a company; `siret`: the establishment, where the text names one. */
export interface CompanyNumber {
	siren: Siren;
	siret: Siret | null;
}

/** A number and where it stands in its text, in UTF-16 units. */
export interface PlacedNumber extends CompanyNumber {
	start: number;
	end: number;
}

/** Some digits, and where they stand in their text. */
interface Digits {
	text: string;
	start: number;
	end: number;
}

/** What people and programs write between the parts of one number. */
const gap = /^[\s.,'’_/·•*\u2212\p{Pd}]{1,3}$/u;

/** How many digits the parts of a number have: « 552032534 00646 », « 552 032 534 00646 », « FR 27 552 032 534 ». */
const groupings = [[14], [9, 5], [3, 3, 3, 5], [3, 3, 3, 2, 3], [11], [2, 9], [2, 3, 3, 3], [9], [3, 3, 3]] as const;

/**
 * Finds the company numbers that a text contains, whatever stands around them: SIREN, SIRET, and VAT numbers of France. Only numbers with
 * a right check digit count. Digits in an unusual grouping are one number if they are all the digits of their run. Where a run may be read
 * in two ways, both are found.
 * @param text in characters, bounded by who calls. @returns each company once, in the order of the text.
 */
export function findCompanyNumbers(text: string): PlacedNumber[] {
	// of the same length, so that places stay
	const plain = text.replace(letteredKey, (key) => " ".repeat(key.length));
	const all = listRuns(plain).flatMap((run) => readRun(plain, run));
	const withoutAmounts = all.filter(({ end }) => !amount.test(plain.slice(end, end + 8)));
	const found = withoutAmounts.length > 0 ? withoutAmounts : all;
	return found.filter(({ siren }, index) => found.findIndex((other) => other.siren === siren) === index);
}

/**
 * Reads the company of a field for a SIREN, in which people also paste a SIRET, a VAT number or a label.
 * @returns nine digits whatever their key, or else the only number with a right key; null for other texts.
 */
export function readSiren(text: string): Siren | null {
	const [only, ...others] = findCompanyNumbers(text.normalize("NFKC"));
	return parseSiren(text) ?? (only && others.length === 0 ? only.siren : null);
}

/** The beginning of a VAT number whose key is not calculated from the SIREN (VIES). */
const letteredKey = /\bFR\s?(?=\d?[A-HJ-NP-Z])[A-HJ-NP-Z\d]{2}(?=\s?\d{3})/gi;

/** After an amount, such as a capital: « 171 527 000 € ». */
const amount = /^\s?(?:€|euros?\b|eur\b)/i;

/** The runs of digits that nothing but gaps separates. */
function listRuns(text: string): Digits[][] {
	const runs: Digits[][] = [];
	let end = Number.NaN;
	for (const match of text.matchAll(/\d+/g)) {
		const digits = { text: match[0], start: match.index, end: match.index + match[0].length };
		const run = runs.at(-1);
		if (run && gap.test(text.slice(end, digits.start))) run.push(digits);
		else runs.push([digits]);
		({ end } = digits);
	}
	return runs;
}

function readRun(text: string, run: readonly Digits[]): PlacedNumber[] {
	// a telephone number; « 2026-00119 » is a reference
	const isOther = run.map((part) => part.text.length).join("") === "12222" || run.some((part) => /^(?:19|20)\d\d$/.test(part.text));
	const whole = isOther ? null : readParts(text, run);
	if (whole) return [whole];
	return run.flatMap((_, index) => {
		for (const lengths of groupings) {
			const parts = run.slice(index, index + lengths.length);
			const isGrouped = lengths.every((length, place) => parts[place]?.text.length === length);
			const number = isGrouped && isEven(text, parts) ? readParts(text, parts) : null;
			if (number) return [number];
		}
		return [];
	});
}

/** Whether the same mark separates the parts of three digits: of « 123. 552 032 534 » only the last three are one number. */
function isEven(text: string, parts: readonly Digits[]): boolean {
	const between = parts.slice(1).flatMap((part, index) => (part.text.length === 3 ? [text.slice(parts[index]?.end, part.start)] : []));
	return new Set(parts[0]?.text.length === 3 ? between : between.slice(1)).size < 2;
}

/** @returns the number that these parts are together, or null. */
function readParts(text: string, parts: readonly Digits[]): PlacedNumber | null {
	const digits = parts.map((part) => part.text).join("");
	const [start, end] = [parts[0]?.start ?? 0, parts.at(-1)?.end ?? 0];
	const number = toCompanyNumber(digits);
	// the country's code before it, which some texts leave out
	const code = /\bFR\s?$/i.exec(text.slice(Math.max(0, start - 4), start))?.[0] ?? "";
	if (number) return { ...number, start, end };
	const vat = parseVatNumber(`FR${digits}`);
	const siren = vat && toCompanyNumber(digits.slice(2))?.siren;
	return siren ? { siren, siret: null, start: start - code.length, end } : null;
}

/** @returns the company of nine or fourteen digits with right keys; null for others. */
function toCompanyNumber(digits: string): CompanyNumber | null {
	const siret = parseSiret(digits);
	const siren = parseSiren(siret?.slice(0, 9) ?? digits);
	const fits = siren !== null && !/^0+$/.test(digits) && hasValidKey(siren) && hasValidKey(digits);
	return fits ? { siren, siret } : null;
}
