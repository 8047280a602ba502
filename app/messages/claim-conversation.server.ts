import type { Context } from "../../server/runtime.ts";
import { claimConversation, findConversation, lockConversation, updateConversation } from "./conversations.store.server.ts";

/** Minutes for which a conversation stays with the operator who answers it. */
export const claimMinutes = 20;

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
	const until = new Date(now().getTime() + claimMinutes * 60_000);
	const before = await findConversation(db, conversationId);
	if (before === null) return { ok: false, code: "unknown" };
	const { claimed_name: name, claimed_until } = before;
	const holder = claimed_until !== null && claimed_until > now() ? name : null;
	if (takeOver) {
		await updateConversation(db, conversationId, { claimed_by: operator.id, claimed_name: operator.name, claimed_until: until });
		return { ok: true, before: holder };
	}
	const claimed = await claimConversation(db, conversationId, { operatorId: operator.id, name: operator.name, now: now(), until });
	return claimed ? { ok: true, before: holder } : { ok: false, code: "claimed", by: holder ?? "" };
}

/** Marks a conversation as answered, for example by telephone. @returns false when it does not exist. */
export async function closeConversation({ db }: Pick<Context, "db">, conversationId: string): Promise<boolean> {
	return db.transaction().execute(async (trx) => {
		if ((await lockConversation(trx, conversationId)) === null) return false;
		await updateConversation(trx, conversationId, { waiting_since: null, claimed_by: null, claimed_name: null, claimed_until: null });
		return true;
	});
}
