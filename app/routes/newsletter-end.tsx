import { data, href } from "react-router";
import { fillIn } from "../content/text.ts";
import { endSubscription, readEnd } from "../newsletter/end-subscription.server.ts";
import { NewsletterStepPage } from "../newsletter/newsletter-page.tsx";
import { newsletterTexts } from "../newsletter/newsletter-texts.ts";
import { shopContext } from "../shop.ts";
import { privateHeaders } from "../web/http.ts";
import type { Route } from "./+types/newsletter-end";

export const handle = { scripts: false };

export const headers = () => privateHeaders;

export const meta: Route.MetaFunction = ({ loaderData }) => [{ title: loaderData.title }, { name: "robots", content: "noindex" }];

/** Also draws the answer to the button: asked again, it says the same. */
export async function loader({ params, context }: Route.LoaderArgs) {
	const shop = context.get(shopContext);
	const state = await readEnd(shop, params.token);
	const path = state === "wrong" ? href("/contact") : href("/lettre-information");
	return data({ ...fillIn(newsletterTexts.end[state], shop.textVariables), path }, { status: state === "wrong" ? 403 : 200 });
}

/**
 * By the page's button, or by a mail program in the reader's name, which sends `List-Unsubscribe=One-Click` without a cookie or an origin
 * and follows no redirection (RFC 8058, 3.1 and 3.2). The link is all that either needs: the body is not looked at.
 */
export async function action({ params, context }: Route.ActionArgs) {
	await endSubscription(context.get(shopContext), params.token);
	return null;
}

export default function NewsletterEnd({ loaderData }: Route.ComponentProps) {
	return <NewsletterStepPage {...loaderData} />;
}
