import { afterAll, beforeAll, expect, test } from "vitest";
import { anyJson } from "../../../test/any-json.ts";
import { insertPurchaseToServe } from "../../../test/fixtures/purchases.ts";
import { createOperator, type TestOperator } from "../../../test/operators.ts";
import { insertOrder, insertPayment } from "../../../test/orders.ts";
import { createTestShop, type TestShop } from "../../../test/shop.ts";
import { insertDocument } from "../../orders/documents/insert-document.server.ts";
import type { Order } from "../../orders/order.ts";
import type { RecordedPayment } from "../../orders/refunds/refunds.store.server.ts";
import { performAct, runScheduledAct } from "../acts/perform-act.server.ts";

// What operators see of the orders of a purchase, and what they do with one of them.

let shop: TestShop;
let ada: TestOperator;
let [first, second, third] = [] as unknown as [Order, Order, Order];
let payment: RecordedPayment;
beforeAll(async () => {
	shop = await createTestShop({ variables: { ISSUER: "manual" } });
	ada = await createOperator(shop, "Ada", ["refund", "serve"]);
	const { db, now } = shop.shop;
	const purchase = await insertPurchaseToServe(
		db,
		[
			{ product_code: "standard", company_name: "ALPHA" },
			{ product_code: "express", company_name: "BETA", siren: "552100554", reference: "dossier Müller 2026-114" },
			{ product_code: "express", company_name: "GAMMA" },
		],
		{ now: now() },
	);
	[first, second, third] = purchase.orders as [Order, Order, Order];
	payment = purchase.payment;
});
afterAll(() => shop?.close());

const plain = (html: string) =>
	html
		.replaceAll(/[\u00a0\u202f]/g, " ")
		.replaceAll("&nbsp;", " ")
		.replaceAll("<!-- -->", "");
const read = async (path: string) => plain(await (await ada.ask(path)).text());
const readOrder = ({ order_number }: Order) => read(`/bureau/commandes/${order_number}`);
const readMoney = ({ order_number }: Order) => read(`/bureau/argent/${order_number}`);
const search = (q: string) => ada.post("/bureau/recherche", { q });

test("the page of an order says its place, its reference and the other lines, and leaves an order bought alone as it was", async () => {
	const page = await readOrder(second);
	expect(page).toMatch(new RegExp(`Ligne 2 sur 3 de la commande groupée <a[^>]+href="/bureau/commandes/${first.order_number}"`));
	expect(page).toContain("Référence du client : dossier Müller 2026-114");
	expect(page).toContain("3 lignes, 3 en cours.");
	for (const { order_number, company_name } of [first, third])
		expect(page).toMatch(new RegExp(`href="/bureau/commandes/${order_number}"[^>]*>${order_number}</a> ${company_name}`));
	expect(page).not.toContain("Autres commandes");
	expect(page).toMatch(/Paiement reçu : 15[\d,]+ €[\s\S]+pour la commande groupée, 3 lignes/);
	const alone = await insertOrder(shop.shop.db, { status: "processing", created_at: shop.shop.now(), paid_at: shop.shop.now() });
	expect(await readOrder(alone)).not.toMatch(/groupée|Référence du client/);
});

test("the page of another line has the invoice of the purchase", async () => {
	const { db, storage, now } = shop.shop;
	const stored = await storage.put(new TextEncoder().encode("%PDF-1.7 the invoice"));
	const { id: document_id } = await db
		.transaction()
		.execute((trx) => insertDocument(trx, { orderId: first.id, type: "invoice", issuedAt: now(), stored, now: now() }));
	const numbers = { number: "F2001-000001", year: 2001, number_in_year: 1 };
	await db
		.insertInto("invoices")
		.values({
			...{ id: crypto.randomUUID(), kind: "invoice", ...numbers, order_id: first.id, issued_at: now(), document_id },
			...{ total_cents: payment.amount_cents, data: anyJson({}) },
		})
		.execute();
	const page = await readOrder(third);
	expect(page).toContain("Facture F2001-000001");
	expect(page).toContain(`/bureau/documents/${document_id}`);
});

test("the queue shows the reference and the purchase", async () => {
	const page = await read("/bureau/commandes");
	expect(page).toContain("dossier Müller 2026-114");
	for (const line of [1, 2, 3]) expect(page).toContain(`ligne ${line} sur 3 de la commande groupée ${first.order_number}`);
});

test("the search finds an order by its reference, and the first order by the payment", async () => {
	const found = plain(await (await search("muller 2026")).text());
	expect(found).toContain(second.order_number);
	expect(found).toContain(`ligne 2 sur 3 de la commande groupée ${first.order_number}`);
	expect(found).not.toContain(third.order_number);
	const answer = await search(payment.id);
	expect([answer.status, answer.headers.get("location")]).toEqual([302, `/bureau/commandes/${first.order_number}`]);
});

test("the money of a line is the payment of the purchase, and what is left of the line; one of its refunds is of that line", async () => {
	const page = await readMoney(second);
	expect(page).toMatch(new RegExp(`Ligne 2 sur 3 de la commande groupée <a[^>]+href="/bureau/argent/${first.order_number}"`));
	expect(page).toMatch(/Paie la commande groupée/);
	expect(page).toMatch(/Reste à rembourser pour cette ligne[\s\S]{0,80}59,00 €/);
	const [row] = await shop.shop.db.selectFrom("operators.user").select(["id", "name"]).execute();
	const actor = { ...(row ?? { id: "", name: "" }), roles: new Set(["refund"] as const), origin: "test" };
	const fields = { payment: payment.id, left: "5900", part: "whole", cause: "wrong-extract", stop: "no" };
	const asked = await performAct(shop.shop, actor, { act: "refund", key: crypto.randomUUID(), orderId: second.id, fields });
	if (asked.state === "scheduled") await runScheduledAct(shop.shop, asked.key);
	const refunds = await shop.shop.db.selectFrom("refunds").select(["order_id", "amount_cents"]).execute();
	expect(refunds).toEqual([{ order_id: second.id, amount_cents: 5900 }]);
	expect(await readMoney(third)).toMatch(/Reste à rembourser pour cette ligne[\s\S]{0,80}59,00 €/);
});

test("a mismatched payment is on the page of the first order only, with what the whole purchase costs", async () => {
	const { db, now } = shop.shop;
	await insertPayment(db, first, { id: "pi_mismatch", role: "mismatch", amount_cents: 100, created_at: now() });
	expect(await readMoney(first)).toContain("pi_mismatch");
	expect(await readMoney(second)).not.toContain("pi_mismatch");
	const overview = await read("/bureau/argent");
	expect(overview).toContain("ALPHA et 2 autres");
	expect(overview).toContain(`Prix de la commande : ${(payment.amount_cents / 100).toFixed(2).replace(".", ",")} €`);
});

test("the evidence of a dispute has all orders of the purchase, each in its folder", async () => {
	const { db, storage, now } = shop.shop;
	for (const order of [second, third]) {
		const stored = await storage.put(new TextEncoder().encode(`%PDF-1.7 ${order.id}`));
		await db.transaction().execute((trx) => insertDocument(trx, { orderId: order.id, type: "kbis", issuedAt: now(), stored, now: now() }));
	}
	const answer = await ada.ask(`/bureau/argent/${third.order_number}/dossier.zip`);
	const zip = Buffer.from(await answer.arrayBuffer()).toString("latin1");
	for (const { order_number } of [second, third]) expect(zip).toContain(`service_documentation/${order_number}/`);
	expect(zip).toContain(`receipt/${first.order_number}/`);
	// the end of the central directory
	expect(zip).toContain("PK\u0005\u0006");
});

test("the page of an order among two hundred shows forty lines around it", async () => {
	const { db, now } = shop.shop;
	const lines = Array.from({ length: 200 }, (_, index) => ({ product_code: "standard" as const, company_name: `COMPANY ${index + 1}.` }));
	const { orders } = await insertPurchaseToServe(db, lines, { now: now(), reference: "dossier" });
	const page = await readOrder(orders[99] as Order);
	expect(page).toContain("200 lignes, 200 en cours. Ci-dessous, les lignes 80 à 120.");
	expect(page.match(/COMPANY \d+\., /g)?.length).toBeGreaterThanOrEqual(41);
	for (const [place, isShown] of [
		[79, false],
		[80, true],
		[120, true],
		[121, false],
	] as const)
		expect(page.includes(`COMPANY ${place}.`), String(place)).toBe(isShown);
});
