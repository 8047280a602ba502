import { seededRandom } from "../random.ts";
import { below } from "./chances.ts";

/**
 * When INSEE gave which numbers, roughly, and the share of all units that have one of them.
 * Sources: SIRENs and dates of creation of the embedded sample.
 */
const blocks = [
	{ first: 5, last: 9, share: 0.02, from: 1950, to: 1973 },
	{ first: 300, last: 349, share: 0.11, from: 1973, to: 1989 },
	{ first: 350, last: 399, share: 0.11, from: 1989, to: 1995 },
	{ first: 400, last: 499, share: 0.21, from: 1994, to: 2007 },
	{ first: 500, last: 539, share: 0.11, from: 2007, to: 2012 },
	{ first: 750, last: 799, share: 0.09, from: 2012, to: 2014 },
	{ first: 800, last: 899, share: 0.21, from: 2014, to: 2021 },
	{ first: 900, last: 994, share: 0.14, from: 2021, to: 2026.7 },
] as const;

/** Numbers without their key that begin with the same three digits. */
const numbersPerPrefix = 100_000;

export interface Numbered {
	siren: string;
	/** The year in which such a number was given, with its fraction. */
	year: number;
}

/** Unique SIRENs with a valid key, rising, some of each block. */
export function* sirens(units: number, seed: number): Generator<Numbered> {
	const random = seededRandom(seed);
	let done = 0;
	let shares = 0;
	for (const { first, last, share, from, to } of blocks) {
		shares += share;
		const count = Math.round(Math.min(shares, 1) * units) - done;
		const width = (last - first + 1) * numbersPerPrefix;
		const step = width / count;
		if (step < 1) throw new RangeError(`${units} units do not fit in the SIRENs`);
		for (let index = 0; index < count; index++) {
			const place = Math.floor(index * step) + below(random, Math.floor(step));
			const digits = String(first * numbersPerPrefix + place).padStart(8, "0");
			yield { siren: digits + keyOf(digits), year: from + (to - from) * (place / width) };
		}
		done += count;
	}
}

/** The SIRET of a unit's establishment: the first is number 1. */
export function siretOf(siren: string, number: number): string {
	const digits = siren + String(number).padStart(4, "0");
	return digits + keyOf(digits);
}

/** The digit to add for Luhn's sum to be a multiple of ten. */
function keyOf(digits: string): number {
	let sum = 0;
	for (let index = digits.length - 1, double = true; index >= 0; index--, double = !double) {
		const digit = digits.charCodeAt(index) - 48;
		sum += double ? (digit > 4 ? digit * 2 - 9 : digit * 2) : digit;
	}
	return (10 - (sum % 10)) % 10;
}
