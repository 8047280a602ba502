import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { type BooksScene, booksScene } from "../../test/payments.ts";
import { checkPromise } from "../fulfilment/check-promise.server.ts";
import { failOrder } from "../fulfilment/fail-order.server.ts";
import { carryOutRefundJob } from "../refunds/jobs.ts";
import { carryOutRefund } from "./carry-out-refund.server.ts";
import type { PaymentProvider } from "./provider.ts";
import { syncPayment } from "./sync-payment.server.ts";
import { syncSession } from "./sync-session.server.ts";

// Refunds of one purchase that meet: many at once, and those that the operator makes on the provider's pages.

let scene: BooksScene;
beforeAll(async () => {
	scene = await booksScene();
});
beforeEach(async () => {
	await scene.deleteOrders();
	await scene.startAfresh();
});
afterAll(() => scene?.close());

/** A paid purchase of express orders of 59 €. */
async function paid(count: number) {
	const placed = await scene.place({ services: Array(count).fill("express") });
	const payment = scene.pay(placed.session);
	await syncSession(scene.shop, placed.session.id, null);
	return { ...placed, payment };
}

const getRefunded = (ids: readonly string[]) => Promise.all(ids.map(async (id) => (await scene.getOrder(id)).refunded_cents));
const getAlerts = (ids: readonly string[]) =>
	Promise.all(ids.map(async (id) => (await scene.getMailKinds(id)).filter((kind) => kind.startsWith("alert-refund"))));
const sync = ({ id }: { id: string }) => syncPayment(scene.shop, id, null);
const listRefundJobs = async () =>
	(await scene.queue.waiting()).flatMap(({ name, data }) => (name === carryOutRefundJob.name ? [data as { refundId: string }] : []));

describe("refunds of all orders at once", () => {
	const count = 20;

	test.each([false, true])("are synced side by side, and none makes another one wait in vain; slow bank: %s", async (slow) => {
		const { ids, payment } = await paid(count);
		scene.pass(5 * 86_400_000);
		for (const id of ids) await checkPromise(scene.shop, id);
		scene.books.faults.slowRefunds = slow;
		const works = (await listRefundJobs()).flatMap(({ refundId }) => [
			() => carryOutRefund(scene.shop, refundId),
			...Array.from({ length: 3 }, () => async () => expect(await sync(payment)).toEqual({ ok: true })),
		]);
		expect(works).toHaveLength(4 * count);
		const ended = await Promise.allSettled(works.map((work) => work()));
		for (const refund of slow ? payment.refunds : []) scene.books.endRefund(payment, refund, "succeeded");
		if (slow) ended.push(...(await Promise.allSettled(ids.map(async () => expect(await sync(payment)).toEqual({ ok: true })))));
		expect(ended.filter(({ status }) => status === "rejected")).toEqual([]);
		expect(await getRefunded(ids)).toEqual(Array(count).fill(5900));
	});

	test("cost no more statements each than the refund of a single order", async () => {
		/** The statements of a sync in which one refund has changed, and others are recorded. */
		async function countStatements(others: number): Promise<number> {
			const { ids, payment } = await paid(others + 1);
			for (const id of ids) await failOrder(scene.shop, id, "operator");
			const jobs = await listRefundJobs();
			await scene.queue.deleteAll();
			for (const { refundId } of jobs.slice(1)) await carryOutRefund(scene.shop, refundId);
			scene.books.giveBack(payment, 5900, jobs[0]?.refundId ?? "", null);
			const spy = vi.spyOn(pg.Client.prototype, "query");
			await sync(payment);
			const statements = spy.mock.calls.length;
			spy.mockRestore();
			return statements;
		}
		const single = await countStatements(0);
		expect(single).toBeGreaterThan(5);
		expect(await countStatements(10)).toBe(single);
	});
});

describe("a refund on the provider's pages", () => {
	test("that fits several lines is told to the operator once, at the one that it counts for", async () => {
		const { ids, payment } = await paid(3);
		scene.books.giveBack(payment, 5900, null, null);
		for (let time = 0; time < 2; time++) await sync(payment);
		expect(await getRefunded(ids)).toEqual([5900, 0, 0]);
		expect(await getAlerts(ids)).toEqual([["alert-refund-guessed"], [], []]);
	});

	test("of all that is left is no guess", async () => {
		const { ids, payment } = await paid(3);
		scene.books.giveBack(payment, 3 * 5900, null, null);
		await sync(payment);
		expect(await getRefunded(ids)).toEqual([5900, 5900, 5900]);
		expect(await getAlerts(ids)).toEqual([[], [], []]);
	});

	test("that our refund overtakes leaves the order at its price, and the other orders what is left of the payment", async () => {
		const { ids, payment } = await paid(4);
		for (const id of ids.slice(2)) await failOrder(scene.shop, id, "operator");
		const [third, fourth] = await listRefundJobs();
		const { provider } = scene.books;
		const overtaken: PaymentProvider = {
			...provider,
			async refund(request) {
				scene.books.giveBack(payment, 13_000, null, null);
				await sync(payment);
				return provider.refund(request);
			},
		};
		await carryOutRefund({ ...scene.shop, provider: overtaken }, third?.refundId ?? "");
		await carryOutRefund(scene.shop, fourth?.refundId ?? "");
		expect(await sync(payment)).toEqual({ ok: true });
		expect(await getRefunded(ids)).toEqual([5900, 5900, 5900, 4700]);
		expect(scene.books.left(payment)).toBe(0);
		expect((await getAlerts(ids))[2]).toEqual(["alert-refund-exceeds"]);
	});
});

test("a refund of ours whose row is missing is not split among the orders; the operator is told once", async () => {
	const { ids, payment } = await paid(3);
	const [, , third = ""] = ids;
	await failOrder(scene.shop, third, "operator");
	const [job] = await listRefundJobs();
	await carryOutRefund(scene.shop, job?.refundId ?? "");
	const [lost] = await scene.db.deleteFrom("refunds").where("order_id", "=", third).returningAll().execute();
	for (let time = 0; time < 2; time++) expect(await sync(payment)).toEqual({ ok: true });
	expect(await scene.db.selectFrom("refunds").selectAll().execute()).toEqual([]);
	expect(await getAlerts(ids)).toEqual([["alert-refund-unknown"], [], []]);
	// as `orders recreate` does
	if (lost) await scene.db.insertInto("refunds").values(lost).execute();
	await sync(payment);
	expect(await getRefunded(ids)).toEqual([0, 0, 5900]);
});
