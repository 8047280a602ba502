import { data, href } from "react-router";
import { privateHeaders } from "../../server/http.ts";
import { openDocument } from "../orders/open-document.server.ts";
import { shopContext } from "../shop.ts";
import { button } from "../ui/button.tsx";
import { Page, Title } from "../ui/page.tsx";
import type { Route } from "./+types/document";

const refusals = {
	tampered: { status: 403, sentence: "Ce lien n’est pas valide. Ouvrez le document depuis la page de suivi de votre commande." },
	expired: {
		status: 410,
		sentence: "Ce lien a expiré : il était valable 24 heures. La page de suivi de votre commande vous en donne un nouveau.",
	},
	frozen: {
		status: 403,
		sentence: "Le paiement de cette commande est contesté auprès de la banque : ses documents ne peuvent pas être téléchargés.",
	},
} as const;

export const handle = { scripts: false };

export const headers = () => privateHeaders;

export const meta: Route.MetaFunction = () => [{ title: "Votre document" }, { name: "robots", content: "noindex" }];

/** A document behind a signed link, byte for byte, to be saved and not run. */
export const middleware: Route.MiddlewareFunction[] = [
	async ({ params, context }, next) => {
		const opened = await openDocument(context.get(shopContext), params.token);
		if (!opened.ok) return next();
		return new Response(opened.bytes, {
			headers: {
				...privateHeaders,
				"content-type": "application/pdf",
				"content-disposition": `attachment; filename="${opened.fileName}"`,
				"content-length": String(opened.bytes.byteLength),
				"content-security-policy": "default-src 'none'; sandbox",
				// no page of another site draws it, or learns its size
				"cross-origin-resource-policy": "same-origin",
			},
		});
	},
];

/** Only asked when the link opened nothing: says why. */
export async function loader({ params, context }: Route.LoaderArgs) {
	const opened = await openDocument(context.get(shopContext), params.token);
	const { status, sentence } = refusals[opened.ok ? "expired" : opened.reason];
	return data({ sentence }, { status });
}

export default function Document({ loaderData }: Route.ComponentProps) {
	return (
		<Page width="form">
			<Title lead={loaderData.sentence}>Ce lien n’ouvre pas de document</Title>
			<a className={button("primary")} href={href("/suivi-commande")}>
				Suivre ma commande
			</a>
		</Page>
	);
}
