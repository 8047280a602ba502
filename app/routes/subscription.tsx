import { href } from "react-router";
import { subscription } from "../catalogue/subscription.ts";
import { textVersions } from "../catalogue/text-versions.ts";
import { fillIn } from "../content/fill-in.ts";
import { getText } from "../content/texts.ts";
import { getWatchVariables } from "../content/variables.ts";
import { recordInterest } from "../customer/contact/record-interest.server.ts";
import { SubscriptionPage } from "../customer/contact/subscription-page.tsx";
import { shopContext } from "../shop.ts";
import { pageMeta } from "../ui/site.ts";
import { answerEmailForm } from "../web/answer-email-form.ts";
import { readForm } from "../web/http.ts";
import type { Route } from "./+types/subscription.ts";

export const handle = { scripts: false };

export async function loader({ request, context }: Route.LoaderArgs) {
	const { textVariables, readWatch } = context.get(shopContext);
	return {
		text: fillIn(getText(href("/abonnement")), { ...textVariables, ...getWatchVariables(await readWatch()) }),
		recorded: new URL(request.url).searchParams.get("inscrit") === "1",
	};
}

export async function action({ request, context }: Route.ActionArgs) {
	const textVersion = textVersions.subscription.date;
	return answerEmailForm(context, await readForm(request), {
		receive: (submission) => recordInterest(context.get(shopContext), { ...submission, textVersion }),
		thanks: `${href("/abonnement")}?inscrit=1`,
		tooMany: "Trop d’adresses ont été envoyées depuis votre connexion. Réessayez dans une heure.",
	});
}

export const meta: Route.MetaFunction = (page) => pageMeta(page, { ...page.loaderData.text, picture: true });

export default function Subscription({ loaderData, actionData }: Route.ComponentProps) {
	return <SubscriptionPage {...loaderData} offer={subscription} refused={actionData} />;
}
