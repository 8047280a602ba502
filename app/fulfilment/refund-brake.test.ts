import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { deleteRows } from "../../test/delete-rows.ts";
import { createOrderFixture, type OrderFixture } from "../../test/orders.ts";
import { grantRefund } from "../../test/refunds.ts";
import { setRefundBrake } from "../catalogue/settings/change-settings.server.ts";
import { orderEmails } from "../emails/order-emails.server.ts";
import { listHeldRefunds } from "../orders/refunds/refunds.store.server.ts";
import { releaseRefunds } from "../orders/refunds/release-refunds.server.ts";
import { checkPromise } from "./check-promise.server.ts";
import { failOrder } from "./fail-order.server.ts";
import { requeueStalledOrders } from "./requeue-stalled-orders.server.ts";

/** Late refunds above the brake wait for a person, and nothing of the customer's right is lost. */

const ada = { id: null, name: "Ada" };
const brakeMessage = "a refund waits for a person: the brake is reached";
const hour = 3_600_000;
let shop: OrderFixture;
beforeAll(async () => {
	shop = await createOrderFixture({ startsAt: "2026-11-20T15:00:00Z" }); // a Friday afternoon
});
afterAll(() => shop?.close());
beforeEach(async () => {
	await deleteRows(shop.db, "orders", "shop_settings", "jobs.job");
	shop.clock.now = shop.start;
});

/** Express orders that are late now, checked all at once. */
async function letRunLate(count: number) {
	const orders = [];
	for (let i = 0; i < count; i++) orders.push((await shop.insertPaidOrder({ promised_at: shop.now() })).order);
	await Promise.all(orders.map(({ id }) => checkPromise(shop, id)));
	return orders;
}
const countHeld = async () => (await listHeldRefunds(shop.db, shop.now())).length;
const listStates = async (order: { id: string }) =>
	(await shop.getRefunds(order)).map(({ status, held_until, released_by }) => ({ status, held: held_until !== null, released_by }));
const pass = (milliseconds: number) => {
	shop.clock.now = new Date(shop.now().getTime() + milliseconds);
};

describe("above the brake", () => {
	test.each([
		["three refunds", { refunds: 3, cents: null }],
		["200 €, which are three refunds of 59 €", { refunds: null, cents: 20_000 }],
		["whichever comes first", { refunds: 10, cents: 17_700 }],
	])("of %s, the next ones wait, also when all orders are late at once", async (_, brake) => {
		await setRefundBrake(shop, ada, brake);
		const orders = await letRunLate(8);
		expect(await countHeld()).toBe(5);
		for (const order of orders) {
			const [refund] = await shop.getRefunds(order);
			expect(refund).toMatchObject({ status: "requested", reason: "late", amount_cents: 5900 });
			expect(await shop.getJobs("carry-out-refund", refund?.id ?? "")).toHaveLength(refund?.held_until ? 0 : 1);
			if (refund?.held_until) expect(refund.held_until).toEqual(new Date(shop.now().getTime() + 24 * hour));
			expect(await shop.getMailKinds(order)).toContain("late");
		}
	});

	test("the operator is alerted to the first refund that waits, and to none that leaves at once; each is logged", async () => {
		await setRefundBrake(shop, ada, { refunds: 2, cents: null });
		const orders: { id: string }[] = [];
		for (let i = 0; i < 4; i++) orders.push(...(await letRunLate(1)));
		const isAlerted = [];
		for (const order of orders) isAlerted.push((await shop.getMailKinds(order)).includes("alert-refunds-held"));
		expect(isAlerted).toEqual([false, false, true, false]);
		const until = new Date(shop.now().getTime() + 24 * hour).toISOString();
		const logged = [];
		for (const order of orders.slice(2)) logged.push({ level: 50, order: order.id, refund: (await shop.getRefunds(order))[0]?.id, until });
		expect(shop.lines.filter(({ msg, order }) => msg === brakeMessage && orders.some(({ id }) => id === order))).toMatchObject(logged);
	});

	test("the hour moves on: later refunds leave at once", async () => {
		await setRefundBrake(shop, ada, { refunds: 2, cents: null });
		await letRunLate(3);
		expect(await countHeld()).toBe(1);
		pass(hour + 1);
		await letRunLate(2);
		expect(await countHeld()).toBe(1);
	});

	test("without a brake nothing waits", async () => {
		await letRunLate(4);
		expect(await countHeld()).toBe(0);
	});
});

describe("a held refund", () => {
	beforeEach(() => setRefundBrake(shop, ada, { refunds: 1, cents: null }));
	const hold = async () => {
		const orders = await letRunLate(2);
		const [held] = (await listHeldRefunds(shop.db, shop.now())).filter(({ order_id }) => orders.some(({ id }) => id === order_id));
		const order = orders.find(({ id }) => id === held?.order_id);
		if (!held || !order) throw new Error("no refund is held");
		return { held, order };
	};

	test("leaves when a person releases it, once", async () => {
		const { held, order } = await hold();
		expect(await releaseRefunds(shop, order.id, "Grace")).toMatchObject([{ id: held.id, released_by: "Grace" }]);
		expect(await shop.getJobs("carry-out-refund", held.id)).toHaveLength(1);
		expect(await releaseRefunds(shop, order.id, "Ada")).toEqual([]);
		expect(await countHeld()).toBe(0);
	});

	test("leaves after 24 hours without a person, over a weekend", async () => {
		const { held } = await hold();
		pass(24 * hour - 1);
		await requeueStalledOrders(shop);
		expect(await shop.getJobs("carry-out-refund", held.id)).toEqual([]);
		pass(1);
		await requeueStalledOrders(shop);
		expect(await shop.getJobs("carry-out-refund", held.id)).toHaveLength(1);
	});

	test("leaves at once when the order fails, or the operator refunds it, and nothing is paid twice", async () => {
		const { held, order } = await hold();
		await failOrder(shop, order.id, "not-found");
		expect(await listStates(order)).toEqual([{ status: "requested", held: true, released_by: "failed" }]);
		expect(await shop.getJobs("carry-out-refund", held.id)).toHaveLength(1);
		const other = await hold();
		expect(await grantRefund(shop, other.order.id)).toEqual({ ok: false, code: "nothing-left" });
		expect(await listStates(other.order)).toEqual([{ status: "requested", held: true, released_by: "operator" }]);
	});

	test("the customer's e-mail says by when it leaves; without a wait, that it is made", async () => {
		const { order } = await hold();
		const render = async (id: string) => {
			const present = await shop.getOrder(id);
			const written = await orderEmails.late.write(shop, { mail: { created_at: shop.now() } as never, order: present });
			return JSON.stringify(written?.content).replaceAll("\u00a0", " ");
		};
		expect(await render(order.id)).toContain(
			"Ce remboursement vous est dû et part au plus tard le samedi 21 novembre 2026 à 16 h, heure de Paris.",
		);
		await releaseRefunds(shop, null, "Grace");
		expect(await render(order.id)).toContain("nous vous remboursons votre commande en entier");
	});
});
