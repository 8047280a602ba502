import { href } from "react-router";
import { askForLink } from "../../companies/alerts/send-link.server.ts";
import { EmailPage } from "../../content/email-links/email-page.tsx";
import { fillIn } from "../../content/fill-in.ts";
import { getSection } from "../../content/text.ts";
import { getText } from "../../content/texts.ts";
import { shopContext } from "../../shop.ts";
import { pageMeta } from "../../ui/site.ts";
import { answerEmailForm } from "../../web/answer-email-form.ts";
import { readForm } from "../../web/http.ts";
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

/** The same answer whether the address has alerts or not (docs/rules.md, R141). */
export async function action({ request, context }: Route.ActionArgs) {
	return answerEmailForm(context, await readForm(request), {
		receive: (submission) => askForLink(context.get(shopContext), submission),
		thanks: `${href("/alertes")}?demande=1`,
	});
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
