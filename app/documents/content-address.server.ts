import { createHash } from "node:crypto";
import { LostFile, type StoredFile } from "./storage.ts";

/** Where bytes are kept: the path is made of their SHA-256, the same in every storage. */
export function contentAddress(bytes: Uint8Array): StoredFile {
	const sha256 = createHash("sha256").update(bytes).digest("hex");
	return { path: `${sha256.slice(0, 2)}/${sha256}.pdf`, sha256, bytes: bytes.byteLength };
}

/**
 * The bytes that were read, once they are known to be those that were kept.
 * @throws LostFile when they have not the hash of their path: altered, cut short, or another file's.
 */
export function isSameContent(path: string, bytes: Uint8Array): Uint8Array {
	if (contentAddress(bytes).path !== path) throw new LostFile(`the stored file ${path} has not the content that its name says`);
	return bytes;
}
