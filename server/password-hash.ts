import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import type { Environment } from "./environment/environment.ts";

/** `slow` is what a guess should cost: a key takes 32 MB (128 × N × r bytes) and some 50 ms of a processor. Production refuses `fast`. */
const costs: Record<PasswordHashing, number> = { slow: 16_384, fast: 2 };

export type PasswordHashing = Environment["passwordHashing"];

const keyBytes = 64;

/**
 * Hashes a password with scrypt (RFC 7914), in the format of better-auth 1.7.
 * @returns salt and key, in hexadecimal.
 */
export async function hashPassword(hashing: PasswordHashing, password: string): Promise<string> {
	const salt = randomBytes(16).toString("hex");
	return `${salt}:${(await deriveKey(hashing, password, salt)).toString("hex")}`;
}

/** Whether a hash is that of a password. */
export async function verifyPassword(hashing: PasswordHashing, password: string, hash: string): Promise<boolean> {
	const [salt = "", key = ""] = hash.split(":");
	const expected = Buffer.from(key, "hex");
	const actual = await deriveKey(hashing, password, salt);
	return expected.length === actual.length && timingSafeEqual(expected, actual);
}

function deriveKey(hashing: PasswordHashing, password: string, salt: string): Promise<Buffer> {
	return new Promise((resolve, reject) => {
		const cost = { N: costs[hashing], r: 16, p: 1, maxmem: 64 * 2 ** 20 };
		scrypt(password.normalize("NFKC"), salt, keyBytes, cost, (error, key) => (error ? reject(error) : resolve(key)));
	});
}
