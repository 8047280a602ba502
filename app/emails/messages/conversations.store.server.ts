import { type RawBuilder, type Selectable, sql } from "kysely";
import { changeNotification, deskSubject } from "../../../server/database/changes.ts";
import { toJson } from "../../../server/database/column-types.ts";
import { anyOf, type Database, type Trx } from "../../../server/database/database.ts";
import type { ConversationMessages, Conversations } from "../../../server/database/database-types.gen.ts";
import { emailsEqual, isMailbox } from "../../mail/normalize-email.ts";

/** All SQL on `conversations` and `conversation_messages`. */

export type Conversation = Selectable<Conversations>;

export interface Attachment {
	name: string;
	bytes: number;
}

declare module "../../../server/database/column-types.ts" {
	interface ColumnTypes {
		"conversation_messages.attachments": Attachment[];
	}
}

/** A mail that came in, or an operator's reply. */
export type ConversationMessage = Selectable<ConversationMessages>;

type NewConversation = Pick<
	Conversation,
	"id" | "contact_message_id" | "refund_request_id" | "order_id" | "order_found" | "email" | "name" | "subject"
> & {
	/** Whether nobody wrote: then nobody waits either. */
	is_automatic?: boolean;
	now: Date;
};

export async function insertConversation(trx: Trx, { is_automatic = false, now, ...conversation }: NewConversation): Promise<void> {
	await trx
		.insertInto("conversations")
		.values({ ...conversation, is_automatic, waiting_since: is_automatic ? null : now, last_at: now })
		.returning(changeNotification(deskSubject))
		.execute();
}

/** @returns false when a mail with the same Message-ID was inserted before. */
export async function insertConversationMessage(
	trx: Trx,
	message: Omit<ConversationMessage, "sent_at" | "bounced_at" | "bounce_reason">,
): Promise<boolean> {
	const row = await trx
		.insertInto("conversation_messages")
		.values({ ...message, attachments: toJson(message.attachments) })
		.onConflict((conflict) => conflict.column("message_id").doNothing())
		.returning("id")
		.executeTakeFirst();
	return row !== undefined;
}

export async function findConversation(db: Database | Trx, id: string): Promise<Conversation | null> {
	return (await db.selectFrom("conversations").selectAll().where("id", "=", id).executeTakeFirst()) ?? null;
}

export async function lockConversation(trx: Trx, id: string): Promise<Conversation | null> {
	return (await trx.selectFrom("conversations").selectAll().where("id", "=", id).forUpdate().executeTakeFirst()) ?? null;
}

export async function updateConversation(
	trx: Trx,
	id: string,
	set: Partial<
		Pick<
			Conversation,
			"waiting_since" | "last_at" | "claimed_by" | "claimed_name" | "claimed_until" | "order_id" | "order_found" | "email" | "is_automatic"
		>
	>,
): Promise<void> {
	await trx.updateTable("conversations").set(set).where("id", "=", id).returning(changeNotification(deskSubject)).execute();
}

/** Frees the conversations that an operator answers. @returns how many of them wait for an answer. */
export async function releaseConversationsOf(trx: Trx, operatorId: string, now: Date): Promise<number> {
	const rows = await trx
		.updateTable("conversations")
		.set({ claimed_by: null, claimed_name: null, claimed_until: null })
		.where("claimed_by", "=", operatorId)
		.where("claimed_until", ">", now)
		.returning(["waiting_since", changeNotification(deskSubject)])
		.execute();
	return rows.filter(({ waiting_since }) => waiting_since !== null).length;
}

/** Finds the conversation of one of these messages: ids of replies, or Message-IDs of mails that came in. */
export async function findConversationByMessage(trx: Trx, ids: readonly string[], messageIds: readonly string[]): Promise<string | null> {
	const row = await trx
		.selectFrom("conversation_messages")
		.select("conversation_id")
		.where((eb) => eb.or([eb("id", "=", anyOf(ids)), eb("message_id", "=", anyOf(messageIds))]))
		.orderBy("created_at", "desc")
		.executeTakeFirst();
	return row?.conversation_id ?? null;
}

/** Finds the conversation that a message of a form began. */
export async function findConversationOfForm(trx: Trx, contactMessageIds: readonly string[]): Promise<string | null> {
	const query = trx.selectFrom("conversations").select("id").where("contact_message_id", "=", anyOf(contactMessageIds));
	return (await query.executeTakeFirst())?.id ?? null;
}

/** Whether a customer waits for an answer: a decided refund request is answered too. Needs `refund_requests` beside `conversations`. */
const waits = sql<boolean>`(conversations.waiting_since is not null
	and not coalesce(refund_requests.decided_at >= conversations.waiting_since, false))`;

/** A line of the list: the conversation, and the beginning of its last message. */
export type ListedConversation = Conversation & {
	waits: boolean;
	order_number: string | null;
	kind: "contact" | "support" | "refund" | "mail";
	excerpt: string;
};

function selectListed(db: Database) {
	return db
		.selectFrom("conversations")
		.leftJoin("contact_messages", "contact_messages.id", "contact_message_id")
		.leftJoin("refund_requests", "refund_requests.id", "refund_request_id")
		.leftJoin("orders", "orders.id", "conversations.order_id")
		.selectAll("conversations")
		.select([
			"orders.order_number",
			waits.as("waits"),
			sql<ListedConversation["kind"]>`case when refund_request_id is not null then 'refund' when contact_message_id is null then 'mail'
				when contact_messages.subject is null then 'contact' else 'support' end`.as("kind"),
			sql<string>`left(coalesce((select text from conversation_messages where conversation_id = conversations.id
				order by created_at desc limit 1), contact_messages.message, refund_requests.message, ''), 200)`.as("excerpt"),
		]);
}

/** Conversations that wait, the longest first. */
export async function listWaiting(db: Database, limit: number): Promise<ListedConversation[]> {
	return selectListed(db).where(waits).orderBy("waiting_since").orderBy("conversations.id").limit(limit).execute();
}

interface Page {
	limit: number;
	/** Only conversations whose last message is older. */
	before: Date | null;
}

/** Answered conversations, the latest first. */
export const listAnswered = (db: Database, page: Page): Promise<ListedConversation[]> => listSettled(db, false, page);

/** What nobody wrote and nobody answered, the latest first. */
export const listAutomatic = (db: Database, page: Page): Promise<ListedConversation[]> => listSettled(db, true, page);

async function listSettled(db: Database, isAutomatic: boolean, { limit, before }: Page): Promise<ListedConversation[]> {
	const answered = selectListed(db).where(sql<boolean>`not ${waits}`).where("conversations.is_automatic", "=", isAutomatic);
	const listed = before === null ? answered : answered.where("last_at", "<", before);
	return listed.orderBy("last_at", "desc").orderBy("conversations.id").limit(limit).execute();
}

/** Conversations with their first message, oldest first. */
async function listWithMessages(db: Database, which: RawBuilder<boolean>) {
	const conversations = await db
		.selectFrom("conversations")
		.leftJoin("contact_messages", "contact_messages.id", "contact_message_id")
		.leftJoin("refund_requests", "refund_requests.id", "refund_request_id")
		.selectAll("conversations")
		.select([
			waits.as("waits"),
			"contact_messages.message as contact_text",
			"contact_messages.phone",
			"contact_messages.siren",
			"contact_messages.subject as contact_subject",
			"contact_messages.created_at as contact_at",
			"refund_requests.message as request_text",
			"refund_requests.created_at as requested_at",
			"refund_requests.decided_at",
			"refund_requests.granted",
			"refund_requests.answer",
		])
		.where(which)
		.orderBy("last_at")
		.orderBy("conversations.id")
		.execute();
	const messages = await db
		.selectFrom("conversation_messages")
		.selectAll()
		.where("conversation_id", "=", anyOf(conversations.map(({ id }) => id)))
		.orderBy("created_at")
		.orderBy("id")
		.execute();
	return conversations.map((conversation) => ({
		...conversation,
		messages: messages.filter(({ conversation_id }) => conversation_id === conversation.id),
	}));
}

export type StoredConversation = Awaited<ReturnType<typeof listWithMessages>>[number];

export const listConversationsOfOrder = (db: Database, orderId: string): Promise<StoredConversation[]> =>
	listWithMessages(db, sql<boolean>`conversations.order_id = ${orderId}`);

export async function getWholeConversation(db: Database, id: string): Promise<StoredConversation | null> {
	return (await listWithMessages(db, sql<boolean>`conversations.id = ${id}`))[0] ?? null;
}

const isOfPerson = (email: string) =>
	sql<boolean>`(${emailsEqual(sql.ref("conversations.email"), email)} or exists (
		select from conversation_messages where conversation_id = conversations.id and direction = 'in' and ${emailsEqual(sql.ref("author"), email)}))`;

/** The conversations of a person, by the address of the customer or of a mail that came in. */
export const listConversationsByEmail = (db: Database, email: string): Promise<StoredConversation[]> =>
	listWithMessages(db, isOfPerson(email));

/** @returns the number of deleted conversations. The message of a form that began one is deleted by its own concept. */
export async function deleteConversationsByEmail(db: Database, email: string, exceptOrders: readonly string[]): Promise<number> {
	const { numAffectedRows } = await sql`
		delete from conversations where ${isOfPerson(email)} and not coalesce(order_id = any(${exceptOrders}), false)`.execute(db);
	return Number(numAffectedRows ?? 0n);
}

export async function deleteConversationsOfOrders(trx: Trx, orderIds: readonly string[]): Promise<void> {
	await trx.deleteFrom("conversations").where("order_id", "=", anyOf(orderIds)).execute();
}

/** Deletes conversations whose last message is older than `before`. @returns how many. */
export async function deleteOldConversations(db: Database, before: Date): Promise<number> {
	return Number((await db.deleteFrom("conversations").where("last_at", "<", before).executeTakeFirst()).numDeletedRows);
}

/** The replies that left for an address since an instant and did not come back, newest first. */
export async function listRecentReplies(
	trx: Trx,
	{ email, since, limit }: { email: string; since: Date; limit: number },
): Promise<{ id: string; sentAt: Date }[]> {
	const rows = await trx
		.selectFrom("conversation_messages")
		.innerJoin("conversations", "conversations.id", "conversation_id")
		.select(["conversation_messages.id", "sent_at"])
		.where("direction", "=", "out")
		.where("bounced_at", "is", null)
		.where("sent_at", ">=", since)
		.where(isMailbox(sql.ref("conversations.email"), email))
		.orderBy("sent_at", "desc")
		.limit(limit)
		.execute();
	return rows.flatMap(({ id, sent_at }) => (sent_at === null ? [] : [{ id, sentAt: sent_at }]));
}

/** A reply that is neither sent nor refused, with its conversation. */
export async function findUnsentReply(
	db: Database,
	id: string,
): Promise<Pick<ConversationMessage, "id" | "conversation_id" | "author" | "text" | "created_at"> | null> {
	const query = db
		.selectFrom("conversation_messages")
		.select(["id", "conversation_id", "author", "text", "created_at"])
		.where("id", "=", id);
	const row = await query.where("direction", "=", "out").where("sent_at", "is", null).where("bounced_at", "is", null).executeTakeFirst();
	return row ?? null;
}

/** @returns the conversation, or null when it was marked before. */
export async function markReply(
	trx: Database | Trx,
	id: string,
	mark: { sent_at: Date } | { bounced_at: Date; bounce_reason: string },
): Promise<string | null> {
	const row = await trx
		.updateTable("conversation_messages")
		.set(mark)
		.where("id", "=", id)
		.where("direction", "=", "out")
		.where("bounced_at", "is", null)
		.$if("sent_at" in mark, (query) => query.where("sent_at", "is", null))
		.returning(["conversation_id", changeNotification(deskSubject)])
		.executeTakeFirst();
	return row?.conversation_id ?? null;
}
