import { shopContext } from "../shop.ts";
import { findTermsFile } from "../terms/terms-of-order.server.ts";
import { createPublicPdf } from "../web/http.ts";
import type { Route } from "./+types/terms-version";

/** Sends a version of the terms of sale as a PDF. Its URL holds the hash of its text, so it never changes. */
export async function loader({ params, context }: Route.LoaderArgs) {
	const terms = await findTermsFile(context.get(shopContext).db, params.version);
	if (terms === null) throw new Response(null, { status: 404 });
	return createPublicPdf(terms);
}
