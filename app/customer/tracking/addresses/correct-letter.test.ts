import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { extractLines, generatePdf } from "../../../../test/fixtures/pdf.ts";
import { createOrderFixture, type OrderFixture, type OrderValues, waitForLock } from "../../../../test/orders.ts";
import { readValues } from "../../../checkout/form/read-values.server.ts";
import { listLetters, listOpenRuns } from "../../../fulfilment/letters/letters.store.server.ts";
import { markPrinted, recordRun } from "../../../fulfilment/letters/print-letters.server.ts";
import { getLetterAddress } from "../../../orders/letter-address.ts";
import type { Order } from "../../../orders/order.ts";
import { correctLetter } from "./correct-letter.server.ts";

let shop: OrderFixture;
beforeAll(async () => {
	shop = await createOrderFixture({ startsAt: "2026-11-23T08:00:00Z" });
});
beforeEach(() => sql`delete from rate_limits`.execute(shop.db));
afterAll(() => shop?.close());

const operatorId = crypto.randomUUID();
const billing = { address: "1 rue de la Paix", postal_code: "75002", city: "Paris" } as const;
const greffe = {
	...{ deliveryName: "Greffe du tribunal", deliveryComplement: "Escalier B", deliveryAddress: "1 quai de la Corse" },
	...{ deliveryPostalCode: "75004", deliveryCity: "Paris" },
};
const atGreffe = {
	...{ name: "Greffe du tribunal", complement: "Escalier B", address: "1 quai de la Corse", postalCode: "75004", city: "Paris" },
};

/** An order of a letter whose extract waits for the printer. */
async function inserted(values: OrderValues = {}): Promise<Order> {
	const { order } = await shop.insertPaidOrder({ product_code: "postal", status: "processing", ...billing, ...values });
	await insertRequest(order);
	return order;
}

async function insertRequest({ id }: Order, printed_at: Date | null = null): Promise<void> {
	const { path, sha256, bytes } = await shop.storage.put(generatePdf({ lines: [...extractLines(), crypto.randomUUID()] }));
	const at = { requested_at: shop.start, uploaded_at: shop.start, issued_at: shop.start, printed_at };
	await shop.db
		.insertInto("extract_requests")
		.values({ order_id: id, storage_path: path, sha256, bytes, ...at })
		.execute();
}

const correct = ({ id }: Order, fields: Record<string, string> = greffe, access: "purchase" | "desk" = "purchase") =>
	correctLetter(shop, id, access, readValues(new URLSearchParams(fields)));
const readLetter = async ({ id }: Order) => getLetterAddress(await shop.getOrder(id));
const print = async (...orders: Order[]) => {
	const letters = await listLetters(
		shop.db,
		orders.map(({ id }) => id),
	);
	await recordRun(shop, { operatorId, letters });
};
const mark = () => markPrinted(shop, { operatorId, runId: null });
const isPrinted = async ({ id }: Order) =>
	(await shop.db.selectFrom("extract_requests").select("printed_at").where("order_id", "=", id).executeTakeFirstOrThrow()).printed_at !==
	null;

describe("a corrected address of a letter", () => {
	test("is where the letter goes, is told to its customer, and leaves the invoice as it is", async () => {
		const order = await inserted({ billing_company: "ACME" });
		expect(await correct(order)).toEqual({ ok: true });
		expect(await readLetter(order)).toEqual(atGreffe);
		expect(await shop.getOrder(order.id)).toMatchObject({ ...billing, billing_company: "ACME" });
		expect(await shop.getMailKinds(order)).toEqual(["letter-corrected"]);
		const [event] = await shop.getEvents(order);
		expect([event?.event_type, event?.payload]).toEqual(["address_corrected", { letter: true }]);
	});

	test("without a recipient goes to the customer, and is told once more after another correction", async () => {
		const order = await inserted();
		await correct(order);
		const [told] = await shop.getMails(order);
		await shop.db.updateTable("mails").set({ sent_at: shop.now() }).where("order_id", "=", order.id).execute();
		expect(await correct(order, { ...greffe, deliveryName: "", deliveryComplement: "" })).toEqual({ ok: true });
		expect(await readLetter(order)).toEqual({ ...atGreffe, name: "Ada Lovelace", complement: null });
		const mails = await shop.getMails(order);
		expect(mails).toMatchObject([{ kind: "letter-corrected", sent_at: null }]);
		expect(mails[0]?.id).not.toBe(told?.id);
	});

	test("is of all letters of a purchase that are not printed yet", async () => {
		const { orders } = await shop.insertPaidPurchase(["postal", "postal", "express", "postal"], { status: "processing", ...billing });
		const [first, printed, file, last] = orders as readonly Order[] as [Order, Order, Order, Order];
		await insertRequest(printed, shop.start);
		expect(await correct(last)).toEqual({ ok: true });
		const cities = await Promise.all([first, printed, last].map(async (order) => (await readLetter(order)).postalCode));
		expect(cities).toEqual(["75004", "75002", "75004"]);
		expect((await shop.getOrder(file.id)).delivery_address).toBeNull();
		expect(await Promise.all(orders.map((order) => shop.getEventTypes(order)))).toEqual([
			["address_corrected"],
			[],
			[],
			["address_corrected"],
		]);
		expect(await correct(printed)).toEqual({ ok: false, code: "printed" });
	});

	test("takes the letter out of a PDF that is not reported printed: it is printed with the new one", async () => {
		const [order, other] = [await inserted(), await inserted()];
		await print(order, other);
		await correct(order);
		expect(await listOpenRuns(shop.db, operatorId, shop.now())).toMatchObject([{ orderIds: [other.id] }]);
		expect(await mark()).toEqual({ ok: true, orders: [other.order_number] });
		expect(await isPrinted(order)).toBe(false);
		await print(order);
		expect((await listLetters(shop.db, [order.id]))[0]?.address).toEqual(atGreffe);
		expect(await mark()).toEqual({ ok: true, orders: [order.order_number] });
	});

	test("while its PDF is being made, leaves the letter to be printed", async () => {
		const order = await inserted();
		const letters = await listLetters(shop.db, [order.id]);
		await correct(order);
		await recordRun(shop, { operatorId, letters });
		expect(await listOpenRuns(shop.db, operatorId, shop.now())).toEqual([]);
	});
});

describe("a correction of a letter is refused", () => {
	test.each<[string, OrderValues]>([
		["of a posted letter", { status: "completed" }],
		["of an unpaid order", { status: "pending", paid_at: null }],
		["of a failed order", { status: "failed" }],
		["of an order by e-mail", { product_code: "express" }],
		["of an erased customer", { erased_at: new Date("2026-11-23T08:00:00Z") }],
	])("%s", async (_what, values) => {
		const order = await inserted(values);
		for (const access of ["purchase", "desk"] as const)
			expect(await correct(order, greffe, access)).toEqual({ ok: false, code: "too-late" });
		expect([await readLetter(order), await shop.getMails(order)]).toMatchObject([{ postalCode: "75002" }, []]);
	});

	test("to what is no address, with the sentences of the order form, or to the same address", async () => {
		const order = await inserted();
		expect(await correct(order, { ...greffe, deliveryPostalCode: "7500", deliveryCity: "" })).toEqual({
			...{ ok: false, code: "invalid" },
			errors: { deliveryPostalCode: "Code postal invalide (5 chiffres)", deliveryCity: "La ville est requise" },
		});
		expect(await correct(order, { ...greffe, deliveryCity: "" })).toMatchObject({ code: "invalid" });
		expect(await correct(order, { deliveryName: "Greffe" })).toMatchObject({
			errors: {
				deliveryAddress: "L'adresse est requise",
				deliveryPostalCode: "Le code postal est requis",
				deliveryCity: "La ville est requise",
			},
		});
		const same = { deliveryAddress: "1 rue de la Paix", deliveryPostalCode: "75002", deliveryCity: "Paris", deliveryName: "Ada Lovelace" };
		expect(await correct(order, same)).toEqual({ ok: false, code: "unchanged" });
		expect(await shop.getEventTypes(order)).toEqual([]);
	});

	test("after it is printed, but not of an operator: then it is printed again", async () => {
		const order = await inserted();
		await print(order);
		await mark();
		expect(await correct(order)).toEqual({ ok: false, code: "printed" });
		expect(await isPrinted(order)).toBe(true);
		expect(await correct(order, greffe, "desk")).toEqual({ ok: true });
		expect([await isPrinted(order), await readLetter(order)]).toEqual([false, atGreffe]);
	});

	test("after five a day", async () => {
		const order = await inserted();
		for (let n = 1; n <= 5; n++) expect(await correct(order, { ...greffe, deliveryName: `Bureau ${n}` })).toEqual({ ok: true });
		await print(order);
		expect(await correct(order)).toEqual({ ok: false, code: "limited", retryAfter: 86_400 });
		expect(await listOpenRuns(shop.db, operatorId, shop.now())).toHaveLength(1);
		await mark();
	});

	test("when the operator reports it printed at the same time", async () => {
		const order = await inserted();
		await print(order);
		let correcting: ReturnType<typeof correct> | undefined;
		await shop.inTransaction(async (trx) => {
			await sql`select from letter_runs where ${order.id} = any(order_ids) for update`.execute(trx);
			correcting = correct(order);
			await waitForLock(shop.db, correcting);
			await sql`update letter_runs set marked_at = now() where ${order.id} = any(order_ids)`.execute(trx);
			await sql`update extract_requests set printed_at = now() where order_id = ${order.id}`.execute(trx);
		});
		expect(await correcting).toEqual({ ok: false, code: "printed" });
		expect(await readLetter(order)).toMatchObject({ postalCode: "75002" });
	});
});
