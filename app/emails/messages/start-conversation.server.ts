import { randomUUID } from "node:crypto";
import type { Trx } from "../../../server/database/database.ts";
import type { Order } from "../../orders/order.ts";
import { insertConversation } from "./conversations.store.server.ts";
import type { FoundOrder } from "./find-order.server.ts";

interface FormMessage {
	id: string;
	name: string;
	email: string;
	/** Null for the contact form. */
	subject: string | null;
	order: FoundOrder;
	now: Date;
}

/** Starts the conversation of a message of the contact or support form, in the transaction that stores it. */
export async function startFormConversation(trx: Trx, { id, name, email, subject, order, now }: FormMessage): Promise<void> {
	const from = { contact_message_id: id, refund_request_id: null };
	await insertConversation(trx, { id: randomUUID(), ...from, ...order, email, name, subject: subject ?? "Message", now });
}

/** Starts the conversation of a refund request, in the transaction that stores it. */
export async function startRefundConversation(trx: Trx, order: Order, requestId: string, now: Date): Promise<void> {
	await insertConversation(trx, {
		id: randomUUID(),
		contact_message_id: null,
		refund_request_id: requestId,
		order_id: order.id,
		order_found: "request",
		email: order.customer_email,
		name: `${order.first_name} ${order.last_name}`,
		subject: "Demande de remboursement",
		now,
	});
}
