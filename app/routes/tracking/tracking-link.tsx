import { data } from "react-router";
import { shopContext } from "../../shop.ts";
import { openTrackingLink } from "../../tracking/tracking-access.server.ts";
import { trackingSentences } from "../../tracking/tracking-form.ts";
import { TrackingPage } from "../../tracking/tracking-page.tsx";
import { privateHeaders } from "../../web/http.ts";
import type { Route } from "./+types/tracking-link";

export const handle = { scripts: false };

export const headers = () => privateHeaders;

export const meta: Route.MetaFunction = () => [{ title: "Suivre votre commande" }, { name: "robots", content: "noindex" }];

/** The link of an e-mail: opens the order's page, or asks for e-mail and number when the link is no longer valid. */
export async function loader({ params, request, context }: Route.LoaderArgs) {
	const opened = await openTrackingLink(context.get(shopContext), request, params);
	return opened ?? data({ number: params.number }, { status: 410 });
}

export default function TrackingLinkRoute({ loaderData: { number } }: Route.ComponentProps) {
	const answer = { error: trackingSentences.invalidLink, email: "", reference: number };
	return <TrackingPage number={number} described={null} answer={answer} />;
}
