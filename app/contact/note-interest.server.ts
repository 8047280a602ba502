import type { Runtime } from "../../server/runtime.ts";
import { checkField } from "../orders/order-form.ts";
import { insertInterest } from "./contact.store.server.ts";

export interface Interest {
	email: string;
	/** A field that people do not see: only a robot fills it in. */
	trap: string;
	/** Which words stood beside the form. */
	textVersion: string;
}

export type NotedInterest = { ok: true } | { ok: false; sentence: string };

/**
 * Notes who wants to be told when the subscription opens.
 * The answer is the same whether the address is new or known, and for a robot, of whom nothing is kept.
 */
export async function noteInterest({ db, now }: Pick<Runtime, "db" | "now">, { email, trap, textVersion }: Interest): Promise<NotedInterest> {
	if (trap !== "") return { ok: true };
	const sentence = checkField("email", email);
	if (sentence) return { ok: false, sentence };
	await insertInterest(db, { email, textVersion, now: now() });
	return { ok: true };
}
