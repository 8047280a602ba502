import type { Database } from "../../../server/database/database.ts";
import type { Order } from "../../orders/order.ts";
import {
	type Attachment,
	getWholeConversation,
	type ListedConversation,
	listConversationsOfOrder,
	type StoredConversation,
} from "./conversations.store.server.ts";

/** A message of a conversation, from either side. */
export interface ThreadMessage {
	id: string;
	from: "customer" | "shop";
	/** The sender's address, or the operator's name. */
	author: string;
	text: string;
	at: Date;
	attachments: Attachment[];
	/** Of a reply: whether it has left. Null for what the customer wrote, and for the decision of a refund request. */
	state: "queued" | "sent" | "bounced" | null;
	bounceReason: string | null;
}

export interface Thread {
	id: string;
	kind: ListedConversation["kind"];
	subject: string;
	email: string;
	name: string;
	phone: string | null;
	/** The company from whose page the message was written. */
	siren: string | null;
	orderId: string | null;
	orderFound: StoredConversation["order_found"];
	/** Since when the customer waits; null: answered. */
	waitingSince: Date | null;
	lastAt: Date;
	claim: { id: string; name: string; until: Date } | null;
	/** Of a refund request. */
	decision: "open" | "granted" | "refused" | null;
	messages: ThreadMessage[];
}

/** Everything that was written about an order, on both sides, by conversation; the oldest first. */
export async function listThread(db: Database, { id }: Pick<Order, "id">): Promise<Thread[]> {
	return (await listConversationsOfOrder(db, id)).map(toThread);
}

export async function findThread(db: Database, conversationId: string): Promise<Thread | null> {
	const conversation = await getWholeConversation(db, conversationId);
	return conversation && toThread(conversation);
}

export function toThread(conversation: StoredConversation): Thread {
	const { id, subject, email, name, phone, siren, order_id, order_found, waits, waiting_since, last_at } = conversation;
	const { claimed_by, claimed_name, claimed_until } = conversation;
	return {
		id,
		kind: getKind(conversation),
		subject,
		email,
		name,
		phone,
		siren,
		orderId: order_id,
		orderFound: order_found,
		waitingSince: waits ? waiting_since : null,
		lastAt: last_at,
		claim: claimed_by && claimed_until ? { id: claimed_by, name: claimed_name ?? "", until: claimed_until } : null,
		decision: getDecision(conversation),
		messages: [...listFirst(conversation), ...listMails(conversation)].sort((a, b) => a.at.getTime() - b.at.getTime()),
	};
}

function getKind({ refund_request_id, contact_message_id, contact_subject }: StoredConversation): Thread["kind"] {
	if (refund_request_id !== null) return "refund";
	if (contact_message_id === null) return "mail";
	return contact_subject === null ? "contact" : "support";
}

function getDecision({ refund_request_id, decided_at, granted }: StoredConversation): Thread["decision"] {
	if (refund_request_id === null) return null;
	if (decided_at === null) return "open";
	return granted ? "granted" : "refused";
}

/** What a form gave, and the decision of a refund request. */
function listFirst(conversation: StoredConversation): ThreadMessage[] {
	const { id, email, contact_text, contact_at, request_text, requested_at, decided_at, granted, answer } = conversation;
	const none = { attachments: [], state: null, bounceReason: null };
	const [text, at] = contact_at ? [contact_text, contact_at] : [request_text, requested_at];
	const first: ThreadMessage[] = at ? [{ id: `${id}-first`, from: "customer", author: email, text: text ?? "", at, ...none }] : [];
	if (decided_at === null) return first;
	const decision = granted ? "Le remboursement est accordé." : (answer ?? "Le remboursement est refusé.");
	return [...first, { id: `${id}-decision`, from: "shop", author: "", text: decision, at: decided_at, ...none }];
}

const listMails = ({ messages }: StoredConversation): ThreadMessage[] =>
	messages.map(({ id, direction, author, text, created_at, attachments, sent_at, bounced_at, bounce_reason }) => ({
		id,
		from: direction === "in" ? "customer" : "shop",
		author,
		text,
		at: created_at,
		attachments,
		bounceReason: bounce_reason,
		state: direction === "in" ? null : bounced_at ? "bounced" : sent_at ? "sent" : "queued",
	}));
