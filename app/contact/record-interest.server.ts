import type { Context } from "../../server/runtime.ts";
import { checkEmail } from "../mail/email-address.ts";
import { insertInterest } from "./contact.store.server.ts";

export interface Interest {
	email: string;
	/** A field that people do not see: only a robot fills it in. */
	trap: string;
	/** Which words stood beside the form. */
	textVersion: string;
	/** Who asks: the key of a client. */
	from: string;
}

export type RecordedInterest =
	| { ok: true }
	/** checkEmail says why. */
	| { ok: false; code: "invalid" }
	/** `retryAfter`: seconds. */
	| { ok: false; code: "limited"; retryAfter: number };

const addressesPerHour = 20;

/**
 * Notes who wants to be told when the subscription opens.
 * The answer is the same whether the address is new or known, and for a robot, of whom nothing is kept.
 */
export async function recordInterest(
	{ db, now, limits }: Context,
	{ email, trap, textVersion, from }: Interest,
): Promise<RecordedInterest> {
	if (trap !== "") return { ok: true };
	if (checkEmail(email)) return { ok: false, code: "invalid" };
	const taken = await limits("interest", addressesPerHour, 3600).take(from);
	if (!taken.ok) return { ...taken, code: "limited" };
	await insertInterest(db, { email, textVersion, now: now() });
	return { ok: true };
}
