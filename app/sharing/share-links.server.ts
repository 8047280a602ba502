import { href } from "react-router";
import { hourSeconds } from "../../server/durations.ts";
import type { Context } from "../../server/runtime.ts";
import { expiringToken } from "../../server/signing.ts";
import { absoluteUrl } from "../ui/absolute-url.ts";

type LinkContext = Pick<Context, "environment" | "signer">;

const purpose = "document-share";

/**
 * The link of a share. Its token is the signed id of the row, so the owner can be shown it again and the database holds nothing that opens
 * a document; when it ends is read from the row (docs/decisions/0043-sharing.md).
 */
export const shareUrl = ({ environment, signer }: LinkContext, id: string): string =>
	absoluteUrl(environment.baseUrl, "/partage/:token", { token: signer.sign(purpose, id) });

/** `unknown`: not of the form of a token. */
export type ShareToken = { ok: true; id: string } | { ok: false; code: "unknown" | "tampered" };

export function readShareToken({ signer }: Pick<Context, "signer">, token: string): ShareToken {
	const id = signer.verify(purpose, token);
	if (id !== null) return { ok: true, id };
	return { ok: false, code: /^[\w-]{30,}\.[\w-]{30,}$/.test(token) ? "tampered" : "unknown" };
}

/** Opens the file of a share for as long as its page may stay open. */
export const shareFileToken = expiringToken("document-share-file", hourSeconds);

export const shareFilePath = ({ signer, now }: Pick<Context, "signer" | "now">, id: string): string =>
	href("/partage/fichier/:key", { key: shareFileToken.sign(signer, id, now()) });
