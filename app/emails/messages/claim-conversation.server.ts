import type { Context } from "../../../server/runtime.ts";
import { type Conversation, lockConversation, updateConversation } from "./conversations.store.server.ts";

/** Minutes for which a conversation stays with the operator who answers it. */
export const claimMinutes = 20;

/** The name of the operator who answers a conversation at `now`. */
export const getHolder = ({ claimed_name, claimed_until }: Conversation, now: Date): string | null =>
	claimed_until !== null && claimed_until > now ? claimed_name : null;

/**
 * Shows the others that an operator answers a conversation, for 20 minutes.
 * @param takeOver also from another operator.
 * @returns `claimed` with the name of the operator who has it.
 */
export async function claim(
	{ db, now }: Pick<Context, "db" | "now">,
	conversationId: string,
	operator: { id: string; name: string },
	{ takeOver }: { takeOver: boolean },
): Promise<{ ok: true; before: string | null } | { ok: false; code: "unknown" } | { ok: false; code: "claimed"; by: string }> {
	return db.transaction().execute(async (trx) => {
		const conversation = await lockConversation(trx, conversationId);
		if (conversation === null) return { ok: false, code: "unknown" };
		const holder = getHolder(conversation, now());
		if (holder !== null && conversation.claimed_by !== operator.id && !takeOver) return { ok: false, code: "claimed", by: holder };
		const until = new Date(now().getTime() + claimMinutes * 60_000);
		await updateConversation(trx, conversationId, { claimed_by: operator.id, claimed_name: operator.name, claimed_until: until });
		return { ok: true, before: holder };
	});
}

/** Marks a conversation as answered, for example by telephone. @returns false when it does not exist. */
export async function closeConversation({ db }: Pick<Context, "db">, conversationId: string): Promise<boolean> {
	return db.transaction().execute(async (trx) => {
		if ((await lockConversation(trx, conversationId)) === null) return false;
		await updateConversation(trx, conversationId, { waiting_since: null, claimed_by: null, claimed_name: null, claimed_until: null });
		return true;
	});
}
