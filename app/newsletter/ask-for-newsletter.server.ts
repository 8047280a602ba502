import type { Trx } from "../../server/database/database.ts";
import type { Context } from "../../server/runtime.ts";
import { textVersions } from "../catalogue/text-versions.ts";
import { recordRequest } from "./subscriptions.store.server.ts";

/**
 * Records a request for the newsletter in the caller's transaction, and enqueues an e-mail that asks for confirmation, because consent
 * must be provable (CPCE art. L34-5; GDPR art. 7.1). An address gets at most one such e-mail a day, and none once it is confirmed.
 */
export async function askForNewsletter(
	{ jobs, now }: Pick<Context, "jobs" | "now">,
	trx: Trx,
	request: { email: string; source: "order" | "form" },
): Promise<void> {
	const subscriptionId = await recordRequest(trx, { ...request, textVersion: textVersions.newsletter.date, now: now() });
	if (subscriptionId !== null) await jobs.send(trx, "send-newsletter-confirmation", { subscriptionId });
}
