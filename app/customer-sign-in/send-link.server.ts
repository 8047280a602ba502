import { hour } from "../../server/durations.ts";
import { listInvoicesOfMailbox } from "../invoices/invoices.server.ts";
import { describeUnsent, sendAskedEmail } from "../mail/asked-emails.server.ts";
import type { MailContext } from "../mail/mailer.ts";
import { normalizeEmail } from "../mail/normalize-email.ts";
import { renderEmail } from "../mail/render-email.tsx";
import { listFirstOrdersOfCustomer } from "../orders/orders.server.ts";
import { absoluteUrl } from "../ui/absolute-url.ts";
import type { CustomerAuth } from "./auth.server.ts";
import { customerLinkEmail } from "./link-email.ts";

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
