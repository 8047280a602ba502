import type { Trx } from "../../server/database/database.ts";
import type { Context } from "../../server/runtime.ts";
import type { OpeningCalendar } from "../catalogue/opening-hours.ts";
import { computePromise } from "../catalogue/promise.ts";
import { toCalendar } from "../catalogue/settings/days-off.ts";
import { hasClockChangedSince, notifyPublicPages, readSettings } from "../catalogue/settings/shop-settings.store.server.ts";
import { hasCapacity } from "../catalogue/settings/shop-settings.ts";
import { askForNewsletter } from "../emails/newsletter/ask-for-newsletter.server.ts";
import type { Order } from "../orders/order.ts";
import { changeStates } from "../orders/orders.store.server.ts";

/**
 * Marks the orders of a purchase paid in the caller's transaction, which holds their locks: states, events, deadlines, and the jobs that
 * follow. The deadlines count from now, by the same function as those shown before the payment, with the days off and the closure of this
 * instant (docs/rules.md, R18 and R81).
 * @returns the instant of the payment, or null when the orders were not pending.
 */
export async function markPaid(
	{ jobs, now, openingHours }: Context & { openingHours: OpeningCalendar },
	trx: Trx,
	orders: readonly Order[],
): Promise<Date | null> {
	const [first] = orders;
	// before the payment, all orders of a purchase are in the same state
	if (first === undefined || orders.some(({ status }) => status !== "pending")) return null;
	const paidAt = now();
	const settings = await readSettings(trx);
	const calendar = toCalendar(openingHours, settings, paidAt);
	// the catalogue's promise, or the later hour that was said before the payment
	const promiseOf = ({ product_code, offered_at }: Order, clock: OpeningCalendar) =>
		Math.max(computePromise(product_code, paidAt, clock).getTime(), offered_at?.getTime() ?? 0);
	const alike = Map.groupBy(orders, (order) => `${order.product_code} ${promiseOf(order, calendar)}`);
	for (const ofService of alike.values()) {
		const [one = first] = ofService;
		const promise = new Date(promiseOf(one, calendar));
		// the payment page may have shown an earlier hour: the confirmation says so
		const moved = promise.getTime() !== promiseOf(one, openingHours) && (await hasClockChangedSince(trx, first.created_at));
		const ids = ofService.map(({ id }) => id);
		await changeStates(trx, ids, "paid", {
			set: { paid_at: paidAt, promised_at: promise },
			payload: { amount: one.price_cents, ...(moved && { promise_moved: true }) },
			now: paidAt,
		});
		for (const orderId of ids) {
			await jobs.send(trx, "fulfil-order", { orderId, because: "paid" });
			await jobs.send(trx, "check-promise", { orderId }, promise);
		}
	}
	await jobs.send(trx, "invoice-order", { orderId: first.id });
	// a paid purchase takes all its places: a service may be full from now on
	if (hasCapacity(settings)) await notifyPublicPages(trx);
	if (first.newsletter) await askForNewsletter({ jobs, now }, trx, { email: first.customer_email, source: "order" });
	return paidAt;
}
