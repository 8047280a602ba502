import type { Runtime } from "../../server/runtime.ts";
import type { OpeningCalendar } from "../catalogue/opening-hours.ts";
import type { PaymentProvider } from "./provider.ts";
import { settleSession } from "./settle-session.server.ts";

/** Events after which a session is worth asking about; all others are answered by a plain yes. */
const watched = new Set([
	"checkout.session.completed",
	"checkout.session.async_payment_succeeded",
	"checkout.session.async_payment_failed",
	"checkout.session.expired",
]);

/**
 * Handles one event of the payment provider: signature first, then the truth is fetched from the provider itself.
 * @returns the HTTP status to answer: 400 for a bad signature, 500 when the event should be sent again.
 */
export async function handleEvent(
	deps: Pick<Runtime, "db" | "jobs" | "now" | "log"> & { calendar: OpeningCalendar; provider: PaymentProvider },
	rawBody: string,
	signature: string | undefined,
): Promise<200 | 400 | 500> {
	const event = deps.provider.readEvent(rawBody, signature);
	if (event === null) return 400;
	if (!watched.has(event.type) || event.sessionId === null) return 200;
	return (await settleSession(deps, event.sessionId, event)) === "settled" ? 200 : 500;
}
