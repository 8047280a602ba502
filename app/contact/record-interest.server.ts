import { hourSeconds } from "../../server/durations.ts";
import type { Context } from "../../server/runtime.ts";
import { checkEmail } from "../mail/email-address.ts";
import { insertInterest } from "./contact.store.server.ts";

export interface InterestSubmission {
	email: string;
	/** An invisible field that only robots fill in. */
	honeypot: string;
	/** The version of the text beside the form. */
	textVersion: string;
	/** The key of the client. */
	client: string;
}

export type RecordInterestOutcome =
	| { ok: true }
	/** checkEmail returns the sentence. */
	| { ok: false; code: "invalid" }
	/** `retryAfter`: seconds. */
	| { ok: false; code: "limited"; retryAfter: number };

const addressesPerHour = 20;

/**
 * Records who wants to be notified when the subscription opens.
 * The result is the same for a new and for a known address, and for a robot, of which nothing is stored.
 */
export async function recordInterest(
	{ db, now, limits }: Context,
	{ email, honeypot, textVersion, client }: InterestSubmission,
): Promise<RecordInterestOutcome> {
	if (honeypot !== "") return { ok: true };
	if (checkEmail(email)) return { ok: false, code: "invalid" };
	const taken = await limits("interest", addressesPerHour, hourSeconds).take(client);
	if (!taken.ok) return { ...taken, code: "limited" };
	await insertInterest(db, { email, textVersion, now: now() });
	return { ok: true };
}
