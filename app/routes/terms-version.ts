import { href, redirect } from "react-router";
import { findTermsFile } from "../orders/terms/terms-of-order.server.ts";
import { shopContext } from "../shop.ts";
import { createPublicPdf } from "../web/http.ts";
import type { Route } from "./+types/terms-version";

/** The last part of the address that leads to the terms in force (docs/rules.md, R210); /cgv links to it. */
const inForce = "actuelle";

/** Sends a version of the terms of sale as a PDF. Its URL holds the hash of its text, so it never changes. */
export async function loader({ params, context }: Route.LoaderArgs) {
	const shop = context.get(shopContext);
	if (params.version === inForce) {
		const version = await shop.recordTerms();
		return redirect(href("/cgv/version/:version", { version }), { headers: { "cache-control": "no-store" } });
	}
	const terms = await findTermsFile(shop.db, params.version);
	if (terms === null) throw new Response(null, { status: 404 });
	return createPublicPdf(terms);
}
