import { data, href, type RouterContextProvider, redirect } from "react-router";
import { fillIn } from "../content/fill-in.ts";
import { getText } from "../content/texts.ts";
import { clientContext, shopContext } from "../shop.ts";
import { readForm, setRetryAfter } from "../web/http.ts";
import { checkMessage, companyConcerns, type MessageForm, readAboutCompany, readMessage } from "./contact-message.ts";
import { receiveMessage } from "./receive-message.server.ts";

const tooManyMessages = "Trop de messages ont été envoyés. Réessayez dans une heure, ou appelez-nous.";

/** What /contact and /support do alike: show a form, take a message. */
interface Args {
	request: Request;
	context: Readonly<RouterContextProvider>;
}

const paths: Record<MessageForm, string> = { contact: href("/contact"), support: href("/support") };

/** What a page with a message form shows. */
export function describeMessagePage({ request, context }: Args, form: MessageForm) {
	const { environment, textVariables } = context.get(shopContext);
	const { phone, email, supportHours } = environment.shop;
	return {
		text: fillIn(getText(paths[form]), textVariables),
		contactText: fillIn(getText(paths.contact), textVariables),
		shop: { phone, email, supportHours },
		sent: new URL(request.url).searchParams.get("envoye") === "1",
	};
}

/** What a message that was reached from a company's page is about, as its form shows it and sends it on; null for any other. */
export function describeAbout(source: { get(name: string): unknown }) {
	const about = readAboutCompany(source);
	return about && { ...about, subject: companyConcerns[about.concern] };
}

/** Takes a message; what is not taken goes back to the form with all that was typed. */
export async function takeMessage({ request, context }: Args, form: MessageForm) {
	const fields = await readForm(request);
	const typed = readMessage(form, fields);
	const about = form === "contact" ? describeAbout(fields) : null;
	const answer = await receiveMessage(context.get(shopContext), {
		form,
		values: typed,
		about,
		trap: String(fields.get("website") ?? "").trim(),
		from: context.get(clientContext).key,
	});
	if (answer.ok) return redirect(`${paths[form]}?envoye=1`, 303);
	if (answer.code === "limited") {
		setRetryAfter(context, answer);
		return data({ typed, about, errors: {}, sentence: tooManyMessages }, { status: 429 });
	}
	return data({ typed, about, errors: checkMessage(form, typed), sentence: null }, { status: 400 });
}
