import type { Runtime } from "../../server/runtime.ts";
import type { OpeningCalendar } from "../catalogue/opening-hours.ts";
import type { Order } from "../orders/order.ts";
import { changeState, findOrder } from "../orders/orders.store.server.ts";
import { readResumeToken } from "../orders/resume-token.server.ts";
import { openSession } from "./open-session.server.ts";
import { listSessions } from "./payment.store.server.ts";
import type { PaymentProvider } from "./provider.ts";
import { settleSession } from "./settle-session.server.ts";

type Deps = Pick<Runtime, "db" | "jobs" | "now" | "log" | "environment" | "signer"> & {
	calendar: OpeningCalendar;
	provider: PaymentProvider;
};

/** The order behind `/paiement/reprendre/{token}`, after asking the provider whether it was paid meanwhile. */
export async function findOrderToResume(deps: Deps, token: string): Promise<Order | null> {
	const orderId = readResumeToken(deps.signer, token);
	return orderId === null ? null : refreshOrder(deps, orderId);
}

/** An order, after asking the provider what became of its open session. */
export async function refreshOrder(deps: Deps, orderId: string): Promise<Order | null> {
	const open = (await listSessions(deps.db, orderId)).find((session) => session.status === "open");
	if (open) await settleSession(deps, open.id, null);
	return findOrder(deps.db, orderId);
}

/** Whether an order waits for its payment; what was paid and does not fit waits for the operator instead. */
export function isPayable(order: Order): boolean {
	if (order.paid_at !== null || order.set_aside_at !== null) return false;
	return order.status === "pending" || order.failure_reason === "expired";
}

/**
 * Lets a customer pay an order that is not paid yet, also one whose session ran out.
 * @param client the key of the client who asks.
 * @returns the payment page's address, or null when the order is past that or the provider cannot be reached.
 */
export async function resumePayment(deps: Deps, order: Order, client: string): Promise<string | null> {
	if (!isPayable(order)) return null;
	const resumed =
		order.status === "failed"
			? await deps.db
					.transaction()
					.execute((trx) => changeState(trx, order.id, "resumed", { set: { failure_reason: null }, now: deps.now() }))
			: order;
	return resumed?.status === "pending" ? openSession(deps, resumed, client) : null;
}
