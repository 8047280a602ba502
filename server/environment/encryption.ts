import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from "node:crypto";
import type { Environment } from "./environment.ts";

/**
 * Encrypts what is stored with AES-256-GCM (NIST SP 800-38D). Its name is additional data, so that it cannot take another's place.
 * Format: version (1 byte), key id (4), IV (12), ciphertext, tag (16).
 */
const version = 1;
const byteLengths = { keyId: 4, iv: 12, tag: 16 } as const;
const headerLength = 1 + byteLengths.keyId + byteLengths.iv;

interface Key {
	/** Hexadecimal; it does not reveal the key. */
	id: string;
	secret: Buffer;
}

/** The secrets of ORDER_COPY_KEY, then those of APP_SECRET. */
export type KeySource = Pick<Environment, "orderCopyKeys" | "secrets">;

export interface Encryption {
	/** @returns the id of the current key in hexadecimal. @throws without any secret. */
	getCurrentKeyId(source: KeySource): string;
	/** @param name of what is encrypted. @throws without any secret. */
	encrypt(source: KeySource, name: string, text: string): Buffer;
	/** @returns the text; null when no key decrypts it under this name, or when it was altered. */
	decrypt(source: KeySource, name: string, bytes: Uint8Array): string | null;
}

/** The id of the key with which something was encrypted, in hexadecimal. */
export const getKeyId = (bytes: Uint8Array): string =>
	Buffer.from(bytes)
		.subarray(1, 1 + byteLengths.keyId)
		.toString("hex");

/** @param purpose of its keys, which decrypt nothing of another purpose. */
export function createEncryption(purpose: string): Encryption {
	/** Derives a key from each secret (HKDF, RFC 5869). The first encrypts, all decrypt. */
	const deriveKeys = ({ orderCopyKeys, secrets }: KeySource): Key[] =>
		[...orderCopyKeys, ...secrets].map((input) => {
			const secret = Buffer.from(hkdfSync("sha256", input, "", purpose, 32));
			const id = createHash("sha256")
				.update("key id")
				.update(secret)
				.digest("hex")
				.slice(0, 2 * byteLengths.keyId);
			return { id, secret };
		});
	function getCurrentKey(source: KeySource): Key {
		const [key] = deriveKeys(source);
		if (key === undefined) throw new Error(`${purpose} need a key`);
		return key;
	}
	return {
		getCurrentKeyId: (source) => getCurrentKey(source).id,
		encrypt(source, name, text) {
			const { id, secret } = getCurrentKey(source);
			const iv = randomBytes(byteLengths.iv);
			const cipher = createCipheriv("aes-256-gcm", secret, iv).setAAD(Buffer.from(name));
			const encrypted = [cipher.update(text, "utf8"), cipher.final()];
			return Buffer.concat([Buffer.of(version), Buffer.from(id, "hex"), iv, ...encrypted, cipher.getAuthTag()]);
		},
		decrypt(source, name, bytes) {
			const stored = Buffer.from(bytes);
			const key = deriveKeys(source).find((known) => known.id === getKeyId(stored));
			if (stored.length < headerLength + byteLengths.tag || stored[0] !== version || key === undefined) return null;
			const decipher = createDecipheriv("aes-256-gcm", key.secret, stored.subarray(1 + byteLengths.keyId, headerLength), {
				authTagLength: byteLengths.tag,
			});
			decipher.setAAD(Buffer.from(name)).setAuthTag(stored.subarray(-byteLengths.tag));
			try {
				return decipher.update(stored.subarray(headerLength, -byteLengths.tag), undefined, "utf8") + decipher.final("utf8");
			} catch {
				return null;
			}
		},
	};
}
