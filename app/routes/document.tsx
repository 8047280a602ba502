import { createContext, data, href } from "react-router";
import { retryAfterContext, shopContext } from "../shop.ts";
import { openDocument, type UnopenedDocument } from "../tracking/open-document.server.ts";
import { button } from "../ui/button.tsx";
import { Page, Title } from "../ui/page.tsx";
import { privateHeaders } from "../web/http.ts";
import type { Route } from "./+types/document";

const closed = "Ce lien n’ouvre pas de document";
const unavailable = "Document momentanément indisponible";

const refusals = {
	tampered: {
		status: 403,
		title: closed,
		sentence: "Ce lien n’est pas valide. Ouvrez le document depuis la page de suivi de votre commande.",
	},
	expired: {
		status: 410,
		title: closed,
		sentence: "Ce lien a expiré : il était valable 24 heures. La page de suivi de votre commande vous en donne un nouveau.",
	},
	frozen: {
		status: 403,
		title: closed,
		sentence: "Le paiement de cette commande est contesté auprès de la banque : ses documents ne peuvent pas être téléchargés.",
	},
	lost: {
		status: 503,
		title: unavailable,
		sentence: "Nous ne retrouvons pas ce document. Notre équipe est prévenue et le remettra en ligne dès que possible.",
	},
	unavailable: {
		status: 503,
		title: unavailable,
		sentence: "Nous n’arrivons pas à ouvrir vos documents pour le moment. Votre lien reste valable : réessayez dans quelques minutes.",
	},
} as const;

export const handle = { scripts: false };

export const headers = () => privateHeaders;

export const meta: Route.MetaFunction = () => [{ title: "Votre document" }, { name: "robots", content: "noindex" }];

/** A document behind a signed link, byte for byte, to be saved and not run. */
export const middleware: Route.MiddlewareFunction[] = [
	async ({ params, context }, next) => {
		const opened = await openDocument(context.get(shopContext), params.token);
		if (!opened.ok) {
			context.set(reasonContext, opened.reason);
			return next();
		}
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

/** What the middleware found out, for the loader. */
const reasonContext = createContext<UnopenedDocument["reason"]>();

/** Only asked when the link opened nothing: says why. */
export function loader({ context }: Route.LoaderArgs) {
	const { status, title, sentence } = refusals[context.get(reasonContext)];
	if (status === 503) context.set(retryAfterContext, 300);
	return data({ title, sentence }, { status });
}

export default function Document({ loaderData }: Route.ComponentProps) {
	return (
		<Page width="form">
			<Title lead={loaderData.sentence}>{loaderData.title}</Title>
			<a className={button("primary")} href={href("/suivi-commande")}>
				Suivre ma commande
			</a>
		</Page>
	);
}
