import type { Runtime } from "../../server/runtime.ts";
import type { OpeningCalendar } from "../catalogue/opening-hours.ts";
import { isPayable } from "../orders/lifecycle.ts";
import type { Order } from "../orders/order.ts";
import { changeState, findOrder } from "../orders/orders.server.ts";
import { resumeToken } from "../orders/resume-token.server.ts";
import { openSession } from "./open-session.server.ts";
import { listSessions } from "./payments.store.server.ts";
import type { PaymentProvider } from "./provider.ts";
import { endSession, syncSession } from "./sync-session.server.ts";

type Deps = Pick<Runtime, "db" | "jobs" | "now" | "log" | "environment" | "signer"> & {
	calendar: OpeningCalendar;
	provider: PaymentProvider;
};

/** The order behind `/paiement/reprendre/{token}`, after asking the provider whether it was paid meanwhile. */
export async function findOrderToResume(
	deps: Deps,
	token: string,
): Promise<{ ok: true; order: Order } | { ok: false; reason: "tampered" | "expired" | "deleted" }> {
	const read = resumeToken.read(deps.signer, token, deps.now());
	if (!read.ok) return read;
	const order = await refreshOrder(deps, read.id);
	return order ? { ok: true, order } : { ok: false, reason: "deleted" };
}

/** An order, after asking the provider what became of its open sessions. */
export async function refreshOrder(deps: Deps, orderId: string): Promise<Order | null> {
	await settleOpenSessions(deps, orderId);
	return findOrder(deps.db, orderId);
}

/**
 * An order as its customer's page shows it, after asking the provider what became of its open sessions.
 * `payable`: the page offers to pay it. Not while the provider is silent: the order may be paid already.
 */
export async function findOrderToShow(deps: Deps, orderId: string): Promise<{ order: Order; payable: boolean } | null> {
	const answered = await settleOpenSessions(deps, orderId);
	const order = await findOrder(deps.db, orderId);
	return order && { order, payable: answered && isPayable(order) };
}

/** Asks the provider what became of an order's open sessions. @returns false when it did not answer. */
async function settleOpenSessions(deps: Deps, orderId: string): Promise<boolean> {
	const open = (await listSessions(deps.db, orderId)).filter((session) => session.status === "open");
	for (const { id } of open) if ((await syncSession(deps, id, null)) === "unavailable") return false;
	return true;
}

/**
 * Lets a customer pay an order that is not paid yet, also one whose session ran out.
 * @param client the key of the client who asks.
 * @returns the payment page's address, or null when the order is past that or the provider cannot be reached.
 */
export async function resumePayment(deps: Deps, order: Order, client: string): Promise<string | null> {
	if (!(await endOverdueSessions(deps, order.id))) return null;
	// read again: what ran out may have been paid at the last moment
	const present = await findOrder(deps.db, order.id);
	if (present === null || !isPayable(present)) return null;
	// of two presses at once, one changes the state, and both find the order open; net: openSession opens none for an order that does not wait
	await deps.db.transaction().execute((trx) => changeState(trx, order.id, "resumed", { set: { failure_reason: null }, now: deps.now() }));
	return openSession(deps, present, client);
}

/**
 * Ends the sessions of an order whose time is over and whose end nobody told us: told later, it would end the order while its customer
 * pays the next one. @returns false when the provider did not answer.
 */
async function endOverdueSessions(deps: Deps, orderId: string): Promise<boolean> {
	const at = deps.now();
	const overdue = (await listSessions(deps.db, orderId)).filter(({ status, expires_at }) => status === "open" && expires_at <= at);
	for (const { id } of overdue) if ((await endSession(deps, id)) === "unavailable") return false;
	return true;
}
