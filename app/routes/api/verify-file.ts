import { findFileOrigin } from "../../customer/tracking/documents/find-document-origin.server.ts";
import { readFingerprint } from "../../customer/verification/file-origin.ts";
import { shopContext } from "../../shop.ts";
import { apiError } from "../../web/http.ts";
import type { Route } from "./+types/verify-file.ts";

/** `?empreinte=<sha256>` → whether the shop delivered a file with this hash, and on which day. */
export async function loader({ request, context }: Route.LoaderArgs) {
	const sha256 = readFingerprint(new URL(request.url).searchParams.get("empreinte") ?? "");
	if (sha256 === null) return apiError(400, "L’empreinte SHA-256 a 64 chiffres hexadécimaux.");
	return Response.json(await findFileOrigin(context.get(shopContext).db, sha256), { headers: { "cache-control": "no-store" } });
}
