import type { Trx } from "../../server/database/database.ts";
import type { Context } from "../../server/runtime.ts";
import type { OpeningCalendar } from "../catalogue/opening-hours.ts";
import { computePromise } from "../catalogue/promise.ts";
import { askForNewsletter } from "../newsletter/ask-for-newsletter.server.ts";
import type { Order } from "../orders/order.ts";
import { changeState } from "../orders/orders.server.ts";
import { toCalendar } from "../shop-settings/days-off.ts";
import { hasClockChangedSince, readSettings } from "../shop-settings/settings.server.ts";
import { checkPromiseJob, fulfilOrderJob, invoiceOrderJob } from "./jobs.ts";

/**
 * Marks an order paid in the caller's transaction: state, event, deadline, and the jobs that follow.
 * The deadline counts from now, by the same function as the one shown before the payment, with the days off and the closure of this
 * instant (docs/rules.md, R18 and R81).
 * @returns the order, or null when it was not pending.
 */
export async function markPaid(
	{ jobs, now, openingHours }: Context & { openingHours: OpeningCalendar },
	trx: Trx,
	order: Order,
): Promise<Order | null> {
	const paidAt = now();
	const calendar = toCalendar(openingHours, await readSettings(trx), paidAt);
	const promise = computePromise(order.product_code, paidAt, calendar);
	// the payment page may have shown an earlier hour: the confirmation says so
	const moved =
		promise.getTime() !== computePromise(order.product_code, paidAt, openingHours).getTime() &&
		(await hasClockChangedSince(trx, order.created_at));
	const paid = await changeState(trx, order.id, "paid", {
		set: { paid_at: paidAt, promised_at: promise },
		payload: { amount: order.price_cents, ...(moved && { promise_moved: true }) },
		now: paidAt,
	});
	if (paid === null) return null;
	await jobs.send(trx, fulfilOrderJob, { orderId: order.id, because: "paid" });
	await jobs.send(trx, invoiceOrderJob, { orderId: order.id });
	await jobs.send(trx, checkPromiseJob, { orderId: order.id }, promise);
	if (paid.newsletter) await askForNewsletter({ jobs, now }, trx, { email: paid.customer_email, source: "order" });
	return paid;
}
