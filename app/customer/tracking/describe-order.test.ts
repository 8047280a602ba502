import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { anyJson } from "../../../test/any-json.ts";
import { createOrderFixture, type OrderFixture, type OrderValues } from "../../../test/orders.ts";
import { correctionDays } from "../../catalogue/after-sale.ts";
import { parseOpeningHours } from "../../catalogue/opening-hours.ts";
import { type AccessKey, accessKeys } from "../../orders/access.ts";
import type { Order } from "../../orders/order.ts";
import { recordEvent } from "../../orders/orders.store.server.ts";
import type { Refund } from "../../orders/refunds/refunds.store.server.ts";
import type { Shop } from "../../shop.ts";
import { mayAskForRefund } from "./ask-for-refund.server.ts";
import { describeOrder } from "./describe-order.server.ts";
import { describeDocument } from "./documents/describe-document.server.ts";
import { describeTrackedOrder } from "./order/describe-tracked-order.server.ts";
import { describePurchase } from "./purchase/describe-purchase.server.ts";

// What the pages of an order and of a purchase may show, in each state.

const hour = 3_600_000;
const day = 24 * hour;
let fixture: OrderFixture;
let shop: Shop;
beforeAll(async () => {
	fixture = await createOrderFixture({ startsAt: "2026-11-23T08:00:00Z" });
	const calendar = { ...parseOpeningHours("Mo-Fr 08:00-18:00"), isHoliday: () => false };
	shop = { ...fixture, readSales: async () => ({ calendar }) } as unknown as Shop;
});
afterAll(() => fixture?.close());

const insert = async (values: OrderValues = {}) => (await fixture.insertPaidOrder(values)).order;
const read = async (order: Order) => describeOrder(shop, await fixture.getOrder(order.id), "purchase");
const at = (hours: number) => fixture.after(hours * hour);

/** Inserts an invoice of a purchase, with its document unless there is none yet. */
async function insertInvoice(order: Order, n: number, values: { replaces?: string; document?: boolean; issuedAt?: Date } = {}) {
	const { replaces = null, document = true, issuedAt = at(n) } = values;
	const id = randomUUID();
	const stored = document ? await fixture.insertDocument(order, "invoice", at(n)) : null;
	await fixture.db
		.insertInto("invoices")
		.values({
			...{ id, kind: "invoice", year: 2026, number_in_year: n, number: `F2026-00000${n}`, order_id: order.id, issued_at: issuedAt },
			...{ total_cents: order.price_cents, data: anyJson({}), document_id: stored?.id ?? null, replaces },
		})
		.execute();
	return { id, documentId: stored?.id };
}

/** Changes an order. */
const set = (order: Order | undefined, values: OrderValues) =>
	fixture.db
		.updateTable("orders")
		.set(values)
		.where("id", "=", order?.id ?? "")
		.execute();

describe("an order", () => {
	test("has its columns, its steps and its events", async () => {
		const order = await insert({ status: "completed", promised_at: at(3), completed_at: at(2), tracking_number: "1A1", paid_at: at(0) });
		for (const [type, hours] of [["processing", 1] as const, ["completed", 2] as const])
			await fixture.inTransaction((trx) => recordEvent(trx, { orderId: order.id, type, payload: { by: "Ada" }, now: at(hours) }));
		const replaced = await fixture.insertDocument(order, "kbis", at(1));
		await fixture.db
			.updateTable("documents")
			.set({ replaced_at: at(2) })
			.where("id", "=", replaced.id)
			.execute();
		const extract = await fixture.insertDocument(order, "kbis", at(2));
		const described = await read(order);
		expect(described.order).toEqual({
			...{
				id: order.id,
				order_number: order.order_number,
				customer_email: order.customer_email,
				status: "completed",
				tracking_number: "1A1",
			},
			...{ product_code: "express", price_cents: 5900, created_at: at(0).toISOString(), siren: "552032534", company_name: "DANONE" },
			...{
				promised_at: at(3).toISOString(),
				completed_at: at(2).toISOString(),
				refunded_cents: 0,
				disputed: false,
				late: false,
				extract_requested_at: null,
			},
		});
		expect(described.documents).toEqual([
			{
				...{ id: extract.id, order_id: order.id, doc_type: "kbis", issued_at: at(2).toISOString(), created_at: at(2).toISOString() },
				...{ sha256: extract.sha256, number: null, replaced: false, url: expect.stringMatching(/^\/documents\/.+/) },
			},
		]);
		expect(described.events.map(({ event_type, created_at, payload, order_id }) => [event_type, created_at, payload, order_id])).toEqual([
			["processing", at(1).toISOString(), {}, order.id],
			["completed", at(2).toISOString(), {}, order.id],
		]);
		expect(described).toMatchObject({
			...{ stepTimes: [at(0).toISOString(), null, at(2).toISOString(), at(2).toISOString()], progress: 4, paid: true, cancelled: false },
			...{ extractPurged: false, refundDueBy: null, refundAskedAt: null, invoiceAwaited: false, refundAwaited: null },
		});
		const early = await read(await fixture.insertOrder());
		expect(early).toMatchObject({
			stepTimes: [null, null, null, null],
			progress: 0,
			paid: false,
			order: { promised_at: null, completed_at: null },
		});
		const open = await insert({ completed_at: at(2) });
		expect((await read(open)).stepTimes[3]).toBeNull();
	});

	test("has no link to a document that is disputed or purged, nor to a posted extract", async () => {
		const types = async (values: OrderValues, purged = false) => {
			const order = await insert({ status: "completed", ...values });
			const extract = await fixture.insertDocument(order);
			await fixture.insertDocument(order, "invoice");
			if (purged)
				await fixture.db
					.updateTable("documents")
					.set({ purged_at: at(1) })
					.where("id", "=", extract.id)
					.execute();
			const { documents, extractPurged, progress } = await read(order);
			return [
				documents
					.map(({ doc_type }) => doc_type)
					.sort()
					.join(" "),
				extractPurged,
				progress,
			];
		};
		expect(await types({})).toEqual(["invoice kbis", false, 4]);
		expect(await types({}, true)).toEqual(["invoice", true, 4]);
		expect(await types({ product_code: "postal" })).toEqual(["invoice", false, 4]);
		expect(await types({ disputed_at: at(1) })).toEqual(["", false, 4]);
		expect(await types({ status: "processing" })).toEqual(["invoice kbis", false, 3]);
	});

	test("has the invoice of its purchase and what took its place, each with its number", async () => {
		const { orders } = await fixture.insertPaidPurchase(["express", "standard"]);
		const [first, second] = [orders[0], orders[1] ?? expect.fail()];
		const old = await insertInvoice(first, 1);
		const current = await insertInvoice(first, 2, { replaces: old.id });
		const own = await fixture.insertDocument(second, "kbis", at(1.5));
		const described = await read(second);
		expect(described.documents.map(({ id, number, replaced }) => [id, number, replaced])).toEqual([
			[current.documentId, "F2026-000002", false],
			[own.id, null, false],
			[old.documentId, "F2026-000001", true],
		]);
		for (const access of ["line", "link", "purchase-link"] as const)
			expect((await describeOrder(shop, await fixture.getOrder(second.id), access)).documents.map(({ id }) => id)).toEqual([own.id]);
		expect(described.invoiceAwaited).toBe(false);
		expect((await read(first)).documents.map(({ id }) => id)).toEqual([current.documentId, old.documentId]);
		await insertInvoice(first, 3, { replaces: current.id, document: false });
		expect((await read(first)).invoiceAwaited).toBe(true);
		const alone = await insert();
		await insertInvoice(alone, 4, { document: false });
		expect((await read(alone)).invoiceAwaited).toBe(false);
	});

	test("says when a held refund leaves, and when one is awaited", async () => {
		const hold = async (values: OrderValues, until: number) => {
			const { order, payment } = await fixture.insertPaidOrder({ status: "completed", ...values });
			await fixture.insertRefund(payment, { reason: "late", status: "requested", held_until: at(until), settled_at: null });
			return (await read(order)).refundDueBy;
		};
		expect(await hold({ late_at: at(0) }, 1)).toBe(at(1).toISOString());
		expect(await hold({ late_at: at(0) }, 0)).toBeNull();
		expect(await hold({ late_at: at(0), disputed_at: at(0) }, 1)).toBeNull();
		const awaited = async (values: OrderValues) => (await read(await insert({ status: "failed", ...values }))).refundAwaited;
		expect(await awaited({ refunded_cents: 5899 })).toEqual({ cents: 1 });
		expect(await awaited({ refunded_cents: 5900 })).toBeNull();
		expect(await awaited({ paid_at: null })).toBeNull();
		expect(await awaited({ disputed_at: at(0) })).toBeNull();
		expect(await awaited({ status: "completed" })).toBeNull();
		// the sum is the price of the order, which not every key reads
		const failed = await insert({ status: "failed" });
		for (const key of accessKeys)
			expect((await describeOrder(shop, failed, key)).refundAwaited, key).toEqual({ cents: key === "purchase" ? 5900 : null });
		const cancelled = async (values: OrderValues) => (await read(await insert(values))).cancelled;
		expect(await cancelled({ status: "failed", failure_reason: "cancelled" })).toBe(true);
		expect(await cancelled({ status: "failed", failure_reason: "operator" })).toBe(false);
	});

	test.each<[Refund["status"], { heldFor?: number; disputed?: boolean; access?: AccessKey }, number | null]>([
		["requested", {}, 1000],
		["pending", {}, 1000],
		["pending", { access: "line" }, null],
		["pending", { disputed: true }, null],
		["succeeded", {}, null],
		["failed", {}, null],
		["refused", {}, null],
		["requested", { heldFor: 1 }, null],
		["requested", { heldFor: 0 }, 1000],
	])("awaits a %s refund of a delivered order %o: %s cents", async (status, { heldFor, disputed = false, access = "purchase" }, cents) => {
		const { orders, payment } = await fixture.insertPaidPurchase(["express", "standard"]);
		const [, order] = orders;
		await set(order, { status: "completed", completed_at: at(0), disputed_at: disputed ? at(0) : null });
		const held_until = heldFor === undefined ? null : at(heldFor);
		await fixture.insertRefund(payment, { order_id: order?.id, amount_cents: 1000, status, settled_at: null, held_until });
		expect((await describeOrder(shop, await fixture.getOrder(order?.id ?? ""), access)).refundAwaited).toEqual(cents && { cents });
	});

	test("offers to cancel until it is paid and delivered, and to ask for a refund unless a request is open", async () => {
		const may = async (order: Order) => (await read(order)).may;
		expect(await may(await insert())).toEqual({ cancel: true, withdraw: true, askForRefund: false, correctInvoice: false });
		for (const values of [{ refunded_cents: 5900 }, { status: "failed", failure_reason: "cancelled" }] as const)
			expect(await may(await insert(values)), JSON.stringify(values)).toMatchObject({ withdraw: false });
		expect(await may(await insert({ refunded_cents: 5899 }))).toMatchObject({ withdraw: true });
		expect(await may(await fixture.insertOrder())).toMatchObject({ cancel: false });
		const delivered = await insert({ status: "completed", completed_at: at(0) });
		expect(await may(delivered)).toMatchObject({ cancel: false, askForRefund: true });
		const request = (decided_at: Date | null) =>
			fixture.db
				.insertInto("refund_requests")
				.values({ id: randomUUID(), order_id: delivered.id, message: "?", created_at: at(decided_at ? 1 : 2), decided_at })
				.execute();
		await request(at(1));
		expect([await may(delivered), (await read(delivered)).refundAskedAt]).toMatchObject([{ askForRefund: true }, null]);
		await request(null);
		expect([await may(delivered), (await read(delivered)).refundAskedAt]).toMatchObject([{ askForRefund: false }, at(2).toISOString()]);
		const corrected = await insert({ status: "completed" });
		await insertInvoice(corrected, 5);
		expect(await may(corrected)).toMatchObject({ correctInvoice: true });
		const tooLate = await insert({ status: "completed" });
		await insertInvoice(tooLate, 99, { issuedAt: at(-24 * correctionDays - 1) });
		expect(await may(tooLate)).toMatchObject({ correctInvoice: false });
	});

	test.each([
		["refunded in full", 5900, 0, false],
		["refunded in part", 5899, 0, true],
		["of which the rest is being refunded", 900, 5000, false],
		["of which a part is being refunded", 900, 4999, true],
	])("says that the request is received for an order %s: %s and %s cents, %s", async (_, refunded_cents, underWay, isAwaited) => {
		const { order, payment } = await fixture.insertPaidOrder({ status: "completed", completed_at: at(0) });
		await set(order, { refunded_cents });
		if (underWay > 0) await fixture.insertRefund(payment, { amount_cents: underWay, status: "requested", settled_at: null });
		const values = { id: randomUUID(), order_id: order.id, message: "?", created_at: at(1) };
		await fixture.db.insertInto("refund_requests").values(values).execute();
		expect((await read(await fixture.getOrder(order.id))).refundAskedAt).toBe(isAwaited ? at(1).toISOString() : null);
	});

	test.each<[string, OrderValues, number, boolean]>([
		["delivered", {}, 30 * day, true],
		["delivered longer ago", {}, 30 * day + 1, false],
		["posted", { product_code: "postal" }, 37 * day, true],
		["posted longer ago", { product_code: "postal" }, 37 * day + 1, false],
		["in progress", { status: "processing" }, 0, false],
		["without a delivery", { completed_at: null }, 0, false],
		["disputed", { disputed_at: new Date(0) }, 0, false],
		["refunded", { refunded_cents: 3900, price_cents: 3900 }, 0, false],
		["refunded in part", { refunded_cents: 3899, price_cents: 3900 }, 0, true],
	])("the refund of an order %s", async (_, values, age, may) => {
		const order = await insert({ status: "completed", completed_at: at(0), ...values });
		expect(mayAskForRefund(order, fixture.after(age))).toBe(may);
	});
});

const describeTracked = (order: Order, access: AccessKey) =>
	describeTrackedOrder(shop, new Request("https://shop.example/"), { order, payable: false }, access);

test("the letter and the addresses of an order are for its customer, where it has them", async () => {
	const byPost = await insert({ product_code: "postal", status: "processing", delivery_email: "copie@example.fr" });
	const byEmail = await insert({ status: "processing", delivery_email: "copie@example.fr" });
	const describePage = async (order: Order, access: AccessKey) => {
		const { letter, addresses } = await describeTracked(order, access);
		return { letter, addresses };
	};
	const open = { meant: { email: null, recipient: null }, delivered: false, resendable: false, several: false, resent: null };
	expect(await describePage(byPost, "purchase")).toEqual({
		letter: ["Ada Lovelace"],
		addresses: { ...open, email: byPost.customer_email, recipient: null },
	});
	for (const access of accessKeys.filter((key) => key !== "purchase"))
		expect((await describePage(byPost, access)).letter, access).toBeNull();
	expect(await describePage(byEmail, "purchase")).toEqual({
		letter: null,
		addresses: {
			...open,
			email: byEmail.customer_email,
			recipient: "copie@example.fr",
		},
	});
});

test("the place of an order in its purchase is for those who may see the purchase, and an order alone has none", async () => {
	const { orders } = await fixture.insertPaidPurchase(["express", "standard"]);
	const getPlace = async (order: Order | undefined, access: "purchase" | "line") =>
		(await describeTracked(order ?? expect.fail(), access)).purchase;
	expect(await getPlace(orders[1], "purchase")).toEqual({ number: orders[0].order_number, line: 2, lines: 2 });
	expect([await getPlace(orders[1], "line"), await getPlace(await insert(), "purchase")]).toEqual([null, null]);
});

describe("a purchase", () => {
	const describeFirst = async (order: Order, access: AccessKey, payable = false) =>
		describePurchase(shop, new Request("http://localhost/"), { order: await fixture.getOrder(order.id), payable }, access);
	test("has its amounts and its invoice for its customer alone", async () => {
		const { orders } = await fixture.insertPaidPurchase(["express", "standard", "postal"], { reference: "2026-114" });
		const [first, second] = orders;
		await set(second, { refunded_cents: 400 });
		const { documentId } = await insertInvoice(first, 6);
		const full = await describeFirst(first, "purchase", true);
		expect(full).toMatchObject({
			...{
				number: first.order_number,
				access: "purchase",
				status: "processing",
				paid: true,
				payable: true,
				disputed: false,
				cancelled: false,
			},
			...{
				total: 14_200,
				refunded: 400,
				documents: 0,
				filesUrl: null,
				hasInvoice: true,
				invoices: [{ number: "F2026-000006", replaced: false, url: expect.stringContaining("/documents/") }],
				mayChange: true,
			},
		});
		expect(documentId).toBeDefined();
		expect(full?.lines.map(({ line, number, refunded, reference, service }) => [line, number, refunded, reference, service])).toEqual([
			[1, first.order_number, 0, "2026-114", "express"],
			[2, second?.order_number, 400, "2026-114", "standard"],
			[3, orders[2]?.order_number, 0, "2026-114", "postal"],
		]);
		const link = await describeFirst(first, "purchase-link");
		expect(link).toMatchObject({ total: null, hasInvoice: false, invoices: [], payable: false });
		expect(link?.lines[1]).toMatchObject({ refunded: 0, reference: "2026-114" });
		expect((await describeFirst(first, "url"))?.lines[1]).toMatchObject({ refunded: 0, reference: null });
		await set(second, { disputed_at: at(0) });
		expect(await describeFirst(first, "purchase")).toMatchObject({ disputed: true, hasInvoice: false, invoices: [] });
		expect(await describeFirst(await insert(), "purchase")).toBeNull();
	});

	test("has its corrected invoice first, then the one that it replaced, for its customer alone", async () => {
		const { orders } = await fixture.insertPaidPurchase(["express", "postal"], {});
		const [first] = orders;
		const old = await insertInvoice(first, 21);
		expect(await describeFirst(first, "purchase")).toMatchObject({ mayCorrectInvoice: true });
		const current = await insertInvoice(first, 22, { replaces: old.id });
		const list = async (access: AccessKey) =>
			(await describeFirst(first, access))?.invoices.map(({ number, replaced }) => [number, replaced]);
		const both = [
			["F2026-0000022", false],
			["F2026-0000021", true],
		];
		expect(await list("purchase")).toEqual(both);
		for (const access of ["purchase-link", "url"] as const) expect(await list(access)).toEqual([]);
		// its PDF is being made
		await insertInvoice(first, 23, { replaces: current.id, document: false });
		expect(await list("purchase")).toEqual(both.map(([number]) => [number, true]));
		expect(await describeFirst(first, "purchase")).toMatchObject({ mayCorrectInvoice: false, hasInvoice: false, mayChange: true });
	});

	test("says where its letters go, to its customer alone", async () => {
		const address = { delivery_name: "Grace Hopper", delivery_address: "4 quai de l’Horloge", delivery_postal_code: "75001" };
		const { orders } = await fixture.insertPaidPurchase(["postal", "express"], { ...address, delivery_city: "Paris" });
		const list = async (access: AccessKey) => (await describeFirst(orders[0], access))?.lines.map(({ destination }) => destination);
		expect(await list("purchase")).toEqual(["Grace Hopper, 4 quai de l’Horloge, 75001 Paris", null]);
		for (const access of ["purchase-link", "url"] as const) expect(await list(access)).toEqual([null, null]);
	});

	test("leads to its first letter that is not printed, which is corrected with the others, with the key of the purchase alone", async () => {
		const { orders } = await fixture.insertPaidPurchase(["express", "postal", "postal"], { status: "processing" });
		const [first, ...letters] = orders;
		const getLine = async (access: AccessKey = "purchase") => (await describeFirst(first, access))?.letterLine;
		expect(await Promise.all((["purchase", "purchase-link", "url"] as const).map(getLine))).toEqual([2, null, null]);
		const led = [];
		for (const letter of letters) {
			const printed = { order_id: letter.id, requested_at: at(0), printed_at: at(1) };
			await fixture.db.insertInto("extract_requests").values(printed).execute();
			led.push(await getLine());
		}
		expect(led).toEqual([3, null]);
		await fixture.db.updateTable("extract_requests").set({ printed_at: null }).execute();
		await set(letters[0], { status: "completed" });
		expect(await getLine()).toBe(3);
	});

	test("asks who came by a link for the number with which their address opens as much as can be", async () => {
		const { orders } = await fixture.insertPaidPurchase(["express", "express"], {});
		const [first, second] = orders;
		const alone = await insert();
		const describePair = async (order: Order, access: AccessKey) => (await describeTracked(order, access)).pair;
		expect(await describePair(alone, "link")).toEqual({ number: alone.order_number, opensInvoices: true });
		expect(await describePair(first, "link")).toEqual({ number: first.order_number, opensInvoices: true });
		expect(await describePair(second as Order, "link")).toEqual({ number: second?.order_number, opensInvoices: false });
		expect(await describePair(second as Order, "purchase-link")).toEqual({ number: first.order_number, opensInvoices: true });
	});

	test("changes until each line is final and its invoice is there", async () => {
		const { orders } = await fixture.insertPaidPurchase(["express", "standard"], { status: "completed" });
		const [first, second] = orders;
		const changes = async (access: AccessKey) => (await describeFirst(first, access))?.mayChange;
		expect([await changes("purchase"), await changes("purchase-link")]).toEqual([true, false]);
		await insertInvoice(first, 7);
		expect(await changes("purchase")).toBe(false);
		await set(second, { status: "processing" });
		expect(await changes("purchase")).toBe(true);
		await set(second, { status: "failed", failure_reason: "cancelled", refunded_cents: 0 });
		expect([await changes("purchase"), (await describeFirst(first, "purchase"))?.cancelled]).toEqual([true, false]);
		await set(second, { refunded_cents: 3900 });
		expect(await changes("purchase")).toBe(false);
		await set(first, { status: "failed", failure_reason: "cancelled", refunded_cents: 5900 });
		expect((await describeFirst(first, "purchase"))?.cancelled).toBe(true);
		const { orders: unpaid } = await fixture.insertPaidPurchase(["express", "standard"], { status: "failed", paid_at: null });
		expect((await describeFirst(unpaid[0], "purchase"))?.mayChange).toBe(false);
	});

	test("changes while an invoice that replaces another has no PDF", async () => {
		const { orders } = await fixture.insertPaidPurchase(["express", "standard"], { status: "completed" });
		const { id } = await insertInvoice(orders[0], 25);
		expect(await describeFirst(orders[0], "purchase")).toMatchObject({ mayChange: false });
		await insertInvoice(orders[0], 26, { replaces: id, document: false });
		expect(await describeFirst(orders[0], "purchase")).toMatchObject({ mayChange: true });
	});

	test("has a link to each extract that is delivered by e-mail, stored and not disputed", async () => {
		const { orders } = await fixture.insertPaidPurchase(["express", "express", "postal", "express", "express"], {
			...{ status: "completed", completed_at: at(2), promised_at: at(3), tracking_number: "1A1" },
		});
		const [open, purged, , waiting, disputed] = orders;
		for (const order of orders) await fixture.insertDocument(order);
		await fixture.db
			.updateTable("documents")
			.set({ purged_at: at(1) })
			.where("order_id", "=", purged?.id ?? "")
			.execute();
		await set(waiting, { status: "processing", late_at: at(1), completed_at: null, promised_at: null });
		await set(disputed, { disputed_at: at(1), status: "failed", failure_reason: "cancelled" });
		const purchase = await describeFirst(orders[0], "purchase-link");
		expect(purchase?.lines.map(({ documentUrl, purged: isPurged }) => [documentUrl !== null, isPurged])).toEqual([
			[true, false],
			[false, true],
			[false, false],
			[false, false],
			[false, false],
		]);
		expect(purchase).toMatchObject({ documents: 1, filesUrl: expect.stringMatching(/^\/documents\/ensemble\/.+/) });
		expect(purchase?.lines[0]).toMatchObject({
			...{ promisedAt: at(3).toISOString(), completedAt: at(2).toISOString(), late: false, cancelled: false, trackingNumber: "1A1" },
			...{ company: "DANONE", siren: "552032534", status: "completed", refundAwaited: false, number: open.order_number },
		});
		expect(purchase?.lines[3]).toMatchObject({ promisedAt: null, completedAt: null, late: true, refundAwaited: false });
		expect(purchase?.lines[4]).toMatchObject({ cancelled: true, refundAwaited: false });
	});

	test("awaits the refund of what failed, unless it is given back, disputed or was never paid", async () => {
		const { orders } = await fixture.insertPaidPurchase(["express", "standard"]);
		const [first] = orders;
		const awaited = async (order: Order | undefined, values: OrderValues) => {
			await set(order, { status: "processing", late_at: null, refunded_cents: 0, disputed_at: null, paid_at: at(0), ...values });
			return (await describeFirst(first, "purchase"))?.lines.find(({ number }) => number === order?.order_number)?.refundAwaited;
		};
		// its refund, once it is asked for, is on its way
		expect(await awaited(first, { late_at: at(1) })).toBe(false);
		expect(await awaited(first, { status: "failed", refunded_cents: 5900 })).toBe(false);
		expect(await awaited(first, { status: "failed", disputed_at: at(1) })).toBe(false);
		expect(await awaited(first, { status: "failed", paid_at: null })).toBe(false);
		expect(await awaited(first, { status: "failed" })).toBe(true);
	});

	test("says when the held refund of a late line leaves", async () => {
		const { orders, payment } = await fixture.insertPaidPurchase(["express", "express"], { status: "processing", late_at: at(0) });
		const refund = { amount_cents: 5900, reason: "late", status: "requested", settled_at: null, held_until: at(1) } as const;
		await fixture.insertRefund(payment, { ...refund, order_id: orders[1]?.id });
		const lines = (await describeFirst(orders[0], "purchase"))?.lines;
		expect(lines?.map(({ refundDueBy, refundAwaited }) => [refundDueBy, refundAwaited])).toEqual([
			[null, false],
			[at(1).toISOString(), false],
		]);
	});

	test("awaits a refund that is on its way from a delivered line, and changes until it is made", async () => {
		const { orders, payment } = await fixture.insertPaidPurchase(["express", "standard"], { status: "completed", completed_at: at(0) });
		const [first, second] = orders;
		await insertInvoice(first, 90);
		const read = async (access: AccessKey = "purchase") => {
			const purchase = await describeFirst(first, access);
			return [purchase?.lines.map(({ refundAwaited }) => refundAwaited), purchase?.mayChange];
		};
		expect(await read()).toEqual([[false, false], false]);
		await fixture.insertRefund(payment, {
			order_id: second?.id,
			amount_cents: 1000,
			reason: "withdrawal",
			status: "pending",
			settled_at: null,
		});
		expect(await read()).toEqual([[false, true], true]);
		expect(await read("url")).toEqual([[false, false], false]);
		await set(second, { disputed_at: at(1) });
		expect(await read()).toEqual([[false, false], false]);
	});
});

describe("a document that anybody may verify", () => {
	const verify = (id: string) => describeDocument(fixture.db, id, fixture.now());

	test("says its type, its days and its company, and what took its place", async () => {
		const order = await insert({ status: "completed", completed_at: at(2), company_name: "DANONE" });
		const old = await fixture.insertDocument(order, "kbis", at(1));
		expect(await verify(old.id)).toMatchObject({
			...{ type: "Extrait", issuedAt: at(1).toISOString(), deliveredAt: at(2).toISOString(), sha256: old.sha256, bytes: old.bytes },
			...{ company: { name: "DANONE", siren: "552032534" }, purged: false, replaced: null, watch: expect.anything() },
		});
		await fixture.db
			.updateTable("documents")
			.set({ replaced_at: at(4), purged_at: at(5) })
			.where("id", "=", old.id)
			.execute();
		expect(await verify(old.id)).toMatchObject({ replaced: { at: at(4).toISOString(), by: null }, purged: true, watch: null });
		const replacement = await fixture.insertDocument(order, "kbis", at(4));
		expect((await verify(old.id))?.replaced).toEqual({ at: at(4).toISOString(), by: replacement.id });
		expect((await verify(replacement.id))?.deliveredAt).toBe(at(4).toISOString());
		const invoice = await fixture.insertDocument(order, "invoice", at(3));
		expect(await verify(invoice.id)).toMatchObject({ type: "Facture", company: null, deliveredAt: at(3).toISOString(), watch: null });
		expect([await verify("x"), await verify(randomUUID())]).toEqual([null, null]);
	});

	test("is delivered when the first e-mail with it left", async () => {
		const order = await insert();
		const extract = await fixture.insertDocument(order);
		expect(await verify(extract.id)).toMatchObject({ deliveredAt: null, watch: null });
		const other = await fixture.insertDocument(order, "invoice");
		for (const [kind, sent, document_id] of [
			["document-ready", 3, extract.id],
			["document-ready-delivery", 2, extract.id],
			["confirmation", 1, other.id],
			["late", null, extract.id],
		] as const)
			await fixture.db
				.insertInto("mails")
				.values({ id: randomUUID(), order_id: order.id, kind, created_at: at(0), sent_at: sent === null ? null : at(sent), document_id })
				.execute();
		expect((await verify(extract.id))?.deliveredAt).toBe(at(2).toISOString());
	});
});

test("an order that was deleted since it was found is shown as it was", async () => {
	const order = await insert();
	expect((await describeOrder(shop, { ...order, id: randomUUID() }, "purchase")).order).toMatchObject({ order_number: order.order_number });
});

describe("a refund that is done while its page is read", () => {
	let invoiceNumber = 100;
	/** The shop, whose refund is settled after the read of this number, from 1. */
	const settlingAfter = (nth: number, settle: () => Promise<unknown>) => {
		let reads = 0;
		const db = fixture.db.withPlugin({
			transformQuery: ({ node }) => node,
			async transformResult({ result }) {
				if (++reads === nth) await settle();
				return result;
			},
		});
		return { shop: { ...shop, db } as Shop, countReads: () => reads };
	};
	/** @param describe reads how much was refunded, and whether the page is live. */
	const tryEachRead = async (describe: (shop: Shop, first: Order) => Promise<{ refunded: number | null; live: boolean }>) => {
		for (let nth = 0, reads = 0; nth <= reads; nth++) {
			const { orders, payment } = await fixture.insertPaidPurchase(["express", "standard"], { status: "completed" });
			const [first] = orders;
			await insertInvoice(first, ++invoiceNumber);
			const refund = { order_id: first.id, amount_cents: 5900, reason: "withdrawal", status: "pending", settled_at: null } as const;
			const { id } = await fixture.insertRefund(payment, refund);
			const settling = settlingAfter(nth, async () => {
				await fixture.db
					.updateTable("refunds")
					.set({ status: "succeeded", settled_at: at(1) })
					.where("id", "=", id)
					.execute();
				await set(first, { refunded_cents: 5900 });
			});
			const page = await describe(settling.shop, first);
			expect(page.live || page.refunded === 5900, `settled after read ${nth}`).toBe(true);
			reads = settling.countReads();
		}
	};

	test("is shown, or its page stays live: an order", () =>
		tryEachRead(async (shop, first) => {
			const { order, refundAwaited } = await describeOrder(shop, first, "purchase");
			return { refunded: order.refunded_cents, live: refundAwaited !== null };
		}));

	test("is shown, or its page stays live: a purchase", () =>
		tryEachRead(async (shop, first) => {
			const purchase = await describePurchase(shop, new Request("http://localhost/"), { order: first, payable: false }, "purchase");
			return { refunded: purchase?.refunded ?? null, live: purchase?.mayChange === true };
		}));
});
