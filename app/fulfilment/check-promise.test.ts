import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { extractLines, generatePdf } from "../../test/fixtures/pdf.ts";
import { createStripeShop, type StripeShop } from "../../test/stripe-shop.ts";
import { scaledTimeout } from "../../test/time-limits.ts";
import type { ServiceCode } from "../catalogue/services.ts";
import { requeueStalledOrders } from "./requeue-stalled-orders.server.ts";
import { uploadExtract } from "./upload-extract.server.ts";

// « You promised it within two opening hours »: the deadline and its real job, against Stripe's fake.

const minute = 60_000;
const waitOptions = { timeout: scaledTimeout(20_000), interval: 25 };
let shop: StripeShop;
beforeAll(async () => {
	shop = await createStripeShop({ variables: { ISSUER: "manual" } });
});
afterAll(() => shop?.close());

type Placed = Awaited<ReturnType<StripeShop["placeOrder"]>>;
const setClock = (at: Date | string) => {
	shop.clock.ahead = new Date(at).getTime() - Date.now();
};

/** Pays at an instant, and waits until the order is in the fulfilment queue. @returns the order and its deadline. */
async function paidAt(at: string, service: ServiceCode): Promise<{ placed: Placed; promised: Date; payment: string }> {
	setClock(at);
	const placed = await shop.placeOrder({ service });
	const payment = await shop.pay(placed.sessionId);
	const { promised_at } = await shop.untilOrderIs("processing", placed.id);
	return { placed, promised: promised_at ?? new Date(0), payment };
}

/** Makes the job that checks the deadline due. @returns once it is done. */
async function runDeadlineCheck({ id }: Placed): Promise<void> {
	const waiting = sql<{ n: number }>`
		select count(*)::integer as n from jobs.job where name = 'check-promise' and data->>'orderId' = ${id} and state < 'completed'`;
	expect((await waiting.execute(shop.shop.db)).rows[0]?.n).toBe(1);
	await sql`update jobs.job set start_after = now() where name = 'check-promise' and data->>'orderId' = ${id}`.execute(shop.shop.db);
	await vi.waitFor(async () => expect((await waiting.execute(shop.shop.db)).rows[0]?.n).toBe(0), waitOptions);
}

let copies = 0;
async function uploadExtractFor({ id }: Placed): Promise<void> {
	const bytes = generatePdf({ lines: [...extractLines({ dated: "à jour au 21/11/2026" }), `Exemplaire ${++copies}`] });
	expect(await uploadExtract(shop.shop, { orderId: id, bytes, confirmed: { old: true } })).toMatchObject({ ok: true });
}

const getMailKinds = async ({ id }: Placed) => (await shop.rows.mails(id)).map(({ kind }) => kind).sort();
const refundsAtStripe = (payment: string) =>
	[...shop.stripe.state.refunds.values()].filter(({ payment_intent }) => payment_intent === payment).map(({ amount }) => amount);

async function trackingPage({ number }: Placed): Promise<string> {
	const signIn = await shop.postForm("/suivi-commande", { email: "ada@example.fr", orderId: number });
	const cookie = signIn.headers.get("set-cookie")?.split(";")[0] ?? "";
	return (await shop.ask(`/suivi/${number}`, { headers: { cookie } })).text();
}

async function expectRefundedOnce(placed: Placed, payment: string) {
	expect(await shop.getMails(placed, "refunded")).toHaveLength(1);
	expect(await shop.rows.refunds(placed.id)).toMatchObject([{ reason: "late", amount_cents: 5900, status: "succeeded" }]);
	expect(refundsAtStripe(payment)).toEqual([5900]);
	expect((await shop.rows.invoices(placed.id)).map(({ kind, total_cents }) => [kind, total_cents])).toEqual([
		["invoice", 5900],
		["credit_note", 5900],
	]);
	expect((await shop.getEventTypes(placed.id)).filter((type) => type === "late" || type === "refunded")).toEqual(["late", "refunded"]);
	expect((await shop.orderRow(placed.id)).refunded_cents).toBe(5900);
}

describe("« my express extract is late »", () => {
	test.each([
		["over a weekend, Easter Monday and the change to summer time", "2027-03-26T16:30:00Z", "2027-03-30T07:3"],
		["over a weekend, All Saints' Day and the change to winter time", "2027-10-29T15:30:00Z", "2027-11-02T08:3"],
		["over Ascension Day, on a Wednesday evening", "2027-05-05T15:30:00Z", "2027-05-07T07:3"],
	])("%s: not a minute early; then refunded in full once, announced, and still delivered", async (_what, at, promise) => {
		const { placed, promised, payment } = await paidAt(at, "express");
		expect(promised.toISOString().slice(0, promise.length)).toBe(promise);
		setClock(new Date(promised.getTime() - 10 * minute));
		await requeueStalledOrders(shop.shop);
		expect((await shop.orderRow(placed.id)).late_at).toBeNull();

		setClock(new Date(promised.getTime() + 1000));
		await runDeadlineCheck(placed);
		await expectRefundedOnce(placed, payment);
		for (const kind of ["late", "alert-late"] as const) expect(await shop.getMails(placed, kind)).toHaveLength(1);
		const page = await trackingPage(placed);
		// who has the money back and still gets the extract is not offered to cancel it
		expect(page).not.toContain('value="cancel"');

		for (let again = 0; again < 2; again++) {
			setClock(new Date(promised.getTime() + 60 * minute));
			await requeueStalledOrders(shop.shop);
		}
		await uploadExtractFor(placed);
		await shop.untilOrderIs("completed", placed.id);
		expect(await shop.getMails(placed, "document-ready")).toHaveLength(1);
		await expectRefundedOnce(placed, payment);
	});

	test("the check's job was lost, or ran a moment early by the shop's clock: refunded all the same", async () => {
		const lost = await paidAt("2027-06-01T08:00:00Z", "express");
		const early = await paidAt("2027-06-01T08:00:00Z", "express");
		await sql`delete from jobs.job where name = 'check-promise' and data->>'orderId' = ${lost.placed.id}`.execute(shop.shop.db);
		setClock(new Date(early.promised.getTime() - 5000));
		await runDeadlineCheck(early.placed);
		expect((await shop.orderRow(early.placed.id)).late_at).toBeNull();

		setClock(new Date(early.promised.getTime() + minute));
		await requeueStalledOrders(shop.shop);
		for (const { placed, payment } of [lost, early]) await expectRefundedOnce(placed, payment);
	});
});

test.each(["its job looks at last", "its job was lost with the database"])(
	"« it came late, before you had looked »: it is refunded, and no e-mail says that it is still to come (%s)",
	async (how) => {
		const { placed, promised, payment } = await paidAt("2027-06-04T08:00:00Z", "express");
		await uploadExtractFor(placed);
		await shop.untilOrderIs("completed", placed.id);
		// as if it had been uploaded while no job could check the deadline
		const afterwards = new Date(promised.getTime() + 5 * minute);
		await shop.shop.db.updateTable("documents").set({ created_at: afterwards }).where("order_id", "=", placed.id).execute();
		await shop.shop.db.updateTable("orders").set({ completed_at: afterwards }).where("id", "=", placed.id).execute();
		setClock(new Date(promised.getTime() + 60 * minute));
		if (how.includes("lost")) {
			await sql`delete from jobs.job where name = 'check-promise' and data->>'orderId' = ${placed.id}`.execute(shop.shop.db);
			await requeueStalledOrders(shop.shop);
		} else await runDeadlineCheck(placed);
		await expectRefundedOnce(placed, payment);
		expect(await getMailKinds(placed)).not.toContain("late");
	},
);

test("« my standard extract is late »: the customer and the operator receive an e-mail, and there is no automatic refund", async () => {
	const { placed, promised, payment } = await paidAt("2027-06-02T08:00:00Z", "standard");
	setClock(new Date(promised.getTime() + 1000));
	await runDeadlineCheck(placed);
	for (const kind of ["late", "alert-late"] as const) expect(await shop.getMails(placed, kind)).toHaveLength(1);
	expect([await shop.rows.refunds(placed.id), refundsAtStripe(payment)]).toEqual([[], []]);
	await uploadExtractFor(placed);
	await shop.untilOrderIs("completed", placed.id);
});

test("« you kept your promise »: nothing happens at the deadline, even when the customer's mail server refused the document", async () => {
	const { placed, promised } = await paidAt("2027-06-03T08:00:00Z", "express");
	const refused = await paidAt("2027-06-03T08:00:00Z", "express");
	await uploadExtractFor(placed);
	await shop.untilOrderIs("completed", placed.id);
	await uploadExtractFor(refused.placed);
	await shop.untilOrderIs("completed", refused.placed.id);
	// as if the mail had not been sent: the document is ready behind its link
	await shop.shop.db.updateTable("orders").set({ status: "processing", completed_at: null }).where("id", "=", refused.placed.id).execute();

	setClock(new Date(promised.getTime() + 60 * minute));
	for (const order of [placed, refused.placed]) {
		await runDeadlineCheck(order);
		expect((await shop.orderRow(order.id)).late_at).toBeNull();
		expect(await shop.rows.refunds(order.id)).toEqual([]);
		expect(await getMailKinds(order)).not.toContain("late");
	}
});
