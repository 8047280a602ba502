import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type TestShop, testShop } from "../../server/test-shop.ts";
import { keptSince } from "../catalogue/retention.ts";
import { insertInterest, insertMessage } from "../contact/contact.store.server.ts";
import { askForRefund } from "../orders/ask-for-refund.server.ts";
import { wakeOrders } from "../orders/wake-orders.server.ts";
import { sweepPayments } from "../payment/sweep-payments.server.ts";
import { erasePerson } from "./erase-person.server.ts";
import type { PersonalData } from "./export-person.server.ts";
import { purge } from "./purge.server.ts";
import { runVerb } from "./run-verb.server.ts";

/** One shop through eleven years. Each block goes on from the one before. */

type Placed = Awaited<ReturnType<TestShop["placeOrder"]>>;

const folder = mkdtempSync(join(tmpdir(), "retention-"));
let at = new Date("2026-11-20T10:00:00Z");
let shop: TestShop;
beforeAll(async () => {
	shop = await testShop({ now: () => at, variables: { LOG_LEVEL: "silent" } });
});
afterAll(async () => {
	await shop?.close();
	rmSync(folder, { recursive: true });
});

async function orders(...args: string[]) {
	const { ok, text } = await runVerb({ shop: shop.shop, readInput: async () => null }, args);
	return { ok, text: text.replaceAll(/[\u00a0\u202f]/g, " ") };
}

const setOrder = (placed: Placed, change: object) => shop.shop.db.updateTable("orders").set(change).where("id", "=", placed.id).execute();
const documentsOf = (placed: Placed) =>
	shop.shop.db.selectFrom("documents").selectAll().where("order_id", "=", placed.id).orderBy("doc_type", "desc").execute();
const fileOf = (path: string) => join(shop.shop.environment.dataDir, "documents", path);

async function extractOf(placed: Placed) {
	const [extract] = await documentsOf(placed);
	if (extract?.doc_type !== "kbis") throw new Error("the order has no extract");
	return extract;
}

async function track(email: string, placed: Placed) {
	const answer = await shop.postJson("/api/suivi", { email, orderId: placed.number });
	const { documents = [] } = (await answer.json()) as { documents?: { doc_type: string; url: string }[] };
	return { status: answer.status, urlOf: (type: string) => documents.find((document) => document.doc_type === type)?.url ?? "" };
}

async function expiredOrder(email: string): Promise<Placed> {
	const placed = await shop.placeOrder({ customer: { email } });
	await shop.shop.db.updateTable("sandbox.sessions").set({ status: "expired" }).where("id", "=", placed.sessionId).execute();
	await shop.shop.db
		.updateTable("payment_sessions")
		.set({ created_at: new Date(0), expires_at: new Date(0) })
		.where("id", "=", placed.sessionId)
		.execute();
	await sweepPayments(shop.shop);
	await shop.untilOrderIs("failed", placed.id);
	return placed;
}

/** In how many rows of which tables an order is still named. */
async function rowsOf(orderId: string): Promise<Record<string, number>> {
	const { rows: tables } = await sql<{ name: string }>`
		select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'order_id'`.execute(
		shop.shop.db,
	);
	expect(tables.length).toBeGreaterThan(9);
	const counts: Record<string, number> = {};
	for (const { name, column } of [...tables.map(({ name }) => ({ name, column: "order_id" })), { name: "orders", column: "id" }]) {
		const { rows } = await sql<{
			n: number;
		}>`select count(*)::integer as n from ${sql.table(name)} where ${sql.ref(column)} = ${orderId}`.execute(shop.shop.db);
		if (rows[0]?.n) counts[name] = rows[0].n;
	}
	return counts;
}

/** Every value of every row that names an order but its invoices, as text. */
async function everythingAbout(orderId: string): Promise<string> {
	const texts: string[] = [];
	for (const name of Object.keys(await rowsOf(orderId)).filter((table) => table !== "invoices")) {
		const { rows } =
			await sql`select * from ${sql.table(name)} where ${sql.ref(name === "orders" ? "id" : "order_id")} = ${orderId}`.execute(
				shop.shop.db,
			);
		texts.push(JSON.stringify(rows));
	}
	const { rows } = await sql`select * from sandbox.sessions where client_reference_id = ${orderId}`.execute(shop.shop.db);
	return JSON.stringify([texts, rows]);
}

const personal = ["Lovelace", "1 rue de la Paix", "06 12 34 56 78", "75002", "ada"];

describe("one person", () => {
	const customer = { email: "Ada.L@Example.fr", deliveryEmail: "grace@example.fr" };
	let paid: Placed;
	let unpaid: Placed;
	let unfinished: Placed;
	beforeAll(async () => {
		[paid, unfinished] = await Promise.all([
			shop.completeOrder({ customer }),
			shop.completeOrder({ customer: { email: "ada.l@example.fr" } }),
		]);
		unpaid = await expiredOrder("ada.l@example.fr");
		await askForRefund(shop.shop, unfinished.id, "Une erreur dans mon nom, Lovelace.");
		await shop.shop.db
			.transaction()
			.execute((trx) =>
				insertMessage(trx, { id: crypto.randomUUID(), name: "Ada", email: "ADA.L@example.fr", message: "Bonjour", now: at }),
			);
		await insertInterest(shop.shop.db, { email: "ada.l@EXAMPLE.fr", textVersion: "1", now: at });
	});

	test("gets everything that is kept of them, by e-mail in any spelling, in a file that nobody else may read", async () => {
		const file = join(folder, "ada.json");
		expect(await orders("export", " ada.L@example.fr ", file)).toMatchObject({ ok: true, text: expect.stringContaining(file) });
		expect(statSync(file).mode & 0o777).toBe(0o600);
		const data = JSON.parse(readFileSync(file, "utf8")) as PersonalData;
		expect(data.orders.map((order) => order.order_number).sort()).toEqual([paid, unfinished, unpaid].map(({ number }) => number).sort());
		const whole = data.orders.find((order) => order.id === paid.id);
		expect(whole).toMatchObject({ last_name: "Lovelace", payments: [{ amount_cents: 5900 }], delivery_email: "grace@example.fr" });
		expect(whole?.events.map(({ event_type }) => event_type)).toContain("completed");
		expect(whole?.documents.map(({ doc_type }) => doc_type).sort()).toEqual(["invoice", "kbis"]);
		expect(whole?.mails.map(({ kind }) => kind)).toContain("document-ready");
		expect(data.orders.find((order) => order.id === unfinished.id)?.refund_requests).toMatchObject([
			{ message: "Une erreur dans mon nom, Lovelace." },
		]);
		expect(data.invoices.map(({ buyer }) => buyer.name)).toEqual(["Ada Lovelace", "Ada Lovelace"]);
		expect([data.messages.length, data.interest.length]).toEqual([1, 1]);
		expect(readFileSync(file, "utf8")).not.toContain("request_hash");
	});

	test("who only received a document learns nothing of whoever ordered it", async () => {
		const { ok, text } = await orders("export", "grace@example.fr");
		expect(ok).toBe(true);
		const data = JSON.parse(text) as PersonalData;
		expect(data).toMatchObject({ orders: [], deliveries: [{ order_number: paid.number, mails: [{ kind: "document-ready" }] }] });
		expect(text).not.toContain("Lovelace");
		expect(await orders("export", "nobody@example.fr")).toEqual({ ok: false, text: "Rien n’est conservé sous cette adresse." });
		expect(await orders("erase", "pas une adresse")).toMatchObject({ ok: false, text: expect.stringContaining("pas valide") });
	});

	test("is erased from what is over, and only with --yes; what is under way, and the invoices, are named", async () => {
		const before = await track("ada.l@example.fr", paid);
		expect(before.status).toBe(200);
		expect(await orders("erase", "ada.l@example.fr")).toMatchObject({
			ok: false,
			text: expect.stringMatching(/Commandes : +3[\s\S]*Rien n’est effacé/),
		});
		expect((await shop.orderRow(paid.id)).erased_at).toBeNull();
		const { path, sha256 } = { path: (await extractOf(paid)).storage_path, sha256: (await extractOf(paid)).sha256 };

		const erased = await orders("erase", "ADA.L@example.fr", "--yes");
		expect(erased.ok).toBe(false);
		expect(erased.text).toMatch(new RegExp(`restent : ${paid.number}\\.`));
		expect(erased.text).toMatch(new RegExp(`supprimées : ${unpaid.number}\\.`));
		expect(erased.text).toMatch(new RegExp(`ne sont pas terminées : ${unfinished.number}\\.`));
		expect(erased.text).toContain("10 ans (article L123-22 du code de commerce)");

		for (const word of [...personal, "grace"])
			expect((await everythingAbout(paid.id)).toLowerCase(), word).not.toContain(word.toLowerCase());
		expect(await shop.orderRow(paid.id)).toMatchObject({ company_name: "DANONE", price_cents: 5900, status: "completed", erased_at: at });
		expect(await rowsOf(paid.id)).toMatchObject({ invoices: 1, payments: 1, documents: 2, orders: 1 });
		expect(await rowsOf(unpaid.id)).toEqual({});
		expect(await shop.orderRow(unfinished.id)).toMatchObject({ last_name: "Lovelace", erased_at: null });

		// its pages
		for (const email of ["ada.l@example.fr", "", " "]) expect((await track(email, paid)).status).not.toBe(200);
		for (const type of ["kbis", "invoice"]) expect((await shop.ask(before.urlOf(type))).status, type).toBe(410);
		expect((await shop.ask(`/confirmation/${paid.sessionId}`)).status).toBe(404);
		expect(existsSync(fileOf(path))).toBe(false);
		const verifier = await (await shop.ask(`/verifier/${(await extractOf(paid)).id}`)).text();
		for (const shown of [sha256, "DANONE", "Nous ne gardons plus ce fichier"]) expect(verifier).toContain(shown);
		expect((await orders("show", paid.number)).text).toContain("Client effacé le");
		expect(await orders("resend", paid.number, "confirmation", "--to", "ada@example.fr")).toMatchObject({ ok: false });
	});

	test("again, nothing more happens until the last order is over; then nothing is left but the invoices", async () => {
		const again = await erasePerson(shop.shop, "ada.l@example.fr");
		expect(again).toEqual({ orders: { erased: [], deleted: [], unfinished: [unfinished.number], delivery: [] }, messages: 0, interest: 0 });
		await orders("refuse-refund", unfinished.number, "Le nom est celui du greffe, Madame Lovelace.");
		await shop.mailsOf(unfinished, "refund-request-refused");
		expect(await orders("erase", "ada.l@example.fr", "--yes")).toMatchObject({
			ok: true,
			text: expect.stringContaining(unfinished.number),
		});
		for (const word of personal) expect((await everythingAbout(unfinished.id)).toLowerCase(), word).not.toContain(word.toLowerCase());
		const left = JSON.parse((await orders("export", "ada.l@example.fr")).text) as PersonalData;
		expect(left).toMatchObject({ orders: [], deliveries: [], messages: [], interest: [] });
		expect(left.invoices).toHaveLength(2);
	});

	test("whoever received somebody else's document is taken out of that order, which stays", async () => {
		const placed = await shop.completeOrder({ customer });
		expect(await orders("erase", "Grace@example.fr", "--yes")).toMatchObject({ ok: true, text: expect.stringContaining(placed.number) });
		expect(await shop.orderRow(placed.id)).toMatchObject({ delivery_email: null, last_name: "Lovelace", erased_at: null });
	});

	test("nobody wakes an erased order, and no mail goes to nobody", async () => {
		await shop.shop.db.deleteFrom("mails").where("order_id", "=", paid.id).execute();
		at = new Date(at.getTime() + 3_600_000);
		await wakeOrders(shop.shop);
		const { rows } = await sql`select name from jobs.job where data->>'orderId' = ${paid.id} and state < 'completed'`.execute(shop.shop.db);
		expect(rows).toEqual([]);
	});
});

describe("as time goes by", () => {
	let plain: Placed;
	let twin: Placed;
	let unpaid: Placed;
	let open: Placed;
	let disputed: Placed;
	const all = { extracts: 0, orders: 0, accounts: 0, newsletters: 0, interest: 0, messages: 0, sandbox: 0 };
	beforeAll(async () => {
		[plain, twin, open, disputed] = (await Promise.all([1, 2, 3, 4].map(() => shop.completeOrder({ customer: { newsletter: true } })))) as [
			Placed,
			Placed,
			Placed,
			Placed,
		];
		unpaid = await expiredOrder("ada@example.fr");
		// a file that two orders share is kept as long as one of them needs it
		const { storage_path, sha256, bytes } = await extractOf(disputed);
		await shop.shop.db
			.updateTable("documents")
			.set({ storage_path, sha256, bytes })
			.where("id", "=", (await extractOf(twin)).id)
			.execute();
		await setOrder(open, { status: "processing", product_code: "standard" });
		await setOrder(disputed, { disputed_at: at, dispute_status: "open" });
		await shop.shop.db
			.transaction()
			.execute((trx) => insertMessage(trx, { id: crypto.randomUUID(), name: "Ada", email: "ada@example.fr", message: "Bonjour", now: at }));
		await insertInterest(shop.shop.db, { email: "ada@example.fr", textVersion: "1", now: at });
		await orders("reconcile");
	});

	test("at first nothing goes", async () => {
		expect(await purge(shop.shop)).toMatchObject(all);
	});

	test("after 90 days the PDF of a delivered extract goes; its hash stays, and the invoice", async () => {
		at = new Date(at.getTime() + 89 * 86_400_000);
		expect(await purge(shop.shop)).toMatchObject(all);
		at = new Date(at.getTime() + 2 * 86_400_000);
		const link = (await track("ada@example.fr", plain)).urlOf("kbis");
		expect((await shop.ask(link)).status).toBe(200);
		const purged = await purge(shop.shop);
		expect(purged.extracts).toBeGreaterThanOrEqual(2);
		expect(await purge(shop.shop)).toMatchObject({ ...all, extracts: 0 });
		const extract = await extractOf(plain);
		expect(extract.purged_at).toEqual(at);
		expect(existsSync(fileOf(extract.storage_path))).toBe(false);
		expect((await shop.ask(link)).status).toBe(410);
		expect(await (await shop.ask(`/verifier/${extract.id}`)).text()).toContain(extract.sha256);
		const tracked = await track("ada@example.fr", plain);
		expect([tracked.status, tracked.urlOf("kbis")]).toEqual([200, ""]);
		expect((await shop.ask(tracked.urlOf("invoice"))).status).toBe(200);
		// of an order that is not over, nothing
		for (const placed of [open, disputed]) expect((await extractOf(placed)).purged_at).toBeNull();
		expect((await extractOf(twin)).purged_at).toEqual(at);
		expect(existsSync(fileOf((await extractOf(disputed)).storage_path))).toBe(true);
	});

	test("after a year what only tells how the shop worked goes", async () => {
		const count = async (table: string) =>
			(await sql<{ n: number }>`select count(*)::integer as n from ${sql.table(table)}`.execute(shop.shop.db)).rows[0]?.n;
		expect([await count("payment_events"), await count("reconciliations"), await count("sandbox.sessions")]).not.toContain(0);
		at = new Date("2027-11-22T10:00:00Z");
		expect((await purge(shop.shop)).sandbox).toBeGreaterThan(3);
		expect([await count("payment_events"), await count("reconciliations")]).toEqual([0, 0]);
		// the payment of an order that is being served may still have to go back
		const { rows } = await sql`select client_reference_id from sandbox.sessions`.execute(shop.shop.db);
		expect(rows).toEqual([{ client_reference_id: open.id }]);
		expect(await count("rate_limits")).toBe(0);
	});

	test("after three years its customer goes from an order that was paid, one that was not goes whole", async () => {
		at = new Date("2029-11-18T10:00:00Z");
		expect(await purge(shop.shop)).toMatchObject(all);
		at = new Date("2029-11-22T10:00:00Z");
		const purged = await purge(shop.shop);
		expect(purged).toMatchObject({ messages: 1, interest: 1 });
		for (const placed of [plain, twin]) {
			for (const word of personal) expect((await everythingAbout(placed.id)).toLowerCase(), word).not.toContain(word.toLowerCase());
			expect(await rowsOf(placed.id)).toMatchObject({ invoices: 1, payments: 1, documents: 2, orders: 1 });
		}
		expect(await rowsOf(unpaid.id)).toEqual({});
		for (const placed of [open, disputed])
			expect(await shop.orderRow(placed.id)).toMatchObject({ last_name: "Lovelace", newsletter: false });
		expect((await track("ada@example.fr", plain)).status).toBe(404);
		expect(await (await shop.ask(`/verifier/${(await extractOf(plain)).id}`)).text()).toContain("DANONE");
	});

	test("however many there are, all of them go, also past those that stay", async () => {
		const made = keptSince(at, { years: 3, days: 1 });
		await sql`
			insert into orders (id, order_number, status, product_code, price_cents, siren, company_name, customer_email, first_name, last_name, request_hash, created_at)
			select gen_random_uuid(), 'many-' || n, case when n % 2 = 0 then 'failed' else 'paid' end, 'express', 5900, '552032534', 'DANONE',
				'many@example.fr', 'Ada', 'Lovelace', '', ${made} from generate_series(1, 420) n`.execute(shop.shop.db);
		expect((await purge(shop.shop)).orders).toBe(210);
		const left = shop.shop.db.deleteFrom("orders").where("customer_email", "=", "many@example.fr");
		expect((await left.executeTakeFirst()).numDeletedRows).toBe(210n);
	});

	test("ten years after the end of the year the invoice goes, with its file and its order", async () => {
		const invoice = (await documentsOf(plain)).find(({ doc_type }) => doc_type === "invoice");
		const file = fileOf(invoice?.storage_path ?? "");
		at = new Date("2036-12-31T22:59:00Z");
		expect((await purge(shop.shop)).accounts).toBe(0);
		expect(existsSync(file)).toBe(true);
		at = new Date("2036-12-31T23:01:00Z"); // 2037 in Paris
		expect((await purge(shop.shop)).accounts).toBeGreaterThanOrEqual(2);
		expect(await rowsOf(plain.id)).toEqual({});
		expect(existsSync(file)).toBe(false);
		expect((await rowsOf(open.id)).invoices).toBe(1);
		expect((await shop.ask(`/verifier/${invoice?.id}`)).status).toBe(404);
	});

	test("a file that was begun and never finished goes after a day; the command says what went", async () => {
		const staging = fileOf(`00/${"0".repeat(64)}.pdf.${crypto.randomUUID()}`);
		mkdirSync(fileOf("00"), { recursive: true });
		writeFileSync(staging, "half");
		const old = new Date(at.getTime() - 2 * 86_400_000);
		utimesSync(staging, at, at);
		await purge(shop.shop);
		expect(existsSync(staging)).toBe(true);
		utimesSync(staging, old, old);
		expect(await orders("purge")).toMatchObject({ ok: true, text: expect.stringMatching(/Fichiers inachevés : +1/) });
		expect(existsSync(staging)).toBe(false);
	});

	test("when the storage fails the rest is purged all the same, and the command says so by its fault", async () => {
		const storage = { ...shop.shop.storage, sweep: () => Promise.reject(new Error("the bucket is away")) };
		await insertInterest(shop.shop.db, { email: "late@example.fr", textVersion: "1", now: new Date(0) });
		await expect(purge({ ...shop.shop, storage })).rejects.toThrow("the bucket is away");
		expect(await shop.shop.db.selectFrom("subscription_interest").selectAll().execute()).toEqual([]);
	});
});
