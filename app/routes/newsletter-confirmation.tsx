import { data, href } from "react-router";
import { LinkStepPage } from "../content/email-links/link-step-page.tsx";
import { fillIn } from "../content/fill-in.ts";
import { getSection } from "../content/text.ts";
import { getText } from "../content/texts.ts";
import { confirmSubscription, getConfirmationState } from "../newsletter/confirm-subscription.server.ts";
import { confirmationSteps } from "../newsletter/newsletter-steps.ts";
import { shopContext } from "../shop.ts";
import { privateHeaders } from "../web/http.ts";
import type { Route } from "./+types/newsletter-confirmation";

export const handle = { scripts: false };

export const headers = () => privateHeaders;

export const meta: Route.MetaFunction = ({ loaderData }) => [{ title: loaderData.section.heading }, { name: "robots", content: "noindex" }];

/** Also runs after the action of the button, which shows the same page in its next state. */
export async function loader({ params, context }: Route.LoaderArgs) {
	const shop = context.get(shopContext);
	const { anchor, status, submit, next } = confirmationSteps[await getConfirmationState(shop, params.token)];
	const section = fillIn(getSection(getText(href("/lettre-information")), anchor), shop.textVariables);
	return data({ section, submit, next }, { status });
}

export async function action({ params, context }: Route.ActionArgs) {
	await confirmSubscription(context.get(shopContext), params.token);
	return null;
}

export default function NewsletterConfirmation({ loaderData }: Route.ComponentProps) {
	return <LinkStepPage {...loaderData} />;
}
