import { data, href } from "react-router";
import { LinkStepPage } from "../content/email-links/link-step-page.tsx";
import { readLinkStep } from "../content/email-links/read-link-step.ts";
import { confirmSubscription, getConfirmationState } from "../emails/newsletter/confirm-subscription.server.ts";
import { confirmationSteps } from "../emails/newsletter/newsletter-steps.ts";
import { shopContext } from "../shop.ts";
import { privateHeaders } from "../web/http.ts";
import type { Route } from "./+types/newsletter-confirmation";

export const handle = { scripts: false };

export const headers = () => privateHeaders;

export const meta: Route.MetaFunction = ({ loaderData }) => [{ title: loaderData.section.heading }, { name: "robots", content: "noindex" }];

/** Also runs after the action of the button, which shows the same page in its next state. */
export async function loader({ params, context }: Route.LoaderArgs) {
	const shop = context.get(shopContext);
	const step = confirmationSteps[await getConfirmationState(shop, params.token)];
	return data(readLinkStep(step, href("/lettre-information"), shop.textVariables), { status: step.status });
}

export async function action({ params, context }: Route.ActionArgs) {
	await confirmSubscription(context.get(shopContext), params.token);
	return null;
}

export default function NewsletterConfirmation({ loaderData }: Route.ComponentProps) {
	return <LinkStepPage {...loaderData} />;
}
