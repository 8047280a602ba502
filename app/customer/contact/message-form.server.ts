import { randomUUID } from "node:crypto";
import { data, href, type RouterContextProvider, redirect } from "react-router";
import type { Context } from "../../../server/runtime.ts";
import { fillIn } from "../../content/fill-in.ts";
import { getText } from "../../content/texts.ts";
import { findOrderOfMessage } from "../../emails/messages/find-order.server.ts";
import { startFormConversation } from "../../emails/messages/start-conversation.server.ts";
import { type EmailRequest, mayAskForEmail, type RequestOutcome, receiveRequest } from "../../mail/asked-emails.server.ts";
import { readEmail } from "../../mail/read-email.server.ts";
import { type AccessKey, mayAsk } from "../../orders/access.ts";
import type { Order } from "../../orders/order.ts";
import { parseOrderNumber } from "../../orders/order-number.server.ts";
import { clientContext, shopContext } from "../../shop.ts";
import { checkPhone, readPhone } from "../../ui/forms/read-phone.server.ts";
import { readForm, setRetryAfter } from "../../web/http.ts";
import { insertMessage } from "./contact.store.server.ts";
import {
	checkMessage,
	companyConcerns,
	type MessageAbout,
	type MessageErrors,
	type MessageForm,
	type MessageValues,
	nameSubjectOfOrder,
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

/** What a form is about that was opened from the page of a company or an order; null for any other form. */
export function describeAbout(source: { get(name: string): unknown }): MessageAbout | null {
	const company = readAboutCompany(source);
	if (company) return { subject: companyConcerns[company.concern], company, order: null };
	const order = parseOrderNumber(String(source.get("commande") ?? ""));
	return order && describeOrderMessage(order);
}

const describeOrderMessage = (number: string): MessageAbout => ({ subject: nameSubjectOfOrder(number), company: null, order: number });

/** The page that the contact form has for a number alone, which proves nothing. */
export const toOrderMessageUrl = (number: string): string => `${paths.contact}?${new URLSearchParams({ commande: number })}`;

/** The contact form about an order, filled in as far as the key of its page opens the name and the address of its customer. */
export function fillInOrderMessage({ order, access }: { order: Order; access: AccessKey }) {
	return {
		about: describeOrderMessage(order.order_number),
		known: {
			nom: mayAsk(access, "read-addresses") ? `${order.first_name} ${order.last_name}` : "",
			email: mayAsk(access, "read-email") ? order.customer_email : "",
			message: "",
		},
	};
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
	if (received.ok) {
		const query = new URLSearchParams({ envoye: "1", ...(about?.order && { commande: about.order }) });
		return redirect(`${paths[form]}?${query}`, 303);
	}
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
	about: MessageAbout | null;
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
		const text = [message.subject, message.message].filter(Boolean).join("\n");
		const order = await findOrderOfMessage(db, { text, email: message.email, now: now() });
		await db.transaction().execute(async (trx) => {
			await insertMessage(trx, { id, ...message, now: now() });
			await startFormConversation(trx, { id, ...message, order, now: now() });
			const withReceipt = await mayAskForEmail(context, trx, { email: message.email, client: request.client });
			await jobs.send(trx, "pass-on-message", { messageId: id, withReceipt });
		});
	});
}
