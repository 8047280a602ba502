import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from "node:crypto";
import type { Environment } from "../../server/environment/environment.ts";

/**
 * Encryption of the copies of orders: AES-256-GCM (NIST SP 800-38D), the object's name as additional data, so that a copy cannot be
 * passed off as another order's. Written as: version (1 byte), key id (4), IV (12), ciphertext, tag (16).
 */
const version = 1;
const lengths = { keyId: 4, iv: 12, tag: 16 } as const;
const header = 1 + lengths.keyId + lengths.iv;

interface CopyKey {
	/** Hexadecimal; says nothing of the key. */
	id: string;
	secret: Buffer;
}

/** Where keys come from: ORDER_COPY_KEY where it is set, then APP_SECRET. */
export type KeySource = Pick<Environment, "orderCopyKeys" | "secrets">;

/** A key for each secret (HKDF, RFC 5869): the first encrypts, all decrypt. */
function keysOf({ orderCopyKeys, secrets }: KeySource): CopyKey[] {
	return [...orderCopyKeys, ...secrets].map((given) => {
		const secret = Buffer.from(hkdfSync("sha256", given, "", "copies of orders", 32));
		const id = createHash("sha256")
			.update("key id")
			.update(secret)
			.digest("hex")
			.slice(0, 2 * lengths.keyId);
		return { id, secret };
	});
}

/** @returns the id of the key that copies are encrypted with now, in hexadecimal. @throws without any secret. */
export function presentKeyId(source: KeySource): string {
	return presentKey(source).id;
}

function presentKey(source: KeySource): CopyKey {
	const [key] = keysOf(source);
	if (key === undefined) throw new Error("copies of orders need a key");
	return key;
}

/** @param name the object that the copy will be. */
export function encryptCopy(source: KeySource, name: string, text: string): Buffer {
	const { id, secret } = presentKey(source);
	const iv = randomBytes(lengths.iv);
	const cipher = createCipheriv("aes-256-gcm", secret, iv).setAAD(Buffer.from(name));
	const encrypted = [cipher.update(text, "utf8"), cipher.final()];
	return Buffer.concat([Buffer.of(version), Buffer.from(id, "hex"), iv, ...encrypted, cipher.getAuthTag()]);
}

/** @returns the text; null when no key of ours opens it under this name, or when it was altered. */
export function decryptCopy(source: KeySource, name: string, bytes: Uint8Array): string | null {
	const copy = Buffer.from(bytes);
	const id = copy.subarray(1, 1 + lengths.keyId).toString("hex");
	const key = keysOf(source).find((known) => known.id === id);
	if (copy.length < header + lengths.tag || copy[0] !== version || key === undefined) return null;
	const decipher = createDecipheriv("aes-256-gcm", key.secret, copy.subarray(1 + lengths.keyId, header), { authTagLength: lengths.tag });
	decipher.setAAD(Buffer.from(name)).setAuthTag(copy.subarray(-lengths.tag));
	try {
		return decipher.update(copy.subarray(header, -lengths.tag), undefined, "utf8") + decipher.final("utf8");
	} catch {
		return null;
	}
}
