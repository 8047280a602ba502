import type { Context } from "../../../server/runtime.ts";
import { type EmailRequest, type RequestOutcome, receiveRequest } from "../../mail/asked-emails.server.ts";
import { isEmail } from "../../mail/email-address.ts";
import { insertInterest } from "./contact.store.server.ts";

const addressesPerHour = 20;

/**
 * Records who wants to be notified when the subscription opens. The result is the same for a new and for a known address.
 * @param request.textVersion the version of the text beside the form.
 */
export function recordInterest(context: Context, request: EmailRequest & { textVersion: string }): Promise<RequestOutcome> {
	const { email, textVersion } = request;
	return receiveRequest(context, { ...request, isValid: isEmail(email) }, ["interest", addressesPerHour], () =>
		insertInterest(context.db, { email, textVersion, now: context.now() }),
	);
}
