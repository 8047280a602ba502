import { href } from "react-router";
import { EmailPage } from "../content/email-links/email-page.tsx";
import { fillIn } from "../content/fill-in.ts";
import { getText } from "../content/texts.ts";
import { receiveNewsletterRequest } from "../emails/newsletter/ask-for-newsletter.server.ts";
import { shopContext } from "../shop.ts";
import { pageMeta } from "../ui/site.ts";
import { answerEmailForm } from "../web/answer-email-form.ts";
import { readForm } from "../web/http.ts";
import type { Route } from "./+types/newsletter";

export const handle = { scripts: false };

export function loader({ request, context }: Route.LoaderArgs) {
	return {
		text: fillIn(getText(href("/lettre-information")), context.get(shopContext).textVariables),
		requested: new URL(request.url).searchParams.get("demande") === "1",
	};
}

export async function action({ request, context }: Route.ActionArgs) {
	return answerEmailForm(context, await readForm(request), {
		receive: (submission) => receiveNewsletterRequest(context.get(shopContext), submission),
		thanks: `${href("/lettre-information")}?demande=1`,
	});
}

export const meta: Route.MetaFunction = (page) =>
	pageMeta(page, { ...page.loaderData.text, picture: true, index: !page.loaderData.requested });

export default function Newsletter({ loaderData, actionData }: Route.ComponentProps) {
	return (
		<EmailPage
			{...loaderData}
			anchors={{ content: ["contenu"], form: "inscription", thanks: "demande" }}
			submit="S’inscrire"
			action={href("/lettre-information")}
			refused={actionData}
		/>
	);
}
