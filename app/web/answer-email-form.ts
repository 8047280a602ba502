import { data, type RouterContextProvider, redirect } from "react-router";
import type { EmailRequest, RequestOutcome } from "../mail/asked-emails.server.ts";
import { maxEmailLength } from "../mail/email-address.ts";
import { readEmail } from "../mail/read-email.server.ts";
import { explainEmail } from "../mail/suggest-email.ts";
import { clientContext } from "../shop.ts";
import { readLine } from "../ui/forms/text.ts";
import { setRetryAfter } from "./http.ts";

/**
 * Answers a form with one e-mail address: the page that thanks, or the form with what was typed and why it is refused.
 * @param thanks the URL of that page. @param receive the use case. @param tooMany what a client reads that sent too many.
 */
export async function answerEmailForm(
	context: Readonly<RouterContextProvider>,
	form: FormData,
	{
		receive,
		thanks,
		tooMany = "Trop de demandes ont été envoyées. Réessayez dans une heure.",
		headers = {},
	}: { receive: (request: EmailRequest) => Promise<RequestOutcome>; thanks: string; tooMany?: string; headers?: HeadersInit },
) {
	const [email, honeypot] = [readEmail(form.get("email")), readLine(form.get("website"))];
	const received = await receive({ email, honeypot, client: context.get(clientContext).key });
	if (received.ok) return redirect(thanks, { status: 303, headers });
	const typed = email.slice(0, maxEmailLength);
	if (received.code === "invalid") return data({ email: typed, sentence: explainEmail(email) ?? "", limited: false }, { status: 400 });
	setRetryAfter(context, received);
	return data({ email: typed, sentence: tooMany, limited: true }, { status: 429 });
}
