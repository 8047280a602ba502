import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from "node:crypto";
import type { Environment } from "../../server/environment/environment.ts";

/**
 * Encrypts the copies of orders with AES-256-GCM (NIST SP 800-38D). The object's name is additional data, so that a copy cannot replace
 * another order's. Format: version (1 byte), key id (4), IV (12), ciphertext, tag (16).
 */
const version = 1;
const byteLengths = { keyId: 4, iv: 12, tag: 16 } as const;
const headerLength = 1 + byteLengths.keyId + byteLengths.iv;

interface CopyKey {
	/** Hexadecimal; it does not reveal the key. */
	id: string;
	secret: Buffer;
}

/** The secrets of ORDER_COPY_KEY, then those of APP_SECRET. */
export type KeySource = Pick<Environment, "orderCopyKeys" | "secrets">;

/** Derives a key from each secret (HKDF, RFC 5869). The first encrypts, all decrypt. */
function deriveKeys({ orderCopyKeys, secrets }: KeySource): CopyKey[] {
	return [...orderCopyKeys, ...secrets].map((input) => {
		const secret = Buffer.from(hkdfSync("sha256", input, "", "copies of orders", 32));
		const id = createHash("sha256")
			.update("key id")
			.update(secret)
			.digest("hex")
			.slice(0, 2 * byteLengths.keyId);
		return { id, secret };
	});
}

/** @returns the id of the current key in hexadecimal. @throws without any secret. */
export function getCurrentKeyId(source: KeySource): string {
	return getCurrentKey(source).id;
}

function getCurrentKey(source: KeySource): CopyKey {
	const [key] = deriveKeys(source);
	if (key === undefined) throw new Error("copies of orders need a key");
	return key;
}

/** @param name the name of the object. */
export function encryptCopy(source: KeySource, name: string, text: string): Buffer {
	const { id, secret } = getCurrentKey(source);
	const iv = randomBytes(byteLengths.iv);
	const cipher = createCipheriv("aes-256-gcm", secret, iv).setAAD(Buffer.from(name));
	const encrypted = [cipher.update(text, "utf8"), cipher.final()];
	return Buffer.concat([Buffer.of(version), Buffer.from(id, "hex"), iv, ...encrypted, cipher.getAuthTag()]);
}

/** @returns the text; null when no key decrypts it under this name, or when it was altered. */
export function decryptCopy(source: KeySource, name: string, bytes: Uint8Array): string | null {
	const copy = Buffer.from(bytes);
	const id = copy.subarray(1, 1 + byteLengths.keyId).toString("hex");
	const key = deriveKeys(source).find((known) => known.id === id);
	if (copy.length < headerLength + byteLengths.tag || copy[0] !== version || key === undefined) return null;
	const decipher = createDecipheriv("aes-256-gcm", key.secret, copy.subarray(1 + byteLengths.keyId, headerLength), {
		authTagLength: byteLengths.tag,
	});
	decipher.setAAD(Buffer.from(name)).setAuthTag(copy.subarray(-byteLengths.tag));
	try {
		return decipher.update(copy.subarray(headerLength, -byteLengths.tag), undefined, "utf8") + decipher.final("utf8");
	} catch {
		return null;
	}
}
