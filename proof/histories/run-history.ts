import { resumePayment } from "../../app/checkout/payment/resume-payment.server.ts";
import { requeueStalledOrders } from "../../app/fulfilment/requeue-stalled-orders.server.ts";
import { placePurchase } from "../../app/orders/place-purchase.server.ts";
import { type Reconciliation, reconcile } from "../../app/payments/reconcile.server.ts";
import { sweepPayments } from "../../app/payments/sweep-payments.server.ts";
import { draftOrder } from "../../test/fixtures/drafts.ts";
import { createCommands } from "./commands.ts";
import type { Perturbations, Scenario } from "./history.ts";
import { createPerturbations, deliverEvent, reconciledDays } from "./perturbations.ts";
import type { HistoryShop } from "./shop.ts";

const minute = 60_000;

/** Runs a history to its end, without perturbations when they are null. @returns the first order and the last reconciliation. */
export async function runHistory(
	place: HistoryShop,
	{ services, waived, slowRefunds, commands, lines = [] }: Scenario,
	perturbations: Perturbations | null,
): Promise<{ orderId: string; reconciled: Reconciliation | null }> {
	await place.reset();
	const { shop, books, queue, advanceClock } = place;
	const consents = { terms: true, waiveWithdrawal: waived, textVersion: "2026-11-21" };
	const drafts = services.map((service) => draftOrder(service, { consents }));
	const placed = await shop.db.transaction().execute((trx) => placePurchase(trx, drafts, { key: null, terms: null, now: shop.now() }));
	if (!placed.ok) throw new Error("no purchase was placed");
	const [first] = placed.orders;
	const { id } = first;
	await resumePayment(shop, first, "a client");
	books.faults.slowRefunds = slowRefunds;
	const { perturb, releaseAnswers } = createPerturbations(place, id);

	for (const [at, command] of commands.entries()) {
		const order = placed.orders[(lines[at] ?? 0) % placed.orders.length] ?? first;
		await createCommands(place, order)[command]();
		advanceClock(3 * minute);
		if (perturbations === null) {
			await deliverNewEvents(place, null);
			await queue.drain();
			continue;
		}
		for (const perturbation of perturbations.between[at] ?? []) {
			await perturb(perturbation);
			advanceClock(minute);
		}
	}

	Object.assign(books.faults, { outages: 0, lostAnswers: 0, slowRefunds: false });
	await releaseAnswers();
	for (const payment of books.payments.values())
		for (const refund of payment.refunds) if (refund.status === "pending") books.endRefund(payment, refund, "succeeded");
	return { orderId: id, reconciled: await finishHistory(place, perturbations) };
}

/** Delivers what is left and lets the regular jobs run, until nothing changes any more. */
async function finishHistory(place: HistoryShop, perturbations: Perturbations | null): Promise<Reconciliation | null> {
	const { shop, queue, advanceClock } = place;
	await deliverNewEvents(place, perturbations);
	await queue.drain();
	for (const wait of [25 * 60 * minute, 10 * minute]) {
		advanceClock(wait);
		await sweepPayments(shop);
		await deliverNewEvents(place, perturbations);
		await requeueStalledOrders(shop);
		await queue.drain();
	}
	await reconcile(shop, reconciledDays);
	await queue.drain();
	advanceClock(10 * minute);
	await requeueStalledOrders(shop);
	await queue.drain();
	const reconciled = await reconcile(shop, reconciledDays);
	return reconciled.ok ? reconciled : null;
}

/** Delivers the events that were never delivered, except lost ones; events of disputes are never lost. */
async function deliverNewEvents(place: HistoryShop, perturbations: Perturbations | null): Promise<void> {
	const late = place.books.events.filter(
		(event, at) => event.deliveries === 0 && (!perturbations?.lost.includes(at) || event.object.object === "dispute"),
	);
	for (const event of perturbations?.backwards ? late.reverse() : late) await deliverEvent(place, event);
}
