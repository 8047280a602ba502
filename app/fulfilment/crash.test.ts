import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { createRuntime } from "../../server/create-runtime.ts";
import { createLog } from "../../server/observability/log.ts";
import { startFakeSmtp } from "../../test/fakes/smtp.ts";
import { createStripeShop, type StripeShop } from "../../test/stripe-shop.ts";
import { scaledTimeout } from "../../test/time-limits.ts";
import type * as Bundle from "../bundle.ts";
import { requeueStalledOrders } from "./requeue-stalled-orders.server.ts";

// « I paid and heard nothing »: the shop or its mail server stops between an action and its e-mail.

const waitOptions = { timeout: scaledTimeout(20_000), interval: 25 };
let smtp: Awaited<ReturnType<typeof startFakeSmtp>>;
let shop: StripeShop;
beforeAll(async () => {
	smtp = await startFakeSmtp();
	shop = await createStripeShop({ variables: { SMTP_URL: smtp.url } });
});
afterEach(async () => {
	await smtp.controls.up();
	shop.clock.ahead = 0;
});
afterAll(async () => {
	await shop?.close();
	await smtp?.close();
});

type Placed = Awaited<ReturnType<StripeShop["placeOrder"]>>;

/** Pays while no mail can be sent: the document and the invoice exist, their mails are queued. */
async function payWithoutMails(): Promise<Placed> {
	await smtp.controls.down();
	const placed = await shop.placeOrder();
	await shop.pay(placed.sessionId);
	await vi.waitFor(async () => {
		const kinds = (await shop.rows.mails(placed.id)).map(({ kind }) => kind).sort();
		expect(kinds).toEqual(["confirmation", "document-ready"]);
	}, waitOptions);
	expect((await shop.orderRow(placed.id)).status).toBe("processing");
	return placed;
}

/** Expects a completed order, with everything once. */
async function expectCompletedOnce(placed: Placed) {
	await shop.untilOrderIs("completed", placed.id);
	await vi.waitFor(async () => {
		for (const { sent_at } of await shop.rows.mails(placed.id)) expect(sent_at).not.toBeNull();
	}, waitOptions);
	const received = smtp.mails.filter(({ content }) => content.text?.includes(placed.number)).map(({ content }) => content.messageId);
	expect([received.length, new Set(received).size]).toEqual([2, 2]);
	expect((await shop.rows.documents(placed.id)).map(({ doc_type }) => doc_type).sort()).toEqual(["invoice", "kbis"]);
	expect((await shop.getEventTypes(placed.id)).filter((type) => type === "paid" || type === "completed")).toEqual(["paid", "completed"]);
}

test("the mail server is down, then up: each mail is sent once, and the order is completed", async () => {
	const placed = await payWithoutMails();
	await smtp.controls.up();
	await expectCompletedOnce(placed);
});

test("a queued mail whose job is lost is sent by the requeue of stalled orders", async () => {
	const placed = await payWithoutMails();
	// a running job would still send it
	await vi.waitFor(async () => {
		await sql`delete from jobs.job where name = 'send-order-mail' and state <> 'active'`.execute(shop.shop.db);
		expect((await sql`select from jobs.job where name = 'send-order-mail'`.execute(shop.shop.db)).rows).toEqual([]);
	}, waitOptions);
	await smtp.controls.up();
	shop.clock.ahead = 180_000;
	await requeueStalledOrders(shop.shop);
	await expectCompletedOnce(placed);
});

test("the process with the jobs stops after it stored the document and before it sent the mail: another process goes on", async () => {
	const placed = await payWithoutMails();
	await shop.shop.jobs.stop(100);
	await smtp.controls.up();
	expect((await shop.orderRow(placed.id)).status).toBe("processing");

	const bundle: typeof Bundle = await import("../../build/server/index.js" as string);
	const { runtime, close } = await createRuntime(shop.shop.environment, shop.connection, bundle.jobKinds, {
		supervise: true,
		now: shop.shop.now,
		log: createLog("silent"),
	});
	await bundle.startWorkers(bundle.createShop(runtime));
	await expectCompletedOnce(placed);
	await close(1000);
});
