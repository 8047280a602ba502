import { Temporal } from "temporal-polyfill";
import { zone } from "../../catalogue/instants.ts";
import { runRecorded, wasRecordedSince } from "../../desk-log/desk-log.server.ts";
import type { Actor } from "../../operators/roles.ts";
import type { Order } from "../../orders/order.ts";
import type { Shop } from "../../shop.ts";

const verb = "bureau\u00a0: consulter la commande";

/** Records that an operator saw the customer's data of an order: one line a day, because the page is read again and again. */
export async function recordConsultation(shop: Shop, actor: Actor & { id: string }, order: Order): Promise<void> {
	const today = Temporal.Instant.fromEpochMilliseconds(shop.now().getTime()).toZonedDateTimeISO(zone).startOfDay();
	const subject = order.order_number;
	const since = new Date(today.epochMilliseconds);
	if (await wasRecordedSince(shop.db, { operatorId: actor.id, verb, subject, since })) return;
	await runRecorded(shop, { verb, subject, who: actor.name, operatorId: actor.id, origin: actor.origin }, async () => ({ ok: true }));
}
