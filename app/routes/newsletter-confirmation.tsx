import { data, href } from "react-router";
import { fillIn } from "../content/text.ts";
import { confirmSubscription, readConfirmation } from "../newsletter/confirm-subscription.server.ts";
import { NewsletterStepPage } from "../newsletter/newsletter-page.tsx";
import { newsletterTexts } from "../newsletter/newsletter-texts.ts";
import { shopContext } from "../shop.ts";
import { privateHeaders } from "../web/http.ts";
import type { Route } from "./+types/newsletter-confirmation";

export const handle = { scripts: false };

export const headers = () => privateHeaders;

export const meta: Route.MetaFunction = ({ loaderData }) => [{ title: loaderData.title }, { name: "robots", content: "noindex" }];

const statuses = { asked: 200, confirmed: 200, expired: 410, wrong: 403 } as const;

/** Also draws the answer to the button: asked again, it says the same. */
export async function loader({ params, context }: Route.LoaderArgs) {
	const shop = context.get(shopContext);
	const state = await readConfirmation(shop, params.token);
	const path = state === "confirmed" ? href("/") : href("/lettre-information");
	return data({ ...fillIn(newsletterTexts.confirmation[state], shop.textVariables), path }, { status: statuses[state] });
}

export async function action({ params, context }: Route.ActionArgs) {
	await confirmSubscription(context.get(shopContext), params.token);
	return null;
}

export default function NewsletterConfirmation({ loaderData }: Route.ComponentProps) {
	return <NewsletterStepPage {...loaderData} />;
}
