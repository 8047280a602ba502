import { createContext, data } from "react-router";
import { readSharedFile } from "../../customer/sharing/open-share.server.ts";
import { ShareRefusalPage } from "../../customer/sharing/share-refusal-page.tsx";
import { type ShareRefusalCode, shareRefusals } from "../../customer/sharing/share-refusals.ts";
import { shopContext } from "../../shop.ts";
import { createPdfDownload, privateHeaders, setRetryAfter } from "../../web/http.ts";
import type { Route } from "./+types/shared-file";

export const handle = { scripts: false };

export const headers = () => privateHeaders;

export const meta: Route.MetaFunction = () => [{ title: "Un extrait vous est transmis" }, { name: "robots", content: "noindex" }];

/** The refusal of a link: set by the middleware, read by the loader. */
const refusalCodeContext = createContext<ShareRefusalCode>();

/** Sends the file of an opened share as a download. */
export const middleware: Route.MiddlewareFunction[] = [
	async ({ request, params, context }, next) => {
		const read = await readSharedFile(context.get(shopContext), params.key, { counts: request.method === "GET" });
		if (!read.ok) {
			context.set(refusalCodeContext, read.code);
			return next();
		}
		return createPdfDownload(read);
	},
];

/** Runs only when the link is refused. */
export function loader({ context }: Route.LoaderArgs) {
	const refusal = shareRefusals[context.get(refusalCodeContext)];
	setRetryAfter(context, refusal);
	return data({ title: refusal.title, sentence: refusal.sentence }, { status: refusal.status });
}

export default function SharedFileRoute({ loaderData }: Route.ComponentProps) {
	return <ShareRefusalPage {...loaderData} />;
}
