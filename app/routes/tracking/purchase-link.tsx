import { data } from "react-router";
import { shopContext } from "../../shop.ts";
import { openPurchaseLink } from "../../tracking/tracking-access.server.ts";
import { trackingSentences } from "../../tracking/tracking-form.ts";
import { TrackingPage } from "../../tracking/tracking-page.tsx";
import { privateHeaders } from "../../web/http.ts";
import type { Route } from "./+types/purchase-link";

export const handle = { scripts: false };

export const headers = () => privateHeaders;

export const meta: Route.MetaFunction = () => [{ title: "Suivre votre commande groupée" }, { name: "robots", content: "noindex" }];

/** The link of an e-mail about a whole purchase: opens its page, or asks for e-mail and number when the link is no longer valid. */
export async function loader({ params, request, context }: Route.LoaderArgs) {
	const opened = await openPurchaseLink(context.get(shopContext), request, params);
	return opened ?? data({ number: params.number }, { status: 410 });
}

export default function PurchaseLinkRoute({ loaderData: { number } }: Route.ComponentProps) {
	const answer = { error: trackingSentences.invalidLink, email: "", reference: number };
	return <TrackingPage number={number} described={null} answer={answer} />;
}
