import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { JobKinds } from "../../server/jobs.ts";
import { inContext } from "../../server/observability/request-context.ts";
import { createOrderFixture, type OrderFixture } from "../../test/orders.ts";
import { queueOrderEmail } from "../emails/queue-order-email.server.ts";
import { sendOrderEmail } from "../emails/send-order-email.server.ts";
import type { Mailer } from "../mail/mailer.ts";
import { fulfilOrder } from "./fulfil-order.server.ts";
import { creditRefund, invoiceOrder } from "./invoice-order.server.ts";
import type { Issuer } from "./issuers/issuer.ts";

// A job and its effect are committed together: the transaction that has the effect also completes the job.

let shop: OrderFixture;
beforeAll(async () => {
	shop = await createOrderFixture({ startsAt: "2026-11-23T09:00:00Z" });
});
afterAll(() => shop?.close());

const makePdf = async () => new TextEncoder().encode(`%PDF-1.7 ${randomUUID()}`);
const issuer: Issuer = {
	name: "specimen",
	request: async () => ({ state: "requested" }),
	result: async () => ({ state: "ready", pdf: await makePdf(), issuedAt: shop.now() }),
	post: async () => ({ state: "posted", trackingNumber: "6A01234567890" }),
};
const waiting: Issuer = { ...issuer, result: async () => ({ state: "pending" }), post: async () => ({ state: "pending" }) };

/** Runs `work` as the handler of a job that a worker has claimed. @returns the state of the job afterwards, also when `work` has failed. */
async function runAsJob(name: keyof JobKinds, work: () => Promise<unknown>): Promise<string | undefined> {
	const jobId = randomUUID();
	await sql`insert into jobs.job (id, name, state, policy, singleton_key, started_on)
		values (${jobId}, ${name}, 'active', 'exclusive', ${jobId}, now())`.execute(shop.db);
	await inContext({ job: name, jobId }, work).catch(() => {});
	return (await sql<{ state: string }>`select state from jobs.job where id = ${jobId}`.execute(shop.db)).rows[0]?.state;
}

const send = async (orderId: string) => {
	await shop.inTransaction((trx) => queueOrderEmail(shop, trx, { orderId, kind: "late" }));
	const [mail] = await shop.db.selectFrom("mails").select("id").where("order_id", "=", orderId).execute();
	const mailer: Mailer = { name: "accepting", send: async () => ({ ok: true }), ready: async () => true };
	await sendOrderEmail({ ...shop, mailer }, mail?.id ?? "");
};

test.each<[string, keyof JobKinds, "express" | "postal", (orderId: string) => Promise<unknown>]>([
	["an extract by e-mail", "fulfil-order", "express", (id) => fulfilOrder({ ...shop, issuer }, id)],
	["a posted letter", "fulfil-order", "postal", (id) => fulfilOrder({ ...shop, issuer }, id)],
	["an extract that the desk has to obtain", "fulfil-order", "postal", (id) => fulfilOrder({ ...shop, issuer: waiting }, id)],
	["an invoice", "invoice-order", "express", (id) => invoiceOrder({ ...shop, makePdf }, id)],
	["an e-mail", "send-order-mail", "express", send],
])("the job of %s ends with it", async (_what, name, product_code, run) => {
	const { order } = await shop.insertPaidOrder({ status: name === "fulfil-order" ? "paid" : "processing", product_code });
	expect(await runAsJob("check-promise", () => run(order.id))).toBe("active"); // the job of another kind
	const { order: other } = await shop.insertPaidOrder({ status: name === "fulfil-order" ? "paid" : "processing", product_code });
	expect(await runAsJob(name, () => run(other.id))).toBe("completed");
});

test("the job of a credit note ends with it", async () => {
	const { order, payment } = await shop.insertPaidOrder();
	const refund = await shop.insertRefund(payment);
	await invoiceOrder({ ...shop, makePdf }, order.id);
	expect(await runAsJob("credit-refund", () => creditRefund({ ...shop, makePdf }, refund.id))).toBe("completed");
});

test("the job of a letter does not end before the letter is posted", async () => {
	const { order } = await shop.insertPaidOrder({ status: "paid", product_code: "postal" });
	const unavailable = { ...issuer, post: () => Promise.reject(new Error("the post is closed")) };
	expect(await runAsJob("fulfil-order", () => fulfilOrder({ ...shop, issuer: unavailable }, order.id))).toBe("active");
	expect(await shop.getEventTypes(order)).toEqual(["processing", "extract_requested", "document_issued"]);
});
