import { randomBytes, randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { anyJson } from "../../../test/any-json.ts";
import { deleteRows } from "../../../test/delete-rows.ts";
import { createOrderFixture, type OrderFixture } from "../../../test/orders.ts";
import { scaledTimeout } from "../../../test/time-limits.ts";
import type { DocumentStorage } from "../documents/storage.ts";
import { NumberIssuedElsewhere } from "../invoices/issued-numbers.server.ts";
import { copyChangedOrders } from "./copy-changed-orders.server.ts";
import { copyOrder, deleteOrderCopy } from "./copy-order.server.ts";
import { decryptCopy, encryptCopy, getCurrentKeyId } from "./encrypt-copy.server.ts";
import {
	copiedTableNames,
	deleteCopyRows,
	deleteRequestsOfUncopied,
	lockCopies,
	type OrderRows,
	requestCopies,
} from "./order-copies.store.server.ts";
import { type CopyContext, getCopyName, readCopy } from "./read-copy.server.ts";
import { compareWithCopies, discardCopy, findLostOrder, recreateOrder } from "./recreate-order.server.ts";

let shop: OrderFixture;
beforeAll(async () => {
	shop = await createOrderFixture({ startsAt: "2026-11-20T10:00:00Z" });
});
afterAll(() => shop?.close());
beforeEach(async () => {
	await deleteRows(shop.db, "order_copies", "order_copy_requests", "invoice_series", "invoice_gaps", "invoices", "orders");
	for (const folder of ["orders/", "invoices/"]) for await (const { path } of shop.storage.list(folder)) await shop.storage.remove(path);
});

const copy = (id: string, change: Partial<CopyContext> = {}) => copyOrder({ ...shop, ...change }, id);
const listRequestedOrders = async () =>
	(await sql<{ order_id: string }>`select distinct order_id from order_copy_requests`.execute(shop.db)).rows.map((row) => row.order_id);
const listCopiedOrders = async () =>
	(await shop.db.selectFrom("order_copies").selectAll().execute()).map(({ order_id, key_id }) => [order_id, key_id]);
/** Whether an erasure may lock the copy of an order now; false also when there is none. */
const isCopyFree = async (id: string) =>
	(await sql`select from order_copies where order_id = ${id} for no key update skip locked`.execute(shop.db)).rows.length === 1;
const isCopied = async (id: string) => (await shop.storage.findObject(getCopyName(id))) !== null;
async function getCopy(id: string): Promise<OrderRows> {
	const found = await readCopy(shop, id);
	if (!found.ok) throw new Error(found.code);
	return found.copy;
}

/** Lists every row of an order, without the ids of its events, which change when they are restored. */
async function listRows(id: string): Promise<Record<string, unknown[]>> {
	const found: Record<string, unknown[]> = {};
	for (const table of copiedTableNames) {
		const row = table === "order_events" ? sql`to_jsonb(t) - 'id'` : sql`to_jsonb(t)`;
		const { rows } = await sql<{ row: unknown }>`
			select ${row} as row from ${sql.table(table)} t where ${sql.ref(table === "orders" ? "id" : "order_id")} = ${id}
			order by ${row}::text`.execute(shop.db);
		found[table] = rows.map((each) => each.row);
	}
	return found;
}

/** Deletes an order, like the restore of an older database. */
async function loseOrder(id: string): Promise<void> {
	await shop.inTransaction(async (trx) => {
		await sql`set local shop.purging_invoices = 'on'`.execute(trx);
		for (const table of [...copiedTableNames].reverse())
			await sql`delete from ${sql.table(table)} where ${sql.ref(table === "orders" ? "id" : "order_id")} = ${id}`.execute(trx);
		await sql`delete from order_copy_requests`.execute(trx);
		await sql`delete from invoice_series`.execute(trx);
	});
}

/** Inserts an order with a row in every table and a value in every column. */
async function insertFullOrder() {
	const at = shop.now();
	const { order, payment } = await shop.insertPaidOrder({
		status: "completed",
		completed_at: at,
		idempotency_key: randomUUID(),
		phone: "06 12 34 56 78",
		...{ billing_siren: "552032534", billing_vat: "FR27552032534", delivery_name: "Grace", delivery_complement: "Bâtiment B" },
		...{ delivery_address: "4 quai de l’Horloge", delivery_postal_code: "75001", delivery_city: "Paris" },
		delivery_email: "grace@example.fr",
		refunded_cents: 900,
		disputed_at: at,
		dispute_status: "open",
		late_at: at,
		tracking_number: "6A01234567890",
		newsletter: true,
		watch_ended_at: at,
	});
	const id = order.id;
	const extract = await shop.insertDocument(order);
	const pdf = await shop.insertDocument(order, "invoice");
	const refund = await shop.insertRefund(payment, { amount_cents: 900 });
	const again = await shop.insertRefund(payment, { amount_cents: 900, replaces: refund.id, status: "requested", settled_at: null });
	await insertInvoiceRow(id, { place: 1, document: pdf.id });
	await shop.db
		.insertInto("payment_attempts")
		.values([1, 2].map((attempt) => ({ order_id: id, attempt, created_at: at, expires_at: at })))
		.execute();
	await shop.db
		.insertInto("payment_sessions")
		.values({ id: `cs_${id}`, order_id: id, url: "", status: "complete", payment_id: payment.id, created_at: at, expires_at: at })
		.execute();
	const mail = { order_id: id, created_at: at };
	await shop.db
		.insertInto("mails")
		.values([
			{ ...mail, id: randomUUID(), kind: "confirmation", document_id: pdf.id, sent_at: at },
			{ ...mail, id: randomUUID(), kind: "refunded", refund_id: refund.id, bounced_at: at, bounce_reason: "550" },
			{ ...mail, id: randomUUID(), kind: "document-ready", document_id: extract.id },
			{ ...mail, id: randomUUID(), kind: "extract-notices", notices: ["A20260149123", "B202601212014"], sent_at: at },
		])
		.execute();
	for (const [event_type, payload] of [
		["created", {}],
		["paid", { amount: 5900 }],
		["mail_sent", { kind: "late" }],
		["mail_sent", { kind: "late" }],
	] as const)
		await shop.db
			.insertInto("order_events")
			.values({ order_id: id, event_type, payload: JSON.stringify(payload), created_at: at })
			.execute();
	await shop.db
		.insertInto("extract_requests")
		.values({ order_id: id, requested_at: at, sha256: randomBytes(32).toString("hex") })
		.execute();
	await shop.db
		.insertInto("refund_requests")
		.values({ id: randomUUID(), order_id: id, message: "« Illisible »", created_at: at })
		.execute();
	await shop.db
		.insertInto("withdrawals")
		.values({
			...{ id: randomUUID(), order_id: id, declaration_id: randomUUID(), declared_at: at },
			...{ outcome: "refused", refund_cents: 0, reason: "…" },
		})
		.execute();
	return { order, id, payment, refund: again };
}

/** Inserts an invoice of an order, with its number. */
async function insertInvoiceRow(orderId: string, { place, document = null }: { place: number; document?: string | null }) {
	const number = `F2026-${String(place).padStart(6, "0")}`;
	await shop.db
		.insertInto("invoices")
		.values({
			id: randomUUID(),
			kind: "invoice",
			year: 2026,
			number_in_year: place,
			number,
			order_id: orderId,
			document_id: document,
			issued_at: shop.now(),
			total_cents: 5900,
			data: anyJson({ number, buyer: { name: "Ada" } }),
		})
		.execute();
	return number;
}

const listLastNumbers = async () =>
	(await shop.db.selectFrom("invoice_series").select(["kind", "year", "last_number"]).execute()).map((row) => Object.values(row));
const addEvent = (id: string, event_type = "late", at = shop.now()) =>
	shop.db.insertInto("order_events").values({ order_id: id, event_type, payload: "{}", created_at: at }).execute();

test("copies every table with an order_id, except those about the copies and the work of the desk", async () => {
	const { rows } = await sql<{ name: string }>`
		select table_name as name from information_schema.columns
		where table_schema = 'public' and column_name = 'order_id'`.execute(shop.db);
	const uncopied = [
		"order_copies",
		"order_copy_requests",
		"extract_drafts",
		"order_notes",
		"order_claims",
		"order_alerts",
		"desk_acts",
		"order_words",
		"conversations",
		"sent_emails",
	];
	const known = [...copiedTableNames.filter((name) => name !== "orders"), ...uncopied];
	expect(rows.map(({ name }) => name).sort()).toEqual(known.sort());
});

describe("a copy", () => {
	test("has every row of a paid order, encrypted under its name", async () => {
		const { id } = await insertFullOrder();
		const before = await listRows(id);
		await copy(id);
		const bytes = await shop.storage.findObject(`orders/${id}`);
		expect(Buffer.from(bytes ?? []).toString("latin1")).not.toMatch(/Ada|grace|DANONE/);
		const found = await getCopy(id);
		expect(Object.keys(found).sort()).toEqual([...copiedTableNames, "purchase"].sort());
		for (const [table, rows] of Object.entries(before)) {
			expect(rows.length, table).toBeGreaterThan(0);
			expect(found[table as keyof OrderRows], table).toHaveLength(rows.length);
		}
	});

	test("exists for an order with any payment, and for no other", async () => {
		const unpaid = await shop.insertOrder();
		const surplus = await shop.insertOrder({ status: "failed" });
		const mismatched = await shop.insertOrder({ set_aside_at: shop.now() });
		await shop.insertPayment(surplus, { role: "surplus" });
		await shop.insertPayment(mismatched, { role: "mismatch" });
		for (const { id } of [unpaid, surplus, mismatched]) await copy(id);
		expect([await isCopied(unpaid.id), await isCopied(surplus.id), await isCopied(mismatched.id)]).toEqual([false, true, true]);
	});

	test("is requested by each change of a copied order, and by no change of an uncopied one", async () => {
		const { id, payment, refund } = await insertFullOrder();
		const other = await shop.insertOrder();
		await addEvent(other.id, "created");
		expect(await listRequestedOrders()).toEqual([id]);
		const changes: (() => Promise<unknown>)[] = [
			() => addEvent(id),
			() => shop.insertRefund(payment, { amount_cents: 100 }),
			() => shop.db.updateTable("refunds").set({ status: "succeeded" }).where("id", "=", refund.id).execute(),
			() => shop.db.updateTable("payments").set({ dispute_status: "won" }).where("id", "=", payment.id).execute(),
			() => shop.db.updateTable("refund_requests").set({ granted: true }).where("order_id", "=", id).execute(),
			() => shop.db.updateTable("extract_requests").set({ bytes: 1 }).where("order_id", "=", id).execute(),
			() => shop.db.updateTable("orders").set({ customer_email: "new@example.fr" }).where("id", "=", id).execute(),
			() => shop.db.updateTable("orders").set({ delivery_email: null }).where("id", "=", id).execute(),
		];
		for (const change of changes) {
			await copy(id);
			expect(await listRequestedOrders()).toEqual([]);
			await change();
			expect(await listRequestedOrders(), String(change)).toEqual([id]);
		}
		await copy(id);
		await shop.db.updateTable("orders").set({ phone: "1" }).where("id", "=", id).execute();
		expect(await listRequestedOrders()).toEqual([]);
	});

	test("is requested again by a change during the copying", async () => {
		const { order } = await shop.insertPaidOrder();
		const storage = {
			...shop.storage,
			putObject: (name: string, bytes: Uint8Array) => addEvent(order.id).then(() => shop.storage.putObject(name, bytes)),
		};
		await copy(order.id, { storage });
		expect(await listRequestedOrders()).toEqual([order.id]);
		expect((await getCopy(order.id)).order_events).toEqual([]);
		await copy(order.id);
		expect((await getCopy(order.id)).order_events).toHaveLength(1);
		expect(await listRequestedOrders()).toEqual([]);
	});

	test("is never replaced by an older one: a second job waits for the first", async () => {
		const { order } = await shop.insertPaidOrder();
		let second: Promise<void> | undefined;
		const ended: string[] = [];
		const storage = {
			...shop.storage,
			async putObject(name: string, bytes: Uint8Array) {
				await addEvent(order.id);
				second = copy(order.id).then(() => void ended.push("second"));
				await shop.storage.putObject(name, bytes);
				ended.push("first");
			},
		};
		await copy(order.id, { storage });
		await second;
		expect(ended).toEqual(["first", "second"]);
		expect((await getCopy(order.id)).order_events).toHaveLength(1);
	});

	test("comes with what follows in its transaction, for which an erasure waits; neither exists if that fails", async () => {
		const { order } = await shop.insertPaidOrder();
		const unpaid = await shop.insertOrder({ status: "pending", paid_at: null });
		const failing = copyOrder(shop, order.id, () => Promise.reject(new Error("no more")));
		await expect(failing).rejects.toThrow("no more");
		expect([await listRequestedOrders(), (await listCopiedOrders()).map(([, key]) => key)]).toEqual([[order.id], [null]]);
		const seen: unknown[] = [];
		for (const { id } of [order, unpaid])
			await copyOrder(shop, id, async (trx) => {
				seen.push([await isCopied(id), await isCopyFree(id)]);
				await trx.updateTable("orders").set({ tracking_number: "6A01234567890" }).where("id", "=", id).execute();
			});
		expect(seen).toEqual([
			[true, false],
			[false, false],
		]);
		expect(await listRequestedOrders()).toEqual([]);
		for (const { id } of [order, unpaid]) expect((await shop.getOrder(id)).tracking_number).toBe("6A01234567890");
		expect(await isCopyFree(order.id)).toBe(true);
	});

	test("that could not be stored is retried later and does not delay others", async () => {
		const [one, other] = [await shop.insertPaidOrder(), await shop.insertPaidOrder()].map(({ order }) => order.id) as [string, string];
		const failing: DocumentStorage = {
			...shop.storage,
			putObject: async (name, bytes) => {
				if (name === getCopyName(one)) throw new Error("no space");
				await shop.storage.putObject(name, bytes);
			},
		};
		await expect(copyChangedOrders({ ...shop, storage: failing })).rejects.toThrow("no space");
		expect([await isCopied(one), await isCopied(other)]).toEqual([false, true]);
		expect(await listRequestedOrders()).toEqual([one]);
		await copyChangedOrders(shop);
		expect(await isCopied(one)).toBe(true);
		expect(await listRequestedOrders()).toEqual([]);
		await expect(copyChangedOrders({ ...shop, storage: { ...shop.storage, ready: async () => false } })).rejects.toThrow("does not answer");
	});

	test(
		"copies more orders than one page, and again under a new key",
		async () => {
			const orders = await Promise.all(Array.from({ length: 210 }, () => shop.insertOrder({ status: "paid", paid_at: shop.now() })));
			for (const order of orders) await shop.insertPayment(order);
			await copyChangedOrders(shop);
			const { environment } = shop;
			expect(new Set((await listCopiedOrders()).map(([, key]) => key))).toEqual(new Set([getCurrentKeyId(environment)]));
			const key = randomBytes(32).toString("hex");
			const rotated = { ...environment, orderCopyKeys: [key] };
			await copyChangedOrders({ ...shop, environment: rotated });
			expect(new Set((await listCopiedOrders()).map(([, id]) => id))).toEqual(new Set([getCurrentKeyId(rotated)]));
			// every copy is readable with the new key alone
			const name = getCopyName(orders[0]?.id ?? "");
			expect(decryptCopy({ orderCopyKeys: [key], secrets: [] }, name, (await shop.storage.findObject(name)) as Uint8Array)).not.toBeNull();
		},
		scaledTimeout(60_000),
	);
});

describe("a copy that has what the database lacks", () => {
	/** Creates the state after a failover to a lagging standby: the database lacks rows that the copy has, and a copy is requested. */
	async function createOrderBehindCopy() {
		const { order } = await shop.insertPaidOrder();
		await insertInvoiceRow(order.id, { place: 5 });
		await addEvent(order.id, "completed");
		await copy(order.id);
		const copied = await getCopy(order.id);
		await shop.inTransaction(async (trx) => {
			await sql`set local shop.purging_invoices = 'on'`.execute(trx);
			await trx.deleteFrom("invoices").execute();
			await trx.deleteFrom("order_events").where("event_type", "=", "completed").execute();
			await requestCopies(trx, [order.id]);
		});
		return { id: order.id, copied };
	}

	test("is not replaced and stays requested; recreateOrder updates the order", async () => {
		const { id, copied } = await createOrderBehindCopy();
		const refusal = `the copy of order ${id} stays: it has what the database lacks`;
		await expect(copy(id)).rejects.toThrow(refusal);
		await expect(copyChangedOrders(shop)).rejects.toThrow(refusal);
		expect(shop.lines.at(-1)).toMatchObject({ level: 50, orders: 1, order: id, msg: "some orders are not copied" });
		expect([await getCopy(id), await listRequestedOrders()]).toEqual([copied, [id]]);
		expect(await recreateOrder(shop, id)).toMatchObject({ ok: true, what: "brought-forward" });
		await copyChangedOrders(shop);
		expect((await getCopy(id)).invoices).toEqual(copied.invoices);
		expect(await listRequestedOrders()).toEqual([]);
	});

	test("brings back an invoice that replaced another, with the credit note, beside the first one", async () => {
		const { order } = await shop.insertPaidOrder();
		await insertInvoiceRow(order.id, { place: 6 });
		const copyInvoice = (columns: string) =>
			sql`insert into invoices (id, kind, year, number_in_year, number, order_id, corrects, replaces, issued_at, total_cents, data)
				select ${randomUUID()}, ${sql.raw(columns)}, issued_at, total_cents, data from invoices where number = 'F2026-000006'`.execute(
				shop.db,
			);
		await copyInvoice("'invoice', year, 7, 'F2026-000007', order_id, null, id");
		await copyInvoice("'credit_note', year, 1, 'A2026-000001', order_id, id, null");
		await copy(order.id);
		const { invoices } = await getCopy(order.id);
		expect(invoices.filter(({ replaces, corrects }) => replaces ?? corrects)).toHaveLength(2);
		await shop.inTransaction(async (trx) => {
			await sql`set local shop.purging_invoices = 'on'`.execute(trx);
			await trx.deleteFrom("invoices").where("number", "<>", "F2026-000006").where("order_id", "=", order.id).execute();
		});
		expect(await recreateOrder(shop, order.id)).toMatchObject({ ok: true, what: "brought-forward" });
		await copyChangedOrders(shop);
		expect((await getCopy(order.id)).invoices).toEqual(invoices);
		expect(await listLastNumbers()).toEqual(
			expect.arrayContaining([
				["invoice", 2026, 7],
				["credit_note", 2026, 1],
			]),
		);
	});

	test("is not replaced when it cannot be decrypted", async () => {
		const { order } = await shop.insertPaidOrder();
		await copy(order.id);
		const before = await shop.storage.findObject(getCopyName(order.id));
		const environment = { ...shop.environment, secrets: [randomBytes(32).toString("hex")] };
		await expect(copyChangedOrders({ ...shop, environment })).rejects.toThrow("it cannot be decrypted");
		expect(await shop.storage.findObject(getCopyName(order.id))).toEqual(before);
	});

	test("is replaced by the database's state after discardCopy", async () => {
		const { id } = await createOrderBehindCopy();
		await addEvent(id, "late");
		expect(await recreateOrder(shop, id)).toMatchObject({ ok: false, code: "went-on" });
		expect(await discardCopy(shop, id)).toBe(true);
		await copyChangedOrders(shop);
		expect((await getCopy(id)).order_events).toMatchObject([{ event_type: "late" }]);
		await loseOrder(id);
		expect(await discardCopy(shop, id)).toBe(false);
		expect(await isCopied(id)).toBe(true);
	});
});

test("keeps the copy request of a payment that is inserted while the unpaid order is processed", async () => {
	const unpaid = await shop.insertOrder();
	await sql`insert into order_copy_requests (order_id) values (${unpaid.id})`.execute(shop.db);
	await shop.insertPayment(unpaid);
	await shop.inTransaction((trx) => deleteRequestsOfUncopied(trx, unpaid.id));
	expect([await listRequestedOrders(), (await listCopiedOrders()).map(([id]) => id)]).toEqual([[unpaid.id], [unpaid.id]]);
	const other = await shop.insertOrder();
	await sql`insert into order_copy_requests (order_id) values (${other.id})`.execute(shop.db);
	await copy(other.id);
	expect(await listRequestedOrders()).toEqual([unpaid.id]);
});

test("copying records the numbers of the order's invoices first and once, and refuses another invoice's number", async () => {
	const { order } = await shop.insertPaidOrder();
	const number = await insertInvoiceRow(order.id, { place: 77 });
	const storedNames: string[] = [];
	const storage: DocumentStorage = {
		...shop.storage,
		putObject: async (name, bytes) => {
			storedNames.push(name);
			await shop.storage.putObject(name, bytes);
		},
	};
	await copy(order.id, { storage });
	expect(storedNames).toEqual([`invoices/${number}`, getCopyName(order.id)]);
	const recorded = JSON.parse(Buffer.from((await shop.storage.findObject(`invoices/${number}`)) ?? []).toString());
	expect(recorded).toMatchObject({ order: order.id, pdf: null });
	await addEvent(order.id);
	await copy(order.id, { storage });
	expect(storedNames.slice(2)).toEqual([getCopyName(order.id)]);
	// as after a failover that left the old primary running
	const other = await shop.insertPaidOrder();
	const taken = await insertInvoiceRow(other.order.id, { place: 78 });
	await shop.storage.putObject(
		`invoices/${taken}`,
		Buffer.from(JSON.stringify({ ...recorded, order: randomUUID(), invoice: randomUUID() })),
	);
	await expect(copy(other.order.id)).rejects.toThrow(NumberIssuedElsewhere);
	expect(await isCopied(other.order.id)).toBe(false);
});

test("recreateOrder locks series in a fixed order, whatever the ids of the invoices, to avoid deadlocks", async () => {
	const { order, payment } = await shop.insertPaidOrder();
	const refund = await shop.insertRefund(payment);
	const number = await insertInvoiceRow(order.id, { place: 4 });
	const { id: corrects, ...row } = await shop.db.selectFrom("invoices").selectAll().where("number", "=", number).executeTakeFirstOrThrow();
	const credit = { kind: "credit_note" as const, number: "A2026-000004", refund_id: refund.id, corrects, data: anyJson(row.data) };
	// this id sorts first in the copy
	await shop.db
		.insertInto("invoices")
		.values({ ...row, ...credit, id: "00000000-0000-4000-8000-000000000000" })
		.execute();
	await copy(order.id);
	await loseOrder(order.id);
	const place = { year: 2026, last_number: 3, last_issued_at: shop.now() };
	await shop.db
		.insertInto("invoice_series")
		.values([
			{ ...place, kind: "invoice" },
			{ ...place, kind: "credit_note" },
		])
		.execute();
	let recreated: Promise<unknown> | undefined;
	await shop.inTransaction(async (trx) => {
		await sql`select from invoice_series where kind = 'invoice' for update`.execute(trx);
		recreated = recreateOrder(shop, order.id);
		await vi.waitFor(async () => {
			const { rows } = await sql`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`.execute(
				shop.db,
			);
			expect(rows).toHaveLength(1);
		}, scaledTimeout(20_000));
		await sql`select from invoice_series where kind = 'credit_note' for update nowait`.execute(trx);
	});
	expect(await recreated).toMatchObject({ ok: true, what: "made" });
});

describe("an anonymised order", () => {
	const erase = (id: string) =>
		shop.inTransaction(async (trx) => {
			expect(await lockCopies(trx, [id, randomUUID()])).toEqual([id]);
			await deleteOrderCopy(shop.storage, id);
			await deleteCopyRows(trx, [id]);
			await trx.updateTable("orders").set({ erased_at: shop.now() }).where("id", "=", id).execute();
			await trx.updateTable("refund_requests").set({ message: "" }).where("order_id", "=", id).execute();
		});

	test("has no copy and gets none", async () => {
		const { id } = await insertFullOrder();
		await copy(id);
		await erase(id);
		expect([await isCopied(id), await listRequestedOrders(), await listCopiedOrders()]).toEqual([false, [], []]);
		await addEvent(id);
		await copy(id);
		await copyChangedOrders(shop);
		expect(await isCopied(id)).toBe(false);
	});

	test("has no copy, even if it was being copied during the anonymisation", async () => {
		const { order } = await shop.insertPaidOrder();
		let erased: Promise<void> | undefined;
		const storage = {
			...shop.storage,
			putObject: async (name: string, bytes: Uint8Array) => {
				erased = erase(order.id);
				await shop.storage.putObject(name, bytes);
			},
		};
		await copy(order.id, { storage });
		await erased;
		expect([await isCopied(order.id), await listCopiedOrders()]).toEqual([false, []]);
	});

	test("has no copy once it is anonymised, even if its copy was left", async () => {
		const { id } = await insertFullOrder();
		await copy(id);
		await shop.db.updateTable("orders").set({ erased_at: shop.now(), customer_email: "" }).where("id", "=", id).execute();
		await copyChangedOrders(shop);
		expect([await isCopied(id), await listRequestedOrders(), await listCopiedOrders()]).toEqual([false, [], []]);
	});

	test("is copied again when the anonymisation failed after the deletion of the copy", async () => {
		const { order } = await shop.insertPaidOrder();
		await copy(order.id);
		await deleteOrderCopy(shop.storage, order.id);
		await shop.inTransaction((trx) => requestCopies(trx, [order.id, randomUUID()]));
		await copyChangedOrders(shop);
		expect(await isCopied(order.id)).toBe(true);
	});

	test("is not recreated from a restored bucket, whose copy is deleted", async () => {
		const { id } = await insertFullOrder();
		await copy(id);
		const bytes = (await shop.storage.findObject(getCopyName(id))) as Uint8Array;
		await erase(id);
		await shop.storage.putObject(getCopyName(id), bytes);
		expect(await recreateOrder(shop, id)).toMatchObject({ ok: false, code: "erased" });
		expect(await isCopied(id)).toBe(false);
		expect(await shop.getOrder(id)).toMatchObject({ erased_at: shop.now() });
	});
});

describe("recreating an order", () => {
	test("restores every row and advances the invoice series", async () => {
		const { id, order } = await insertFullOrder();
		const before = await listRows(id);
		await copy(id);
		await loseOrder(id);
		expect(await compareWithCopies(shop, id)).toBe("lost");
		expect(await recreateOrder(shop, id)).toEqual({
			ok: true,
			orderNumber: order.order_number,
			purchaseId: id,
			purchase: [id],
			what: "made",
		});
		expect(await listRows(id)).toEqual(before);
		expect(await listLastNumbers()).toEqual([["invoice", 2026, 1]]);
		// it is copied again
		expect([await listRequestedOrders(), (await listCopiedOrders()).map(([each]) => each)]).toEqual([[id], [id]]);
		expect(await recreateOrder(shop, id)).toEqual({
			ok: true,
			orderNumber: order.order_number,
			purchaseId: id,
			purchase: [id],
			what: "here",
		});
		expect(await listRows(id)).toEqual(before);
	});

	test("updates an order with an older state and replaces its mails by those of the copy", async () => {
		const { id, order } = await insertFullOrder();
		const early = await listRows(id);
		// the state of a backup: one event less, and one waiting mail that was replaced later
		const mail = { order_id: id, kind: "posted", created_at: shop.now() };
		const [waiting, left] = [randomUUID(), randomUUID()];
		await shop.db
			.insertInto("mails")
			.values({ ...mail, id: left, sent_at: shop.now() })
			.execute();
		await addEvent(id, "posted");
		await shop.db.updateTable("orders").set({ tracking_number: "new", refunded_cents: 1000 }).where("id", "=", id).execute();
		const copied = await listRows(id);
		await copy(id);
		await shop.db.deleteFrom("mails").where("id", "=", left).execute();
		await shop.db
			.insertInto("mails")
			.values({ ...mail, id: waiting })
			.execute();
		await shop.db.deleteFrom("order_events").where("event_type", "=", "posted").execute();
		await shop.db.updateTable("orders").set({ tracking_number: order.tracking_number, refunded_cents: 900 }).where("id", "=", id).execute();
		expect(await listRows(id)).not.toEqual(early); // because of the waiting mail
		expect(await compareWithCopies(shop, id)).toBe("behind");
		expect(await recreateOrder(shop, id)).toMatchObject({ ok: true, what: "brought-forward" });
		expect(await listRows(id)).toEqual(copied);
	});

	test("restores an invoice without an event, and its PDF that was stored later", async () => {
		const { order } = await shop.insertPaidOrder();
		const number = await insertInvoiceRow(order.id, { place: 7 });
		await copy(order.id);
		const copied = await listRows(order.id);
		await shop.inTransaction(async (trx) => {
			await sql`set local shop.purging_invoices = 'on'`.execute(trx);
			await trx.deleteFrom("invoices").execute();
		});
		expect(await recreateOrder(shop, order.id)).toMatchObject({ ok: true, what: "brought-forward" });
		expect(await listRows(order.id)).toEqual(copied);
		expect(await listLastNumbers()).toEqual([["invoice", 2026, 7]]);
		const pdf = await shop.insertDocument(order, "invoice");
		const undo = await listRows(order.id);
		await shop.db.updateTable("invoices").set({ document_id: pdf.id }).where("number", "=", number).execute();
		await addEvent(order.id);
		await copy(order.id);
		// the backup has the invoice without its PDF
		await loseOrder(order.id);
		await recreateOrder(shop, order.id);
		expect((await listRows(order.id)).invoices).not.toEqual(undo.invoices);
		expect((await listRows(order.id)).invoices).toMatchObject([{ document_id: pdf.id }]);
	});

	test("restores rows of which only one may be current: extracts and sessions", async () => {
		const { order } = await shop.insertPaidOrder();
		const { db } = shop;
		const [first, second] = [await shop.insertDocument(order), await shop.storage.put(new TextEncoder().encode(randomUUID()))];
		const session = { order_id: order.id, url: "", created_at: shop.now(), expires_at: shop.now() };
		// the later row has the lower id
		const [low, high] = ["00000000-0000-4000-8000-000000000001", first.id] as const;
		await db
			.insertInto("payment_sessions")
			.values({ ...session, id: "cs_b", status: "open" })
			.execute();
		const early = await listRows(order.id);
		await db.updateTable("documents").set({ replaced_at: shop.now() }).where("id", "=", high).execute();
		const extract = { storage_path: second.path, sha256: second.sha256, bytes: second.bytes, doc_type: "kbis" as const };
		await db
			.insertInto("documents")
			.values({ ...extract, id: low, order_id: order.id, issued_at: shop.now(), created_at: shop.now() })
			.execute();
		await db.updateTable("payment_sessions").set({ status: "expired" }).execute();
		await db
			.insertInto("payment_sessions")
			.values({ ...session, id: "cs_a", status: "open" })
			.execute();
		await copy(order.id);
		const copied = await listRows(order.id);
		await db.deleteFrom("documents").where("id", "=", low).execute();
		await db.deleteFrom("payment_sessions").where("id", "=", "cs_a").execute();
		await db.updateTable("documents").set({ replaced_at: null }).execute();
		await db.updateTable("payment_sessions").set({ status: "open" }).execute();
		expect(await listRows(order.id)).toEqual(early);
		expect(await recreateOrder(shop, order.id)).toMatchObject({ ok: true, what: "brought-forward" });
		expect(await listRows(order.id)).toEqual(copied);
	});

	test("changes nothing when the order has everything in the copy and more", async () => {
		const { id } = await insertFullOrder();
		await copy(id);
		await addEvent(id, "refunded");
		await shop.db.deleteFrom("mails").where("kind", "=", "document-ready").execute();
		const before = await listRows(id);
		expect(await recreateOrder(shop, id)).toMatchObject({ ok: true, what: "here" });
		expect(await listRows(id)).toEqual(before);
	});

	test.each<[string, (order: { id: string; payment: Parameters<OrderFixture["insertRefund"]>[0] }) => Promise<unknown>]>([
		["an event", ({ id }) => addEvent(id, "late")],
		["another event of the same kind", ({ id }) => addEvent(id, "refunded", shop.after(1))],
		["a refund", ({ payment }) => shop.insertRefund(payment, { amount_cents: 1, status: "requested" })],
		["an invoice", ({ id }) => insertInvoiceRow(id, { place: 9 })],
	])("changes nothing when both sides differ: the database has %s", async (_what, change) => {
		const { order, payment } = await shop.insertPaidOrder();
		await addEvent(order.id, "refunded");
		await copy(order.id);
		await shop.db.deleteFrom("order_events").execute();
		await change({ id: order.id, payment });
		const before = await listRows(order.id);
		expect(await recreateOrder(shop, order.id)).toEqual({ ok: false, orderNumber: order.order_number, code: "went-on", numbers: [] });
		expect(await listRows(order.id)).toEqual(before);
	});

	test("is refused when another order has its invoice number", async () => {
		const { order } = await shop.insertPaidOrder();
		const number = await insertInvoiceRow(order.id, { place: 3 });
		await copy(order.id);
		await loseOrder(order.id);
		await insertInvoiceRow((await shop.insertPaidOrder()).order.id, { place: 3 });
		expect(await recreateOrder(shop, order.id)).toMatchObject({ ok: false, code: "numbers", numbers: [number] });
		expect(await compareWithCopies(shop, order.id)).toBe("lost");
	});

	test("is refused when another order has its file; removes an idempotency key that another order has", async () => {
		const [{ order }, other] = [await shop.insertPaidOrder({ idempotency_key: "one key" }), await shop.insertPaidOrder()];
		const request = { requested_at: shop.now(), sha256: "ab".repeat(32) };
		await shop.db
			.insertInto("extract_requests")
			.values({ ...request, order_id: order.id })
			.execute();
		await copy(order.id);
		await loseOrder(order.id);
		await shop.db.updateTable("orders").set({ idempotency_key: "one key" }).where("id", "=", other.order.id).execute();
		await shop.db
			.insertInto("extract_requests")
			.values({ ...request, order_id: other.order.id })
			.execute();
		expect(await recreateOrder(shop, order.id)).toMatchObject({ ok: false, code: "conflict" });
		await shop.db.deleteFrom("extract_requests").execute();
		expect(await recreateOrder(shop, order.id)).toMatchObject({ ok: true, what: "made" });
		expect(await shop.getOrder(order.id)).toMatchObject({ idempotency_key: null });
	});

	test("restores a copy with other columns and tables, as of another version", async () => {
		const { id } = await insertFullOrder();
		await copy(id);
		const copied = await getCopy(id);
		const { withdrawals: _, ...tables } = copied;
		const [{ late_at: __, newsletter: ___, ...order }] = copied.orders as [Record<string, unknown>];
		const old = { ...tables, orders: [{ ...order, colour: "blue" }], parcels: [{ id: 1 }] };
		await shop.storage.putObject(getCopyName(id), encryptCopy(shop.environment, getCopyName(id), JSON.stringify(old)));
		await loseOrder(id);
		expect(await recreateOrder(shop, id)).toMatchObject({ ok: true, what: "made" });
		expect(await shop.getOrder(id)).toMatchObject({ late_at: null, newsletter: false, order_number: order.order_number });
	});

	test("is refused without a readable copy", async () => {
		const { id } = await insertFullOrder();
		await copy(id, { environment: { ...shop.environment, secrets: [randomBytes(32).toString("hex")] } });
		expect(await recreateOrder(shop, id)).toEqual({ ok: false, orderNumber: null, code: "unreadable", numbers: [] });
		for (const none of [randomUUID(), "another shop's", "../documents"]) {
			expect(await recreateOrder(shop, none)).toMatchObject({ ok: false, code: "no-copy" });
			expect(await compareWithCopies(shop, none)).toBeNull();
		}
	});

	test("finds a lost order by its number among the copies", async () => {
		const [lost, present] = [await insertFullOrder(), await shop.insertPaidOrder()];
		await copy(lost.id);
		await copy(present.order.id);
		await loseOrder(lost.id);
		expect(await findLostOrder(shop, lost.order.order_number)).toBe(lost.id);
		expect(await findLostOrder(shop, present.order.order_number)).toBeNull();
	});
});
