import type { Trx } from "../../../server/database/database.ts";
import { releaseConversationsOf } from "../../emails/messages/conversations.store.server.ts";
import { deleteClaimsOf } from "../../fulfilment/claims/claims.store.server.ts";

/** What waits again for anybody, after somebody had it. */
export interface ReleasedWork {
	orders: number;
	messages: number;
}

/** Gives back the orders and messages that a person has and will not serve. */
export async function releaseWork(trx: Trx, operatorId: string, now: Date): Promise<ReleasedWork> {
	return { orders: await deleteClaimsOf(trx, operatorId, now), messages: await releaseConversationsOf(trx, operatorId, now) };
}
