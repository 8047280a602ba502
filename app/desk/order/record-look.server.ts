import { Temporal } from "temporal-polyfill";
import { zone } from "../../catalogue/instants.ts";
import { wasRecordedSince } from "../../desk-log/desk-log.store.server.ts";
import { runRecorded } from "../../desk-log/run-recorded.server.ts";
import type { Actor } from "../../operators/roles.ts";
import type { Shop } from "../../shop.ts";

/** What an operator looks at. */
const verbs = {
	order: "bureau\u00a0: consulter la commande",
	email: "bureau\u00a0: lire un e-mail du client",
	"customer-link": "bureau\u00a0: voir le lien du client",
	document: "bureau\u00a0: télécharger un document de la commande",
	"factur-x": "bureau\u00a0: télécharger une facture en XML",
	conversation: "bureau\u00a0: lire un échange",
	messages: "bureau\u00a0: consulter les messages",
	bounces: "bureau\u00a0: consulter les e-mails refusés",
	letters: "bureau\u00a0: consulter le courrier",
	money: "bureau\u00a0: consulter l’argent",
} as const;

/**
 * Records that an operator saw data of customers: one line a day for each subject, because a page is read again and again.
 * @param subject an order's number or a conversation's id; null for a list.
 */
export async function recordLook(
	shop: Pick<Shop, "db" | "now" | "log">,
	actor: Actor & { id: string },
	what: keyof typeof verbs,
	subject: string | null,
): Promise<void> {
	const verb = verbs[what];
	const today = Temporal.Instant.fromEpochMilliseconds(shop.now().getTime()).toZonedDateTimeISO(zone).startOfDay();
	const since = new Date(today.epochMilliseconds);
	if (await wasRecordedSince(shop.db, { operatorId: actor.id, verb, subject, since })) return;
	await runRecorded(shop, { verb, subject, who: actor.name, operatorId: actor.id, origin: actor.origin }, async () => ({ ok: true }));
}
