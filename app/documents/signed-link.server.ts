import type { Signer } from "../../server/signing.ts";

const purpose = "document";

/** How long a link to a document opens it, in seconds: one day (docs/rules.md, R34). */
export const linkLifetime = 86_400;

/** A token for `/documents/{token}`: names one document, expires, says nothing of anybody. */
export function signDocumentLink(signer: Signer, documentId: string, now: Date): string {
	return signer.sign(purpose, `${documentId}.${Math.floor(now.getTime() / 1000) + linkLifetime}`);
}

export function readDocumentLink(
	signer: Signer,
	token: string,
	now: Date,
): { ok: true; documentId: string } | { ok: false; reason: "tampered" | "expired" } {
	const [documentId, expires] = signer.verify(purpose, token)?.split(".") ?? [];
	if (documentId === undefined || expires === undefined) return { ok: false, reason: "tampered" };
	return Number(expires) * 1000 > now.getTime() ? { ok: true, documentId } : { ok: false, reason: "expired" };
}
