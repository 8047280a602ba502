import { randomUUID } from "node:crypto";
import { data, href, type RouterContextProvider, redirect } from "react-router";
import type { Context } from "../../../server/runtime.ts";
import { fillIn } from "../../content/fill-in.ts";
import { getText } from "../../content/texts.ts";
import { findOrderOfMessage } from "../../emails/messages/find-order.server.ts";
import { startFormConversation } from "../../emails/messages/start-conversation.server.ts";
import { type EmailRequest, mayAskForEmail, type RequestOutcome, receiveRequest } from "../../mail/asked-emails.server.ts";
import { readEmail } from "../../mail/read-email.server.ts";
import { clientContext, shopContext } from "../../shop.ts";
import { checkPhone, readPhone } from "../../ui/forms/read-phone.server.ts";
import { readForm, setRetryAfter } from "../../web/http.ts";
import { insertMessage } from "./contact.store.server.ts";
import {
	type AboutCompany,
	checkMessage,
	companyConcerns,
	type MessageErrors,
	type MessageForm,
	type MessageValues,
	readAboutCompany,
	readMessage,
	toContactMessage,
} from "./contact-message.ts";

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
	const typed = readValues(form, fields);
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
	return data({ typed, about, errors: checkValues(form, typed), sentence: null }, { status: 400 });
}

/** The server knows the telephone plans of other countries, and how a domain is written. */
function readValues(form: MessageForm, fields: FormData): MessageValues {
	const read = readMessage(form, fields);
	return { ...read, email: readEmail(read.email), phone: readPhone(read.phone) };
}

function checkValues(form: MessageForm, values: MessageValues): MessageErrors {
	const phone = checkPhone(values.phone);
	return { ...(phone && { phone }), ...checkMessage(form, values) };
}

interface MessageSubmission extends Omit<EmailRequest, "email"> {
	form: MessageForm;
	values: MessageValues;
	/** The company's page from which the form was opened. */
	about: AboutCompany | null;
}

/** Per hour, both forms together. A mailbox has no limit: its owner could else be shut out by others who type its address. */
const messagesPerClient = 20;

/** Stores a message and enqueues its forwarding in one transaction. */
export function receiveMessage(context: Context, { form, values, about, ...request }: MessageSubmission): Promise<RequestOutcome> {
	const { db, jobs, now } = context;
	const isValid = Object.keys(checkValues(form, values)).length === 0;
	return receiveRequest(context, { ...request, isValid }, ["contact", messagesPerClient], async () => {
		const id = randomUUID();
		const message = toContactMessage(values, about);
		const order = await findOrderOfMessage(db, { text: message.message, email: message.email, now: now() });
		await db.transaction().execute(async (trx) => {
			await insertMessage(trx, { id, ...message, now: now() });
			await startFormConversation(trx, { id, ...message, order, now: now() });
			const withReceipt = await mayAskForEmail(context, trx, { email: message.email, client: request.client });
			await jobs.send(trx, "pass-on-message", { messageId: id, withReceipt });
		});
	});
}
