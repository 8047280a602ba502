import type { Trx } from "../../../server/database/database.ts";
import type { Context } from "../../../server/runtime.ts";
import { textVersions } from "../../catalogue/text-versions.ts";
import { type EmailRequest, mayAskForEmail, type RequestOutcome, receiveRequest } from "../../mail/asked-emails.server.ts";
import { isEmail } from "../../mail/email-address.ts";
import { recordSubscription } from "./subscriptions.store.server.ts";

/**
 * Records a request for the newsletter in the caller's transaction, and enqueues an e-mail that asks for confirmation, because consent
 * must be provable (CPCE art. L34-5; GDPR art. 7.1). An address gets at most one such e-mail a day, and none once it is confirmed.
 */
export async function askForNewsletter(
	{ jobs, now }: Pick<Context, "jobs" | "now">,
	trx: Trx,
	request: { email: string; source: "order" | "form" },
): Promise<void> {
	const subscriptionId = await recordSubscription(trx, { ...request, textVersion: textVersions.newsletter.date, now: now() });
	if (subscriptionId !== null) await jobs.send(trx, "send-newsletter-confirmation", { subscriptionId });
}

/** Per hour. A mailbox gets one confirmation a day (recordSubscription), and few e-mails that it did not ask for (sendAskedEmail). */
const requestsPerClient = 20;

/** Receives an address from the newsletter's form. The result is the same for a new, a requested and a confirmed address. */
export function receiveNewsletterRequest(context: Context, request: EmailRequest): Promise<RequestOutcome> {
	const { email, client } = request;
	return receiveRequest(context, { ...request, isValid: isEmail(email) }, ["newsletter", requestsPerClient], () =>
		context.db.transaction().execute(async (trx) => {
			if (await mayAskForEmail(context, trx, { email, client })) await askForNewsletter(context, trx, { email, source: "form" });
		}),
	);
}
