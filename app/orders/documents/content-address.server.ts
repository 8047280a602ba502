import { createHash } from "node:crypto";
import { LostFile, type StoredFile } from "./storage.ts";

/** Computes the path of bytes from their SHA-256. It is the same in every storage. */
export function contentAddress(bytes: Uint8Array): StoredFile {
	const sha256 = createHash("sha256").update(bytes).digest("hex");
	return { path: `${sha256.slice(0, 2)}/${sha256}.pdf`, sha256, bytes: bytes.byteLength };
}

/**
 * Returns the bytes of a stored file after comparing their hash with the path.
 * @throws LostFile when the file is altered, truncated, or another one.
 */
export function verifyContent(path: string, bytes: Uint8Array): Uint8Array {
	if (contentAddress(bytes).path !== path) throw new LostFile(`the stored file ${path} has not the content that its name says`);
	return bytes;
}
