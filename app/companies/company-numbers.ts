import { hasValidKey, parseSiren, parseSiret, type Siren, type Siret } from "./siren.ts";
import { parseVatNumber } from "./vat-number.ts";

/** A number with a right key that names a company; `siret`: the establishment, where the text names one. */
export interface CompanyNumber {
	siren: Siren;
	siret: Siret | null;
}

/** A run of digits, and where it stands in its text. */
interface Digits {
	text: string;
	start: number;
	end: number;
}

/** What people and programs write between the parts of one number. */
const gap = /^[\s.,'’_/·\p{Pd}]{1,3}$/u;

/** How many digits the parts of a number have: « 552032534 00646 », « 552 032 534 00646 ». Longer ones first: a SIRET contains a SIREN. */
const groupings = [[14], [9, 5], [3, 3, 3, 5], [9], [3, 3, 3]] as const;

/** After the country's code and the key of a VAT number. */
const vatDigits = 11;

/**
 * Finds the company numbers that a text contains, whatever stands around them: SIREN, SIRET, and VAT numbers of France. Only numbers with
 * a right check digit count. Digits in an unusual grouping are one number if they are all the digits of their run.
 * @param text in characters, bounded by who calls. @returns each company once, in the order of the text.
 */
export function findCompanyNumbers(text: string): CompanyNumber[] {
	const plain = text.normalize("NFKC");
	const found = listRuns(plain).flatMap((run) => readRun(plain, run));
	return found.filter(({ siren }, index) => found.findIndex((other) => other.siren === siren) === index);
}

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

function readRun(text: string, run: readonly Digits[]): CompanyNumber[] {
	const whole = toCompanyNumber(run.map((digits) => digits.text).join(""));
	if (whole) return [whole];
	const numbers: CompanyNumber[] = [];
	for (let index = 0; index < run.length; ) {
		const [number, taken] = readAt(text, run, index);
		if (number) numbers.push(number);
		index += taken;
	}
	return numbers;
}

/** @returns the number that begins at a place of a run, if any does, and how many of its parts were read. */
function readAt(text: string, run: readonly Digits[], index: number): [CompanyNumber | null, number] {
	const [first] = run.slice(index);
	if (first?.text.length === vatDigits) {
		const number = parseVatNumber(text.slice(first.start - 2, first.end));
		const siren = number && parseSiren(number.slice(4));
		if (siren) return [{ siren, siret: null }, 1];
	}
	for (const lengths of groupings) {
		const parts = run.slice(index, index + lengths.length).map((digits) => digits.text);
		if (!lengths.every((length, place) => parts[place]?.length === length)) continue;
		const number = toCompanyNumber(parts.join(""));
		if (number) return [number, lengths.length];
	}
	return [null, 1];
}

/** @returns the company of nine or fourteen digits with right keys; null for others. */
function toCompanyNumber(digits: string): CompanyNumber | null {
	const siret = parseSiret(digits);
	const siren = parseSiren(siret?.slice(0, 9) ?? digits);
	const fits = siren !== null && !/^0+$/.test(digits) && hasValidKey(siren) && hasValidKey(digits);
	return fits ? { siren, siret } : null;
}
