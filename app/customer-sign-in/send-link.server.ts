import type { MailContext } from "../mail/mailer.ts";
import { normalizeEmail } from "../mail/normalize-email.ts";
import { renderEmail } from "../mail/render-email.tsx";
import { listFirstOrdersOfCustomer } from "../orders/orders.server.ts";
import { absoluteUrl } from "../ui/absolute-url.ts";
import type { CustomerAuth } from "./auth.server.ts";
import { customerLinkEmail } from "./link-email.ts";

type SendLinkContext = MailContext & { customerAuth: () => Promise<CustomerAuth> };

/**
 * Sends a mailbox the link to its orders; nothing when it has none. A link is made for each try, because it works for minutes only.
 * @throws after a temporary failure: the job tries again, with the same Message-ID.
 */
export async function sendCustomerLink(context: SendLinkContext, { mailId, email }: { mailId: string; email: string }): Promise<void> {
	const { db, environment, log, mailer, customerAuth } = context;
	const [order] = await listFirstOrdersOfCustomer(db, email, { since: new Date(0), limit: 1 });
	if (order === undefined) return;
	const { token } = await (await customerAuth()).api.createLink({ body: { mailbox: normalizeEmail(email) } });
	const content = customerLinkEmail(absoluteUrl(environment.baseUrl, "/mes-commandes/lien/:token", { token }));
	// to the stored address, not to the typed one
	const sent = await mailer.send({ id: mailId, to: order.customer_email, ...renderEmail(content, environment.shop) });
	if (!sent.ok) log.warn({ reason: sent.reply }, "an e-mail with the link to a mailbox's orders was refused");
}
