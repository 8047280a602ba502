import { createHash, randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { insertOrder } from "../../../test/orders.ts";
import { createTestShop, type TestShop } from "../../../test/shop.ts";

let shop: TestShop;
let extract: Awaited<ReturnType<typeof findExtract>>;
let orderId = "";

const findExtract = (id: string) =>
	shop.shop.db.selectFrom("documents").selectAll().where("order_id", "=", id).where("doc_type", "=", "kbis").executeTakeFirstOrThrow();

beforeAll(async () => {
	// 00:30 of the next day in Paris
	shop = await createTestShop({ now: () => new Date(Date.UTC(2026, 10, 20, 23, 30)) });
	const placed = await shop.completeOrder();
	orderId = placed.id;
	extract = await findExtract(orderId);
});
afterAll(() => shop?.close());

const hash = (text: string) => createHash("sha256").update(text).digest("hex");

async function askApi(sha256: string) {
	const answer = await shop.ask(`/api/verifier?empreinte=${encodeURIComponent(sha256)}`);
	return { status: answer.status, cache: answer.headers.get("cache-control"), text: await answer.text() };
}

async function readPage(query = "") {
	const answer = await shop.ask(`/verifier${query}`);
	const html = (await answer.text()).replaceAll("\u00a0", " ");
	return { answer, html };
}

/** Inserts a document with a new hash, a copy of the delivered extract except for `changes`. */
async function insertDocument(changes: Partial<typeof extract>): Promise<string> {
	const sha256 = hash(randomUUID());
	await shop.shop.db
		.insertInto("documents")
		.values({ ...extract, id: randomUUID(), sha256, ...changes })
		.execute();
	return sha256;
}

test("a delivered extract is known, with the day in Paris and nothing else", async () => {
	expect(await askApi(extract.sha256)).toEqual({
		status: 200,
		cache: "no-store",
		text: JSON.stringify({ known: true, deliveredOn: "2026-11-21", replacedOn: null }),
	});
	const { answer, html } = await readPage(`?empreinte=${extract.sha256.toUpperCase()}`);
	expect(answer.status).toBe(200);
	expect(html).toContain("Fichier intact, livré par ExtraitPro le 21 novembre 2026");
	expect(html).toContain('content="noindex"');
	const { customer_email, last_name, order_number, id } = await shop.orderRow(orderId);
	for (const secret of [customer_email, last_name, order_number, id, extract.id, "DANONE", "552032534"]) expect(html).not.toContain(secret);
});

test("other files are unknown: an unknown hash, an invoice, an extract that is not delivered yet", async () => {
	const undelivered = (await insertOrder(shop.shop.db, { status: "processing", created_at: new Date(), paid_at: new Date() })).id;
	for (const sha256 of [
		hash("a copy saved again"),
		await insertDocument({ doc_type: "invoice" }),
		await insertDocument({ order_id: undelivered }),
	]) {
		expect((await askApi(sha256)).text).toBe(JSON.stringify({ known: false }));
		expect((await readPage(`?empreinte=${sha256}`)).html).toContain("Inconnu : ExtraitPro n’a pas livré ce fichier");
	}
});

test("a replaced extract is told apart, and a purged one stays known", async () => {
	const replaced = await insertDocument({ replaced_at: new Date("2026-11-23T09:00:00Z"), replaced_because: "page manquante" });
	expect((await askApi(replaced)).text).toBe(JSON.stringify({ known: true, deliveredOn: "2026-11-21", replacedOn: "2026-11-23" }));
	const { html } = await readPage(`?empreinte=${replaced}`);
	expect(html).toContain("puis remplacé le 23 novembre 2026");
	expect(html).not.toContain("manquante");

	await shop.shop.db.updateTable("documents").set({ purged_at: new Date() }).where("id", "=", extract.id).execute();
	expect((await askApi(extract.sha256)).text).toContain('"known":true');
});

test("with the same bytes in two orders, the extract that was not replaced counts", async () => {
	const other = await shop.completeOrder();
	const current = await findExtract(other.id);
	await insertDocument({ sha256: current.sha256, replaced_at: new Date("2026-11-23T09:00:00Z"), replaced_because: "double" });
	expect(JSON.parse((await askApi(current.sha256)).text)).toMatchObject({ known: true, replacedOn: null });
});

test("a text without a fingerprint gets a sentence, and is shown again", async () => {
	expect((await askApi("abc")).status).toBe(400);
	const { answer, html } = await readPage("?empreinte=%3Cb%3Eabc");
	expect(answer.status).toBe(400);
	expect(html).toContain("Collez l’empreinte SHA-256 du fichier : 64 caractères");
	expect(html).toContain('value="&lt;b&gt;abc"');
	expect((await readPage("?empreinte=")).answer.status).toBe(400);
});

test("the page is public and in the menus, and the shop receives no file", async () => {
	const { answer, html } = await readPage();
	expect(answer.status).toBe(200);
	expect(html).toContain(`<link rel="canonical" href="${shop.url}/verifier"/>`);
	expect(html).not.toContain("noindex");
	expect(html).not.toMatch(/<form[^>]*enctype|method="post"/);
	expect((await (await shop.ask("/cgv")).text()).split("<footer")[1]).toContain('href="/verifier"');
	expect(await (await shop.ask("/sitemap-pages.xml")).text()).toContain("/verifier</loc>");
	for (const path of ["/verifier", "/api/verifier"]) {
		const body = new FormData();
		body.set("file", new Blob(["%PDF-"]), "extrait.pdf");
		expect((await shop.ask(path, { method: "POST", body })).status).toBe(405);
	}
});
