/** `unreadable`: the file cannot be read. `unsupported`: the browser cannot compute a SHA-256 here. */
export type HashedFile = { ok: true; sha256: string } | { ok: false; code: "unreadable" | "unsupported" };

/** Computes the SHA-256 of a file in hexadecimal, in the browser. The file is not sent. */
export async function hashFile(file: Blob): Promise<HashedFile> {
	// browsers offer crypto.subtle on secure origins only
	if (!globalThis.crypto?.subtle) return { ok: false, code: "unsupported" };
	try {
		const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", await file.arrayBuffer()));
		return { ok: true, sha256: Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("") };
	} catch {
		return { ok: false, code: "unreadable" };
	}
}
