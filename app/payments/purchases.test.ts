import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { mixServices } from "../../test/fixtures/drafts.ts";
import { type BooksScene, booksScene } from "../../test/payments.ts";
import { grantRefund } from "../../test/refunds.ts";
import { cents } from "../catalogue/money.ts";
import { services } from "../catalogue/services.ts";
import { toSentLine } from "../checkout/form/form-line.ts";
import { readOrderValues } from "../checkout/form/read-order-values.ts";
import { openSession } from "../checkout/payment/open-session.server.ts";
import { resumePayment } from "../checkout/payment/resume-payment.server.ts";
import { startFormCheckout } from "../checkout/payment/start-form-checkout.server.ts";
import type { Siren } from "../companies/siren.ts";
import { cancelOrder } from "../customer/tracking/cancel-order.server.ts";
import { withdraw } from "../customer/tracking/withdraw.server.ts";
import { checkPromise } from "../fulfilment/check-promise.server.ts";
import { failOrder } from "../fulfilment/fail-order.server.ts";
import { lockOrderWithPurchase } from "../orders/orders.store.server.ts";
import { listRefundablePayments } from "../orders/refunds/list-refundable-payments.server.ts";
import { refundByOperator } from "../orders/refunds/refund-by-operator.server.ts";
import { listEffectiveRefunds, updateRefundAsked } from "../orders/refunds/refunds.store.server.ts";
import { carryOutRefund } from "./carry-out-refund.server.ts";
import type { PaymentProvider, SessionRequest } from "./provider.ts";
import { reconcile } from "./reconcile.server.ts";
import { sweepPayments } from "./sweep-payments.server.ts";
import { syncPayment } from "./sync-payment.server.ts";
import { syncSession } from "./sync-session.server.ts";

// What only a purchase of several orders can do: states that change together, and one payment that is refunded in parts.

const minute = 60_000;
const day = 24 * 60 * minute;

let scene: BooksScene;
beforeAll(async () => {
	scene = await booksScene();
});
beforeEach(async () => {
	await scene.deleteOrders();
	await scene.startAfresh();
});
afterAll(() => scene?.close());

const place = (count = 3) => scene.place({ services: mixServices(count) });

/** A paid purchase of an express, a standard, and other orders. */
async function paid(count = 3) {
	const placed = await place(count);
	const payment = scene.pay(placed.session);
	await syncSession(scene.shop, placed.session.id, null);
	return { ...placed, payment };
}

const getOrders = (ids: readonly string[]) => Promise.all(ids.map(scene.getOrder));
const getStates = async (ids: readonly string[]) => (await getOrders(ids)).map(({ status, failure_reason: why }) => why ?? status);
const getRefunded = async (ids: readonly string[]) => (await getOrders(ids)).map(({ refunded_cents }) => refunded_cents);
const sync = ({ id }: { id: string }) => syncPayment(scene.shop, id, null);

/** The refunds of each order, as « reason cents status ». */
const listRefunds = (ids: readonly string[]) =>
	Promise.all(
		ids.map(async (id) => {
			const rows = await scene.db.selectFrom("refunds").selectAll().where("order_id", "=", id).execute();
			return rows.map(({ reason, amount_cents, status }) => `${reason} ${amount_cents} ${status}`).sort();
		}),
	);

/** Runs the jobs of refunds until none is left. */
async function carryOutRefunds(): Promise<void> {
	for (let round = 0; round < 5; round++)
		for (const job of (await scene.queue.waiting()).filter(({ name }) => name === "carry-out-refund")) {
			await carryOutRefund(scene.shop, (job.data as { refundId: string }).refundId);
			await scene.queue.run(job);
		}
}

describe("before the payment, all orders of a purchase", () => {
	test("expire and are resumed together; one reminder and one session are for all", async () => {
		const { id, ids, session } = await place(5);
		scene.books.expire(session);
		await syncSession(scene.shop, session.id, null);
		expect(await getStates(ids)).toEqual(Array(5).fill("expired"));
		expect(await Promise.all(ids.map(scene.getMailKinds))).toEqual([["resume"], [], [], [], []]);
		const third = await scene.getOrder(ids[2] ?? "");
		expect(await resumePayment(scene.shop, third, "a client")).toMatchObject({ ok: true });
		expect(await getStates(ids)).toEqual(Array(5).fill("pending"));
		const [, resumed, ...others] = scene.listSessions(id);
		expect(others).toEqual([]);
		expect(resumed).toMatchObject({ amount: 24_000, status: "open", purchaseId: id });
		expect(await openSession(scene.shop, id, "a client")).toEqual({ ok: true, url: resumed?.url });
		if (resumed) scene.pay(resumed);
		await syncSession(scene.shop, resumed?.id ?? "", null);
		expect(await getStates(ids)).toEqual(Array(5).fill("paid"));
	});

	test.each(["cancelled", "withdrawn"])("are %s together, whichever the customer chose; the open session is expired", async (how) => {
		const { ids, session } = await place();
		const [, second = ""] = ids;
		if (how === "cancelled") expect(await cancelOrder(scene.shop, second, "purchase")).toEqual({ ok: true });
		else expect(await withdraw(scene.shop, second, "purchase")).toMatchObject({ ok: true });
		expect(await getStates(ids)).toEqual(Array(3).fill("cancelled"));
		expect(await resumePayment(scene.shop, await scene.getOrder(ids[0] ?? ""), "a client")).toEqual({ ok: false, code: "not-payable" });
		scene.pass(2 * minute);
		await sweepPayments(scene.shop);
		expect(scene.books.sessions.get(session.id)?.status).toBe("expired");
		expect(await Promise.all(ids.map(scene.getMailKinds))).toEqual([[], [how === "cancelled" ? "cancelled" : "withdrawal-receipt"], []]);
	});

	test("that were cancelled and are paid late get the whole payment back, once", async () => {
		const { ids, session } = await place();
		await cancelOrder(scene.shop, ids[2] ?? "", "purchase");
		const payment = scene.pay(session);
		for (let time = 0; time < 2; time++) await syncSession(scene.shop, session.id, null);
		await carryOutRefunds();
		expect(scene.books.left(payment)).toBe(0);
		expect(await listRefunds(ids)).toEqual([["surplus 14200 succeeded"], [], []]);
		expect(await getRefunded(ids)).toEqual([0, 0, 0]);
	});

	test("that were placed while the provider did not answer expire together after a day", async () => {
		const { id, ids } = await place();
		await scene.db.deleteFrom("payment_sessions").where("order_id", "=", id).execute();
		scene.pass(day + 1);
		await sweepPayments(scene.shop);
		expect(await getStates(ids)).toEqual(Array(3).fill("expired"));
	});
});

test("the session is of the sum, names how many extracts it is for, and has the e-mail of the customer", async () => {
	const requests: SessionRequest[] = [];
	const { provider } = scene.books;
	const recording: PaymentProvider = {
		...provider,
		createSession(request) {
			requests.push(request);
			return provider.createSession(request);
		},
	};
	for (const services of [mixServices(2), mixServices(1)]) await scene.place({ services, email: "ada@example.fr", provider: recording });
	expect(requests).toMatchObject([
		{ amount: 9800, productName: "2 extraits Kbis", customerEmail: "ada@example.fr" },
		{ amount: 5900, productName: "KBIS Express, SIREN 552032534" },
	]);
	for (const { key, purchaseId } of requests) expect(key).toBe(`order-${purchaseId}-1`);
});

describe("a paid session", () => {
	test.each<[string, (ids: readonly string[]) => string]>([
		["an unknown purchase", () => crypto.randomUUID()],
		["an order that is not the first of its purchase", ([, second = ""]) => second],
	])("that names %s changes nothing", async (_what, getId) => {
		const { ids, session } = await place();
		session.purchaseId = getId(ids);
		const payment = scene.pay(session);
		expect(await syncSession(scene.shop, session.id, null)).toEqual({ ok: true });
		expect(await sync(payment)).toEqual({ ok: true });
		expect(await getStates(ids)).toEqual(Array(3).fill("pending"));
		expect(await scene.db.selectFrom("payments").selectAll().execute()).toEqual([]);
		expect(scene.lines).toContainEqual(expect.objectContaining({ msg: "a payment session names no order of ours" }));
	});

	test("of the price of one order only puts all of them on hold", async () => {
		const { ids, session } = await place();
		scene.pay(session, { amount: 5900 });
		await syncSession(scene.shop, session.id, null);
		expect(await getStates(ids)).toEqual(Array(3).fill("pending"));
		for (const { set_aside_at } of await getOrders(ids)) expect(set_aside_at).toEqual(scene.now());
		expect(await Promise.all(ids.map(scene.getMailKinds))).toEqual([["alert-set-aside"], [], []]);
		const refundable = await Promise.all((await getOrders(ids)).map((order) => listRefundablePayments(scene.db, order)));
		expect(refundable.map((payments) => payments.map(({ left }) => left))).toEqual([[5900], [], []]);
	});

	test("gives each order the promise of its service, and its own jobs", async () => {
		const { ids } = await paid(5);
		const orders = await getOrders(ids);
		expect(new Set(orders.map(({ paid_at }) => paid_at?.getTime())).size).toBe(1);
		const promises = orders.map(({ promised_at }) => promised_at?.toISOString());
		expect(promises).toEqual([0, 1, 2, 0, 1].map((at) => promises[at]));
		expect(new Set(promises).size).toBe(3);
		const jobs = (await scene.queue.waiting()).map(({ name, data }) => [name, (data as { orderId: string }).orderId]);
		expect(jobs.filter(([name]) => name === "fulfil-order").map(([, id]) => id)).toEqual(expect.arrayContaining(ids));
		expect(jobs.filter(([name]) => name === "invoice-order")).toEqual([["invoice-order", ids[0]]]);
	});
});

describe("a refund on the provider's pages", () => {
	test("of the price of one order goes to it, of another amount to the orders in turn, and of the rest to all", async () => {
		const { ids, payment } = await paid(5); // 59, 39, 44, 59, 39 €
		const states = [];
		for (const amount of [4400, 7000, scene.books.left(payment) - 11_400]) {
			scene.books.giveBack(payment, amount, null, null);
			await sync(payment);
			states.push(await getRefunded(ids));
		}
		expect(states).toEqual([
			[0, 0, 4400, 0, 0],
			[5900, 1100, 4400, 0, 0],
			[5900, 3900, 4400, 5900, 3900],
		]);
		expect(await reconcile(scene.shop)).toMatchObject({ ok: true, differences: [] });
	});

	test("of everything leaves nothing of what was requested for an order, and no order gets back more than its price", async () => {
		const { ids, payment } = await paid();
		await failOrder(scene.shop, ids[0] ?? "", "operator");
		scene.books.giveBack(payment, 14_200, null, null);
		await sync(payment);
		await carryOutRefunds();
		expect(await getRefunded(ids)).toEqual([5900, 3900, 4400]);
		expect(await listRefunds(ids)).toEqual([
			["dashboard 5900 succeeded", "failed 5900 refused"],
			["dashboard 3900 succeeded"],
			["dashboard 4400 succeeded"],
		]);
	});

	test("that is found together with a refund of ours, which had no answer, is not taken for the same money", async () => {
		const { ids, payment } = await paid(2);
		for (const id of ids) await failOrder(scene.shop, id, "operator");
		const [own] = await scene.db
			.selectFrom("refunds")
			.selectAll()
			.where("order_id", "=", ids[0] ?? "")
			.execute();
		scene.books.giveBack(payment, 5900, own?.id ?? "", null);
		scene.books.giveBack(payment, 3900, null, null);
		await sync(payment);
		await carryOutRefunds();
		expect(await getRefunded(ids)).toEqual([5900, 3900]);
		expect(await listRefunds(ids)).toEqual([["failed 5900 succeeded"], ["dashboard 3900 succeeded", "failed 3900 refused"]]);
	});

	test("while all is requested takes the place of these requests: the rest of the money goes to the other orders", async () => {
		const { ids, payment } = await paid();
		for (const id of ids) await failOrder(scene.shop, id, "operator");
		scene.books.giveBack(payment, 4000, null, null);
		await sync(payment);
		await carryOutRefunds();
		expect(scene.books.left(payment)).toBe(0);
		expect(await getRefunded(ids)).toEqual([5900, 3900, 4400]);
		expect(await listRefunds(ids)).toEqual([
			["dashboard 4000 succeeded", "failed 1900 succeeded"],
			["failed 3900 succeeded"],
			["failed 4400 succeeded"],
		]);
	});

	test("does not take away what a cancelled order is owed", async () => {
		const { ids, payment } = await paid(2);
		const [first = "", second = ""] = ids;
		await failOrder(scene.shop, first, "operator");
		scene.books.giveBack(payment, 5900, null, null); // the operator did not see that the shop refunds it
		scene.books.faults.slowRefunds = true;
		await sync(payment);
		await cancelOrder(scene.shop, second, "purchase");
		scene.books.faults.slowRefunds = false;
		await carryOutRefunds();
		expect(scene.books.left(payment)).toBe(0);
		expect(await getRefunded(ids)).toEqual([5900, 3900]);
	});

	test("that the bank returns counts on no order any more, and each that is owed its price gets it by a new refund", async () => {
		const { ids, payment } = await paid();
		const refund = scene.books.giveBack(payment, 14_200, null, null);
		await sync(payment);
		for (const id of ids.slice(1)) await cancelOrder(scene.shop, id, "purchase");
		scene.books.endRefund(payment, refund, "failed");
		scene.pass(minute);
		await sync(payment);
		expect(await getRefunded(ids)).toEqual([0, 0, 0]);
		await carryOutRefunds();
		expect(await getRefunded(ids)).toEqual([0, 3900, 4400]);
		expect(await listRefunds(ids)).toEqual([
			["dashboard 5900 failed"],
			["cancelled 3900 succeeded", "dashboard 3900 failed"],
			["cancelled 4400 succeeded", "dashboard 4400 failed"],
		]);
		for (const id of ids) expect(await scene.getMailKinds(id)).toContain("alert-refund-failed");
	});

	test("of a duplicate payment belongs to the first order, whatever its amount", async () => {
		const { id, ids, session, payment } = await paid();
		const second = {
			...session,
			id: `cs_${crypto.randomUUID()}`,
			status: "open" as const,
			paymentStatus: "unpaid" as const,
			paymentId: null,
		};
		scene.books.sessions.set(second.id, second);
		const duplicate = scene.pay(second);
		await syncSession(scene.shop, second.id, null);
		await scene.queue.deleteAll();
		scene.books.giveBack(duplicate, 3900, null, null);
		await sync(duplicate);
		expect(await listRefunds(ids)).toEqual([["dashboard 3900 succeeded", "surplus 14200 requested"], [], []]);
		expect(await getRefunded(ids)).toEqual([0, 0, 0]);
		const [surplus] = await scene.db.selectFrom("refunds").selectAll().where("reason", "=", "surplus").execute();
		await carryOutRefund(scene.shop, surplus?.id ?? "");
		expect([scene.books.left(duplicate), scene.books.left(payment)]).toEqual([0, 14_200]);
		expect((await listEffectiveRefunds(scene.db, id)).map(({ amount_cents }) => amount_cents).sort()).toEqual([10_300, 3900]);
	});
});

describe("a refund by an operator", () => {
	test("is of one order, up to its own price", async () => {
		const { ids, payment } = await paid();
		const [, second = ""] = ids;
		expect(await grantRefund(scene.shop, second, cents(4000))).toEqual({ ok: false, code: "too-much" });
		expect(await grantRefund(scene.shop, second, cents(1000))).toMatchObject({ ok: true, amount: 1000 });
		expect(await grantRefund(scene.shop, second)).toMatchObject({ ok: true, amount: 2900 });
		expect(await grantRefund(scene.shop, second)).toEqual({ ok: false, code: "nothing-left" });
		await carryOutRefunds();
		expect(await getRefunded(ids)).toEqual([0, 3900, 0]);
		expect(scene.books.left(payment)).toBe(10_300);
	});

	test("cannot be of an order with the payment of another purchase", async () => {
		const [one, other] = [await paid(2), await paid(2)];
		const request = { amount: cents(100), left: cents(5900), cause: "other", note: null, by: "Ada", mostWithoutApproval: null };
		const refunded = refundByOperator(scene.shop, { ...request, orderId: one.id, paymentId: other.payment.id });
		expect(await refunded).toEqual({ ok: false, code: "nothing-left" });
	});
});

describe("a dispute", () => {
	test("blocks the refunds of all orders until it is won, and refuses them when it is lost", async () => {
		for (const end of ["won", "lost"] as const) {
			const { ids, payment } = await paid();
			scene.books.openDispute(payment);
			await sync(payment);
			for (const order of await getOrders(ids)) expect(order).toMatchObject({ dispute_status: "open", disputed_at: scene.now() });
			for (const id of ids.slice(1)) await failOrder(scene.shop, id, "not-found");
			await carryOutRefunds();
			expect(payment.refunds).toEqual([]);
			scene.books.closeDispute(payment, end);
			await sync(payment);
			await carryOutRefunds();
			const status = end === "won" ? "succeeded" : "refused";
			expect(await listRefunds(ids)).toEqual([[], [`failed 3900 ${status}`], [`failed 4400 ${status}`]]);
			for (const order of await getOrders(ids)) expect(order.dispute_status).toBe(end);
			const alerts = ["alert-dispute", ...(end === "lost" ? ["alert-dispute-lost"] : [])];
			expect((await scene.getMailKinds(ids[0] ?? "")).filter((kind) => kind.startsWith("alert-dispute"))).toEqual(alerts);
		}
	});
});

test("everything at once on the orders of a purchase ends without a deadlock, and refunds each order once", async () => {
	for (let round = 0; round < 3; round++) {
		const { ids, session, payment } = await paid(6);
		scene.pass(5 * day);
		scene.books.giveBack(payment, 1234, null, null);
		const works = ids.flatMap((orderId, index) => [
			() => checkPromise(scene.shop, orderId),
			() => (index % 2 === 0 ? failOrder(scene.shop, orderId, "not-found") : cancelOrder(scene.shop, orderId, "purchase")),
			() => syncSession(scene.shop, session.id, null),
			() => sync(payment),
			() => scene.db.transaction().execute((trx) => lockOrderWithPurchase(trx, orderId)),
		]);
		const ended = await Promise.allSettled(works.toReversed().map((work) => work()));
		expect(ended.filter(({ status }) => status === "rejected")).toEqual([]);
		await carryOutRefunds();
		expect(await getRefunded(ids)).toEqual((await getOrders(ids)).map(({ price_cents }) => price_cents));
		expect(scene.books.left(payment)).toBe(0);
	}
});

/** A paid purchase of express orders, of 59 € each. */
async function paidExpress(count: number) {
	const placed = await scene.place({ services: Array(count).fill("express") });
	const payment = scene.pay(placed.session);
	await syncSession(scene.shop, placed.session.id, null);
	return { ...placed, payment };
}

const getAlerts = (ids: readonly string[]) =>
	Promise.all(ids.map(async (id) => (await scene.getMailKinds(id)).filter((kind) => kind.startsWith("alert-refund"))));
const listRefundJobs = async () =>
	(await scene.queue.waiting()).flatMap(({ name, data }) => (name === "carry-out-refund" ? [data as { refundId: string }] : []));

describe("refunds of all orders at once", () => {
	const count = 20;

	test.each([false, true])("are synced side by side, and none makes another one wait in vain; slow bank: %s", async (slow) => {
		const { ids, payment } = await paidExpress(count);
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
			const { ids, payment } = await paidExpress(others + 1);
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

describe("a refund on the provider's pages, of lines of one price,", () => {
	test("that fits several lines is told to the operator once, at the one that it counts for", async () => {
		const { ids, payment } = await paidExpress(3);
		scene.books.giveBack(payment, 5900, null, null);
		for (let time = 0; time < 2; time++) await sync(payment);
		expect(await getRefunded(ids)).toEqual([5900, 0, 0]);
		expect(await getAlerts(ids)).toEqual([["alert-refund-guessed"], [], []]);
		const [refund] = await scene.db.selectFrom("refunds").select("id").execute();
		expect(scene.lines).toContainEqual(
			expect.objectContaining({ order: ids[0], alert: "alert-refund-guessed", refund: refund?.id, amount: 5900 }),
		);
	});

	test("of all that is left is no guess", async () => {
		const { ids, payment } = await paidExpress(3);
		scene.books.giveBack(payment, 3 * 5900, null, null);
		await sync(payment);
		expect(await getRefunded(ids)).toEqual([5900, 5900, 5900]);
		expect(await getAlerts(ids)).toEqual([[], [], []]);
	});

	/** A refund of 130 € on those pages is made, and synced, while ours of the third of four lines is being asked for; that of the fourth waits. */
	async function overtake(whileAsking: (refundId: string) => Promise<void> = async () => {}) {
		const { ids, payment } = await paidExpress(4);
		for (const id of ids.slice(2)) await failOrder(scene.shop, id, "operator");
		const [third, fourth] = await listRefundJobs();
		const { provider } = scene.books;
		const overtaken: PaymentProvider = {
			...provider,
			async refund(request) {
				await whileAsking(third?.refundId ?? "");
				scene.books.giveBack(payment, 13_000, null, null);
				await sync(payment);
				return provider.refund(request);
			},
		};
		await carryOutRefund({ ...scene.shop, provider: overtaken }, third?.refundId ?? "");
		await carryOutRefund(scene.shop, fourth?.refundId ?? "");
		expect(await sync(payment)).toEqual({ ok: true });
		expect(scene.books.left(payment)).toBe(0);
		return { ids, third };
	}

	test("that comes while ours is being asked for counts for the other orders, once the answer is known", async () => {
		const { ids } = await overtake();
		expect(await getRefunded(ids)).toEqual([5900, 5900, 5900, 5900]);
		expect((await getAlerts(ids))[2]).toEqual([]);
	});

	test("that took the money of ours leaves the order at its price, and the other orders what is left of the payment", async () => {
		const { ids, third } = await overtake((refundId) => updateRefundAsked(scene.db, refundId, null)); // as if it were not noted
		expect(await getRefunded(ids)).toEqual([5900, 5900, 5900, 4700]);
		expect((await getAlerts(ids))[2]).toEqual(["alert-refund-exceeds"]);
		expect(scene.lines).toContainEqual(expect.objectContaining({ order: ids[2], alert: "alert-refund-exceeds", refund: third?.refundId }));
	});

	test("that comes before the provider refuses ours counts for the orders after the refusal", async () => {
		const { ids, payment } = await paidExpress(2);
		for (const id of ids) await failOrder(scene.shop, id, "operator");
		const [first, second] = await listRefundJobs();
		const { provider } = scene.books;
		const refusing: PaymentProvider = {
			...provider,
			async refund(request) {
				if (scene.books.left(payment) === 2 * 5900) scene.books.giveBack(payment, 7000, null, null);
				await sync(payment);
				return provider.refund(request);
			},
		};
		await carryOutRefund({ ...scene.shop, provider: refusing }, first?.refundId ?? "");
		await carryOutRefund(scene.shop, second?.refundId ?? "");
		expect(scene.books.left(payment)).toBe(0);
		expect(await getRefunded(ids)).toEqual([5900, 5900]);
	});
});

test("a refund of ours whose row is missing is not split among the orders; the operator is told once", async () => {
	const { ids, payment } = await paidExpress(2);
	const [, second = ""] = ids;
	await failOrder(scene.shop, second, "operator");
	const [job] = await listRefundJobs();
	await carryOutRefund(scene.shop, job?.refundId ?? "");
	const [lost] = await scene.db.deleteFrom("refunds").where("order_id", "=", second).returningAll().execute();
	for (let time = 0; time < 2; time++) expect(await sync(payment)).toEqual({ ok: true });
	expect(await scene.db.selectFrom("refunds").selectAll().execute()).toEqual([]);
	expect(await getAlerts(ids)).toEqual([["alert-refund-unknown"], []]);
	expect(scene.lines).toContainEqual(
		expect.objectContaining({ order: ids[0], alert: "alert-refund-unknown", unknown: lost?.id, amount: 5900 }),
	);
	// as `orders recreate` does
	if (lost) await scene.db.insertInto("refunds").values(lost).execute();
	await sync(payment);
	expect(await getRefunded(ids)).toEqual([0, 5900]);
	// another program's reference names no refund of ours
	scene.books.giveBack(payment, 5900, "a reference of another program", null);
	await sync(payment);
	expect(await getRefunded(ids)).toEqual([5900, 5900]);
	// of a single order it can only be
	const single = await paidExpress(1);
	scene.books.giveBack(single.payment, 1000, crypto.randomUUID(), null);
	await sync(single.payment);
	expect([await getRefunded(single.ids), await getAlerts(single.ids)]).toEqual([[1000], [[]]]);
});

describe("a form whose purchase was placed", () => {
	let key: string;
	beforeEach(() => {
		key = crypto.randomUUID();
	});
	const fields = {
		email: "ada@example.fr",
		firstName: "Ada",
		lastName: "Lovelace",
		address: "1 rue A",
		postalCode: "75002",
		city: "Paris",
	};
	const lines = mixServices(2).map((service) => ({ ...toSentLine("552032534" as Siren), service }));
	const amount = mixServices(2).reduce((sum, service) => sum + services[service].price, 0);
	const checkOut = (orderKey: string) =>
		startFormCheckout(
			scene.shop,
			{ values: readOrderValues(new URLSearchParams(fields)), amount, consents: null, client: "a client" },
			{ token: "x".repeat(64), fields, lines, leftOut: [], orderKey },
		);

	test("resumes it while it is unpaid, and shows it once it is paid, until all its orders have failed", async () => {
		const started = await checkOut(key);
		expect(await checkOut(key)).toEqual(started);
		if (!started.ok) throw new Error("it was not placed");
		const ids = (await scene.db.selectFrom("orders").select("id").orderBy("purchase_line").execute()).map(({ id }) => id);
		expect([started.orderId, ids.length]).toEqual([ids[0], 2]);
		const [session = expect.fail("no session")] = scene.listSessions(started.orderId);
		scene.pay(session);
		scene.pass(2000); // the provider is asked at most once in two seconds
		const shown = { ok: false, code: "already-placed", sessionId: session.id };
		expect(await checkOut(key)).toEqual(shown);
		for (const id of ids) {
			expect(await checkOut(key)).toEqual(shown);
			await failOrder(scene.shop, id, "not-found");
		}
		// nobody has this form any more
		expect(await checkOut(key)).toEqual({ ok: false, code: "form-changed" });
		await scene.db.updateTable("orders").set({ set_aside_at: scene.now() }).where("id", "=", started.orderId).execute();
		expect(await checkOut(key)).toEqual(shown);
	});

	test("says that it is paid when its session is no longer stored", async () => {
		const started = await checkOut(key);
		if (!started.ok) throw new Error("it was not placed");
		const [session = expect.fail("no session")] = scene.listSessions(started.orderId);
		scene.pay(session);
		await syncSession(scene.shop, session.id, null);
		await scene.db.deleteFrom("payment_sessions").execute();
		expect(await checkOut(key)).toEqual({ ok: false, code: "already-paid", orderKey: key });
	});
});
