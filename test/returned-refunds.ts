import { creditRefund } from "../app/fulfilment/invoice-order.server.ts";
import { carryOutRefund } from "../app/payments/carry-out-refund.server.ts";
import { syncPayment } from "../app/payments/sync-payment.server.ts";
import { syncSession } from "../app/payments/sync-session.server.ts";
import type { JobKinds } from "../server/jobs.ts";
import type { BooksScene } from "./payments.ts";

// What tests do with refunds that the provider's books may return.

/** Places and pays an order, and records its payment. */
export async function payOrder(scene: BooksScene, change?: Parameters<BooksScene["pay"]>[1]) {
	const placed = await scene.place();
	const payment = scene.pay(placed.session, change);
	await syncSession(scene.shop, placed.session.id, null);
	return { ...placed, payment };
}

/** Runs the refund jobs until none is left; the other jobs stay queued. */
export async function runRefundJobs(scene: BooksScene, kinds: (keyof JobKinds)[] = ["carry-out-refund", "credit-refund"]): Promise<void> {
	const crediting = { ...scene.shop, makePdf: async () => new TextEncoder().encode(crypto.randomUUID()) };
	for (let round = 0; round < 5; round++) {
		const due = (await scene.queue.waiting()).filter((job) => kinds.some((kind) => kind === job.name));
		for (const job of due) {
			const { refundId } = job.data as { refundId: string };
			if (job.name === "carry-out-refund") await carryOutRefund(scene.shop, refundId);
			if (job.name === "credit-refund") await creditRefund(crediting, refundId);
			await scene.queue.run(job); // handled by the queue itself
		}
	}
}

/** Makes the bank return a refund made on the provider's pages. */
export function returnRefund(scene: BooksScene, payment: Awaited<ReturnType<typeof payOrder>>["payment"]): void {
	const providerRefund = payment.refunds.find(({ reference, status }) => reference === null && status === "succeeded");
	if (providerRefund) scene.books.endRefund(payment, providerRefund, "failed");
}

/** Syncs a payment and runs the refund jobs, twice. */
export async function syncWithRefunds(scene: BooksScene, payment: { id: string }): Promise<void> {
	for (let i = 0; i < 2; i++) {
		await syncPayment(scene.shop, payment.id, null);
		await runRefundJobs(scene);
	}
}

/** The credit notes of an order. */
export const listCreditNotes = ({ db }: BooksScene, id: string) =>
	db.selectFrom("invoices").selectAll().where("order_id", "=", id).where("kind", "=", "credit_note").execute();

/** Reason, cents and status of each refund of an order, oldest first. */
export async function describeRefunds({ db }: BooksScene, id: string): Promise<string[]> {
	const refunds = await db.selectFrom("refunds").selectAll().where("order_id", "=", id).orderBy("requested_at").execute();
	return refunds.map(({ reason, amount_cents, status }) => [reason, amount_cents, status].join(" "));
}

/** How often the operator was told that a refund of an order failed. */
export const countRefundAlerts = async (scene: BooksScene, id: string): Promise<number> =>
	(await scene.getMailKinds(id)).filter((kind) => kind === "alert-refund-failed").length;
