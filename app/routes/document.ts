import { data } from "react-router";
import { privateHeaders } from "../../server/http.ts";
import { openDocument } from "../documents/open-document.server.ts";
import { shopContext } from "../shop.ts";
import type { Route } from "./+types/document";

const refusals = {
	tampered: { status: 403, sentence: "Ce lien n’est pas valide. Ouvrez le document depuis la page de suivi de votre commande." },
	expired: {
		status: 410,
		sentence: "Ce lien a expiré : il était valable 24 heures. La page de suivi de votre commande vous en donne un nouveau.",
	},
} as const;

/** A document behind a signed link, byte for byte, to be saved and not run; a refusal is a page of the shop. */
export const middleware: Route.MiddlewareFunction[] = [
	async ({ params, context }) => {
		const opened = await openDocument(context.get(shopContext), params.token);
		if (!opened.ok) throw data(refusals[opened.reason].sentence, { status: refusals[opened.reason].status });
		return new Response(opened.bytes, {
			headers: {
				...privateHeaders,
				"content-type": "application/pdf",
				"content-disposition": `attachment; filename="${opened.fileName}"`,
				"content-security-policy": "default-src 'none'; sandbox",
			},
		});
	},
];

export const handle = { scripts: false };

/** Never drawn; it makes this route a page, so that the middleware's refusals are drawn as one. */
export default function Document() {
	return null;
}
