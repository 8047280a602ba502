import type { Trx } from "../../server/database/database.ts";
import type { Runtime } from "../../server/runtime.ts";
import { textVersions } from "../catalogue/text-versions.ts";
import { sendConfirmationJob } from "./jobs.ts";
import { recordRequest } from "./subscriptions.store.server.ts";

/**
 * Notes in the caller's transaction that the newsletter was asked for, and has that address asked to confirm: whoever types an address
 * may not be who reads it, and only a consent that can be proved is one (CPCE art. L34-5; GDPR art. 7.1). One mail a day at most; none
 * to who confirmed.
 */
export async function askForNewsletter(
	{ jobs, now }: Pick<Runtime, "jobs" | "now">,
	trx: Trx,
	request: { email: string; source: "order" | "form" },
): Promise<void> {
	const subscriptionId = await recordRequest(trx, { ...request, textVersion: textVersions.newsletter.date, now: now() });
	if (subscriptionId !== null) await jobs.send(trx, sendConfirmationJob, { subscriptionId });
}
