import { existsSync, mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { deleteRows } from "../../../test/delete-rows.ts";
import { createTestDesk, type Placed, personal, type TestDesk } from "../../../test/terminal.ts";
import { scaledTimeout } from "../../../test/time-limits.ts";
import { computeRetentionCutoff } from "../../catalogue/retention.ts";
import { insertInterest, insertMessage } from "../../customer/contact/contact.store.server.ts";
import { reconcile } from "../../payments/reconcile.server.ts";
import { sweepPayments } from "../../payments/sweep-payments.server.ts";
import { partNames } from "../../web/status/part.ts";
import { insertProbes } from "../../web/status/status.store.server.ts";
import { purge } from "./purge.server.ts";

/** One shop through eleven years. Each test goes on from the one before. */

let desk: TestDesk;
beforeAll(async () => {
	desk = await createTestDesk("specimen");
});
afterAll(() => desk?.close());

const setOrder = (placed: Placed, change: object) => desk.shop.db.updateTable("orders").set(change).where("id", "=", placed.id).execute();
const listDocuments = (placed: Placed) => desk.shop.db.selectFrom("documents").selectAll().where("order_id", "=", placed.id).execute();

describe("over eleven years", () => {
	let plain: Placed;
	let twin: Placed;
	let unpaid: Placed;
	let open: Placed;
	let disputed: Placed;
	const all = { extracts: 0, orders: 0, accounts: 0, newsletters: 0, interest: 0, messages: 0, sandbox: 0 };
	beforeAll(async () => {
		[plain, twin, open, disputed] = (await Promise.all([1, 2, 3, 4].map(() => desk.completeOrder({ customer: { newsletter: true } })))) as [
			Placed,
			Placed,
			Placed,
			Placed,
		];
		unpaid = await desk.expiredOrder("ada@example.fr");
		// a file that two orders share is kept as long as one of them needs it
		const { storage_path, sha256, bytes } = await desk.getExtract(disputed);
		await desk.shop.db
			.updateTable("documents")
			.set({ storage_path, sha256, bytes })
			.where("id", "=", (await desk.getExtract(twin)).id)
			.execute();
		await setOrder(open, { status: "processing", product_code: "standard" });
		await setOrder(disputed, { disputed_at: desk.now(), dispute_status: "open" });
		await desk.shop.db.transaction().execute((trx) =>
			insertMessage(trx, {
				...{ id: crypto.randomUUID(), name: "Ada", email: "ada@example.fr", phone: null, subject: null, siren: null, message: "Bonjour" },
				now: desk.now(),
			}),
		);
		await insertInterest(desk.shop.db, { email: "ada@example.fr", textVersion: "1", now: desk.now() });
		await reconcile(desk.shop);
	});

	test("purges nothing at first", async () => {
		expect(await purge(desk.shop)).toMatchObject(all);
	});

	test("deletes an unpaid order after 30 days, but not while it can still be paid", async () => {
		const made = desk.now();
		const waiting = await desk.placeOrder({ customer: { email: "waiting@example.fr" } });
		// its session is open for longer than a real one
		const leaveOpenUntil = async (expires_at: Date) => {
			const { db } = desk.shop;
			await db.updateTable("sandbox.sessions").set({ expires_at }).where("id", "=", waiting.sessionId).execute();
			await db.updateTable("payment_sessions").set({ expires_at }).where("id", "=", waiting.sessionId).execute();
		};
		await leaveOpenUntil(new Date(made.getTime() + 60 * 86_400_000));
		await setOrder(unpaid, { created_at: made });
		desk.moveTo(new Date(made.getTime() + 30 * 86_400_000 - 60_000));
		expect((await purge(desk.shop)).unpaidOrders).toBe(0);
		desk.moveTo(new Date(made.getTime() + 30 * 86_400_000 + 60_000));
		expect((await purge(desk.shop)).unpaidOrders).toBe(1);
		expect(await desk.countRows(unpaid.id)).toEqual({});
		expect(await desk.countRows(waiting.id)).toMatchObject({ orders: 1 });
		await leaveOpenUntil(made);
		await sweepPayments(desk.shop);
		// one that a job still holds waits for the next purge
		await vi.waitFor(
			async () => {
				await purge(desk.shop);
				expect(await desk.countRows(waiting.id)).toEqual({});
			},
			{ timeout: scaledTimeout(20_000), interval: 100 },
		);
		expect(await desk.countRows(plain.id)).toMatchObject({ orders: 1, invoices: 1 });
		desk.moveTo(made);
	});

	test("deletes the PDF of a delivered extract after 90 days, and keeps its hash and the invoice", async () => {
		desk.moveTo(new Date(desk.now().getTime() + 89 * 86_400_000));
		expect(await purge(desk.shop)).toMatchObject(all);
		desk.moveTo(new Date(desk.now().getTime() + 2 * 86_400_000));
		const link = (await desk.track("ada@example.fr", plain)).getUrl("kbis");
		expect((await desk.ask(link)).status).toBe(200);
		const purged = await purge(desk.shop);
		expect(purged.extracts).toBeGreaterThanOrEqual(2);
		expect(await purge(desk.shop)).toMatchObject({ ...all, extracts: 0 });
		const extract = await desk.getExtract(plain);
		expect(extract.purged_at).toEqual(desk.now());
		expect(existsSync(desk.getFilePath(extract.storage_path))).toBe(false);
		expect((await desk.ask(link)).status).toBe(410);
		expect(await (await desk.ask(`/verifier/${extract.id}`)).text()).toContain(extract.sha256);
		const tracked = await desk.track("ada@example.fr", plain);
		expect([tracked.status, tracked.getUrl("kbis")]).toEqual([200, ""]);
		expect((await desk.ask(tracked.getUrl("invoice"))).status).toBe(200);
		// of an order that is not over, nothing
		for (const placed of [open, disputed]) expect((await desk.getExtract(placed)).purged_at).toBeNull();
		expect((await desk.getExtract(twin)).purged_at).toEqual(desk.now());
		expect(existsSync(desk.getFilePath((await desk.getExtract(disputed)).storage_path))).toBe(true);
	});

	test("deletes technical logs after a year", async () => {
		const count = async (table: string) =>
			(await sql<{ n: number }>`select count(*)::integer as n from ${sql.table(table)}`.execute(desk.shop.db)).rows[0]?.n;
		expect([await count("payment_events"), await count("reconciliations"), await count("sandbox.sessions")]).not.toContain(0);
		desk.moveTo(new Date("2027-11-22T10:00:00Z"));
		// what four paid orders asked for, and nobody confirmed, went with the purges before
		expect(await desk.shop.db.selectFrom("newsletter_subscriptions").selectAll().execute()).toEqual([]);
		expect((await purge(desk.shop)).sandbox).toBeGreaterThan(3);
		expect([await count("payment_events"), await count("reconciliations")]).toEqual([0, 0]);
		// the payment of an order that is being served may still have to go back
		const { rows } = await sql`select client_reference_id from sandbox.sessions`.execute(desk.shop.db);
		expect(rows).toEqual([{ client_reference_id: open.id }]);
		expect(await count("rate_limits")).toBe(0);
	});

	test("erases the customer of a paid order after three years", async () => {
		desk.moveTo(new Date("2029-11-18T10:00:00Z"));
		expect((await desk.countRows(plain.id)).sent_emails).toBeGreaterThan(1);
		expect(await purge(desk.shop)).toMatchObject(all);
		desk.moveTo(new Date("2029-11-22T10:00:00Z"));
		const purged = await purge(desk.shop);
		expect(purged).toMatchObject({ messages: 1, interest: 1 });
		for (const placed of [plain, twin]) {
			for (const word of personal) expect(await desk.everythingAbout(placed.id), word).not.toContain(word);
			expect(await desk.countRows(placed.id)).toMatchObject({ invoices: 1, payments: 1, documents: 2, orders: 1 });
			expect(await desk.countRows(placed.id)).not.toHaveProperty("sent_emails");
		}
		for (const placed of [open, disputed])
			expect(await desk.orderRow(placed.id)).toMatchObject({ last_name: "Lovelace", newsletter: false });
		expect((await desk.track("ada@example.fr", plain)).status).toBe(404);
		expect(await (await desk.ask(`/verifier/${(await desk.getExtract(plain)).id}`)).text()).toContain("DANONE");
	});

	test("purges all orders of several batches, also after orders that stay", async () => {
		const made = computeRetentionCutoff(desk.now(), { years: 3, days: 1 });
		await sql`
			insert into orders (id, purchase_id, order_number, status, product_code, price_cents, siren, company_name, customer_email, first_name, last_name, request_hash, created_at)
			select id, id, 'many-' || n, case when n % 2 = 0 then 'failed' else 'paid' end, 'express', 5900, '552032534', 'DANONE',
				'many@example.fr', 'Ada', 'Lovelace', '', ${made} from (select gen_random_uuid() as id, n from generate_series(1, 420) n) made`.execute(
			desk.shop.db,
		);
		expect((await purge(desk.shop)).orders).toBe(210);
		const left = desk.shop.db.deleteFrom("orders").where("customer_email", "=", "many@example.fr");
		expect((await left.executeTakeFirst()).numDeletedRows).toBe(210n);
	});

	test("deletes an unconfirmed subscription after 30 days, ends a consent after three years, and deletes its proof three years later", async () => {
		const { db } = desk.shop;
		const begun = new Date("2029-12-01T10:00:00Z");
		desk.moveTo(begun);
		const add = (email: string, state: { confirmed_at?: Date; unsubscribed_at?: Date }) =>
			db
				.insertInto("newsletter_subscriptions")
				.values({ id: crypto.randomUUID(), email, source: "form", text_version: "1", requested_at: begun, ...state })
				.execute();
		await add("never@example.fr", {});
		await add("reader@example.fr", { confirmed_at: begun });
		await add("ended@example.fr", { confirmed_at: begun, unsubscribed_at: new Date("2030-06-01T10:00:00Z") });
		const purgedOn = async (day: string) => {
			desk.moveTo(new Date(day));
			const { newsletters, newsletterRequests, newsletterProofs } = await purge(desk.shop);
			const left = await db.selectFrom("newsletter_subscriptions").select(["email", "unsubscribed_at"]).orderBy("email").execute();
			return [
				newsletters,
				newsletterRequests,
				newsletterProofs,
				left.map(({ email, unsubscribed_at }) => `${email} ${unsubscribed_at ? "-" : "+"}`),
			];
		};
		expect(await purgedOn("2029-12-31T09:59:00Z")).toEqual([0, 0, 0, ["ended@example.fr -", "never@example.fr +", "reader@example.fr +"]]);
		expect(await purgedOn("2029-12-31T10:01:00Z")).toEqual([0, 1, 0, ["ended@example.fr -", "reader@example.fr +"]]);
		expect(await purgedOn("2032-12-01T09:59:00Z")).toEqual([0, 0, 0, ["ended@example.fr -", "reader@example.fr +"]]);
		expect(await purgedOn("2032-12-01T10:01:00Z")).toEqual([1, 0, 0, ["ended@example.fr -", "reader@example.fr -"]]);
		expect(await purgedOn("2033-06-01T10:01:00Z")).toEqual([0, 0, 1, ["reader@example.fr -"]]);
		expect(await purgedOn("2035-12-01T10:02:00Z")).toEqual([0, 0, 1, []]);
	});

	test("deletes the invoice with its file and its order ten years after the end of the year", async () => {
		const invoice = (await listDocuments(plain)).find(({ doc_type }) => doc_type === "invoice");
		const file = desk.getFilePath(invoice?.storage_path ?? "");
		desk.moveTo(new Date("2036-12-31T22:59:00Z"));
		expect((await purge(desk.shop)).accounts).toBe(0);
		expect(existsSync(file)).toBe(true);
		desk.moveTo(new Date("2036-12-31T23:01:00Z")); // 2037 in Paris
		expect((await purge(desk.shop)).accounts).toBeGreaterThanOrEqual(2);
		expect(await desk.countRows(plain.id)).toEqual({});
		expect(existsSync(file)).toBe(false);
		expect((await desk.countRows(open.id)).invoices).toBe(1);
		expect((await desk.ask(`/verifier/${invoice?.id}`)).status).toBe(404);
	});

	test("deletes the probes of the status page and their days after 90 days", async () => {
		const { db } = desk.shop;
		const ago = (days: number, minutes = 0) => new Date(desk.now().getTime() - days * 86_400_000 + minutes * 60_000);
		const probes = Object.fromEntries(partNames.map((part) => [part, { ok: true, ms: 1 }])) as Parameters<typeof insertProbes>[2];
		await deleteRows(db, "probes", "probe_days");
		for (const at of [ago(92), ago(90, -5), ago(90, 5), ago(1)]) await insertProbes(db, at, probes);
		expect((await purge(desk.shop)).probes).toBe(2 * partNames.length);
		const left = await db.selectFrom("probes").select("at").distinct().orderBy("at").execute();
		expect(left).toEqual([{ at: ago(90, 5) }, { at: ago(1) }]);
		const days = await db.selectFrom("probe_days").select("day").distinct().execute();
		expect(days).toHaveLength(2);
		expect((await purge(desk.shop)).probes).toBe(0);
	});

	test("deletes an unfinished file after a day", async () => {
		const staging = desk.getFilePath(`00/${"0".repeat(64)}.pdf.${crypto.randomUUID()}`);
		mkdirSync(desk.getFilePath("00"), { recursive: true });
		writeFileSync(staging, "half");
		// the age is measured by the clock of the disk
		const old = new Date(Date.now() - 2 * 86_400_000);
		await purge(desk.shop);
		expect(existsSync(staging)).toBe(true);
		utimesSync(staging, old, old);
		expect(await purge(desk.shop)).toMatchObject({ unfinishedFiles: 1 });
		expect(existsSync(staging)).toBe(false);
	});

	test("purges the rest when the storage fails, then throws the fault", async () => {
		const storage = { ...desk.shop.storage, sweep: () => Promise.reject(new Error("the bucket is away")) };
		await insertInterest(desk.shop.db, { email: "late@example.fr", textVersion: "1", now: new Date(0) });
		await expect(purge({ ...desk.shop, storage })).rejects.toThrow("the bucket is away");
		expect(await desk.shop.db.selectFrom("subscription_interest").selectAll().execute()).toEqual([]);
	});
});
