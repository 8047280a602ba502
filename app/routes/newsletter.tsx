import { data, href, redirect } from "react-router";
import { EmailPage } from "../content/email-links/email-page.tsx";
import { fillIn } from "../content/fill-in.ts";
import { getText } from "../content/texts.ts";
import { readLine } from "../forms/text.ts";
import { checkEmail } from "../mail/email-address.ts";
import { receiveRequest } from "../newsletter/receive-request.server.ts";
import { clientContext, shopContext } from "../shop.ts";
import { pageMeta } from "../ui/site.ts";
import { readForm, setRetryAfter } from "../web/http.ts";
import type { Route } from "./+types/newsletter";

export const handle = { scripts: false };

export function loader({ request, context }: Route.LoaderArgs) {
	return {
		text: fillIn(getText(href("/lettre-information")), context.get(shopContext).textVariables),
		requested: new URL(request.url).searchParams.get("demande") === "1",
	};
}

const tooManyRequests = "Trop de demandes ont été envoyées. Réessayez dans une heure.";

export async function action({ request, context }: Route.ActionArgs) {
	const form = await readForm(request);
	const read = (name: string) => readLine(form.get(name));
	const email = read("email");
	const client = context.get(clientContext).key;
	const received = await receiveRequest(context.get(shopContext), { email, honeypot: read("website"), client });
	if (received.ok) return redirect(`${href("/lettre-information")}?demande=1`, 303);
	if (received.code === "invalid") return data({ email, sentence: checkEmail(email) ?? "", limited: false }, { status: 400 });
	setRetryAfter(context, received);
	return data({ email, sentence: tooManyRequests, limited: true }, { status: 429 });
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
