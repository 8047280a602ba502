import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createOrderFixture, type OrderFixture, type OrderValues } from "../../../test/orders.ts";
import type { Order } from "../../orders/order.ts";
import type { Shop } from "../../shop.ts";
import { readFields } from "../acts/fields.ts";
import { addressActs } from "./address-acts.server.ts";

let shop: OrderFixture;
beforeAll(async () => {
	shop = await createOrderFixture({ startsAt: "2026-11-23T08:00:00Z" });
});
afterAll(() => shop?.close());

/** An order with e-mails of these kinds, which have left. */
async function insert(kinds: readonly string[], values: OrderValues = {}): Promise<Order> {
	const { order } = await shop.insertPaidOrder({ status: "completed", customer_email: "ada@example.fr", ...values });
	for (const kind of kinds)
		await shop.db
			.insertInto("mails")
			.values({ id: randomUUID(), order_id: order.id, kind, created_at: shop.start, sent_at: shop.start })
			.execute();
	return order;
}

async function run(name: string, order: Order, fields: Record<string, string>) {
	const act = addressActs.find((each) => each.name === name) ?? expect.fail(name);
	const read = readFields(act.fields, fields);
	if (!read.ok) throw new Error(read.text);
	const actor = { id: randomUUID(), name: "Camille", roles: new Set(["serve"] as const), origin: "test" };
	return act.run({ shop: shop as unknown as Shop, actor, order, requestedAt: shop.now() }, read.input, { ok: true });
}
const correct = (order: Order, email: string, recipient = "") => run("correct-address", order, { email, recipient });
/** The e-mails that leave again. */
const listQueued = async ({ id }: Order) =>
	(await shop.db.selectFrom("mails").select(["kind", "sent_at"]).where("order_id", "=", id).orderBy("kind").execute())
		.filter(({ sent_at }) => sent_at === null)
		.map(({ kind }) => kind);

test("a delivered order sends the first e-mail that brings its document to the corrected address", async () => {
	const order = await insert(["confirmation", "document-ready", "document-ready-delivery"], { delivery_email: "bob@example.fr" });
	expect(await correct(order, " grace@example.fr ", "BOB@example.fr")).toEqual({
		...{ ok: true, text: "L’adresse est corrigée, et l’extrait y repart." },
		before: { email: "a…@example.fr", recipient: "b…@example.fr" },
		after: { email: "g…@example.fr", recipient: "B…@example.fr" },
	});
	expect(await listQueued(order)).toEqual(["document-ready"]);
	const changed = await shop.getOrder(order.id);
	expect([changed.customer_email, changed.delivery_email]).toEqual(["grace@example.fr", "bob@example.fr"]);
	expect((await shop.getEvents(order)).at(-1)?.payload).toMatchObject({ address: "customer", by: "Camille" });
});

test("a delivered order sends the recipient's e-mail to a corrected recipient alone", async () => {
	const order = await insert(["confirmation", "document-ready", "document-ready-delivery"], { delivery_email: "bob@example.fr" });
	expect(await correct(order, "ADA@example.fr", " rose@example.fr ")).toMatchObject({ ok: true, after: { recipient: "r…@example.fr" } });
	expect(await listQueued(order)).toEqual(["document-ready-delivery"]);
	expect(await shop.getOrder(order.id)).toMatchObject({ customer_email: "ada@example.fr", delivery_email: "rose@example.fr" });
});

test("an order that only has its confirmation sends that one, and one without e-mails says so", async () => {
	const confirmed = await insert(["confirmation"]);
	expect(await correct(confirmed, "grace@example.fr")).toEqual({
		...{ ok: true, text: "L’adresse est corrigée, et la confirmation y repart." },
		...{ before: { email: "a…@example.fr" }, after: { email: "g…@example.fr" } },
	});
	expect(await listQueued(confirmed)).toEqual(["confirmation"]);
	const silent = await insert([]);
	expect(await correct(silent, "grace@example.fr")).toEqual({ ok: false, text: "Cet e-mail n’a jamais été écrit pour cette commande." });
	const erased = await insert(["confirmation"], { erased_at: shop.start });
	expect(await correct(erased, "grace@example.fr")).toEqual({
		...{ ok: false, text: "Les données de ce client ont été effacées\u00a0: il n’y a plus à qui écrire." },
	});
});

test("the same addresses, however they are written, change nothing", async () => {
	const unchanged = { ok: false, text: "Ces adresses sont déjà celles de la commande.", field: "email" };
	const order = await insert(["confirmation"], { customer_email: "Ada@Example.fr", delivery_email: "Bob@Example.fr" });
	expect(await correct(order, "ada@example.FR")).toEqual(unchanged);
	expect(await correct(order, "ada@example.FR", "bob@example.FR")).toEqual(unchanged);
	const open = await insert(["confirmation"], { status: "processing" });
	expect(await correct(open, "ada@example.fr")).toEqual(unchanged);
	expect(await listQueued(order)).toEqual([]);
});

test("an open order is corrected like its customer does it", async () => {
	const order = await insert(["confirmation"], { status: "processing" });
	expect(await correct(order, "grace@example.fr")).toEqual({
		...{ ok: true, text: "L’adresse est corrigée. La confirmation repart, et l’ancienne adresse est prévenue." },
		...{ before: { email: "a…@example.fr" }, after: { email: "g…@example.fr" } },
	});
	expect(await listQueued(order)).toEqual(["address-corrected", "confirmation"]);
});

test("the address of a letter is corrected like its customer does it, and also after it is printed", async () => {
	const typed = { deliveryName: "Greffe", deliveryAddress: "1 quai de la Corse", deliveryPostalCode: "75004", deliveryCity: "Paris" };
	const order = await insert([], { product_code: "postal", status: "processing", address: "1 rue X", postal_code: "75001", city: "Paris" });
	await shop.db.insertInto("extract_requests").values({ order_id: order.id, requested_at: shop.start, printed_at: shop.start }).execute();
	expect(await run("correct-letter", order, { ...typed, deliveryPostalCode: "7500" })).toEqual({
		...{ ok: false, text: "Code postal invalide (5 chiffres)", field: "deliveryPostalCode" },
	});
	const corrected = {
		ok: true,
		text: "L’adresse du courrier est corrigée, et le client est prévenu. Si la lettre était imprimée, elle est de nouveau à imprimer.",
	};
	expect(await run("correct-letter", order, typed)).toEqual(corrected);
	expect(await shop.getOrder(order.id)).toMatchObject({ delivery_name: "Greffe", delivery_postal_code: "75004", postal_code: "75001" });
	expect(await listQueued(order)).toEqual(["letter-corrected"]);
	expect(await run("correct-letter", order, typed)).toEqual({ ok: false, text: "C’est déjà l’adresse de ce courrier." });
	const posted = await insert([], { product_code: "postal" });
	expect(await run("correct-letter", posted, typed)).toEqual({
		ok: false,
		text: "Ce courrier est posté, ou sa commande est terminée\u00a0: son adresse ne se corrige plus.",
	});
});

test("an e-mail is sent again, unless it was never written", async () => {
	const order = await insert(["confirmation", "late"]);
	expect(await run("resend", order, { kind: "late" })).toEqual({ ok: true, text: "L’e-mail repart.", after: { mail: "late" } });
	expect(await listQueued(order)).toEqual(["late"]);
	expect(await run("resend", order, { kind: "failed" })).toEqual({
		...{ ok: false, text: "Cet e-mail n’a jamais été écrit pour cette commande.", field: "kind" },
	});
});
