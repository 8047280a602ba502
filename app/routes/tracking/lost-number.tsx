import { data, href, redirect } from "react-router";
import { askForNumbers } from "../../customer/tracking/lost-number/ask-for-numbers.server.ts";
import { LostNumberPage } from "../../customer/tracking/lost-number/lost-number-page.tsx";
import { maxEmailLength } from "../../mail/email-address.ts";
import { readEmail } from "../../mail/read-email.server.ts";
import { explainEmail } from "../../mail/suggest-email.ts";
import { clientContext, shopContext } from "../../shop.ts";
import { pageMeta } from "../../ui/site.ts";
import { readForm, setRetryAfter } from "../../web/http.ts";
import type { Route } from "./+types/lost-number";

export const handle = { scripts: false };

export const loader = ({ request }: Route.LoaderArgs) => ({ requested: new URL(request.url).searchParams.get("demande") === "1" });

const tooManyRequests = "Trop de demandes ont été envoyées. Réessayez dans une heure.";

/** The same answer whether the address has orders or not (docs/rules.md, R62). */
export async function action({ request, context }: Route.ActionArgs) {
	const email = readEmail((await readForm(request)).get("email"));
	const asked = await askForNumbers(context.get(shopContext), { email, client: context.get(clientContext).key });
	if (asked.ok) return redirect(`${href("/numero-perdu")}?demande=1`, 303);
	const typed = email.slice(0, maxEmailLength);
	if (asked.code === "invalid") return data({ email: typed, sentence: explainEmail(email) ?? "", isFieldWrong: true }, { status: 400 });
	setRetryAfter(context, asked);
	return data({ email: typed, sentence: tooManyRequests, isFieldWrong: false }, { status: 429 });
}

export const meta: Route.MetaFunction = (page) =>
	pageMeta(page, {
		title: "Retrouver mon numéro de commande",
		picture: true,
		description: "Numéro de commande perdu\u00a0: indiquez votre adresse e-mail pour recevoir les numéros et les liens de vos commandes.",
		index: !page.loaderData.requested,
	});

export default function LostNumberRoute({ loaderData, actionData }: Route.ComponentProps) {
	return <LostNumberPage {...loaderData} refused={actionData} />;
}
