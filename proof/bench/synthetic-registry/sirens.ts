import type { Random } from "../../../test/random.ts";

/** SIRENs without their key, from 300 000 00 on: INSEE's numbers since 1973. */
const [first, end] = [30_000_000, 99_500_000];

/** Unique SIRENs with a valid key, in rising order. @param taken SIRENs that others have: near them, one is left out. */
export function* listSirens(units: number, random: Random, taken: ReadonlySet<string> = new Set()): Generator<string> {
	const step = (end - first) / units;
	if (step < 1) throw new RangeError(`there are not enough SIRENs for ${units} units`);
	for (let index = 0; index < units; index++) {
		const digits = String(first + Math.floor(index * step) + Math.floor(random.next() * Math.floor(step)));
		const siren = digits + luhnKey(digits);
		if (!taken.has(siren)) yield siren;
	}
}

/** The SIRET of a unit's establishment, numbered from 1. */
export function makeSiret(siren: string, number: number): string {
	const digits = siren + String(number).padStart(4, "0");
	return digits + luhnKey(digits);
}

/** The digit that makes the Luhn sum a multiple of ten. */
function luhnKey(digits: string): number {
	let sum = 0;
	for (let index = digits.length - 1, double = true; index >= 0; index--, double = !double) {
		const digit = digits.charCodeAt(index) - 48;
		sum += double ? (digit > 4 ? digit * 2 - 9 : digit * 2) : digit;
	}
	return (10 - (sum % 10)) % 10;
}
