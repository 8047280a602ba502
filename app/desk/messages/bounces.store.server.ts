import { anyOf, type Database } from "../../../server/database/database.ts";
import { listRowKindsTo } from "../../emails/order-emails.server.ts";

/** SQL of the page of refused e-mails. */

/** The newest refused e-mails to customers and their recipients. */
export async function listBouncedMails(db: Database, limit: number) {
	return db
		.selectFrom("mails")
		.innerJoin("orders", "orders.id", "mails.order_id")
		.select(["mails.id", "mails.kind", "mails.bounced_at", "mails.bounce_reason", "orders.id as order_id", "order_number"])
		.select(["company_name", "customer_email", "delivery_email", "phone", "first_name", "last_name"])
		.where("mails.bounced_at", "is not", null)
		.where("mails.kind", "=", anyOf(listRowKindsTo("customer", "delivery")))
		.where("orders.erased_at", "is", null)
		.orderBy("mails.bounced_at", "desc")
		.orderBy("mails.id")
		.limit(limit)
		.execute();
}

/** The newest refused replies, each with its conversation. */
export async function listBouncedReplies(db: Database, limit: number) {
	return db
		.selectFrom("conversation_messages")
		.innerJoin("conversations", "conversations.id", "conversation_id")
		.select(["conversations.id", "conversations.subject", "conversations.email", "bounced_at", "bounce_reason"])
		.where("bounced_at", "is not", null)
		.where("waiting_since", "is not", null)
		.orderBy("bounced_at", "desc")
		.limit(limit)
		.execute();
}
