import { randomUUID } from "node:crypto";
import type { Insertable } from "kysely";
import { toJson } from "../server/database/column-types.ts";
import type { Database } from "../server/database/database.ts";
import type { ConversationMessages, Conversations, RefundRequests } from "../server/database/database-types.gen.ts";

/** Inserts a conversation that waits since `last_at`, except for the given columns. @returns its id. */
export async function insertConversation(db: Database, values: Partial<Insertable<Conversations>> & { last_at: Date }): Promise<string> {
	const id = randomUUID();
	const usual = { email: "lea@example.fr", name: "Léa", subject: "Question", waiting_since: values.last_at };
	await db
		.insertInto("conversations")
		.values({ id, ...usual, ...values })
		.execute();
	return values.id ?? id;
}

/** Inserts a mail that came in, except for the given columns. @returns its id. */
export async function insertMessage(
	db: Database,
	conversation_id: string,
	values: Partial<Insertable<ConversationMessages>> & { created_at: Date },
): Promise<string> {
	const id = randomUUID();
	const usual = { direction: "in", author: "lea@example.fr", text: "Bonjour", attachments: toJson([]) } as const;
	await db
		.insertInto("conversation_messages")
		.values({ id, conversation_id, ...usual, ...values })
		.execute();
	return values.id ?? id;
}

/** Inserts a refund request, except for the given columns. @returns its id. */
export async function insertRefundRequest(
	db: Database,
	values: Partial<Insertable<RefundRequests>> & { order_id: string; created_at: Date },
): Promise<string> {
	const id = randomUUID();
	await db
		.insertInto("refund_requests")
		.values({ id, message: "Remboursez-moi", ...values })
		.execute();
	return id;
}
