import { Temporal } from "temporal-polyfill";
import { zone } from "../../catalogue/instants.ts";
import type { Shop } from "../../shop.ts";
import { wasRecordedSince } from "../log/desk-log.store.server.ts";
import { runRecorded } from "../log/run-recorded.server.ts";
import type { Verb } from "../log/verbs.ts";
import type { Actor } from "../operators/roles.ts";

/**
 * Records that an operator saw data of customers: one line a day for each subject, because a page is read again and again.
 * @param subject an order's number or a conversation's id; null for a list.
 */
export async function recordLook(shop: Pick<Shop, "db" | "now" | "log">, actor: Actor, verb: Verb, subject: string | null): Promise<void> {
	const today = Temporal.Instant.fromEpochMilliseconds(shop.now().getTime()).toZonedDateTimeISO(zone).startOfDay();
	const since = new Date(today.epochMilliseconds);
	if (await wasRecordedSince(shop.db, { operatorId: actor.id, verb, subject, since })) return;
	await runRecorded(shop, { verb, subject, actor }, async () => ({ ok: true }));
}
