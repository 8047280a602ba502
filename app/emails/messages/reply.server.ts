import { randomUUID } from "node:crypto";
import type { Trx } from "../../../server/database/database.ts";
import type { Context } from "../../../server/runtime.ts";
import { listRefundRequests } from "../../orders/customer-requests.store.server.ts";
import { findOrder } from "../../orders/orders.store.server.ts";
import { getHolder } from "./claim-conversation.server.ts";
import {
	type Conversation,
	findConversation,
	insertConversationMessage,
	lockConversation,
	markReply,
	updateConversation,
} from "./conversations.store.server.ts";
import { fillReply } from "./fill-reply.ts";
import { isGuess } from "./find-order.server.ts";
import { getReplyValues } from "./reply-values.server.ts";

export type ReplyOutcome =
	| { ok: true; conversation: Conversation; orderNumber: string | null }
	/** `changed`: somebody wrote since the operator read the conversation. `claimed`: another operator answers it. */
	/** `no-address`: no field of the mail names where it came from. */
	| { ok: false; code: "unknown" | "changed" | "no-address" }
	| { ok: false; code: "claimed"; by: string }
	| { ok: false; code: "unfinished"; sentence: string };

interface Reply {
	conversationId: string;
	/** With fields in braces. */
	text: string;
	author: { id: string; name: string };
	/** The operator confirms the order of the conversation, which was a guess. */
	confirmsOrder: boolean;
	/** The last message that the operator has read, as `last_at`. */
	readUntil: Date;
}

/** Records an operator's reply and sends its job, in one transaction. Fields are filled in now, with what the order is now. */
export async function reply(context: Context, { conversationId, text, author, confirmsOrder, readUntil }: Reply): Promise<ReplyOutcome> {
	const { db, jobs, environment } = context;
	return db.transaction().execute(async (trx): Promise<ReplyOutcome> => {
		const conversation = await lockConversation(trx, conversationId);
		if (conversation === null) return { ok: false, code: "unknown" };
		if (conversation.email === "") return { ok: false, code: "no-address" };
		const now = context.now();
		if (conversation.last_at.getTime() !== readUntil.getTime()) return { ok: false, code: "changed" };
		const holder = getHolder(conversation, now);
		if (holder !== null && conversation.claimed_by !== author.id) return { ok: false, code: "claimed", by: holder };
		const order = conversation.order_id === null ? null : await findOrder(trx, conversation.order_id);
		const isNamed = order !== null && (confirmsOrder || !isGuess(conversation));
		const filled = fillReply(text, getReplyValues(environment, order, conversation.email, { isNamed }));
		if (!filled.ok) return { ok: false, code: "unfinished", sentence: filled.sentence };
		const id = randomUUID();
		await insertConversationMessage(trx, {
			id,
			conversation_id: conversationId,
			direction: "out",
			author: author.name,
			text: filled.text,
			message_id: null,
			attachments: [],
			created_at: now,
		});
		await updateConversation(trx, conversationId, {
			// a refund request waits for its decision
			...(!(await isRefundUndecided(trx, conversation)) && { waiting_since: null }),
			last_at: now,
			is_automatic: false,
			...(isNamed && isGuess(conversation) && { order_found: "request" }),
			claimed_by: null,
			claimed_name: null,
			claimed_until: null,
		});
		await jobs.send(trx, "send-reply", { messageId: id });
		return { ok: true, conversation, orderNumber: isNamed ? order.order_number : null };
	});
}

async function isRefundUndecided(trx: Trx, { order_id, refund_request_id }: Conversation): Promise<boolean> {
	if (order_id === null || refund_request_id === null) return false;
	const requests = await listRefundRequests(trx, order_id);
	return requests.some(({ id, decided_at }) => id === refund_request_id && decided_at === null);
}

/** Records that a reply came back: its customer still waits. @returns false when the message is no reply, or was recorded before. */
export async function recordReplyBounce({ db, now }: Pick<Context, "db" | "now">, messageId: string, reason: string): Promise<boolean> {
	return db.transaction().execute(async (trx) => {
		const conversationId = await markReply(trx, messageId, { bounced_at: now(), bounce_reason: reason.slice(0, 500) });
		if (conversationId === null) return false;
		const conversation = await findConversation(trx, conversationId);
		if (conversation?.waiting_since === null) await updateConversation(trx, conversationId, { waiting_since: now() });
		return true;
	});
}
