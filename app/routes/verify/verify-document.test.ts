import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestShop, type TestShop } from "../../../test/shop.ts";

let shop: TestShop;
let extract: Awaited<ReturnType<typeof findDocument>>;
let orderId = "";
/** The extract of an order: its invoice may have been there before it. */
const findDocument = (id: string) =>
	shop.shop.db.selectFrom("documents").selectAll().where("order_id", "=", id).where("doc_type", "=", "kbis").executeTakeFirstOrThrow();

beforeAll(async () => {
	shop = await createTestShop({ now: () => new Date(Date.UTC(2026, 10, 20, 9)) });
	const placed = await shop.completeOrder();
	orderId = placed.id;
	extract = await findDocument(orderId);
});
afterAll(() => shop?.close());

/** What a page says: its text without its tags, with the blanks that React leaves between texts. */
async function read(path: string) {
	const answer = await shop.ask(path);
	const html = await answer.text();
	const body = /<main[\s\S]*<\/main>/.exec(html)?.[0] ?? "";
	return { answer, html, text: body.replace(/<!-- -->|<wbr\/?>/g, "").replace(/<[^>]+>/g, "\n") };
}

test("shows the document, its date, its issuer and its fingerprint", async () => {
	const { answer, html, text } = await read(`/verifier/${extract.id}`);
	expect(answer.status).toBe(200);
	expect(answer.headers.get("cache-control")).toBe("no-store");
	expect(answer.headers.get("x-robots-tag")).toBe("noindex");
	expect(html).toContain('<meta name="robots" content="noindex"/>');
	for (const said of ["Extrait", "DANONE", "vendredi 20 novembre 2026 à 10\u00a0h", "ExtraitPro, société de démonstration"])
		expect(text).toContain(said);
	expect(text.replace(/\s/g, "")).toContain(extract.sha256);
	for (const command of ["Get-FileHash", "shasum -a 256", "sha256sum"]) expect(text).toContain(command);
});

test("shows no data of the customer or the order, on the page or in its data", async () => {
	const order = await shop.orderRow(orderId);
	for (const address of [`/verifier/${extract.id}`, `/verifier/${extract.id}.data`]) {
		const { answer, html } = await read(address);
		expect(answer.status).toBe(200);
		const { customer_email, first_name, last_name, phone, address: street, order_number, id } = order;
		for (const secret of [customer_email, first_name, last_name, phone, street, order_number, id]) {
			expect(secret).toBeTruthy();
			expect(html).not.toContain(secret);
		}
		expect(html).not.toContain("/documents/");
	}
});

test("does not show the company of an invoice or a credit note", async () => {
	for (const [type, name] of [
		["invoice", "Facture"],
		["credit_note", "Avoir"],
	] as const) {
		const id = randomUUID();
		const { purged_at: _, ...row } = extract;
		await shop.shop.db
			.insertInto("documents")
			.values({ ...row, id, doc_type: type })
			.execute();
		const { answer, text } = await read(`/verifier/${id}`);
		expect(answer.status).toBe(200);
		expect(text).toContain(name);
		expect(text).not.toMatch(/DANONE|552 ?032 ?534|Entreprise\n/);
		await shop.shop.db.deleteFrom("documents").where("id", "=", id).execute();
	}
});

test("verifies a document in dispute, or with a deleted file", async () => {
	const { db, now } = shop.shop;
	await db.updateTable("orders").set({ disputed_at: now() }).where("id", "=", orderId).execute();
	await db.updateTable("documents").set({ purged_at: now() }).where("id", "=", extract.id).execute();
	const { answer, text } = await read(`/verifier/${extract.id}`);
	expect(answer.status).toBe(200);
	expect(text.replace(/\s/g, "")).toContain(extract.sha256);
	expect(text).toContain("Nous ne gardons plus ce fichier, mais nous gardons son empreinte");
	await db.updateTable("documents").set({ purged_at: null }).where("id", "=", extract.id).execute();
	await db.updateTable("orders").set({ disputed_at: null }).where("id", "=", orderId).execute();
});

test("answers 404 for unknown and malformed ids", async () => {
	for (const wrong of [randomUUID(), orderId, "x", `${extract.id}0`, extract.id.slice(1), `${extract.id}'--`, "é".repeat(300)]) {
		const { answer, text } = await read(`/verifier/${encodeURIComponent(wrong)}`);
		expect(answer.status, wrong).toBe(404);
		expect(answer.headers.get("cache-control")).toBe("no-store");
		expect(text).toContain("Aucun document ne correspond à cette adresse.");
	}
	expect((await shop.ask(`/verifier/${extract.id.toUpperCase()}`)).status).toBe(200);
});

test("accepts no upload", async () => {
	const body = new FormData();
	body.set("file", new Blob(["%PDF-"]), "extrait.pdf");
	const answer = await shop.ask(`/verifier/${extract.id}`, { method: "POST", body });
	expect(answer.status).toBe(405);
	expect((await read(`/verifier/${extract.id}`)).html).not.toMatch(/<form[^>]*enctype|method="post"/);
});

test("shows when an extract was replaced, with a link to its replacement", async () => {
	const { id: orderId } = await shop.completeOrder();
	const old = await findDocument(orderId);
	expect((await read(`/verifier/${old.id}`)).text).not.toContain("remplacé");
	const extract = { ...old, id: randomUUID(), created_at: new Date(Date.UTC(2026, 10, 22, 9)), sha256: "0".repeat(64) };
	const { db } = shop.shop;
	await db
		.updateTable("documents")
		.set({ replaced_at: extract.created_at, replaced_because: "page manquante" })
		.where("id", "=", old.id)
		.execute();
	await db.insertInto("documents").values(extract).execute();
	const { html, text } = await read(`/verifier/${old.id}`);
	expect(text).toContain("Ce document a été remplacé le dimanche 22 novembre 2026 à 10\u00a0h.");
	expect(text.replace(/\s/g, "")).toContain(old.sha256);
	expect(html).toContain(`href="/verifier/${extract.id}"`);
	expect(html).not.toContain("manquante");
	const standing = await read(`/verifier/${extract.id}`);
	expect(standing.text).not.toContain("remplacé");
	// it was handed over when it replaced the other
	expect(standing.text).toContain("dimanche 22 novembre 2026 à 10\u00a0h");
});
