import { href } from "react-router";
import type { Context } from "../../../server/runtime.ts";
import { readKey, signKey } from "../../orders/keys.server.ts";
import { absoluteUrl } from "../../ui/absolute-url.ts";

type LinkContext = Pick<Context, "environment" | "signer" | "now">;

/**
 * The link of a share. Its token is the signed id of the row, so the owner can be shown it again and the database holds nothing that opens
 * a document; when it ends is read from the row (docs/decisions/0043-sharing.md).
 */
export const shareUrl = (context: LinkContext, id: string): string =>
	absoluteUrl(context.environment.baseUrl, "/partage/:token", { token: signKey(context, "document-share", { id }) });

/** `unknown`: not of the form of a token. */
export type ShareToken = { ok: true; id: string } | { ok: false; code: "unknown" | "tampered" };

export function readShareToken(context: Pick<Context, "signer" | "now">, token: string): ShareToken {
	const read = readKey(context, "document-share", token);
	if (read.ok) return { ok: true, id: read.key.id };
	return { ok: false, code: /^[\w-]{30,}\.[\w-]{30,}$/.test(token) ? "tampered" : "unknown" };
}

export const shareFilePath = (context: Pick<Context, "signer" | "now">, id: string): string =>
	href("/partage/fichier/:key", { key: signKey(context, "document-share-file", { id }) });
