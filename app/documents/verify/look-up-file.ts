import { href } from "react-router";
import { maxExtractBytes } from "../extract-size.ts";
import type { FileOrigin } from "./file-origin.ts";
import { type HashedFile, hashFile } from "./hash-file.ts";

export type LookUpFileOutcome =
	| { ok: true; origin: FileOrigin }
	/** `limited`: too many requests. `failed`: the shop did not answer. */
	| { ok: false; code: Extract<HashedFile, { ok: false }>["code"] | "limited" | "failed" };

/** Asks the shop about a file, from the browser. Only the file's SHA-256 is sent. */
export async function lookUpFile(file: Blob): Promise<LookUpFileOutcome> {
	// avoids reading a film into memory
	if (file.size > maxExtractBytes) return { ok: true, origin: { known: false } };
	const hashed = await hashFile(file);
	if (!hashed.ok) return hashed;
	try {
		const response = await fetch(`${href("/api/verifier")}?empreinte=${hashed.sha256}`);
		if (response.ok) return { ok: true, origin: (await response.json()) as FileOrigin };
		return { ok: false, code: response.status === 429 ? "limited" : "failed" };
	} catch {
		return { ok: false, code: "failed" };
	}
}
