import { data, href, redirect } from "react-router";
import { subscription } from "../catalogue/subscription.ts";
import { noteInterest } from "../contact/note-interest.server.ts";
import { describePage, prepareText } from "../content/prepare-text.ts";
import { subscriptionPage } from "../content/subscription.ts";
import { SubscriptionPage } from "../content/subscription-page.tsx";
import { shopContext } from "../shop.ts";
import type { Route } from "./+types/subscription.ts";

export const handle = { scripts: false };

export function loader({ request, context }: Route.LoaderArgs) {
	const prepared = prepareText(subscriptionPage, href("/abonnement"), context.get(shopContext).environment);
	return { ...prepared, noted: new URL(request.url).searchParams.get("inscrit") === "1" };
}

export async function action({ request, context }: Route.ActionArgs) {
	const form = await request.formData();
	const read = (name: string) => String(form.get(name) ?? "").trim();
	const email = read("email");
	const answer = await noteInterest(context.get(shopContext), { email, trap: read("website"), textVersion: subscriptionPage.textVersion });
	if (!answer.ok) return data({ email, sentence: answer.sentence }, { status: 400 });
	return redirect(`${href("/abonnement")}?inscrit=1`, 303);
}

export function meta({ loaderData }: Route.MetaArgs) {
	return describePage(loaderData);
}

export default function Subscription({ loaderData, actionData }: Route.ComponentProps) {
	return <SubscriptionPage {...loaderData} offer={subscription} refused={actionData} />;
}
