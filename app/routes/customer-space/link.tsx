import { data, href, redirect } from "react-router";
import { LinkStepPage } from "../../content/email-links/link-step-page.tsx";
import { type LinkStep, readLinkStep } from "../../content/email-links/read-link-step.ts";
import { isLinkOpen, openSessionByLink } from "../../customer/sign-in/sessions.server.ts";
import { shopContext } from "../../shop.ts";
import { privateHeaders, withPrivateHeaders } from "../../web/http.ts";
import type { Route } from "./+types/link";

/** The page behind the link of an e-mail: sections of texts/mes-commandes.md. */
const customerLinkSteps = {
	open: { anchor: "ouvrir", status: 200, submit: "Ouvrir mes commandes" },
	ended: { anchor: "lien-expire", status: 410, next: { label: "Demander un nouveau lien", url: href("/mes-commandes") } },
} as const satisfies Record<string, LinkStep>;

export const handle = { scripts: false };

export const headers = () => privateHeaders;

export const meta: Route.MetaFunction = ({ loaderData }) => [
	{ title: loaderData?.section.heading },
	{ name: "robots", content: "noindex" },
];

/** Opening the link changes nothing: its page has a button. Runs also after a button that came too late. */
export async function loader({ params, context }: Route.LoaderArgs) {
	const shop = context.get(shopContext);
	const step = customerLinkSteps[(await isLinkOpen(shop, params.token)) ? "open" : "ended"];
	return data(readLinkStep(step, href("/mes-commandes"), shop.textVariables), { status: step.status });
}

/** The button: uses the link up and signs this browser in. */
export async function action({ params, request, context }: Route.ActionArgs) {
	const cookies = await openSessionByLink(context.get(shopContext), params.token, request.headers);
	// the loader shows that the link cannot be used
	if (cookies === null) return null;
	return redirect(href("/mes-commandes"), { status: 303, headers: withPrivateHeaders(cookies) });
}

export default function CustomerLink({ loaderData }: Route.ComponentProps) {
	return <LinkStepPage {...loaderData} />;
}
