import { logOrderEvent } from "../../server/database/log-after-commit.ts";
import { inContext } from "../../server/observability/request-context.ts";
import { deleteContactsByEmail } from "../contact/contacts.server.ts";
import { deleteSubscriptionsByEmail } from "../newsletter/subscriptions.server.ts";
import { lockOrder, updateOrder } from "../orders/orders.server.ts";
import { eraseOrders } from "./erase-orders.server.ts";
import { isUnfinished, listOrdersOf } from "./retention.store.server.ts";
import type { RetentionContext } from "./retention-context.ts";

export interface ErasedPerson {
	/** Numbers of orders. `erased`: company, amounts and invoices stay. `delivery`: somebody else's, delivered to them. */
	orders: Record<"erased" | "deleted" | "unfinished" | "delivery", string[]>;
	messages: number;
	interest: number;
	/** Subscriptions, the proof of their consent too: nobody is written to without a new one. */
	newsletter: number;
}

/**
 * Erases one person (GDPR, article 17), found by their e-mail, case and blanks ignored: at once what would go after three years, but
 * what an unfinished order needs, and the invoices, which the law has kept for ten years (C. com. art. L123-22).
 * @throws when something outside of the database cannot be removed: its order is as it was, and erasing again goes on there.
 */
export async function erasePerson(context: RetentionContext, email: string): Promise<ErasedPerson> {
	const { made, received } = await listOrdersOf(context.db, email);
	const orders: ErasedPerson["orders"] = { erased: [], deleted: [], unfinished: [], delivery: [] };
	for (const { id, order_number } of made) {
		const { fault, ...outcomes } = await inContext({ order: id }, () => eraseOrders(context, [id]));
		if (fault !== undefined) throw fault;
		for (const outcome of ["erased", "deleted", "unfinished"] as const)
			if (outcomes[outcome].length > 0) orders[outcome].push(order_number);
	}
	for (const { id, order_number } of received)
		orders[await inContext({ order: id }, () => deleteDeliveryEmail(context, id))].push(order_number);
	return { orders, ...(await deleteContactsByEmail(context.db, email)), newsletter: await deleteSubscriptionsByEmail(context.db, email) };
}

/** Their address goes from somebody else's order. */
function deleteDeliveryEmail({ db }: RetentionContext, orderId: string): Promise<"delivery" | "unfinished"> {
	return db.transaction().execute(async (trx) => {
		await lockOrder(trx, orderId);
		if (await isUnfinished(trx, orderId)) return "unfinished";
		await updateOrder(trx, orderId, { delivery_email: null });
		logOrderEvent(trx, orderId, "address_changed", { address: "delivery" });
		return "delivery";
	});
}
