import { cents } from "../../app/catalogue/money.ts";
import { services } from "../../app/catalogue/services.ts";
import type { Siren } from "../../app/companies/siren.ts";
import { fulfilOrderJob } from "../../app/fulfilment/jobs.ts";
import { requeueStalledOrders } from "../../app/fulfilment/requeue-stalled-orders.server.ts";
import { placeOrder } from "../../app/orders/place-order.server.ts";
import { handleEvent } from "../../app/payments/handle-event.server.ts";
import { type Reconciliation, reconcile } from "../../app/payments/reconcile.server.ts";
import { refreshOrder, resumePayment } from "../../app/payments/resume-payment.server.ts";
import { signEvent } from "../../app/payments/signed-event.server.ts";
import { sweepPayments } from "../../app/payments/sweep-payments.server.ts";
import { grantRefund } from "../../app/tracking/ask-for-refund.server.ts";
import { cancelOrder } from "../../app/tracking/cancel-order.server.ts";
import { withdraw } from "../../app/tracking/withdraw.server.ts";
import type { ToldEvent } from "./books.ts";
import type { Command, Perturbation, Perturbations, Scenario } from "./history.ts";
import { eventSecret, type HistoryShop } from "./shop.ts";

const minute = 60_000;
const day = 24 * 60 * minute;
const part = cents(1000);

/** Longer than any history. */
const reconciledDays = 20;

/** Plays a history to its end; unperturbed where nothing disturbs it. @returns the order, and what the last comparison of books found. */
export async function runHistory(
	place: HistoryShop,
	{ service, waived, slowRefunds, commands }: Scenario,
	perturbations: Perturbations | null,
): Promise<{ orderId: string; reconciled: Reconciliation | null }> {
	await place.startAfresh();
	const { shop, books, queue, desk, pass } = place;
	const under = new Set<Promise<unknown>>();
	const releases: (() => void)[] = [];
	const placed = await shop.db.transaction().execute((trx) => placeOrder(trx, draftOf(service, waived), null, shop.now()));
	if (!placed.ok) throw new Error("no order was made");
	const { id } = placed.order;
	await resumePayment(shop, placed.order, "a client");
	books.faults.slowRefunds = slowRefunds;

	const payments = () => [...books.payments.values()];
	const sessions = () => [...books.sessions.values()];

	const doing: Record<Command, () => unknown> = {
		pay: () => payOne("open"),
		"pay-late": () => payOne("expired") ?? payOne("open"),
		"pay-wrong": () => payOne("open", { amount: 100 }),
		expire: () => {
			for (const session of sessions()) if (session.status === "open") books.expire(session);
		},
		async resume() {
			const order = await refreshOrder(shop, id);
			if (order) await resumePayment(shop, order, "a client");
		},
		"extract-ready": () => hand("ready"),
		"extract-not-found": () => hand("not-found"),
		"promise-passes": () => pass(5 * day),
		cancel: () => cancelOrder(shop, id),
		withdraw: () => withdraw(shop, id),
		"refund-part-elsewhere": () => refundElsewhere(part),
		"refund-rest-elsewhere": () => refundElsewhere(),
		"refund-part": () => grantRefund(shop, id, part),
		"refund-rest": () => grantRefund(shop, id),
		dispute: () => {
			const payment = payments().find((known) => !books.isDisputed(known) && known.dispute === null && books.left(known) > 0);
			if (payment) books.openDispute(payment);
		},
		"dispute-won": () => endDispute("won"),
		"dispute-lost": () => endDispute("lost"),
		"bank-returns-refund": () => {
			for (const payment of payments()) {
				const refund = payment.refunds.find(({ status }) => status === "succeeded");
				if (refund) return books.endRefund(payment, refund, "failed");
			}
		},
	};

	function payOne(status: "open" | "expired", change = {}): true | undefined {
		const session = sessions().find((known) => known.status === status);
		if (!session) return undefined;
		books.pay(session, change);
		return true;
	}
	async function hand(what: "ready" | "not-found"): Promise<void> {
		if (desk.has(id)) return;
		desk.set(id, what);
		await shop.db.transaction().execute((trx) => shop.jobs.send(trx, fulfilOrderJob, { orderId: id, because: "uploaded" }));
	}
	function refundElsewhere(amount?: number): void {
		const payment = payments().find((known) => !books.isDisputed(known) && books.left(known) >= (amount ?? 1));
		if (payment) books.giveBack(payment, amount ?? books.left(payment), null, null);
	}
	function endDispute(status: "won" | "lost"): void {
		const payment = payments().find(({ dispute }) => dispute?.status === "open");
		if (payment) books.closeDispute(payment, status);
	}

	async function deliver(event: ToldEvent): Promise<void> {
		const body = JSON.stringify({ id: event.id, object: "event", type: event.type, data: { object: event.object } });
		const status = await handleEvent(shop, body, signEvent(body, eventSecret, shop.now()));
		if (status === 400) throw new Error("a signed event was refused");
		if (status === 200) event.deliveries++;
	}
	/** Begins something whose first question to the provider is answered late, and goes on without it. */
	async function slowly(work: () => Promise<unknown>): Promise<void> {
		const { reached, release } = books.holdNext();
		const working = work();
		working.catch(() => {}); // heard of when the answers arrive
		under.add(working);
		await Promise.race([reached, working]);
		books.holdNoMore();
		releases.push(release);
	}
	async function answersArrive(): Promise<void> {
		for (const release of releases.splice(0)) release();
		await Promise.all(under);
		under.clear();
	}
	const maySlow = (slow: boolean, work: () => Promise<unknown>) => (slow ? slowly(work) : work());
	const working = new Set<string>();

	const perturb: Record<Perturbation["what"], (given: { what: string; which?: number; slow?: boolean }) => unknown> = {
		async deliver({ which = 0, slow = false }) {
			const event = books.events[which % books.events.length];
			if (event) await maySlow(slow, () => deliver(event));
		},
		async job({ which = 0, slow = false }) {
			const due = (await queue.waiting()).filter((job) => !working.has(job.id));
			const job = due[which % due.length];
			if (!job) return;
			working.add(job.id);
			await maySlow(slow, () => queue.run(job).finally(() => working.delete(job.id)));
		},
		"slow answers arrive": answersArrive,
		"customer returns": () => refreshOrder(shop, id),
		sweep: () => sweepPayments(shop),
		wake: () => requeueStalledOrders(shop),
		reconcile: () => reconcile(shop, reconciledDays),
		"provider down": () => {
			books.faults.outages++;
		},
		"answer lost": () => {
			books.faults.lostAnswers++;
		},
		"jobs lost": () => (working.size === 0 ? queue.forgetAll() : undefined),
	};

	async function deliverNew(): Promise<void> {
		const late = books.events.filter(
			(event, at) => event.deliveries === 0 && (!perturbations?.lost.includes(at) || event.object.object === "dispute"),
		);
		for (const event of perturbations?.backwards ? late.reverse() : late) await deliver(event);
	}
	function bankTakesRefunds(): void {
		for (const payment of payments())
			for (const refund of payment.refunds) if (refund.status === "pending") books.endRefund(payment, refund, "succeeded");
	}

	for (const [at, command] of commands.entries()) {
		await doing[command]();
		pass(3 * minute);
		if (perturbations === null) {
			await deliverNew();
			await queue.drain();
			continue;
		}
		for (const perturbation of perturbations.between[at] ?? []) {
			await perturb[perturbation.what](perturbation);
			pass(minute);
		}
	}

	// whatever it was, it ends: the provider answers, the bank is done, time goes on
	Object.assign(books.faults, { outages: 0, lostAnswers: 0, slowRefunds: false });
	await answersArrive();
	bankTakesRefunds();
	await deliverNew();
	await queue.drain();
	for (const wait of [25 * 60 * minute, 10 * minute]) {
		pass(wait);
		await sweepPayments(shop);
		await deliverNew();
		await requeueStalledOrders(shop);
		await queue.drain();
	}
	await reconcile(shop, reconciledDays);
	await queue.drain();
	pass(10 * minute);
	await requeueStalledOrders(shop);
	await queue.drain();
	return { orderId: id, reconciled: await reconcile(shop, reconciledDays) };
}

const draftOf = (service: Scenario["service"], waived: boolean): Parameters<typeof placeOrder>[1] => ({
	...{ service, siren: "552032534" as Siren, companyName: "DANONE", email: "ada@example.fr", firstName: "Ada", lastName: "Lovelace" },
	...{ phone: null, billingCompany: null, deliveryEmail: null, newsletter: false },
	...(services[service].deliveryMethod === "postal"
		? { address: "1 rue de la Paix", postalCode: "75002", city: "Paris" }
		: { address: null, postalCode: null, city: null }),
	consents: { terms: true, waiveWithdrawal: waived, textVersion: "2026-11-21" },
});
