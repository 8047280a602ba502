import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { anyJson } from "../../../test/any-json.ts";
import { createOrderFixture, type OrderFixture } from "../../../test/orders.ts";
import { anonymiseCustomers, deleteOrders } from "../../orders/erased-orders.store.server.ts";
import { toLetterNumber } from "../../orders/letter-number.server.ts";
import type { Order } from "../../orders/order.ts";
import type { OrderNumber } from "../../orders/order-number.server.ts";
import { updateOrder, updateTrackingNumber } from "../../orders/orders.store.server.ts";
import { maxFound, searchOrders } from "./answer-search.server.ts";
import { guessQuery } from "./guess-query.server.ts";
import { findByWords } from "./search.store.server.ts";

let shop: OrderFixture;
let lefevre: Order;
let invoiced: { number: string; paymentId: string; sessionId: string };
beforeAll(async () => {
	shop = await createOrderFixture({ startsAt: "2026-11-23T08:00:00Z" });
	const inserted = await shop.insertPaidOrder({
		...{ order_number: "KB-7F3K-92QD", siren: "552100554", company_name: "L’ŒUVRE FRANÇAISE S.A.R.L.", billing_company: "Cabinet Dupont" },
		...{ first_name: "Élodie", last_name: "Lefèvre-Moreau", customer_email: "Elodie.Lefevre@exemple.fr", phone: "+33 6 12 34 56 78" },
		...{ product_code: "postal", tracking_number: "1A23456789012", delivery_name: "Noël Garnier" },
	});
	lefevre = inserted.order;
	const martin = { siren: "123456782", company_name: "GARAGE MARTIN", first_name: "Luc", last_name: "Martin" };
	await shop.insertPaidOrder({ ...martin, order_number: "KB-2345-6789" });
	const id = randomUUID();
	await shop.db
		.insertInto("invoices")
		.values({
			id,
			kind: "invoice",
			year: 2026,
			number_in_year: 31,
			number: "F2026-000031",
			order_id: lefevre.id,
			issued_at: shop.start,
			total_cents: 4400,
			data: anyJson({}),
		})
		.execute();
	await shop.insertRefund(inserted.payment, { provider_id: "re_123", amount_cents: 100 });
	await shop.db
		.insertInto("payment_sessions")
		.values({ id: "cs_test_abc", order_id: lefevre.id, url: "/", status: "complete", created_at: shop.start, expires_at: shop.start })
		.execute();
	invoiced = { number: "F2026-000031", paymentId: inserted.payment.id, sessionId: "cs_test_abc" };
});
afterAll(() => shop?.close());

async function find(typed: string): Promise<string[]> {
	const outcome = await searchOrders(shop, typed);
	return outcome.ok ? outcome.orders.map(({ id }) => id) : [];
}

describe("an order is found", () => {
	test.each([
		...["KB-7F3K-92QD", "kb7f3k92qd", "7f3k 92qd", "kb-7f3k", "92QD"],
		...["lefevre", "LEFÈVRE", "elodie lefèv", "moreau élodie", "garnier noel"],
		...["elodie.lefevre@exemple.fr", "Elodie.Lefevre@", "elodie.lef", "exemple.fr"],
		...["06 12 34 56 78", "0612345678", "+33 6 12 34 56 78", "0033612345678", "+33(0)612345678".replace("(0)", "")],
		...["oeuvre francaise", "œuvre", "Cabinet Dupont", "dupont lefevre"],
		...["552 100 554", "552100554", "5521", "552 100 554 00013"],
		...["F2026-000031", "f2026-31", "1A 234 567 890 12", "1a23456789012", "re_123", "cs_test_abc"],
	])("by « %s »", async (typed) => {
		expect(await find(typed)).toEqual([lefevre.id]);
	});

	test("by the number of its letter, which names it alone", async () => {
		const number = toLetterNumber(shop.signer, lefevre.order_number);
		for (const typed of [number, number.toLowerCase().replaceAll("-", " ")])
			expect(await searchOrders(shop, typed)).toMatchObject({ exact: { id: lefevre.id }, orders: [{ id: lefevre.id }] });
		expect(await find(toLetterNumber(shop.signer, "KB-2222-2222" as OrderNumber))).toEqual([]);
	});

	test("by the provider's payment and by its own id", async () => {
		expect(await find(invoiced.paymentId)).toEqual([lefevre.id]);
		expect(await find(lefevre.id.toUpperCase())).toEqual([lefevre.id]);
	});
});

test.each([
	"",
	" a ",
	"zzzz",
	"martin lefevre",
	"0699999999",
	"F2026-000099",
	"KB-2222-2222",
	"'; drop table orders; --",
	"\\",
	"x:* & w",
	"% _",
])("« %s » finds nothing, and breaks nothing", async (typed) => {
	expect(await find(typed)).toEqual([]);
});

test("a number that names one order is exact, words are not", async () => {
	expect(await searchOrders(shop, "F2026-000031")).toMatchObject({ exact: { id: lefevre.id } });
	expect(await searchOrders(shop, "lefevre")).toMatchObject({ exact: null });
	expect(await searchOrders(shop, "x")).toEqual({ ok: false, code: "too-short" });
});

test("the newest are found first, among the newest orders or all of them", async () => {
	const ids: string[] = [];
	for (const n of [1, 0, 2]) ids[2 - n] = (await shop.insertPaidOrder({ last_name: "Tournesol", created_at: shop.after(n) })).order.id;
	const among = async (limit: number, newest: number) =>
		(await findByWords(shop.db, { text: "tournesol", anyOf: [] }, limit, newest)).map(({ id }) => id);
	expect(await among(2, 2)).toEqual(ids.slice(0, 2));
	expect(await among(1, 3)).toEqual(ids.slice(0, 1));
	expect(await among(2, 1)).toEqual(ids.slice(0, 2));
	expect(await among(5, 1)).toEqual(ids);
});

test("more than a page: the newest, and that there are more", async () => {
	for (let n = 0; n < maxFound + 1; n++) await shop.insertOrder({ last_name: "Zébulon", created_at: shop.after(n) });
	const outcome = await searchOrders(shop, "zebulon");
	expect(outcome).toMatchObject({ ok: true, more: true });
	expect(outcome.ok && [outcome.orders.length, outcome.orders[0]?.created_at]).toEqual([maxFound, shop.after(maxFound)]);
});

test("an address is found whatever its characters, and the newest of two first", async () => {
	const insert = async (customer_email: string, minutes: number) =>
		(await shop.insertPaidOrder({ customer_email, created_at: shop.after(minutes * 60_000) })).order.id;
	const older = await insert("miles.o'neil@exemple.fr", -2);
	const newer = await insert("miles.o'neil@exemple.fr", -1);
	const slashed = await insert("back\\slash@exemple.fr", 0);
	expect(await find("miles.o'neil@exemple.fr")).toEqual([newer, older]);
	expect(await find("back\\slash@exemple.fr")).toEqual([slashed]);
});

test("the orders of one number are listed once, those named by it first, and fifty at most", async () => {
	const { order, payment } = await shop.insertPaidOrder({ last_name: "Zygomatique", created_at: shop.after(-3) });
	// the id of a payment is a word of another order
	const { order: other } = await shop.insertPaidOrder({ customer_email: `${payment.id}@exemple.fr`, created_at: shop.after(3) });
	expect(await find(payment.id)).toEqual([order.id, other.id]);
	expect(await find(order.order_number)).toEqual([order.id]);
	const many = { customer_email: `${other.order_number.toLowerCase()}@exemple.fr` };
	for (let n = 0; n < maxFound; n++) await shop.insertOrder(many);
	const outcome = await searchOrders(shop, other.order_number);
	expect(outcome.ok && [outcome.orders.length, outcome.orders[0]?.id, outcome.exact?.id, outcome.more]).toEqual([
		...[maxFound, other.id, other.id, true],
	]);
});

test("a text that names several orders is not exact, and lists the newest ten of them first", async () => {
	const id = "re_shared";
	const ids: string[] = [];
	for (let n = 0; n < 2; n++) {
		const { order, payment } = await shop.insertPaidOrder({
			created_at: shop.after(n),
			...(n === 0 && { customer_email: `${id}@exemple.fr` }),
		});
		ids.unshift(order.id);
		if (n === 0) await shop.insertRefund(payment, { provider_id: id, amount_cents: 100 });
		else await shop.insertPayment(order, { id, role: "surplus" });
	}
	expect(await searchOrders(shop, id)).toMatchObject({ ok: true, orders: ids.map((orderId) => ({ id: orderId })), exact: null });
	expect(await find(id)).toEqual(ids);
});

describe("what is typed", () => {
	const usual = { orderNumber: null, orderId: null, invoiceNumber: null, providerId: null, text: null, anyOf: [] };
	test.each([
		["ab", { text: "ab" }],
		[" ab ", { text: "ab" }],
		["a. b", { text: "a. b" }],
		["a.", null],
		["+33 6 12 34 56 78", { anyOf: ["33612345678", "0612345678"] }],
		["0033612345678", { anyOf: ["0033612345678", "0612345678"] }],
		["33", { anyOf: ["33"] }],
		["12", { anyOf: ["12"] }],
		["552 032 534 00013", { anyOf: ["552032534", "55203253400013"] }],
		["5520325340001", { anyOf: ["5520325340001"] }],
		["1A 234 567 890 12", { anyOf: ["1a23456789012"] }],
		["F2026-31", { invoiceNumber: "F2026-000031", text: "F2026-31" }],
		["cs_test_1", { providerId: "cs_test_1", text: "cs_test_1" }],
		["RE_1", { providerId: "RE_1", text: "RE_1" }],
		["re 1", { text: "re 1" }],
	])("« %s »", (typed, guess) => {
		const guessed = guessQuery(typed, shop.signer);
		expect(guessed && { ...guessed, orderNumber: null }).toEqual(guess && { ...usual, ...guess });
	});

	test("is cut after two hundred characters", () => {
		expect(guessQuery("a".repeat(201), shop.signer)?.text).toBe("a".repeat(200));
	});
});

test("an order is written whatever its fields hold", async () => {
	const odd = {
		first_name: "",
		last_name: "  ",
		phone: "",
		company_name: "«»",
		customer_email: "@",
		tracking_number: "",
		order_number: "old-1",
	};
	const { order } = await shop.insertPaidOrder({ ...odd, delivery_name: "x".repeat(3000), billing_company: "’\\'\"" });
	expect(await find("xxxxxxxx")).toEqual([order.id]);
});

test("the words follow each correction, an erased customer is no longer found, and a deleted order leaves nothing", async () => {
	const { order } = await shop.insertPaidOrder({
		first_name: "Ginette",
		last_name: "Quenouille",
		phone: "0123456789",
		company_name: "ACME",
	});
	await shop.inTransaction(async (trx) => {
		await updateOrder(trx, order.id, { customer_email: "nouvelle@adresse.fr" });
		await updateTrackingNumber(trx, order.id, "RK123456789FR");
	});
	expect(await find("nouvelle@adresse.fr")).toEqual([order.id]);
	expect(await find("rk 123 456 789 fr")).toEqual([order.id]);
	await shop.inTransaction((trx) => anonymiseCustomers(trx, [order.id], shop.now()));
	const { words } = await shop.db.selectFrom("order_words").select("words").where("order_id", "=", order.id).executeTakeFirstOrThrow();
	expect(words).not.toMatch(/ginette|quenouille|0123456789|nouvelle|rk123/);
	expect(await find(order.order_number)).toEqual([order.id]);
	await shop.db.deleteFrom("payments").where("order_id", "=", order.id).execute();
	await shop.inTransaction((trx) => deleteOrders(trx, [order.id]));
	expect(await shop.db.selectFrom("order_words").select("order_id").where("order_id", "=", order.id).execute()).toEqual([]);
});
