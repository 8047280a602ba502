import { data, href, redirect } from "react-router";
import { subscription } from "../catalogue/subscription.ts";
import { textVersions } from "../catalogue/text-versions.ts";
import { recordInterest } from "../contact/record-interest.server.ts";
import { SubscriptionPage } from "../contact/subscription-page.tsx";
import { fillIn } from "../content/fill-in.ts";
import { getText } from "../content/texts.ts";
import { readLine } from "../forms/text.ts";
import { checkEmail } from "../mail/email-address.ts";
import { clientContext, shopContext } from "../shop.ts";
import { pageMeta } from "../ui/site.ts";
import { readForm, setRetryAfter } from "../web/http.ts";
import type { Route } from "./+types/subscription.ts";

export const handle = { scripts: false };

export function loader({ request, context }: Route.LoaderArgs) {
	return {
		text: fillIn(getText(href("/abonnement")), context.get(shopContext).textVariables),
		recorded: new URL(request.url).searchParams.get("inscrit") === "1",
	};
}

const tooManyRequests = "Trop d’adresses ont été envoyées depuis votre connexion. Réessayez dans une heure.";

export async function action({ request, context }: Route.ActionArgs) {
	const form = await readForm(request);
	const read = (name: string) => readLine(form.get(name));
	const email = read("email");
	const recorded = await recordInterest(context.get(shopContext), {
		email,
		honeypot: read("website"),
		textVersion: textVersions.subscription.date,
		client: context.get(clientContext).key,
	});
	if (recorded.ok) return redirect(`${href("/abonnement")}?inscrit=1`, 303);
	if (recorded.code === "invalid") return data({ email, sentence: checkEmail(email) ?? "", limited: false }, { status: 400 });
	setRetryAfter(context, recorded);
	return data({ email, sentence: tooManyRequests, limited: true }, { status: 429 });
}

export const meta: Route.MetaFunction = (page) => pageMeta(page, { ...page.loaderData.text, picture: true });

export default function Subscription({ loaderData, actionData }: Route.ComponentProps) {
	return <SubscriptionPage {...loaderData} offer={subscription} refused={actionData} />;
}
