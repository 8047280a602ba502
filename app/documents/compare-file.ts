/** The result of a comparison. `unreadable`: the file cannot be read. `unsupported`: the browser cannot compute a SHA-256 here. */
export type Comparison = "identical" | "different" | "unreadable" | "unsupported";

/**
 * Compares a file with a document byte by byte, in the browser. The file is not sent.
 * @param document its size in bytes and its SHA-256 in hexadecimal.
 */
export async function compareFile(file: Blob, document: { bytes: number; sha256: string }): Promise<Comparison> {
	// avoids reading a large file of another size
	if (file.size !== document.bytes) return "different";
	// browsers offer crypto.subtle on secure origins only
	if (!globalThis.crypto?.subtle) return "unsupported";
	try {
		const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", await file.arrayBuffer()));
		const sha256 = Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
		return sha256 === document.sha256 ? "identical" : "different";
	} catch {
		return "unreadable";
	}
}
