/** What a file turned out to be, against a document; `unreadable`: it could not be read; `unsupported`: the browser cannot compute a SHA-256 here. */
export type Comparison = "identical" | "different" | "unreadable" | "unsupported";

/**
 * Whether a file has the very bytes of a document, found out where the file is: nothing of it is sent anywhere.
 * @param document its size in bytes and its SHA-256, hexadecimal.
 */
export async function compareFile(file: Blob, document: { bytes: number; sha256: string }): Promise<Comparison> {
	// a file of another size need not be read, however large it is
	if (file.size !== document.bytes) return "different";
	// browsers have it on secure origins only
	if (!globalThis.crypto?.subtle) return "unsupported";
	try {
		const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", await file.arrayBuffer()));
		const sha256 = Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
		return sha256 === document.sha256 ? "identical" : "different";
	} catch {
		return "unreadable";
	}
}
