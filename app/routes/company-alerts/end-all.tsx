import { data, href } from "react-router";
import { endAllSteps } from "../../companies/alerts/alert-steps.ts";
import { endAll, getEndOfAll } from "../../companies/alerts/end-alerts.server.ts";
import { LinkStepPage } from "../../content/email-links/link-step-page.tsx";
import { readLinkStep } from "../../content/email-links/read-link-step.ts";
import { shopContext } from "../../shop.ts";
import { privateHeaders } from "../../web/http.ts";
import type { Route } from "./+types/end-all";

export const handle = { scripts: false };

export const headers = () => privateHeaders;

export const meta: Route.MetaFunction = ({ loaderData }) => [{ title: loaderData.section.heading }, { name: "robots", content: "noindex" }];

/** Also runs after the action of the button, which shows the same page in its next state. */
export async function loader({ params, context }: Route.LoaderArgs) {
	const shop = context.get(shopContext);
	const step = endAllSteps[await getEndOfAll(shop, params.token)];
	return data(readLinkStep(step, href("/alertes"), shop.textVariables), { status: step.status });
}

/**
 * Handles the page's button, and mail programs that unsubscribe their user with one click: they send `List-Unsubscribe=One-Click`
 * without a cookie or an origin, and follow no redirect (RFC 8058, 3.1 and 3.2). The body is not read, because the token is enough.
 */
export async function action({ params, context }: Route.ActionArgs) {
	await endAll(context.get(shopContext), params.token);
	return null;
}

export default function EndAll({ loaderData }: Route.ComponentProps) {
	return <LinkStepPage {...loaderData} />;
}
