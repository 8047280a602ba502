import { createHash } from "node:crypto";

/**
 * The shop's secrets for one use of better-auth, so that nothing else of the shop can sign for it. The version names a secret in what
 * better-auth encrypts, so that it finds the right one after a rotation.
 * @param secrets the newest first. @param use such as « operators ».
 */
export const deriveAuthSecrets = (secrets: readonly string[], use: string): { version: number; value: string }[] =>
	secrets.map((secret) => ({
		version: hash(`version\n${secret}`).readUInt32BE() >>> 1,
		value: hash(`${use}\n${secret}`).toString("hex"),
	}));

const hash = (text: string): Buffer => createHash("sha256").update(text).digest();
