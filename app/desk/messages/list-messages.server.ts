import { formatShortInstant } from "../../catalogue/instants.ts";
import { getHolder } from "../../emails/messages/claim-conversation.server.ts";
import { type ListedConversation, listAnswered, listAutomatic, listWaiting } from "../../emails/messages/conversations.store.server.ts";
import type { Shop } from "../../shop.ts";
import { describeTimeToAnswer, type TimeToAnswer } from "./time-to-answer.ts";

export interface MessageRow {
	id: string;
	kind: ListedConversation["kind"];
	name: string;
	email: string;
	subject: string;
	excerpt: string;
	orderNumber: string | null;
	/** Null: answered. */
	wait: TimeToAnswer | null;
	lastAt: string;
	/** Who answers now. */
	claimedBy: string | null;
}

export interface MessageList {
	view: "waiting" | "answered" | "automatic";
	rows: MessageRow[];
	/** The query of the next page; null on the last one. */
	next: string | null;
}

const views: ReadonlyMap<string, "answered" | "automatic"> = new Map([
	["repondus", "answered"],
	["automatiques", "automatic"],
]);

const pageSize = 50;
/** All that wait are shown: nobody pages through a backlog. */
const maxWaiting = 300;

/**
 * A page of the list. @param query `vue=repondus`: the answered ones; `vue=automatiques`: those that nobody wrote; `avant`: those before
 * an instant.
 */
export async function listMessages({ db, now }: Pick<Shop, "db" | "now">, query: URLSearchParams): Promise<MessageList> {
	const at = now();
	const view = views.get(query.get("vue") ?? "");
	if (view === undefined) return { view: "waiting", rows: (await listWaiting(db, maxWaiting)).map((row) => toRow(row, at)), next: null };
	const before = new Date(query.get("avant") ?? "");
	const list = view === "automatic" ? listAutomatic : listAnswered;
	const found = await list(db, { limit: pageSize + 1, before: Number.isNaN(before.getTime()) ? null : before });
	const last = found[pageSize - 1];
	const next =
		found.length > pageSize && last
			? new URLSearchParams({ vue: query.get("vue") ?? "", avant: last.last_at.toISOString() }).toString()
			: null;
	return { view, rows: found.slice(0, pageSize).map((row) => toRow(row, at)), next };
}

function toRow(conversation: ListedConversation, now: Date): MessageRow {
	const { id, kind, name, email, subject, excerpt, order_number, waits, waiting_since, last_at } = conversation;
	return {
		id,
		kind,
		name,
		email,
		subject,
		excerpt,
		orderNumber: order_number,
		lastAt: formatShortInstant(last_at),
		wait: waits && waiting_since ? describeTimeToAnswer(waiting_since, now) : null,
		claimedBy: getHolder(conversation, now),
	};
}
