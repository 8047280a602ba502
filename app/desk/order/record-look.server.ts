import { Temporal } from "temporal-polyfill";
import { zone } from "../../catalogue/instants.ts";
import { runRecorded, wasRecordedSince } from "../../desk-log/desk-log.server.ts";
import type { Actor } from "../../operators/roles.ts";
import type { Order } from "../../orders/order.ts";
import type { Shop } from "../../shop.ts";

/** What an operator looks at. */
const verbs = {
	order: "bureau\u00a0: consulter la commande",
	email: "bureau\u00a0: lire un e-mail du client",
	"customer-link": "bureau\u00a0: voir le lien du client",
} as const;

/** Records that an operator saw the customer's data of an order: one line a day, because a page is read again and again. */
export async function recordLook(
	shop: Shop,
	actor: Actor & { id: string },
	{ order_number: subject }: Order,
	what: keyof typeof verbs,
): Promise<void> {
	const verb = verbs[what];
	const today = Temporal.Instant.fromEpochMilliseconds(shop.now().getTime()).toZonedDateTimeISO(zone).startOfDay();
	const since = new Date(today.epochMilliseconds);
	if (await wasRecordedSince(shop.db, { operatorId: actor.id, verb, subject, since })) return;
	await runRecorded(shop, { verb, subject, who: actor.name, operatorId: actor.id, origin: actor.origin }, async () => ({ ok: true }));
}
