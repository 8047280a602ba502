import { randomUUID } from "node:crypto";
import { hour } from "../../../server/durations.ts";
import type { Context } from "../../../server/runtime.ts";
import { customerLinkMinutes, customerLinkSpacing } from "../../catalogue/link-lifetimes.ts";
import {
	describeUnsent,
	type EmailRequest,
	type EmailSpacing,
	mayAskForEmail,
	type RequestOutcome,
	receiveRequest,
	sendAskedEmail,
} from "../../mail/asked-emails.server.ts";
import type { EmailContent } from "../../mail/email.ts";
import { isEmail } from "../../mail/email-address.ts";
import type { MailContext } from "../../mail/mailer.ts";
import { normalizeEmail } from "../../mail/normalize-email.ts";
import { renderEmail } from "../../mail/render-email.tsx";
import { listInvoicesOfMailbox } from "../../orders/invoices/mailbox-fingerprints.server.ts";
import { listFirstOrdersOfCustomer } from "../../orders/orders.store.server.ts";
import { absoluteUrl } from "../../ui/absolute-url.ts";
import type { CustomerAuth } from "./auth.server.ts";

/** Requests of a client in an hour. */
const requestsPerClient = 10;

const spacing: EmailSpacing = { name: "customer-link", minutes: customerLinkSpacing };

/**
 * Receives an address whose owner wants to see its orders. A job looks for them, so that result and time are the same with and without
 * orders (docs/rules.md, R170). A mailbox that just had its e-mail gets the same result.
 */
export function askForCustomerLink(context: Context, request: EmailRequest): Promise<RequestOutcome> {
	const { db, jobs } = context;
	const { email, client } = request;
	return receiveRequest(context, { ...request, isValid: isEmail(email) }, ["customer-link", requestsPerClient], () =>
		db.transaction().execute(async (trx) => {
			if (await mayAskForEmail(context, trx, { email, client, spacing }))
				await jobs.send(trx, "send-customer-link", { mailId: randomUUID(), email });
		}),
	);
}

type SendLinkContext = MailContext & { customerAuth: () => Promise<CustomerAuth> };

/** An order that is not paid lets its mailbox have the link for so long: anybody can place one with somebody's address. */
const unpaidHours = 24;

/**
 * Sends a mailbox the link to its orders and invoices; nothing when it has no order that was paid, or placed within a day, and no invoice. A
 * link is made for each try, because it works for minutes only.
 * @throws after a temporary failure: the job tries again, with the same Message-ID.
 */
export async function sendCustomerLink(context: SendLinkContext, { mailId, email }: { mailId: string; email: string }): Promise<void> {
	const { db, environment, log, now, customerAuth } = context;
	const mailbox = normalizeEmail(email);
	const unpaidSince = new Date(now().getTime() - unpaidHours * hour);
	const [order] = await listFirstOrdersOfCustomer(db, email, { since: new Date(0), limit: 1, unpaidSince });
	if (order === undefined && (await listInvoicesOfMailbox(context, email)).length === 0) return;
	const { token } = await (await customerAuth()).api.createLink({ body: { mailbox } });
	const content = customerLinkEmail(absoluteUrl(environment.baseUrl, "/mes-commandes/lien/:token", { token }));
	// to the mailbox whose orders the link opens: the database may take an address with other letters for the same
	const sent = await sendAskedEmail(context, { id: mailId, to: mailbox, ...renderEmail(content, environment.shop) });
	if (!sent.ok) log.warn({ reason: describeUnsent(sent) }, "an e-mail with the link to a mailbox's orders was not sent");
}

/** The link to the orders of a mailbox. It names nobody and no order, because anybody may have typed the address. */
const customerLinkEmail = (url: string): EmailContent => ({
	subject: "Votre lien vers vos commandes",
	preheader: `Il est valable ${customerLinkMinutes} minutes et s’utilise une seule fois.`,
	title: "Vos commandes",
	blocks: [
		"Bonjour,",
		"Vous avez demandé à voir les commandes passées avec cette adresse.",
		{ action: "Voir mes commandes", url },
		`Ce lien est valable ${customerLinkMinutes} minutes. Il ouvre une page avec un bouton, et s’utilise une seule fois.`,
		"Ne transmettez ce message à personne : ce lien ouvre vos commandes, vos documents et vos factures.",
		"Vous n’avez rien demandé ? Ignorez ce message : tant que ce lien n’est pas utilisé, il n’ouvre rien.",
	],
});
