import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { extractLines, generatePdf } from "../../test/fixtures/pdf.ts";
import { createOrderFixture, type OrderFixture, type OrderValues } from "../../test/orders.ts";
import { describeOrder } from "../customer/tracking/describe-order.server.ts";
import { openDocument } from "../customer/tracking/documents/open-document.server.ts";
import { findDocument, findExtract } from "../orders/documents/documents.store.server.ts";
import type { DocumentStorage } from "../orders/documents/storage.ts";
import { signKey } from "../orders/keys.server.ts";
import type { Order } from "../orders/order.ts";
import { recordEvent } from "../orders/orders.store.server.ts";
import type { RefundReason, RefundStatus } from "../orders/refunds/refunds.store.server.ts";
import { correctTracking } from "./correct-tracking.server.ts";
import { enqueueRequest, findRequest, recordUpload } from "./extract-requests.store.server.ts";
import { postExtract } from "./post-extract.server.ts";
import { replaceExtract, restoreLostExtract } from "./replace-extract.server.ts";
import { uploadExtract } from "./upload-extract.server.ts";

const hour = 3_600_000;
let shop: OrderFixture;
beforeAll(async () => {
	shop = await createOrderFixture({ startsAt: "2026-11-21T11:00:00Z" });
});
afterAll(() => shop?.close());

let copies = 0;
/** Generates a different extract each time. */
const newExtract = (dated?: string) => generatePdf({ lines: [...extractLines({ dated }), `Exemplaire ${++copies}`] });

/** Inserts an order that was served by hand: its extract was uploaded and delivered, or posted. */
async function delivered(values: OrderValues = {}): Promise<Order> {
	const { order } = await shop.insertPaidOrder({ status: "completed", completed_at: shop.start, ...values });
	const stored = await shop.storage.put(newExtract());
	await shop.inTransaction(async (trx) => {
		await enqueueRequest(trx, order.id, shop.start);
		await recordUpload(trx, order.id, { ...stored, issuedAt: shop.start }, shop.start);
		await trx
			.insertInto("documents")
			.values({
				...{ id: randomUUID(), order_id: order.id, doc_type: "kbis", issued_at: shop.start, created_at: shop.start },
				...{ storage_path: stored.path, sha256: stored.sha256, bytes: stored.bytes },
			})
			.execute();
		if (order.tracking_number)
			await recordEvent(trx, { orderId: order.id, type: "posted", payload: { tracking_number: order.tracking_number }, now: shop.start });
	});
	return order;
}

const postal = (values: OrderValues = {}) =>
	delivered({
		product_code: "postal",
		tracking_number: "1A23456789012",
		address: "1 rue de la Paix",
		postal_code: "75002",
		city: "Paris",
		...values,
	});

const replace = ({ id }: { id: string }, bytes = newExtract(), confirmed?: { old?: boolean }, deps: { storage: DocumentStorage } = shop) =>
	replaceExtract({ ...shop, ...deps }, { orderId: id, bytes, confirmed, because: "page manquante" });
const corrector = { because: "faute de frappe", by: "Camille" };
const correct = ({ id }: { id: string }, trackingNumber = "1A99999999999") =>
	correctTracking(shop, { orderId: id, trackingNumber, ...corrector });
const post = ({ id }: { id: string }, trackingNumber: string) => postExtract(shop, { orderId: id, trackingNumber });
const current = async ({ id }: { id: string }) => {
	const extract = await findExtract(shop.db, id);
	if (extract === null) throw new Error("there is no extract");
	return extract;
};
const read = (documentId: string) => openDocument(shop, signKey(shop, "document", { id: documentId }), { counts: true });

/** Everything that a correction could change. */
const state = async (order: Order) => [
	...[await shop.getOrder(order.id), await shop.getDocuments(order), await shop.getEvents(order), await shop.getMails(order)],
	await findRequest(shop.db, order.id),
];

describe("a replaced extract", () => {
	test("is shown by pages and links; the old one's row has date, reason and hash", async () => {
		const order = await delivered();
		const old = await current(order);
		shop.clock.now = shop.after(hour);
		const bytes = newExtract("à jour au 21/11/2026 à 10:32");
		expect(await replace(order, bytes)).toEqual({ ok: true, replacement: "replaced", warnings: [] });
		const extract = await current(order);
		expect(extract).toMatchObject({
			created_at: shop.now(),
			issued_at: new Date("2026-11-21T09:32:00Z"),
			bytes: bytes.length,
			replaced_at: null,
		});
		expect(await findDocument(shop.db, old.id)).toEqual({ ...old, replaced_at: shop.now(), replaced_because: "page manquante" });
		// a link to the old one, which the customer may have, opens the new one
		for (const id of [old.id, extract.id]) {
			const opened = await read(id);
			expect(opened.ok && Buffer.from(opened.bytes).equals(bytes)).toBe(true);
		}
		const described = await describeOrder(shop, await shop.getOrder(order.id), "purchase");
		expect(described.documents.map(({ id }) => id)).toEqual([extract.id]);
		expect(await findRequest(shop.db, order.id)).toMatchObject({ sha256: extract.sha256, storage_path: extract.storage_path });
		shop.clock.now = shop.start;
	});

	test("is announced to the customer and the delivery address, and recorded in the history", async () => {
		const [own, others] = [await delivered(), await delivered({ delivery_email: "grace@example.fr" })];
		for (const order of [own, others]) expect(await replace(order)).toMatchObject({ ok: true });
		expect(await shop.getMailKinds(own)).toEqual(["extract-replaced"]);
		expect(await shop.getMailKinds(others)).toEqual(["extract-replaced", "extract-replaced-delivery"]);
		const [old] = (await shop.getDocuments(own)).filter(({ replaced_at }) => replaced_at !== null);
		const extract = await current(own);
		for (const { document_id } of await shop.getMails(own)) expect(document_id).toBe(extract.id);
		expect(await shop.getEvents(own)).toMatchObject([
			{ event_type: "extract_replaced", payload: { document_id: extract.id, replaces: old?.id } },
		]);
		expect(JSON.stringify(await shop.getEvents(own))).not.toContain("manquante");
	});

	test("can be replaced again, with an e-mail each time; the same file again changes nothing", async () => {
		const order = await delivered();
		const [first, second] = [newExtract(), newExtract()];
		for (const bytes of [first, second]) expect(await replace(order, bytes)).toMatchObject({ ok: true });
		expect(await shop.getMailKinds(order)).toEqual(["extract-replaced", "extract-replaced"]);
		const before = await state(order);
		expect(await replace(order, second)).toMatchObject({ ok: false, code: "same-extract" });
		expect(await state(order)).toEqual(before);
		// back to the first one, which was replaced
		expect(await replace(order, first)).toMatchObject({ ok: true });
		expect((await shop.getDocuments(order)).filter(({ replaced_at }) => replaced_at === null)).toHaveLength(1);
	});

	test("before the delivery is delivered instead of the old one, without another e-mail", async () => {
		const order = await delivered({ status: "processing", completed_at: null });
		expect(await replace(order)).toMatchObject({ ok: true, replacement: "toDeliver" });
		expect(await shop.getMails(order)).toEqual([]);
	});

	test("passes the checks of every extract, with the same questions to the operator", async () => {
		const order = await delivered();
		const before = await state(order);
		const old = newExtract("à jour au 3 novembre 2026");
		expect(await replace(order, old)).toMatchObject({ ok: false, code: "old", confirm: "old" });
		expect(await replace(order, new TextEncoder().encode("no pdf"))).toMatchObject({ ok: false, code: "not-pdf" });
		expect(await state(order)).toEqual(before);
		expect(await replace(order, old, { old: true })).toMatchObject({ ok: true, warnings: [expect.any(String), expect.any(String)] });
	});

	test("cannot be another order's extract; it can be one that was wrongly recorded there and replaced since", async () => {
		const [mine, other] = [await delivered(), await delivered()];
		const theirs = newExtract();
		expect(await replace(other, theirs)).toMatchObject({ ok: true });
		const [before, files] = [await state(mine), shop.countFiles()];
		expect(await replace(mine, theirs)).toMatchObject({ ok: false, code: "of-another-order" });
		expect([await state(mine), shop.countFiles()]).toEqual([before, files]);
		expect(await replace(other)).toMatchObject({ ok: true });
		expect(await replace(mine, theirs)).toMatchObject({ ok: true });
	});

	test("that is refused at the end leaves no file in the storage", async () => {
		const [order, paid] = [await delivered(), (await shop.insertPaidOrder()).order];
		const files = shop.countFiles();
		const erase = (trx: Parameters<Parameters<typeof shop.inTransaction>[0]>[0]) =>
			trx.updateTable("orders").set({ erased_at: shop.start }).where("id", "=", order.id).execute();
		expect(await shop.whileLocked(order, { after: erase }, () => replace(order))).toMatchObject({ ok: false });
		expect(shop.countFiles()).toBe(files);
		expect(await uploadExtract(shop, { orderId: paid.id, bytes: newExtract() })).toMatchObject({ ok: true });
		expect(await uploadExtract(shop, { orderId: paid.id, bytes: newExtract() })).toMatchObject({ ok: false });
		expect(shop.countFiles()).toBe(files + 1);
	});

	test("whose file the storage lost is restored by uploading the same file, without an e-mail", async () => {
		const order = await delivered();
		const { id, storage_path } = await current(order);
		const bytes = await shop.storage.get(storage_path);
		await shop.storage.remove(storage_path);
		const before = await state(order);
		expect(await restoreLostExtract(shop, order.id, newExtract())).toBe(false);
		expect(await restoreLostExtract(shop, order.id, bytes)).toBe(true);
		expect(await read(id)).toMatchObject({ ok: true });
		expect(await state(order)).toEqual(before);
		expect(await restoreLostExtract(shop, order.id, bytes)).toBe(false);
		// a storage that does not answer has not lost the file
		const away = { ...shop.storage, get: () => Promise.reject(new Error("the bucket is away")) };
		await expect(restoreLostExtract({ ...shop, storage: away }, order.id, bytes)).rejects.toThrow("the bucket is away");
		// a purged file is not restored
		await shop.storage.remove(storage_path);
		await shop.db.updateTable("documents").set({ purged_at: shop.start }).where("id", "=", id).execute();
		expect(await restoreLostExtract(shop, order.id, bytes)).toBe(false);
		await expect(shop.storage.get(storage_path)).rejects.toThrow();
	});

	test("changes nothing when the storage fails", async () => {
		const order = await delivered();
		const before = await state(order);
		const storage = { ...shop.storage, put: () => Promise.reject(new Error("the disk is full")) };
		await expect(replace(order, newExtract(), {}, { storage })).rejects.toThrow("the disk is full");
		expect(await state(order)).toEqual(before);
	});
});

describe("the replaced extract of a letter", () => {
	test("is posted again: only then the customer receives an e-mail, with the new number", async () => {
		const order = await postal();
		expect(await replace(order)).toMatchObject({ ok: true, replacement: "toPost" });
		expect(await shop.getMails(order)).toEqual([]);
		expect(await post(order, "1A23456789012")).toEqual({
			ok: false,
			code: "previous-tracking-number",
		});
		expect(await post(order, "1A 999 999 9999 9")).toEqual({ ok: true });
		expect(await shop.getOrder(order.id)).toMatchObject({ status: "completed", tracking_number: "1A99999999999" });
		expect(await findRequest(shop.db, order.id)).toMatchObject({ tracking_number: "1A99999999999", posted_at: shop.now() });
		expect(await shop.getMails(order)).toMatchObject([{ kind: "extract-replaced", document_id: (await current(order)).id }]);
		expect((await shop.getEvents(order)).map(({ event_type, payload }) => [event_type, payload])).toEqual([
			["posted", { tracking_number: "1A23456789012" }],
			["extract_replaced", { document_id: expect.any(String), replaces: expect.any(String), post: true }],
			["posted", { tracking_number: "1A99999999999", again: true }],
		]);
		// again: the same number changes nothing, and another one is no new letter
		const before = await state(order);
		expect(await post(order, "1A99999999999")).toEqual({ ok: true });
		expect(await post(order, "1A88888888888")).toEqual({ ok: false, code: "completed" });
		expect(await state(order)).toEqual(before);
	});

	test("before the posting leaves with the letter as usual", async () => {
		const order = await postal({ status: "processing", completed_at: null, tracking_number: null });
		expect(await replace(order)).toMatchObject({ ok: true, replacement: "toDeliver" });
		expect(await post(order, "1A23456789012")).toEqual({ ok: true });
		expect(await shop.getMails(order)).toEqual([]);
	});
});

describe("a correction is refused while a job has work of the operator to do", () => {
	test("after a posting is recorded, until the letter's order is completed", async () => {
		const order = await postal({ status: "processing", completed_at: null, tracking_number: null });
		expect(await post(order, "1A23456789012")).toEqual({ ok: true });
		const before = await state(order);
		const code = "just-posted";
		expect(await replace(order)).toMatchObject({ ok: false, code });
		expect(await correct(order)).toEqual({ ok: false, code });
		expect(await state(order)).toEqual(before);
		const completed = { status: "completed", completed_at: shop.now(), tracking_number: "1A23456789012" } as const;
		await shop.db.updateTable("orders").set(completed).where("id", "=", order.id).execute();
		expect(await replace(order)).toMatchObject({ ok: true, replacement: "toPost" });
	});

	test("after an upload, until the extract is issued", async () => {
		const { order } = await shop.insertPaidOrder();
		expect(await uploadExtract(shop, { orderId: order.id, bytes: newExtract() })).toMatchObject({ ok: true });
		const before = await state(order);
		expect(await replace(order)).toMatchObject({ ok: false, code: "not-issued" });
		expect(await state(order)).toEqual(before);
	});
});

describe("a corrected tracking number", () => {
	test("is updated on the order and in the queue, with an e-mail each time; the history keeps the old one", async () => {
		const order = await postal();
		expect(await correct(order, "1a 999.999-9999 9")).toMatchObject({ ok: true });
		const [first] = await shop.getMails(order);
		expect(first?.kind).toBe("tracking-corrected");
		expect(await correct(order, "1A77777777777")).toMatchObject({ ok: true });
		const mails = await shop.getMails(order);
		expect(mails).toMatchObject([{ kind: "tracking-corrected" }]);
		expect(mails[0]?.id).not.toBe(first?.id);
		expect(await shop.getOrder(order.id)).toMatchObject({ status: "completed", tracking_number: "1A77777777777" });
		expect(await findRequest(shop.db, order.id)).toMatchObject({ tracking_number: "1A77777777777", posted_at: null });
		expect((await shop.getEvents(order)).map(({ event_type, payload }) => [event_type, payload])).toEqual([
			["posted", { tracking_number: "1A23456789012" }],
			["tracking_corrected", { tracking_number: "1A99999999999", replaces: "1A23456789012", ...corrector }],
			["tracking_corrected", { tracking_number: "1A77777777777", replaces: "1A99999999999", ...corrector }],
		]);
	});

	test.each<[string, () => Promise<Order>, string, string]>([
		["for an invalid number", () => postal(), "12", "invalid-tracking-number"],
		["for the present number", () => postal(), "1A 234 567 8901 2", "same-tracking-number"],
		["for an order by e-mail", () => delivered(), "1A99999999999", "not-postal"],
		[
			"for a letter that is not posted",
			() => postal({ status: "processing", completed_at: null, tracking_number: null }),
			"1A99999999999",
			"not-posted",
		],
	])("is refused %s", async (_what, make, number, code) => {
		const order = await make();
		const before = await state(order);
		expect(await correct(order, number)).toEqual({ ok: false, code });
		expect(await state(order)).toEqual(before);
	});
});

describe("the correction of an order", () => {
	const refunded = async (amount: number, reason: RefundReason, status: RefundStatus = "succeeded") => {
		const order = await postal({ late_at: reason === "late" ? shop.start : null });
		const payment = await shop.db.selectFrom("payments").selectAll().where("order_id", "=", order.id).executeTakeFirstOrThrow();
		await shop.insertRefund(payment as Parameters<typeof shop.insertRefund>[0], { amount_cents: amount, reason, status });
		return order;
	};
	const price = 7900;
	test.each<[string, string | null, () => Promise<Order>]>([
		["that is not paid", "not-paid", () => postal({ status: "pending" })],
		["that failed", "failed", () => postal({ status: "failed" })],
		["whose customer is erased", "erased", () => postal({ erased_at: shop.start })],
		["whose payment is disputed", "disputed", () => postal({ disputed_at: shop.start, dispute_status: "open" })],
		["that was refunded", "refunded", () => refunded(price, "guarantee")],
		["that is being refunded", "refunded", () => refunded(price, "operator", "requested")],
		["that was refunded in part", null, () => refunded(price - 1, "operator")],
		["whose refund the bank returned", null, () => refunded(price, "operator", "failed")],
		["that was refunded because it was late, as its document is still owed", null, () => refunded(price, "late")],
	])("%s: refusal %s", async (_what, code, make) => {
		const order = await make();
		await shop.db.updateTable("orders").set({ price_cents: price }).where("id", "=", order.id).execute();
		const before = await state(order);
		const [replaced, corrected] = [await replace(order), await correct(order)];
		if (code === null) return expect([replaced.ok, corrected.ok]).toEqual([true, true]);
		for (const outcome of [replaced, corrected]) expect(outcome).toMatchObject({ ok: false, code });
		expect(await state(order)).toEqual(before);
	});

	test("is refused if the order was refunded before its letter was posted again: no number is recorded", async () => {
		const order = await postal();
		expect(await replace(order)).toMatchObject({ ok: true, replacement: "toPost" });
		const payment = await shop.db.selectFrom("payments").selectAll().where("order_id", "=", order.id).executeTakeFirstOrThrow();
		await shop.insertRefund(payment as Parameters<typeof shop.insertRefund>[0], { amount_cents: order.price_cents });
		const before = await state(order);
		expect(await post(order, "1A99999999999")).toEqual({ ok: false, code: "refunded" });
		expect(await state(order)).toEqual(before);
	});

	test("is refused without an extract, and for an unknown order", async () => {
		const { order } = await shop.insertPaidOrder();
		expect(await replace(order)).toMatchObject({ ok: false, code: "no-upload" });
		for (const act of [replace, correct]) expect(await act({ id: randomUUID() })).toMatchObject({ ok: false, code: "unknown-order" });
	});

	test.each<[string, object, string]>([
		["erased", { erased_at: new Date(), customer_email: "" }, "erased"],
		["disputed", { disputed_at: new Date(), dispute_status: "open" }, "disputed"],
	])("is refused if the order is %s meanwhile", async (_what, change, code) => {
		for (const act of [replace, correct]) {
			const order = await postal();
			const outcome = await shop.whileLocked(
				order,
				{ after: (trx) => trx.updateTable("orders").set(change).where("id", "=", order.id).execute() },
				() => act(order) as Promise<{ ok: boolean; code?: string }>,
			);
			expect(outcome).toMatchObject({ ok: false, code });
			expect(await shop.getEventTypes(order)).toEqual(["posted"]);
			expect(await shop.getMails(order)).toEqual([]);
		}
	});

	test("made twice at once replaces one correction by the other", async () => {
		const order = await delivered();
		const [one, two] = [newExtract(), newExtract()];
		const outcomes = await Promise.all([replace(order, one), replace(order, two)]);
		expect(outcomes.map(({ ok }) => ok)).toEqual([true, true]);
		const documents = await shop.getDocuments(order);
		expect(documents.map(({ replaced_at }) => replaced_at === null).sort()).toEqual([false, false, true]);
		// the same file twice at once is replaced once
		const bytes = newExtract();
		const same = await Promise.all([replace(order, bytes), replace(order, bytes)]);
		expect(same.map(({ ok }) => ok).sort()).toEqual([false, true]);
		expect(await shop.getDocuments(order)).toHaveLength(4);
	});
});
