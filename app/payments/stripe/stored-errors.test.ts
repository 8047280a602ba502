import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type FakeStripe, startFakeStripe } from "../../../test/fakes/stripe/stripe.ts";
import { grantRefund } from "../../../test/refunds.ts";
import { createTestShop, paymentRequest, type TestShop } from "../../../test/shop.ts";
import { scaledTimeout } from "../../../test/time-limits.ts";

let stripe: FakeStripe;
let shop: TestShop;
beforeAll(async () => {
	stripe = await startFakeStripe();
	shop = await createTestShop({
		variables: { STRIPE_SECRET_KEY: stripe.secretKey, STRIPE_WEBHOOK_SECRET: stripe.webhookSecret, STRIPE_API_BASE: stripe.url },
	});
});
afterAll(async () => {
	await shop?.close();
	await stripe?.close();
});

test("an order can be paid after Stripe stored an error under its key: the next attempt has another key", async () => {
	const create = () => shop.postJson("/api/create-payment", paymentRequest(), { "idempotency-key": "kept-failure" });
	stripe.failNext({ path: "POST /v1/checkout/sessions", kind: "500" });
	expect((await create()).status).toBe(502);

	const again = await create();
	expect(again.status).toBe(200);
	const { url } = (await again.json()) as { url: string };
	expect(stripe.pay(url.split("/").at(-1) ?? "")).toMatchObject({ status: "succeeded" });
	expect(await shop.countOrders()).toBe(1);
});

test("a refund is made once after Stripe stored an error under its key: the next attempt has another key", async () => {
	const created = await shop.postJson("/api/create-payment", paymentRequest(), { "idempotency-key": "kept-refund" });
	const session = ((await created.json()) as { url: string }).url.split("/").at(-1) ?? "";
	stripe.sendEventsTo(`${shop.url}/api/stripe/webhook`);
	const paid = stripe.pay(session);
	await stripe.delivered();
	const { order_id: id } = await shop.shop.db
		.selectFrom("payments")
		.select("order_id")
		.where("session_id", "=", session)
		.executeTakeFirstOrThrow();
	await shop.untilOrderIs("completed", id);
	stripe.failNext({ path: "POST /v1/refunds", kind: "500" });
	await grantRefund(shop.shop, id);
	await vi.waitFor(async () => expect((await shop.orderRow(id)).refunded_cents).toBe(5900), { timeout: scaledTimeout(20_000) });
	expect([...stripe.state.refunds.values()].map(({ payment_intent, amount }) => [payment_intent, amount])).toEqual([[paid?.id, 5900]]);
});
