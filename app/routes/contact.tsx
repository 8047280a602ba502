import { data, href, redirect } from "react-router";
import { readForm } from "../../server/http.ts";
import { receiveMessage } from "../contact/receive-message.server.ts";
import { contactPage } from "../content/contact.ts";
import { ContactPage } from "../content/contact-page.tsx";
import { factsOf } from "../content/facts.ts";
import { fillIn } from "../content/text.ts";
import { clientAddressContext, shopContext } from "../shop.ts";
import { pageMeta } from "../ui/site.ts";
import type { Route } from "./+types/contact";

export const handle = { scripts: false };

export function loader({ request, context }: Route.LoaderArgs) {
	const { environment } = context.get(shopContext);
	const { phone, email, supportHours } = environment.shop;
	return {
		text: fillIn(contactPage, factsOf(environment)),
		shop: { phone, email, supportHours },
		sent: new URL(request.url).searchParams.get("envoye") === "1",
	};
}

export async function action({ request, context }: Route.ActionArgs) {
	const form = await readForm(request);
	const read = (name: string) =>
		String(form.get(name) ?? "")
			.replaceAll("\r\n", "\n")
			.trim();
	const typed = { nom: read("nom"), email: read("email"), message: read("message") };
	const answer = await receiveMessage(context.get(shopContext), {
		name: typed.nom,
		email: typed.email,
		message: typed.message,
		trap: read("website"),
		from: context.get(clientAddressContext),
	});
	if (answer.ok) return redirect(`${href("/contact")}?envoye=1`, 303);
	if (answer.reason === "limited") return data({ typed, errors: {}, sentence: answer.sentence }, { status: 429 });
	const { name: nom, email, message } = answer.errors;
	return data({ typed, errors: { nom, email, message }, sentence: null }, { status: 400 });
}

export const meta: Route.MetaFunction = (page) => pageMeta(page, { ...page.loaderData.text, index: !page.loaderData.sent });

export default function Contact({ loaderData, actionData }: Route.ComponentProps) {
	return <ContactPage {...loaderData} refused={actionData} />;
}
