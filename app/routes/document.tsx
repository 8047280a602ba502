import { createContext, data } from "react-router";
import { DocumentRefusalPage, documentRefusals } from "../customer/tracking/documents/document-refusal-page.tsx";
import { type DocumentRefusal, openDocument } from "../customer/tracking/documents/open-document.server.ts";
import { shopContext } from "../shop.ts";
import { createPdfDownload, privateHeaders, setRetryAfter } from "../web/http.ts";
import type { Route } from "./+types/document";

export const handle = { scripts: false };

export const headers = () => privateHeaders;

export const meta: Route.MetaFunction = () => [{ title: "Votre document" }, { name: "robots", content: "noindex" }];

/** The refusal of a link: set by the middleware, read by the loader. */
const refusalCodeContext = createContext<DocumentRefusal["code"]>();

/** Sends the document of a signed link as a download. */
export const middleware: Route.MiddlewareFunction[] = [
	async ({ request, params, context }, next) => {
		const opened = await openDocument(context.get(shopContext), params.token, { counts: request.method === "GET" });
		if (!opened.ok) {
			context.set(refusalCodeContext, opened.code);
			return next();
		}
		return createPdfDownload(opened);
	},
];

/** Runs only when the link is refused. */
export function loader({ context }: Route.LoaderArgs) {
	const refusal = documentRefusals[context.get(refusalCodeContext)];
	setRetryAfter(context, refusal);
	return data({ title: refusal.title, sentence: refusal.sentence }, { status: refusal.status });
}

export default function DocumentRoute({ loaderData }: Route.ComponentProps) {
	return <DocumentRefusalPage {...loaderData} />;
}
