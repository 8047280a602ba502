import { data, href, type RouterContextProvider, redirect } from "react-router";
import { fillIn } from "../content/fill-in.ts";
import { getText } from "../content/texts.ts";
import { clientContext, shopContext } from "../shop.ts";
import { readForm, setRetryAfter } from "../web/http.ts";
import { checkMessage, companyConcerns, type MessageForm, readAboutCompany, readMessage } from "./contact-message.ts";
import { receiveMessage } from "./receive-message.server.ts";

const tooManyMessages = "Trop de messages ont été envoyés. Réessayez dans une heure, ou appelez-nous.";

/** The arguments of the loaders and actions of /contact and /support. */
interface RouteArgs {
	request: Request;
	context: Readonly<RouterContextProvider>;
}

const paths: Record<MessageForm, string> = { contact: href("/contact"), support: href("/support") };

/** The data of a page with a message form. */
export function describeMessagePage({ request, context }: RouteArgs, form: MessageForm) {
	const { environment, textVariables } = context.get(shopContext);
	const { phone, email, supportHours } = environment.shop;
	return {
		text: fillIn(getText(paths[form]), textVariables),
		contactText: fillIn(getText(paths.contact), textVariables),
		shop: { phone, email, supportHours },
		sent: new URL(request.url).searchParams.get("envoye") === "1",
	};
}

/** The company and the concern of a form opened from a company's page; null for any other form. */
export function describeAbout(source: { get(name: string): unknown }) {
	const about = readAboutCompany(source);
	return about && { ...about, subject: companyConcerns[about.concern] };
}

/** Receives a message. A refused form is shown again with everything the visitor typed. */
export async function answerMessageForm({ request, context }: RouteArgs, form: MessageForm) {
	const fields = await readForm(request);
	const typed = readMessage(form, fields);
	const about = form === "contact" ? describeAbout(fields) : null;
	const received = await receiveMessage(context.get(shopContext), {
		form,
		values: typed,
		about,
		honeypot: String(fields.get("website") ?? "").trim(),
		client: context.get(clientContext).key,
	});
	if (received.ok) return redirect(`${paths[form]}?envoye=1`, 303);
	if (received.code === "limited") {
		setRetryAfter(context, received);
		return data({ typed, about, errors: {}, sentence: tooManyMessages }, { status: 429 });
	}
	return data({ typed, about, errors: checkMessage(form, typed), sentence: null }, { status: 400 });
}
