import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { anyJson } from "../../../test/any-json.ts";
import { createOrderFixture, type OrderFixture } from "../../../test/orders.ts";
import { deleteUploads, enqueueRequest, findRequest, recordUpload } from "../../fulfilment/extract-requests.store.server.ts";
import { requeueStalledOrders } from "../../fulfilment/requeue-stalled-orders.server.ts";
import { listStalled } from "../../fulfilment/stalled-orders.store.server.ts";
import { insertMail } from "../../mail/mails.store.server.ts";
import { anonymiseRequests, deleteRequests, findRefundRequest } from "../../orders/customer-requests.store.server.ts";
import type { DocumentStorage } from "../../orders/documents/storage.ts";
import { anonymiseCustomers, clearNewsletterConsents, deleteOrders } from "../../orders/erased-orders.store.server.ts";
import type { OrderStatus } from "../../orders/lifecycle.ts";
import type { Order } from "../../orders/order.ts";
import { recordEvent } from "../../orders/orders.store.server.ts";
import { deletePayments, type RecordedPayment, type Refund, type RefundStatus } from "../../orders/refunds/refunds.store.server.ts";
import { deleteOldExtracts } from "./delete-old-extracts.server.ts";
import {
	type IdPage,
	isUnfinished,
	listOrdersByEmail,
	listOrdersToDelete,
	listOrdersToErase,
	listOrdersWithOldExtract,
	listUnpaidOrders,
} from "./retention.store.server.ts";

const hour = 3_600_000;
let shop: OrderFixture;
beforeAll(async () => {
	shop = await createOrderFixture({ startsAt: "2026-11-20T10:00:00Z" }); // a Friday, in opening hours
});
beforeEach(() => {
	shop.clock.now = shop.start;
});
afterAll(() => shop?.close());

/** Deletes all orders, for tests that list every order. Faster than truncate. */
const clearOrders = () =>
	sql`begin; set local session_replication_role = replica;
		delete from mails; delete from documents; delete from invoices; delete from refunds; delete from payments; delete from withdrawals;
		delete from refund_requests; delete from extract_requests; delete from order_events; delete from orders; commit`.execute(shop.db);

let invoices = 0;
/** Inserts the invoice of an order, or the credit note of a refund; with its PDF by default. */
async function insertInvoice(
	order: Order,
	{
		refundId = null,
		pdf = true,
		year = 2026,
		total = 5900,
	}: { refundId?: string | null; pdf?: boolean; year?: number; total?: number } = {},
) {
	const number = ++invoices;
	const kind = refundId ? "credit_note" : "invoice";
	const document = pdf ? await shop.insertDocument(order, kind) : null;
	const id = crypto.randomUUID();
	const corrected = shop.db.selectFrom("invoices").select("id").where("order_id", "=", order.id).where("kind", "=", "invoice");
	await shop.db
		.insertInto("invoices")
		.values({
			...{ id, kind, year, number_in_year: number, number: `${kind} ${number}`, order_id: order.id, refund_id: refundId },
			...{ issued_at: shop.start, total_cents: total, data: anyJson({}), document_id: document?.id ?? null },
			corrects: refundId ? corrected : null,
		})
		.execute();
}

/** Inserts a finished order: paid, delivered, with its invoice. */
async function insertFinishedOrder(set: Partial<Order> = {}): Promise<{ order: Order; payment: RecordedPayment }> {
	const made = await shop.insertPaidOrder({ status: "completed", completed_at: shop.start, promised_at: shop.start, ...set });
	await insertInvoice(made.order);
	return made;
}

const insertRefundRequest = (order: Order, decided_at: Date | null = null) =>
	shop.db
		.insertInto("refund_requests")
		.values({
			id: crypto.randomUUID(),
			order_id: order.id,
			message: "Le nom est faux.",
			answer: "Non.",
			created_at: shop.start,
			decided_at,
		})
		.execute();

const uploadExtract = async (order: Order, now = shop.start) => {
	const stored = await shop.storage.put(new TextEncoder().encode(`%PDF-1.7 ${crypto.randomUUID()}`));
	await shop.inTransaction(async (trx) => {
		await enqueueRequest(trx, order.id, shop.start);
		await recordUpload(trx, order.id, { ...stored, issuedAt: shop.start }, now);
	});
	return stored.path;
};

describe("an unfinished order is not erased", () => {
	const set = (order: Order, change: object) => shop.db.updateTable("orders").set(change).where("id", "=", order.id).execute();
	const insertOnHoldOrder = async (set: Partial<Omit<Refund, "amount_cents">> & { amount_cents?: number } = {}) => {
		const order = await shop.insertOrder({ set_aside_at: shop.start });
		await shop.insertRefund(await shop.insertPayment(order, { role: "mismatch" }), set);
		return order;
	};
	const insertRefundedOrder = async (status: RefundStatus) => {
		const { order, payment } = await insertFinishedOrder();
		await shop.insertRefund(payment, { status });
		return order;
	};

	test.each<[string, boolean, () => Promise<Order>]>([
		["finished", false, async () => (await insertFinishedOrder()).order],
		["failed without payment", false, () => shop.insertOrder({ status: "failed", failure_reason: "expired" })],
		["with a pending payment", true, () => shop.insertOrder()],
		["paid", true, async () => (await insertFinishedOrder({ status: "paid" })).order],
		["in progress", true, async () => (await insertFinishedOrder({ status: "processing" })).order],
		[
			"with a mismatched payment without refund",
			true,
			async () => {
				const order = await shop.insertOrder({ set_aside_at: shop.start });
				await shop.insertPayment(order, { role: "mismatch" });
				return order;
			},
		],
		["with a mismatched payment, partly refunded", true, () => insertOnHoldOrder({ amount_cents: 5899 })],
		["with a mismatched payment, fully refunded", false, () => insertOnHoldOrder()],
		["with a mismatched payment and a requested refund", true, () => insertOnHoldOrder({ status: "requested" })],
		["with a mismatched payment and a failed refund", true, () => insertOnHoldOrder({ status: "failed" })],
		["with an open dispute", true, async () => (await insertFinishedOrder({ dispute_status: "open", disputed_at: shop.start })).order],
		["with a closed dispute", false, async () => (await insertFinishedOrder({ dispute_status: "lost", disputed_at: shop.start })).order],
		["with a requested refund", true, () => insertRefundedOrder("requested")],
		["with a pending refund", true, () => insertRefundedOrder("pending")],
		["with a failed refund", false, () => insertRefundedOrder("failed")],
		["with a refused refund", false, () => insertRefundedOrder("refused")],
		[
			"with an open refund request",
			true,
			async () => {
				const { order } = await insertFinishedOrder();
				await insertRefundRequest(order);
				return order;
			},
		],
		[
			"with a decided refund request",
			false,
			async () => {
				const { order } = await insertFinishedOrder();
				await insertRefundRequest(order, shop.start);
				return order;
			},
		],
		["without its invoice", true, async () => (await shop.insertPaidOrder({ status: "completed" })).order],
		[
			"without its invoice's PDF",
			true,
			async () => {
				const { order } = await shop.insertPaidOrder({ status: "completed" });
				await insertInvoice(order, { pdf: false });
				return order;
			},
		],
		["with a refund without credit note", true, () => insertRefundedOrder("succeeded")],
		[
			"with a credit note without PDF",
			true,
			async () => {
				const { order, payment } = await insertFinishedOrder();
				await insertInvoice(order, { refundId: (await shop.insertRefund(payment)).id, pdf: false });
				return order;
			},
		],
		[
			"with a failed refund whose credit note has no PDF",
			false,
			async () => {
				const { order, payment } = await insertFinishedOrder();
				await insertInvoice(order, { refundId: (await shop.insertRefund(payment, { status: "failed" })).id, pdf: false });
				return order;
			},
		],
		[
			"without its invoice's PDF, although a credit note has one",
			true,
			async () => {
				const { order, payment } = await shop.insertPaidOrder({ status: "completed" });
				await insertInvoice(order, { pdf: false });
				await insertInvoice(order, { refundId: (await shop.insertRefund(payment)).id });
				return order;
			},
		],
		[
			"with a refund and its credit note",
			false,
			async () => {
				const { order, payment } = await insertFinishedOrder();
				await insertInvoice(order, { refundId: (await shop.insertRefund(payment)).id });
				return order;
			},
		],
		[
			"with a credit note below its refund",
			true,
			async () => {
				const { order, payment } = await insertFinishedOrder();
				await insertInvoice(order, { refundId: (await shop.insertRefund(payment, { amount_cents: 1900 })).id, total: 1800 });
				return order;
			},
		],
		[
			"with the credit note of a failed refund that was paid again in parts",
			false,
			async () => {
				const { order, payment } = await insertFinishedOrder();
				await insertInvoice(order, { refundId: (await shop.insertRefund(payment, { status: "failed" })).id });
				for (const amount_cents of [1900, 4000]) await shop.insertRefund(payment, { amount_cents });
				return order;
			},
		],
		[
			"with a repeated refund under the same credit note",
			false,
			async () => {
				const { order, payment } = await insertFinishedOrder();
				const first = await shop.insertRefund(payment, { status: "failed" });
				await insertInvoice(order, { refundId: first.id });
				await shop.insertRefund(payment, { replaces: first.id });
				return order;
			},
		],
		[
			"with a refunded duplicate payment",
			false,
			async () => {
				const { order } = await insertFinishedOrder();
				await shop.insertRefund(await shop.insertPayment(order, { role: "surplus" }));
				return order;
			},
		],
	])("%s: %s", async (_case, unfinished, insert) => {
		// the state of another order has no effect on this one
		const { payment } = await shop.insertPaidOrder({ status: "completed", dispute_status: "open" });
		await shop.insertRefund(payment);
		const order = await insert();
		expect(await isUnfinished(shop.db, order.id)).toBe(unfinished);
		// the purge's list leaves an unfinished order out
		await set(order, { erased_at: shop.start });
		const listed = await listOrdersToDelete(shop.db, 2037, { after: null, limit: 100 });
		expect(listed.includes(order.id)).toBe(!unfinished);
	});

	test("an order that does not exist is not unfinished", async () => {
		expect(await isUnfinished(shop.db, crypto.randomUUID())).toBe(false);
	});
});

describe("expired data", () => {
	beforeEach(clearOrders);
	const before = new Date("2026-11-21T00:00:00Z");
	const [old, young] = [new Date(before.getTime() - 1), before];
	const whole: IdPage = { after: null, limit: 100 };

	test("lists extracts delivered before the day, each by its own delivery, and undelivered ones created or uploaded before it", async () => {
		const insertOrderWithExtract = async (
			set: Partial<Order>,
			{ ready, uploadedAt, purged }: { ready?: Date; uploadedAt?: Date; purged?: true },
		) => {
			const { order } = await insertFinishedOrder(set);
			if (ready) {
				const { id } = await shop.insertDocument(order, "kbis", ready);
				if (purged) await shop.db.updateTable("documents").set({ purged_at: ready }).where("id", "=", id).execute();
			}
			if (uploadedAt) await uploadExtract(order, uploadedAt);
			return order.id;
		};
		const failed = { status: "failed", completed_at: null } as const;
		const expected = [
			await insertOrderWithExtract({ completed_at: old }, { ready: old }),
			await insertOrderWithExtract({ completed_at: old }, { uploadedAt: old }),
			await insertOrderWithExtract(failed, { ready: old }),
			await insertOrderWithExtract(failed, { uploadedAt: old }),
			await insertOrderWithExtract(failed, { ready: young, uploadedAt: old }),
		];
		await insertOrderWithExtract({ completed_at: old }, { ready: young });
		await insertOrderWithExtract({ completed_at: old }, { ready: old, purged: true, uploadedAt: young });
		await insertOrderWithExtract({ completed_at: young }, { ready: old, uploadedAt: old });
		await insertOrderWithExtract(failed, { uploadedAt: young });
		await insertOrderWithExtract({ completed_at: old }, {});
		await insertOrderWithExtract({ completed_at: old }, { ready: old, purged: true });
		await insertOrderWithExtract({ status: "processing", completed_at: old }, { ready: old });
		const deleted = await insertOrderWithExtract(failed, { uploadedAt: old });
		await shop.inTransaction((trx) => deleteUploads(trx, [deleted]));
		expect(await listOrdersWithOldExtract(shop.db, before, whole)).toEqual(expected.sort());
	});

	test("lists orders that are not erased and have no event since the day", async () => {
		const insertOrderWithEvent = async (set: Partial<Order>, event?: Date) => {
			const { order } = await insertFinishedOrder(set);
			if (event) await shop.inTransaction((trx) => recordEvent(trx, { orderId: order.id, type: "mail_sent", now: event }));
			return order.id;
		};
		const expected = [await insertOrderWithEvent({ created_at: old }), await insertOrderWithEvent({ created_at: old }, old)];
		await insertOrderWithEvent({ created_at: young });
		await insertOrderWithEvent({ created_at: old }, young);
		await insertOrderWithEvent({ created_at: old, erased_at: old });
		await insertOrderWithEvent({ created_at: old, status: "processing" });
		expect(await listOrdersToErase(shop.db, { before, contractsSince: before }, whole)).toEqual(expected.sort());
	});

	test("lists unpaid orders created before the day", async () => {
		const failed = { status: "failed", failure_reason: "expired" } as const;
		const expected = await shop.insertOrder({ ...failed, created_at: old });
		await shop.insertOrder({ ...failed, created_at: young });
		await shop.insertOrder({ created_at: old });
		await shop.insertOrder({ ...failed, created_at: old, erased_at: old });
		await insertFinishedOrder({ created_at: old });
		// paid_at alone counts, also without a payment
		await insertInvoice(await shop.insertOrder({ ...failed, created_at: old, paid_at: shop.start }));
		const surplus = await shop.insertOrder({ ...failed, created_at: old });
		await shop.insertRefund(await shop.insertPayment(surplus, { role: "surplus" }));
		expect(await listUnpaidOrders(shop.db, before, whole)).toEqual([expected.id]);
	});

	test("lists erased orders whose invoices and payments are all of expired years, in Paris", async () => {
		const newYear = new Date("2026-12-31T23:00:00Z"); // 2027 in Paris
		const erased = async (year: number, paidAt: Date, set: Partial<Order> = { erased_at: shop.start }) => {
			const order = await shop.insertOrder({ status: "failed", ...set });
			await shop.insertPayment(order, { role: "surplus", created_at: paidAt });
			await insertInvoice(order, { year });
			return order.id;
		};
		const unbilled = async (created_at: Date) => (await shop.insertOrder({ status: "failed", erased_at: shop.start, created_at })).id;
		const expected = [await erased(2026, new Date(newYear.getTime() - 1)), await unbilled(new Date(newYear.getTime() - 1))];
		await unbilled(newYear);
		await erased(2026, newYear);
		await erased(2027, shop.start);
		await erased(2026, shop.start, {});
		expect(await listOrdersToDelete(shop.db, 2027, whole)).toEqual(expected.sort());
	});

	test("is listed in pages", async () => {
		const ids = (await Promise.all(Array.from({ length: 5 }, () => shop.insertOrder({ status: "failed", created_at: old }))))
			.map(({ id }) => id)
			.sort();
		const page = (after: string | null) => listUnpaidOrders(shop.db, before, { after, limit: 2 });
		expect([await page(null), await page(ids[1] ?? null), await page(ids[3] ?? null)]).toEqual([
			...[ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)],
		]);
	});

	test("consents to the newsletter end when they were given before the day", async () => {
		const orders = await Promise.all([
			shop.insertOrder({ newsletter: true, created_at: old }),
			shop.insertOrder({ newsletter: true, created_at: young }),
			shop.insertOrder({ newsletter: false, created_at: old }),
		]);
		expect(await clearNewsletterConsents(shop.db, before)).toBe(1);
		expect((await Promise.all(orders.map(({ id }) => shop.getOrder(id)))).map(({ newsletter }) => newsletter)).toEqual([
			false,
			true,
			false,
		]);
	});
});

describe("a person's data", () => {
	beforeEach(clearOrders);
	test("has the orders placed by them and those delivered to them, in any spelling of the address, oldest first", async () => {
		const later = await shop.insertOrder({ customer_email: "ADA@example.fr ", created_at: shop.after(2) });
		const sooner = await shop.insertOrder({
			customer_email: "ada@example.fr",
			delivery_email: "ada@example.fr",
			created_at: shop.after(1),
		});
		const received = await shop.insertOrder({ customer_email: "grace@example.fr", delivery_email: "Ada@Example.fr" });
		await shop.insertOrder({ customer_email: "grace@example.fr" });
		expect(await listOrdersByEmail(shop.db, " ada@EXAMPLE.fr")).toEqual({ made: [sooner, later], received: [received] });
	});

	test("is anonymised in an order, its events and its requests, and in no other order", async () => {
		const everything: Partial<Order> = {
			...{ phone: "06 12 34 56 78", address: "1 rue de la Paix", postal_code: "75002", city: "Paris", billing_company: "ANALYSE" },
			...{ billing_siren: "552032534", billing_vat: "FR27552032534", delivery_name: "Grace", delivery_complement: "Bâtiment B" },
			...{ delivery_address: "4 quai de l’Horloge", delivery_postal_code: "75001", delivery_city: "Paris" },
			...{ delivery_email: "grace@example.fr", newsletter: true, tracking_number: "1A23456789012", request_hash: "hash" },
		};
		const make = async (key: string) => {
			const { order } = await insertFinishedOrder({ ...everything, idempotency_key: key });
			await insertRefundRequest(order, shop.start);
			await shop.inTransaction((trx) =>
				recordEvent(trx, { orderId: order.id, type: "posted", payload: { tracking_number: "1A23456789012", by: "us" }, now: shop.start }),
			);
			return order;
		};
		const [order, other] = [await make("one"), await make("other")];
		await shop.inTransaction(async (trx) => {
			await anonymiseCustomers(trx, [order.id], shop.after(hour));
			await anonymiseRequests(trx, [order.id]);
		});
		expect(await shop.getOrder(order.id)).toEqual({
			...order,
			...{ customer_email: "", first_name: "", last_name: "", phone: null, address: null, postal_code: null, city: null },
			...{ billing_siren: null, billing_vat: null, delivery_name: null, delivery_complement: null },
			...{ delivery_address: null, delivery_postal_code: null, delivery_city: null },
			...{ billing_company: null, delivery_email: null, newsletter: false, tracking_number: null, idempotency_key: null, request_hash: "" },
			erased_at: shop.after(hour),
		});
		expect(await shop.getEvents(order)).toMatchObject([{ event_type: "posted", payload: { by: "us" } }]);
		expect((await shop.getEvents(order))[0]?.payload).not.toHaveProperty("tracking_number");
		expect(await findRefundRequest(shop.db, order.id)).toMatchObject({ message: "", answer: null, decided_at: shop.start });
		expect(await shop.getOrder(other.id)).toEqual(other);
		expect(await shop.getEvents(other)).toMatchObject([{ payload: { tracking_number: "1A23456789012" } }]);
		expect(await findRefundRequest(shop.db, other.id)).toMatchObject({ message: "Le nom est faux.", answer: "Non." });
	});

	test("an order is deleted with its payments, refunds, requests and events, and no other order", async () => {
		const make = async () => {
			const { order, payment } = await shop.insertPaidOrder();
			await shop.insertRefund(payment);
			await insertRefundRequest(order);
			const ids = { id: crypto.randomUUID(), declaration_id: crypto.randomUUID(), order_id: order.id };
			const declared = { ...ids, declared_at: shop.start, outcome: "refused" as const, refund_cents: 0 };
			await shop.db.insertInto("withdrawals").values(declared).execute();
			await shop.inTransaction((trx) => recordEvent(trx, { orderId: order.id, type: "paid", now: shop.start }));
			return order;
		};
		const [order, other] = [await make(), await make()];
		await shop.inTransaction(async (trx) => {
			await deletePayments(trx, [order.id]);
			await deleteRequests(trx, [order.id]);
			await deleteOrders(trx, [order.id]);
		});
		for (const table of ["payments", "refunds", "refund_requests", "withdrawals", "order_events"] as const)
			expect(await shop.db.selectFrom(table).select("order_id").execute(), table).toEqual([{ order_id: other.id }]);
		expect(await shop.db.selectFrom("orders").select("id").execute()).toEqual([{ id: other.id }]);
	});
});

describe("an extract file", () => {
	const exists = (path: string) =>
		shop.storage.get(path).then(
			() => true,
			() => false,
		);
	const later = () => shop.after(9 * hour);
	/** Deletes the extracts of orders after their retention. */
	const deleteExtracts = (...orders: { id: string }[]) =>
		deleteOldExtracts(
			shop,
			orders.map(({ id }) => id),
			later(),
		);
	const findDocument = ({ id }: { id: string }) => shop.db.selectFrom("documents").selectAll().where("id", "=", id).executeTakeFirst();

	test("is deleted, delivered or only uploaded; its row and its hash stay", async () => {
		const { order } = await insertFinishedOrder();
		const extract = await shop.insertDocument(order, "kbis");
		const path = await uploadExtract(order);
		shop.clock.now = shop.after(hour);
		expect(await deleteExtracts(order)).toEqual({ orderIds: [order.id] });
		expect([await exists(extract.storage_path), await exists(path)]).toEqual([false, false]);
		expect(await findDocument(extract)).toEqual({ ...extract, purged_at: shop.after(hour) });
		expect(await findRequest(shop.db, order.id)).toMatchObject({ storage_path: null, sha256: expect.any(String) });
		expect(shop.lines.filter((line) => line.order === order.id && line.event === "extract_deleted")).toHaveLength(1);
		// a second run changes nothing and does not call the storage
		shop.clock.now = shop.after(2 * hour);
		const storage: DocumentStorage = { ...shop.storage, remove: () => Promise.reject(new Error("the bucket is unavailable")) };
		expect(await deleteOldExtracts({ ...shop, storage }, [order.id], later())).toEqual({ orderIds: [] });
		expect(await findDocument(extract)).toEqual({ ...extract, purged_at: shop.after(hour) });
	});

	test("is deleted from a failed order with an undelivered extract; an order without extract stays unchanged", async () => {
		const [{ order }, { order: empty }] = [
			await insertFinishedOrder({ status: "failed", completed_at: null }),
			await insertFinishedOrder({ status: "failed", completed_at: null }),
		];
		const path = await uploadExtract(order);
		expect(await deleteExtracts(order, empty)).toEqual({ orderIds: [order.id] });
		expect(await exists(path)).toBe(false);
	});

	test("stays when another order needs the same uploaded file", async () => {
		const [{ order }, { order: other }] = [await insertFinishedOrder(), await insertFinishedOrder()];
		const path = await uploadExtract(other, later());
		const { id } = await shop.insertDocument(order, "kbis");
		await shop.db.updateTable("documents").set({ storage_path: path }).where("id", "=", id).execute();
		expect(await deleteExtracts(order, other)).toEqual({ orderIds: [order.id] });
		expect(await exists(path)).toBe(true);
		expect(await deleteOldExtracts(shop, [other.id], shop.after(10 * hour))).toEqual({ orderIds: [other.id] });
		expect(await exists(path)).toBe(false);
	});

	test("stays until its own retention ends, also when it replaced another", async () => {
		const { order } = await insertFinishedOrder();
		const first = await shop.insertDocument(order, "kbis");
		await shop.db.updateTable("documents").set({ replaced_at: shop.start }).where("id", "=", first.id).execute();
		const second = await shop.insertDocument(order, "kbis", shop.after(2 * hour));
		const path = await uploadExtract(order, shop.after(2 * hour));
		const there = async () => [await exists(first.storage_path), await exists(second.storage_path), await exists(path)];
		expect(await deleteOldExtracts(shop, [order.id], shop.start)).toEqual({ orderIds: [] });
		expect(await there()).toEqual([true, true, true]);
		expect(await deleteOldExtracts(shop, [order.id], shop.after(2 * hour))).toEqual({ orderIds: [order.id] });
		expect(await there()).toEqual([false, true, true]);
		expect(await findRequest(shop.db, order.id)).toMatchObject({ storage_path: path });
		await deleteOldExtracts(shop, [order.id], shop.after(2 * hour + 1));
		expect(await there()).toEqual([false, false, false]);
	});

	test("is kept from its delivery, which may come long after the file", async () => {
		const { order } = await insertFinishedOrder({ completed_at: shop.after(3 * hour) });
		const extract = await shop.insertDocument(order, "kbis");
		expect(await deleteOldExtracts(shop, [order.id], shop.after(3 * hour))).toEqual({ orderIds: [] });
		expect(await exists(extract.storage_path)).toBe(true);
		expect(await deleteOldExtracts(shop, [order.id], shop.after(3 * hour + 1))).toEqual({ orderIds: [order.id] });
		expect(await exists(extract.storage_path)).toBe(false);
	});

	test("stays as long as another order needs the same bytes", async () => {
		const [{ order }, { order: other }] = [await insertFinishedOrder(), await insertFinishedOrder()];
		const extract = await shop.insertDocument(order, "kbis");
		const path = await uploadExtract(order);
		const same = await shop.insertDocument(other, "kbis");
		await shop.db.updateTable("documents").set({ storage_path: path }).where("id", "=", same.id).execute();
		await deleteExtracts(order);
		expect([await exists(extract.storage_path), await exists(path)]).toEqual([false, true]);
		// both orders together have expired
		await deleteExtracts(order, other);
		expect(await exists(path)).toBe(false);
	});

	test("stays while its order is unfinished, or when the order does not exist", async () => {
		const { order } = await insertFinishedOrder({ status: "processing" });
		const extract = await shop.insertDocument(order, "kbis");
		expect(await deleteExtracts(order, { id: crypto.randomUUID() })).toEqual({ orderIds: [] });
		expect(await exists(extract.storage_path)).toBe(true);
	});

	test("is skipped without waiting when another transaction has locked its order; the other files of the batch are deleted", async () => {
		const [{ order }, { order: other }] = [await insertFinishedOrder(), await insertFinishedOrder()];
		const [extract, others] = [await shop.insertDocument(order, "kbis"), await shop.insertDocument(other, "kbis")];
		const deleted = await shop.whileLocked(order, {}, () => deleteExtracts(order, other));
		expect(deleted).toEqual({ orderIds: [other.id] });
		expect([await exists(extract.storage_path), await exists(others.storage_path)]).toEqual([true, false]);
		expect(await deleteExtracts(order, other)).toEqual({ orderIds: [order.id] });
	});

	test("is not recorded as deleted when the storage fails; the other files of the batch are", async () => {
		const [{ order }, { order: other }] = [await insertFinishedOrder(), await insertFinishedOrder()];
		const [extract, others] = [await shop.insertDocument(order, "kbis"), await shop.insertDocument(other, "kbis")];
		const path = await uploadExtract(order);
		const remove = (wanted: string) =>
			wanted === extract.storage_path ? Promise.reject(new Error("the bucket is unavailable")) : shop.storage.remove(wanted);
		const { orderIds, fault } = await deleteOldExtracts({ ...shop, storage: { ...shop.storage, remove } }, [order.id, other.id], later());
		expect([orderIds, fault]).toEqual([[other.id], new Error("the bucket is unavailable")]);
		expect([(await findDocument(extract))?.purged_at, (await findRequest(shop.db, order.id))?.storage_path]).toEqual([null, path]);
		expect((await findDocument(others))?.purged_at).toEqual(shop.clock.now);
	});
});

describe("stalled work", () => {
	beforeEach(clearOrders);
	const before = new Date("2026-11-20T12:00:00Z");
	const [old, young] = [new Date(before.getTime() - 1), before];
	const now = new Date("2026-11-20T13:00:00Z");
	const found = (what: Parameters<typeof listStalled>[1], limit = 100) => listStalled(shop.db, what, { before, now, limit });
	const paidOrder = async (set: Partial<Order>) => (await shop.insertPaidOrder(set)).order.id;

	test.each<[OrderStatus, boolean]>([
		["pending", false],
		["paid", true],
		["processing", true],
		["completed", false],
		["failed", false],
	])("an order with the state %s, paid long enough ago, is stalled: %s; the oldest comes first", async (status, still) => {
		const [later, sooner] = [await paidOrder({ status, paid_at: old }), await paidOrder({ status, paid_at: shop.start })];
		await paidOrder({ status, paid_at: young });
		expect(await found("orders")).toEqual(still ? [sooner, later] : []);
		expect(await found("orders", 1)).toEqual(still ? [sooner] : []);
	});

	test.each<[OrderStatus, boolean]>([
		["pending", false],
		["paid", true],
		["processing", true],
		["completed", false],
		["failed", false],
	])("an unchecked promise of an order with the state %s is stalled after its instant: %s", async (status, still) => {
		const [later, sooner] = [await paidOrder({ status, promised_at: now }), await paidOrder({ status, promised_at: old })];
		await paidOrder({ status, promised_at: new Date(now.getTime() + 1) });
		await paidOrder({ status, promised_at: old, late_at: old });
		expect(await found("promises")).toEqual(still ? [sooner, later] : []);
	});

	test("an invoice without number or PDF is stalled, unless its order is erased or unpaid", async () => {
		const without = await paidOrder({ paid_at: old });
		const { order: noPdf } = await shop.insertPaidOrder({ paid_at: shop.start });
		await insertInvoice(noPdf, { pdf: false });
		await paidOrder({ paid_at: young });
		await paidOrder({ paid_at: old, erased_at: old });
		await shop.insertOrder();
		await insertFinishedOrder();
		expect(await found("invoices")).toEqual([noPdf.id, without]);
	});

	test("work older than two weeks is no longer checked every minute", async () => {
		const fortnight = new Date(now.getTime() - 14 * 24 * hour);
		const after = new Date(fortnight.getTime() + 1);
		const set = (at: Date) => ({ paid_at: at, promised_at: fortnight, completed_at: at, status: "completed" as const });
		const [recent, older] = [await shop.insertPaidOrder(set(after)), await shop.insertPaidOrder(set(fortnight))];
		await shop.db
			.updateTable("orders")
			.set({ promised_at: new Date(0) })
			.where("id", "in", [recent.order.id, older.order.id])
			.execute();
		expect(await found("invoices")).toEqual([recent.order.id]);
		expect(await found("promises")).toEqual([recent.order.id]);
		const told = await shop.insertRefund(recent.payment, { settled_at: after, amount_cents: 1 });
		await shop.insertRefund(older.payment, { settled_at: fortnight, amount_cents: 1 });
		expect(await found("creditNotes")).toEqual([told.id]);
	});

	test("a missing invoice is stalled, also when a credit note exists", async () => {
		const { order, payment } = await insertFinishedOrder();
		await insertInvoice(order, { refundId: (await shop.insertRefund(payment)).id, pdf: false });
		expect(await found("invoices")).toEqual([]);
	});

	test.each<[RefundStatus, Order["dispute_status"], boolean]>([
		["requested", null, true],
		["requested", "won", true],
		["requested", "lost", true],
		["requested", "open", false],
		["pending", null, true],
		["pending", "open", true],
		["succeeded", null, false],
		["failed", null, false],
		["refused", null, false],
	])("a refund with the state %s and a dispute with the state %s is stalled: %s", async (status, dispute_status, still) => {
		const { payment } = await insertFinishedOrder({ dispute_status });
		const later = await shop.insertRefund(payment, { status, requested_at: old });
		const sooner = await shop.insertRefund(payment, { status, requested_at: shop.start });
		await shop.insertRefund(payment, { status, requested_at: young });
		expect(await found("refunds")).toEqual(still ? [sooner.id, later.id] : []);
	});

	test("a completed refund without its e-mail is stalled, unless its order is erased", async () => {
		const { order, payment } = await insertFinishedOrder();
		const settled: string[] = [];
		for (const at of [3, 1, 4, 2, 0, 5])
			settled[at] = (await shop.insertRefund(payment, { settled_at: at === 5 ? old : shop.after(at) })).id;
		await shop.insertRefund(payment, { settled_at: young });
		await shop.insertRefund(payment, { status: "failed", settled_at: old });
		await shop.insertRefund((await insertFinishedOrder({ erased_at: old })).payment, { settled_at: old });
		const about = (kind: string, refundId: string) =>
			shop.inTransaction((trx) => insertMail(trx, { orderId: order.id, kind, documentId: null, refundId, now: old }));
		for (const kind of ["refunded", "surplus-refunded"]) await about(kind, (await shop.insertRefund(payment, { settled_at: old })).id);
		// the operator was told, and not the customer
		await about("alert-refund-failed", settled[0] ?? "");
		expect(await found("creditNotes")).toEqual(settled);
	});

	const mail = async (set: { created_at: Date; sent_at?: Date; bounced_at?: Date }) => {
		const { id } = await shop.insertOrder({ status: "failed" });
		const row = { id: crypto.randomUUID(), order_id: id, kind: "resume", ...set };
		await shop.db.insertInto("mails").values(row).execute();
		return row.id;
	};

	test("an e-mail that is neither sent nor bounced is stalled", async () => {
		const [later, sooner] = [await mail({ created_at: old }), await mail({ created_at: shop.start })];
		await mail({ created_at: young });
		await mail({ created_at: old, sent_at: old });
		await mail({ created_at: old, bounced_at: old });
		expect(await found("mails")).toEqual([sooner, later]);
	});

	test("is requeued after two minutes; an existing job is not duplicated", async () => {
		const at = (minutes: number) => new Date(now.getTime() - minutes * 60_000);
		const [two, less] = [new Date(at(2).getTime() - 1), at(2)];
		const made = async (since: Date, promised_at: Date) => {
			const { order, payment } = await shop.insertPaidOrder({ paid_at: since, promised_at });
			const requested = await shop.insertRefund(payment, { status: "requested", requested_at: since });
			const untold = await shop.insertRefund(payment, { settled_at: since });
			return { order, requested, untold, mail: await mail({ created_at: since }) };
		};
		const [lost, young] = [await made(two, two), await made(less, now)];
		shop.clock.now = now;
		for (let i = 0; i < 2; i++) await requeueStalledOrders(shop);
		const sent = async ({ order, requested, untold, mail }: typeof lost) => [
			...(await shop.getJobs("fulfil-order", order.id)),
			...(await shop.getJobs("invoice-order", order.id)),
			...(await shop.getJobs("carry-out-refund", requested.id)),
			...(await shop.getJobs("credit-refund", untold.id)),
			...(await shop.getJobs("send-order-mail", mail)),
		];
		expect((await sent(lost)).map(({ data }) => data)).toEqual([
			{ orderId: lost.order.id, because: "paid" },
			{ orderId: lost.order.id },
			{ refundId: lost.requested.id },
			{ refundId: lost.untold.id },
			{ mailId: lost.mail },
		]);
		expect(await sent(young)).toEqual([]);
		// a promise is looked at as soon as it has run out
		for (const { order } of [lost, young])
			expect(await shop.getJobs("check-promise", order.id)).toMatchObject([{ data: { orderId: order.id } }]);
	});

	test("is requeued in limited batches, the oldest first", async () => {
		const [later, sooner] = [await mail({ created_at: old }), await mail({ created_at: shop.start })];
		shop.clock.now = now;
		await requeueStalledOrders(shop, 1);
		expect(await shop.getJobs("send-order-mail", sooner)).toHaveLength(1);
		expect(await shop.getJobs("send-order-mail", later)).toEqual([]);
	});
});
