import { formatLongDay } from "../../../catalogue/instants.ts";
import { trackingLinkDays } from "../../../catalogue/link-lifetimes.ts";
import { computeRetentionCutoff, formatPeriod, retention } from "../../../catalogue/retention.ts";
import { services } from "../../../catalogue/services.ts";
import { nameInSubject } from "../../../companies/company-name.ts";
import { createTrackingUrl } from "../../../emails/tracking-urls.server.ts";
import { describeUnsent, sendAskedEmail } from "../../../mail/asked-emails.server.ts";
import type { EmailBlock, EmailContent } from "../../../mail/email.ts";
import type { MailContext } from "../../../mail/mailer.ts";
import { renderEmail } from "../../../mail/render-email.tsx";
import type { Order } from "../../../orders/order.ts";
import { listFirstOrdersOfCustomer } from "../../../orders/orders.store.server.ts";
import { findPurchases } from "../../../orders/purchases.store.server.ts";

/** A purchase of several orders counts once. */
const maxPurchases = 20;

/**
 * Sends an address the numbers of its orders, with a link to each; a purchase of several is one link to its page. Sends nothing when it has none.
 * @throws after a temporary failure: the job tries again, with the same Message-ID.
 */
export async function sendOrderNumbers(context: MailContext, { mailId, email }: { mailId: string; email: string }): Promise<void> {
	const { db, now, log, environment } = context;
	const since = computeRetentionCutoff(now(), retention.orders);
	const orders = await listFirstOrdersOfCustomer(db, email, { since, limit: maxPurchases });
	const [newest] = orders;
	if (newest === undefined) return;
	const purchases = await findPurchases(
		db,
		orders.map(({ purchase_id }) => purchase_id),
	);
	const links = orders.map((order) => {
		const lines = purchases.get(order.purchase_id)?.lines;
		return { link: namePurchase(order, lines), url: createTrackingUrl(context, order, lines) };
	});
	const content = composeEmail(links);
	// to the stored address, not to the typed one
	const sent = await sendAskedEmail(context, { id: mailId, to: newest.customer_email, ...renderEmail(content, environment.shop) });
	if (!sent.ok) log.warn({ reason: describeUnsent(sent) }, "an e-mail with order numbers was not sent");
}

/** Names a purchase by its first order. */
function namePurchase(order: Order, lines = 1): string {
	const { order_number, product_code, created_at } = order;
	const day = formatLongDay(created_at);
	return lines === 1
		? `${order_number}, ${nameInSubject(order)}, ${services[product_code].name}, ${day}`
		: `Commande groupée ${order_number} : ${lines} lignes, dont ${nameInSubject(order)}, ${day}`;
}

const composeEmail = (links: readonly EmailBlock[]): EmailContent => ({
	subject: links.length === 1 ? "Votre numéro de commande" : "Vos numéros de commande",
	preheader: "Vos commandes, avec un lien pour suivre chacune.",
	title: links.length === 1 ? "Votre numéro de commande" : "Vos numéros de commande",
	blocks: [
		"Bonjour,",
		`Voici les commandes passées avec cette adresse. Cliquez sur une commande pour la suivre. Le lien d’une commande payée fonctionne ${formatPeriod({ days: trackingLinkDays })}, sans rien saisir. Pour une commande non payée, la page vous demande votre adresse e-mail.`,
		...links,
		"Vous n’avez rien demandé ? Ignorez ce message : il n’a été envoyé qu’à vous, et vos commandes n’ont pas changé.",
	],
});
