import { data } from "react-router";
import { endWatch, getWatchState } from "../../orders/watch/end-watch.server.ts";
import { WatchEndPage } from "../../orders/watch/watch-end-page.tsx";
import { shopContext } from "../../shop.ts";
import { privateHeaders } from "../../web/http.ts";
import type { Route } from "./+types/watch-end";

export const handle = { scripts: false };

export const headers = () => privateHeaders;

export const meta: Route.MetaFunction = () => [{ title: "Surveillance d’un extrait" }, { name: "robots", content: "noindex" }];

/** Also runs after the action of the button, which shows the same page in its next state. */
export async function loader({ params, context }: Route.LoaderArgs) {
	const watch = await getWatchState(context.get(shopContext), params.token);
	return data({ watch }, { status: watch.state === "wrong" ? 403 : 200 });
}

/**
 * Handles the page's button, and mail programs that unsubscribe their user with one click: they send `List-Unsubscribe=One-Click`
 * without a cookie or an origin, and follow no redirect (RFC 8058, 3.1 and 3.2). The body is not read, because the token is enough.
 */
export async function action({ params, context }: Route.ActionArgs) {
	await endWatch(context.get(shopContext), params.token);
	return null;
}

export default function WatchEnd({ loaderData }: Route.ComponentProps) {
	return <WatchEndPage {...loaderData} />;
}
