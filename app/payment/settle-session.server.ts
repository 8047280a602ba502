import type { Runtime } from "../../server/runtime.ts";
import type { OpeningCalendar } from "../catalogue/opening-hours.ts";
import { markPaid } from "../orders/mark-paid.server.ts";
import type { Order } from "../orders/order.ts";
import { changeState, findOrder, setAside } from "../orders/orders.store.server.ts";
import { closeSession, noteEvent } from "./payment.store.server.ts";
import type { PaymentEvent, PaymentProvider, PaymentSession } from "./provider.ts";

type Deps = Pick<Runtime, "db" | "jobs" | "now" | "log"> & { calendar: OpeningCalendar; provider: PaymentProvider };

/**
 * Asks the provider what became of a session and brings its order up to date. The only way an order becomes paid,
 * whoever asks: an event, the page the customer comes back to, or the sweeper.
 * @param event the event that made us ask, noted in the same transaction so that it is handled once.
 */
export async function settleSession(deps: Deps, sessionId: string, event: PaymentEvent | null): Promise<"settled" | "unavailable"> {
	const found = await deps.provider.findSession(sessionId);
	if (!found.ok) return "unavailable";
	const { session } = found;
	const order = session?.orderId ? await findOrder(deps.db, session.orderId) : null;
	await deps.db.transaction().execute(async (trx) => {
		if (event && !(await noteEvent(trx, event.id, event.type, deps.now()))) return;
		if (session === null || order === null) {
			deps.log.error({ session: sessionId }, "a payment session names no order of ours");
			return;
		}
		// told again of a session that ran out, the order may have another one by now
		if (session.status === "expired" && (await closeSession(trx, session.id, "expired")))
			await changeState(trx, order.id, "expired", { now: deps.now() });
		if (session.paymentStatus !== "paid") return;
		const news = await closeSession(trx, session.id, "complete");
		const mismatch = mismatchOf(session, order, deps.provider);
		if (mismatch === null && ((await markPaid(deps, trx, order)) || !news)) return;
		const reason = mismatch ?? "not awaited"; // a second payment, or one after the order had failed
		deps.log.error({ order: order.id, reason }, "a payment does not fit its order, which is set aside");
		if (order.set_aside_at === null) await setAside(trx, order.id, reason, deps.now());
	});
	return "settled";
}

/** What does not fit between a payment and the order it claims to be for. */
function mismatchOf(session: PaymentSession, order: Order, provider: PaymentProvider): string | null {
	if (session.amount !== order.price_cents) return "amount";
	if (session.currency !== "eur") return "currency";
	return session.live === provider.live ? null : "live mode";
}
