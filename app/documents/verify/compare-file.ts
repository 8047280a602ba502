import { type HashedFile, hashFile } from "./hash-file.ts";

/** The result of a comparison, or the reason why there is none. */
export type FileComparison = "identical" | "different" | Extract<HashedFile, { ok: false }>["code"];

/**
 * Compares a file with a document byte by byte, in the browser. The file is not sent.
 * @param document its size in bytes and its SHA-256 in hexadecimal.
 */
export async function compareFile(file: Blob, document: { bytes: number; sha256: string }): Promise<FileComparison> {
	// avoids reading a large file of another size
	if (file.size !== document.bytes) return "different";
	const hashed = await hashFile(file);
	if (!hashed.ok) return hashed.code;
	return hashed.sha256 === document.sha256 ? "identical" : "different";
}
