import { afterAll, beforeAll, expect, test } from "vitest";
import { paymentRequest, type TestShop, testShop } from "../../server/test-shop.ts";
import { type StripeStandIn, startStripe } from "../../stand-ins/stripe.ts";

let stripe: StripeStandIn;
let shop: TestShop;
beforeAll(async () => {
	stripe = await startStripe();
	shop = await testShop({
		variables: { STRIPE_SECRET_KEY: stripe.secretKey, STRIPE_WEBHOOK_SECRET: stripe.webhookSecret, STRIPE_API_BASE: stripe.url },
	});
});
afterAll(async () => {
	await shop?.close();
	await stripe?.close();
});

test("an error that Stripe keeps under its key does not bar an order from being paid: the next try has a key of its own", async () => {
	const create = () => shop.postJson("/api/create-payment", paymentRequest(), { "idempotency-key": "kept-failure" });
	stripe.failNext({ path: "POST /v1/checkout/sessions", kind: "500" });
	expect((await create()).status).toBe(502);

	const again = await create();
	expect(again.status).toBe(200);
	const { url } = (await again.json()) as { url: string };
	expect(stripe.pay(url.split("/").at(-1) ?? "")).toMatchObject({ status: "succeeded" });
	expect(await shop.countOrders()).toBe(1);
});
