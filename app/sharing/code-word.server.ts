import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { limitConcurrency } from "../extracts/limit-concurrency.ts";

/** Those of the operators' passwords. One key takes 16 MB and some 50 ms of a processor. */
const cost = { N: 16_384, r: 16, p: 1, maxmem: 64 * 1024 * 1024 };
const keyBytes = 64;

const inTurn = limitConcurrency(2);

/** Code words are told by telephone: neither capitals nor blanks count. */
export const normalizeCodeWord = (typed: string): string => typed.normalize("NFKC").toLowerCase().replace(/\s+/g, "");

/** @param codeWord normalised. @returns salt and key, in hexadecimal. */
export async function hashCodeWord(codeWord: string): Promise<string> {
	const salt = randomBytes(16).toString("hex");
	return `${salt}:${(await deriveKey(codeWord, salt)).toString("hex")}`;
}

/** @param codeWord normalised. */
export async function isCodeWord(codeWord: string, hash: string): Promise<boolean> {
	const [salt = "", key = ""] = hash.split(":");
	const expected = Buffer.from(key, "hex");
	const actual = await deriveKey(codeWord, salt);
	return expected.length === actual.length && timingSafeEqual(expected, actual);
}

const deriveKey = (codeWord: string, salt: string): Promise<Buffer> =>
	inTurn(
		() =>
			new Promise((resolve, reject) => {
				scrypt(codeWord, salt, keyBytes, cost, (error, key) => (error ? reject(error) : resolve(key)));
			}),
	);
