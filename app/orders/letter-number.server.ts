import { createHmac } from "node:crypto";
import type { Signer } from "../../server/signing.ts";
import type { Branded } from "../../server/types/branded.ts";
import { alphabet, type OrderNumber, toOrderNumber } from "./order-number.server.ts";

/** « L-7F3K-92QD »: the number of a letter, on its sheet to somebody else than the buyer. It opens no order (docs/rules.md, R251). */
export type LetterNumber = Branded<string, "LetterNumber">;

const halfLength = 4;
const halves = alphabet.length ** halfLength;

/** Twice as many as make a Feistel network a strong permutation (Luby and Rackoff, 1988). */
const rounds = 8;

type Halves = [left: number, right: number];

/** What a round adds to one half, of the other one. */
function mix(secret: string, round: number, half: number): number {
	return createHmac("sha256", secret).update(`${round}.${half}`).digest().readUIntBE(0, 6) % halves;
}

const readHalf = (letters: string): number => [...letters].reduce((sum, letter) => sum * alphabet.length + alphabet.indexOf(letter), 0);

const writeHalf = (value: number): string =>
	Array.from(
		{ length: halfLength },
		(_, place) => alphabet[Math.floor(value / alphabet.length ** (halfLength - 1 - place)) % alphabet.length],
	).join("");

const readHalves = (letters: string): Halves => [readHalf(letters.slice(0, halfLength)), readHalf(letters.slice(halfLength))];

const deriveSecret = (signer: Signer): string => signer.derive("letter-number");

/** The letter of an order: its number under a secret of the shop, so that none is stored. */
export function toLetterNumber(signer: Signer, number: OrderNumber): LetterNumber {
	const secret = deriveSecret(signer);
	let [left, right] = readHalves(number.slice("KB-".length).replace("-", ""));
	for (let round = 0; round < rounds; round++) [left, right] = [right, (left + mix(secret, round, right)) % halves];
	return `L-${writeHalf(left)}-${writeHalf(right)}` as LetterNumber;
}

/** Reads the number of a letter, whatever its case, blanks and dashes. @returns the number of its order; null when it is no letter's number. */
export function readLetterNumber(signer: Signer, typed: string): OrderNumber | null {
	const [mark, ...letters] = typed.toUpperCase().replace(/[^A-Z0-9]/g, "");
	if (mark !== "L" || letters.length !== 2 * halfLength || letters.some((letter) => !alphabet.includes(letter))) return null;
	const secret = deriveSecret(signer);
	let [left, right] = readHalves(letters.join(""));
	for (let round = rounds - 1; round >= 0; round--) [left, right] = [(right - mix(secret, round, left) + halves) % halves, left];
	return toOrderNumber(writeHalf(left) + writeHalf(right));
}
