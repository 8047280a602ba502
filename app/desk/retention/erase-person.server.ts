import { logOrderEvent } from "../../../server/database/log-after-commit.ts";
import { inContext } from "../../../server/observability/request-context.ts";
import { deleteCounts } from "../../../server/rate-limits.ts";
import { deleteFormsByEmail } from "../../checkout/form/order-forms.server.ts";
import { deleteAlertsByEmail } from "../../companies/alerts/alerts.store.server.ts";
import { deleteContactsByEmail } from "../../customer/contact/contact.store.server.ts";
import { deleteCustomerSessionsByEmail } from "../../customer/sign-in/sessions.store.server.ts";
import { deleteConversationsByEmail } from "../../emails/messages/conversations.store.server.ts";
import { deleteSubscriptionsByEmail } from "../../emails/newsletter/subscriptions.store.server.ts";
import { normalizeEmail } from "../../mail/normalize-email.ts";
import { anonymiseAddress } from "../../mail/sent-emails.store.server.ts";
import type { StorageContext } from "../../orders/documents/storage.ts";
import { clearMailbox } from "../../orders/invoices/mailbox-fingerprints.server.ts";
import { lockOrder, updateOrder } from "../../orders/orders.store.server.ts";
import { eraseOrders } from "./erase-orders.server.ts";
import type { RetentionContext } from "./purge.server.ts";
import { isUnfinished, listOrdersByEmail, listOrdersOfPurchases } from "./retention.store.server.ts";

export interface ErasedPerson {
	/**
	 * Order numbers; the orders of a purchase are erased together. `archived`: contracts that the law has kept for longer, with the customer's
	 * name and addresses, the terms, the confirmation and the invoice. `erased`: company, amounts and invoices stay. `delivery`: orders of
	 * other customers, delivered to this person.
	 */
	orders: Record<"erased" | "deleted" | "archived" | "unfinished" | "delivery", string[]>;
	/** Order forms that were not paid, of the last day. */
	orderForms: number;
	/** E-mails about orders of others that went to this address or name it. They stay without the address. */
	otherEmails: number;
	messages: number;
	/** Exchanges by e-mail, with the shop's replies. Those about an unfinished order stay with it. */
	conversations: number;
	interest: number;
	/** Subscriptions, with their proof of consent: further issues need a new consent. */
	newsletter: number;
	/** Alerts about companies, with the record of their e-mails. */
	companyAlerts: number;
	/** Browsers in which they had « Mes commandes » open. */
	customerSessions: number;
	/** Invoices of orders that were erased before, which their mailbox no longer finds. The invoices stay. */
	untraceableInvoices: number;
}

/**
 * Erases a person (GDPR, article 17), found by e-mail, ignoring case and blanks. Unfinished orders stay unchanged, and
 * invoices stay because the law requires them for ten years (C. com. art. L123-22), as do contracts of 120 € and more (C. conso.
 * art. L213-1).
 * @throws when a deletion outside the database fails. Its order stays unchanged, and a second run continues there.
 */
export async function erasePerson(context: RetentionContext & Pick<StorageContext, "signer">, email: string): Promise<ErasedPerson> {
	const { made, received } = await listOrdersByEmail(context.db, email);
	const orders: ErasedPerson["orders"] = { erased: [], deleted: [], archived: [], unfinished: [], delivery: [] };
	const bought = await listOrdersOfPurchases(
		context.db,
		made.map(({ id }) => id),
	);
	for (const purchaseId of new Set(made.map(({ purchase_id }) => purchase_id))) {
		const { fault, ...erased } = await inContext({ order: purchaseId }, () => eraseOrders(context, [purchaseId]));
		if (fault !== undefined) throw fault;
		for (const outcome of ["erased", "deleted", "archived", "unfinished"] as const)
			orders[outcome].push(...bought.filter(({ id }) => erased[outcome].includes(id)).map(({ order_number }) => order_number));
	}
	for (const { id, order_number } of received)
		orders[await inContext({ order: id }, () => deleteDeliveryEmail(context, id))].push(order_number);
	const keptNumbers = orders.unfinished.concat(orders.archived);
	const keptOrders = [...made, ...received].filter(({ order_number }) => keptNumbers.includes(order_number)).map(({ id }) => id);
	const otherEmails = await context.db.transaction().execute((trx) => anonymiseAddress(trx, email, keptOrders));
	await deleteCounts(context, context.db, normalizeEmail(email));
	// those about unfinished orders stay; eraseOrders deleted those of erased and archived ones, and those of deleted orders name none
	const conversations = await deleteConversationsByEmail(
		context.db,
		email,
		made.map(({ id }) => id),
	);
	return {
		orders,
		otherEmails,
		conversations,
		orderForms: await deleteFormsByEmail(context.db, email),
		...(await deleteContactsByEmail(context.db, email)),
		newsletter: await deleteSubscriptionsByEmail(context.db, email),
		companyAlerts: await deleteAlertsByEmail(context.db, email),
		customerSessions: await deleteCustomerSessionsByEmail(context.db, email),
		untraceableInvoices: await clearMailbox(context, email),
	};
}

/** Deletes the delivery address from another customer's order. */
function deleteDeliveryEmail({ db }: RetentionContext, orderId: string): Promise<"delivery" | "unfinished"> {
	return db.transaction().execute(async (trx) => {
		await lockOrder(trx, orderId);
		if (await isUnfinished(trx, orderId)) return "unfinished";
		await updateOrder(trx, orderId, { delivery_email: null });
		logOrderEvent(trx, orderId, "address_changed", { address: "delivery" });
		return "delivery";
	});
}
