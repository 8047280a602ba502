import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { limitWaiting } from "../extracts/limit-concurrency.ts";

/** Those of the operators' passwords. One key takes 32 MB (128 × N × r bytes) and some 50 ms of a processor. */
const cost = { N: 16_384, r: 16, p: 1, maxmem: 64 * 1024 * 1024 };
const keyBytes = 64;

/** Twenty wait for half a second at most; more are refused. */
const inTurn = limitWaiting(2, 20);

/** Passcodes are told by telephone: neither capitals nor blanks count. */
export const normalizePasscode = (typed: string): string => typed.normalize("NFKC").toLowerCase().replace(/\s+/g, "");

/** @param passcode normalised. @returns salt and key, in hexadecimal; null when too many wait. */
export async function hashPasscode(passcode: string): Promise<string | null> {
	const salt = randomBytes(16).toString("hex");
	const key = await deriveKey(passcode, salt);
	return key && `${salt}:${key.toString("hex")}`;
}

/** @param passcode normalised. @returns null when too many wait. */
export async function isPasscode(passcode: string, hash: string): Promise<boolean | null> {
	const [salt = "", key = ""] = hash.split(":");
	const expected = Buffer.from(key, "hex");
	const actual = await deriveKey(passcode, salt);
	return actual && expected.length === actual.length && timingSafeEqual(expected, actual);
}

const deriveKey = (passcode: string, salt: string): Promise<Buffer | null> =>
	inTurn(
		() =>
			new Promise<Buffer>((resolve, reject) => {
				scrypt(passcode, salt, keyBytes, cost, (error, key) => (error ? reject(error) : resolve(key)));
			}),
	);
