import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type BooksScene, booksScene } from "../../test/payments.ts";
import {
	countRefundAlerts,
	describeRefunds,
	listCreditNotes,
	payOrder,
	returnRefund,
	runRefundJobs,
	syncWithRefunds,
} from "../../test/returned-refunds.ts";
import { cancelOrder } from "../customer/tracking/cancel-order.server.ts";
import { syncPayment } from "./sync-payment.server.ts";

// A refund on the provider's own pages, the customer's cancellation and the return by the bank, in every order. sync.test.ts has the rules.

let scene: BooksScene;
beforeAll(async () => {
	scene = await booksScene();
});
beforeEach(() => scene.startAfresh());
afterAll(() => scene?.close());

type Act = "elsewhere" | "cancel" | "back";
const orders: [Act, Act, Act][] = [
	["elsewhere", "cancel", "back"],
	["elsewhere", "back", "cancel"],
	["cancel", "elsewhere", "back"],
];
const news = ["nothing", "synced and credited", "synced and done"] as const;
const table = orders.flatMap((order) =>
	news.flatMap((first) => news.map((second) => [order[0], first, order[1], second, order[2]] as const)),
);

test.each(table)("a returned refund goes to the customer who cancelled, and is credited once: %s, %s, %s, %s, %s", async (...steps) => {
	for (const amount of [5900, 1900]) {
		const { id, payment } = await payOrder(scene);
		const doing: Record<(typeof steps)[number], () => unknown> = {
			elsewhere: () => scene.books.left(payment) >= amount && scene.books.giveBack(payment, amount, null, null),
			cancel: () => cancelOrder(scene.shop, id, "purchase"),
			back: () => returnRefund(scene, payment),
			nothing: () => {},
			"synced and credited": async () => {
				await syncPayment(scene.shop, payment.id, null);
				await runRefundJobs(scene, ["credit-refund"]);
			},
			"synced and done": async () => {
				await syncPayment(scene.shop, payment.id, null);
				await runRefundJobs(scene);
			},
		};
		for (const step of steps) await doing[step]();
		const cameBack = payment.refunds.some(({ status }) => status === "failed");
		await syncWithRefunds(scene, payment);
		expect([scene.books.left(payment), (await scene.getOrder(id)).refunded_cents]).toEqual([0, 5900]);
		const notes = await listCreditNotes(scene, id);
		expect(notes.reduce((sum, { total_cents }) => sum + total_cents, 0)).toBe(5900);
		expect((await countRefundAlerts(scene, id)) > 0).toBe(
			cameBack || (await describeRefunds(scene, id)).some((kind) => kind.endsWith("refused")),
		);
	}
});
