import { refreshOrder } from "../../app/checkout/payment/resume-payment.server.ts";
import { requeueStalledOrders } from "../../app/fulfilment/requeue-stalled-orders.server.ts";
import { handleEvent } from "../../app/payments/handle-event.server.ts";
import { reconcile } from "../../app/payments/reconcile.server.ts";
import { signEvent } from "../../app/payments/stripe/signed-event.server.ts";
import { sweepPayments } from "../../app/payments/sweep-payments.server.ts";
import type { ProviderEvent } from "./books.ts";
import type { Perturbation } from "./history.ts";
import { eventSecret, type HistoryShop } from "./shop.ts";

/** Days that a reconciliation compares: more than any history lasts. */
export const reconciledDays = 20;

export async function deliverEvent({ shop }: HistoryShop, event: ProviderEvent): Promise<void> {
	const body = JSON.stringify({ id: event.id, object: "event", type: event.type, data: { object: event.object } });
	const status = await handleEvent(shop, body, signEvent(body, eventSecret, shop.now()));
	if (status === 400) throw new Error("a signed event was refused");
	if (status === 200) event.deliveries++;
}

/** The functions behind the perturbations, for one order. `releaseAnswers` ends all work that waits for the provider. */
export function createPerturbations(place: HistoryShop, orderId: string) {
	const { shop, books, queue } = place;
	const pending = new Set<Promise<unknown>>();
	const releases: (() => void)[] = [];
	const runningJobs = new Set<string>();

	/** Starts work, holds the answer to its first request to the provider, and goes on without waiting for it. */
	async function startSlowly(work: () => Promise<unknown>): Promise<void> {
		const { reached, release } = books.holdNext();
		const working = work();
		working.catch(() => {}); // awaited in releaseAnswers
		pending.add(working);
		await Promise.race([reached, working]);
		books.cancelHold();
		releases.push(release);
	}
	const start = (slow: boolean, work: () => Promise<unknown>) => (slow ? startSlowly(work) : work());

	async function releaseAnswers(): Promise<void> {
		for (const release of releases.splice(0)) release();
		await Promise.all(pending);
		pending.clear();
	}

	type Given = { what: string; which?: number; slow?: boolean };
	const perturb: Record<Perturbation["what"], (given: Given) => unknown> = {
		async deliver({ which = 0, slow = false }) {
			const event = books.events[which % books.events.length];
			if (event) await start(slow, () => deliverEvent(place, event));
		},
		async job({ which = 0, slow = false }) {
			const due = (await queue.waiting()).filter((job) => !runningJobs.has(job.id));
			const job = due[which % due.length];
			if (!job) return;
			runningJobs.add(job.id);
			await start(slow, () => queue.run(job).finally(() => runningJobs.delete(job.id)));
		},
		"slow answers arrive": releaseAnswers,
		"customer returns": () => refreshOrder(shop, orderId),
		sweep: () => sweepPayments(shop),
		wake: () => requeueStalledOrders(shop),
		reconcile: () => reconcile(shop, reconciledDays),
		"provider down": () => {
			books.faults.outages++;
		},
		"answer lost": () => {
			books.faults.lostAnswers++;
		},
		"jobs lost": () => (runningJobs.size === 0 ? queue.deleteAll() : undefined),
	};
	return { perturb: (perturbation: Perturbation) => perturb[perturbation.what](perturbation), releaseAnswers };
}
