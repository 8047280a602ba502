import { data, href, redirect } from "react-router";
import { askForLink } from "../../company-alerts/ask-for-link.server.ts";
import { EmailPage } from "../../content/email-links/email-page.tsx";
import { fillIn } from "../../content/fill-in.ts";
import { getSection } from "../../content/text.ts";
import { getText } from "../../content/texts.ts";
import { readLine } from "../../forms/text.ts";
import { checkEmail, maxEmailLength } from "../../mail/email-address.ts";
import { clientContext, shopContext } from "../../shop.ts";
import { pageMeta } from "../../ui/site.ts";
import { readForm, setRetryAfter } from "../../web/http.ts";
import type { Route } from "./+types/alerts";

export const handle = { scripts: false };

export async function loader({ request, context }: Route.LoaderArgs) {
	const { textVariables, readWatch } = context.get(shopContext);
	const watched = await readWatch();
	const text = fillIn(getText(href("/alertes")), textVariables);
	return {
		text: watched
			? text
			: { ...text, lead: null, description: `${getSection(text, "pas-maintenant").heading}. Retrouvez le lien de vos alertes.` },
		content: watched ? ["contenu", "suivre"] : ["pas-maintenant"],
		requested: new URL(request.url).searchParams.get("demande") === "1",
	};
}

const tooManyRequests = "Trop de demandes ont été envoyées. Réessayez dans une heure.";

/** The same answer whether the address has alerts or not (docs/rules.md, R141). */
export async function action({ request, context }: Route.ActionArgs) {
	const form = await readForm(request);
	const [email, honeypot] = [readLine(form.get("email")), readLine(form.get("website"))];
	const asked = await askForLink(context.get(shopContext), { email, honeypot, client: context.get(clientContext).key });
	if (asked.ok) return redirect(`${href("/alertes")}?demande=1`, 303);
	const typed = email.slice(0, maxEmailLength);
	if (asked.code === "invalid") return data({ email: typed, sentence: checkEmail(email) ?? "", limited: false }, { status: 400 });
	setRetryAfter(context, asked);
	return data({ email: typed, sentence: tooManyRequests, limited: true }, { status: 429 });
}

export const meta: Route.MetaFunction = (page) =>
	pageMeta(page, { ...page.loaderData.text, picture: true, index: !page.loaderData.requested });

/** What alerts are, and the form for a lost link to them. */
export default function Alerts({ loaderData: { content, ...page }, actionData }: Route.ComponentProps) {
	return (
		<EmailPage
			{...page}
			anchors={{ content, form: "lien", thanks: "lien-demande" }}
			submit="Recevoir le lien de mes alertes"
			action={href("/alertes")}
			refused={actionData}
		/>
	);
}
