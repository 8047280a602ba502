import { data } from "react-router";
import { openLink } from "../../customer/tracking/tracking-access.server.ts";
import { trackingSentences } from "../../customer/tracking/tracking-form.ts";
import { TrackingPage } from "../../customer/tracking/tracking-page.tsx";
import { shopContext } from "../../shop.ts";
import { privateHeaders } from "../../web/http.ts";
import type { Route } from "./+types/tracking-link";

export const handle = { scripts: false };

export const headers = () => privateHeaders;

const isPurchaseUrl = (path: string) => path.includes("/ensemble/");

export const meta: Route.MetaFunction = ({ location }) => [
	{ title: isPurchaseUrl(location.pathname) ? "Suivre votre commande groupée" : "Suivre votre commande" },
	{ name: "robots", content: "noindex" },
];

/** The link of an e-mail about an order or a whole purchase: opens its page, or asks for e-mail and number when it is no longer valid. */
export async function loader({ params, request, context }: Route.LoaderArgs) {
	const link = { ...params, isWhole: isPurchaseUrl(new URL(request.url).pathname) };
	const opened = await openLink(context.get(shopContext), request, link);
	return opened ?? data({ number: params.number }, { status: 410 });
}

export default function TrackingLinkRoute({ loaderData: { number } }: Route.ComponentProps) {
	const answer = { error: trackingSentences.invalidLink, email: "", reference: number };
	return <TrackingPage number={number} described={null} answer={answer} />;
}
