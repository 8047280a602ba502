import type { Runtime } from "../../server/runtime.ts";
import { checkMailAddress } from "../mail/address.ts";
import { askForNewsletter } from "./ask-for-newsletter.server.ts";

interface Incoming {
	email: string;
	/** A field that people do not see: only a robot fills it in. */
	trap: string;
	/** Who asks: an IP address. */
	from: string;
}

export type ReceivedRequest = { ok: true } | { ok: false; reason: "invalid" | "limited"; sentence: string };

/** Per hour: what one place may send, and how often one mailbox may be named. */
const requestsPerPlace = 20;
const requestsPerMailbox = 5;

/**
 * Takes an address from the newsletter's form.
 * The answer is the same whether the address is new, asked already or confirmed, and for a robot, of whom nothing is kept.
 */
export async function receiveRequest(
	deps: Pick<Runtime, "db" | "jobs" | "now" | "limits">,
	{ email, trap, from }: Incoming,
): Promise<ReceivedRequest> {
	if (trap !== "") return { ok: true };
	const sentence = checkMailAddress(email);
	if (sentence) return { ok: false, reason: "invalid", sentence };
	const counts = [
		{ limit: deps.limits("newsletter", requestsPerPlace, 3600), subject: from },
		{ limit: deps.limits("newsletter-mailbox", requestsPerMailbox, 3600), subject: email.toLowerCase() },
	];
	for (const { limit, subject } of counts) {
		if (await limit.isExceeded(subject))
			return { ok: false, reason: "limited", sentence: "Trop de demandes ont été envoyées. Réessayez dans une heure." };
	}
	for (const { limit, subject } of counts) await limit.count(subject);
	await deps.db.transaction().execute((trx) => askForNewsletter(deps, trx, { email, source: "form" }));
	return { ok: true };
}
