import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { listenForChanges } from "../../../server/database/changes.ts";
import { extractLines, generatePdf } from "../../../test/fixtures/pdf.ts";
import { createOrderFixture, type OrderFixture, type OrderValues } from "../../../test/orders.ts";
import { claimOrder, findHolder } from "../claims/claim-order.server.ts";
import { failOrder } from "../fail-order.server.ts";
import { uploadExtract } from "../upload-extract.server.ts";
import { checkDelivery, checkReplacement } from "./deliver-draft.server.ts";
import { deleteDraft, deleteOldDrafts, findDraft, findDraftFile, listDrafts, listDraftsOfOperator } from "./drafts.store.server.ts";
import { drawDraft } from "./draw-draft.server.ts";
import { insertDraft } from "./insert-draft.server.ts";
import { sortFiles } from "./sort-files.server.ts";

let shop: OrderFixture;
beforeAll(async () => {
	shop = await createOrderFixture({ startsAt: "2026-11-21T11:00:00Z" });
});
afterAll(() => shop?.close());
beforeEach(async () => {
	// the orders of earlier tests must not take the files of later ones
	await shop.db.updateTable("orders").set({ status: "failed" }).execute();
});

let copies = 0;
/** Generates a different extract each time. */
const newExtract = (how: Parameters<typeof extractLines>[0] = {}) =>
	generatePdf({ lines: [...extractLines({ dated: "à jour au 21/11/2026 à 10:32", ...how }), `Exemplaire ${++copies}`] });
const newOrder = async (values: OrderValues = {}) => (await shop.insertPaidOrder(values)).order;
const camille: string = crypto.randomUUID();
const drop = (orderId: string, bytes: Uint8Array, operator = camille) =>
	insertDraft(shop, { orderId, bytes, operator, fileName: "extrait.pdf" });
const sort = (...files: Uint8Array[]) =>
	sortFiles(
		shop,
		files.map((bytes, index) => ({ bytes, fileName: `${index}.pdf` })),
		{ id: camille, name: "Camille" },
	);

describe("a dropped file", () => {
	test("is shown by other pages of the desk at once, and its removal too", async () => {
		const { id } = await newOrder();
		const changes = listenForChanges(shop.connection, shop.log);
		let told = 0;
		await new Promise<void>((connected) => changes.subscribe("desk", () => (told++ === 0 ? connected() : undefined)));
		const dropped = await drop(id, newExtract());
		await vi.waitFor(() => expect(told).toBe(2));
		await deleteDraft(shop.db, { id: dropped.ok ? dropped.draft.id : "", operator: camille });
		await vi.waitFor(() => expect(told).toBe(3));
		await changes.stop();
	});

	test("is kept with all that it says, and nothing is sent", async () => {
		const { id } = await newOrder();
		const bytes = newExtract();
		const outcome = await drop(id, bytes);
		expect(outcome).toMatchObject({ ok: true, again: false, rightOrders: [] });
		const [draft] = await listDrafts(shop.db, id);
		expect(draft).toMatchObject({ order_id: id, operator: camille, file_name: "extrait.pdf", bytes: bytes.length, dropped_at: shop.now() });
		expect(draft?.facts).toMatchObject({
			...{ problem: null, siren: "552032534", pages: 1 },
			issueDate: { at: new Date("2026-11-21T09:32:00Z"), hasHour: true },
		});
		expect(Buffer.from((await findDraftFile(shop.db, draft?.id ?? "")) ?? []).equals(bytes)).toBe(true);
		expect([await shop.getMails({ id }), shop.countFiles()]).toEqual([[], 0]);
	});

	test("replaces the operator's previous one; the same file again stays the same draft", async () => {
		const { id } = await newOrder();
		const second = newExtract();
		await drop(id, newExtract());
		const dropped = await drop(id, second);
		const again = await drop(id, second);
		expect(again).toMatchObject({ ok: true, again: true, draft: { id: dropped.ok && dropped.draft.id } });
		await drop(id, newExtract(), "dominique");
		expect((await listDrafts(shop.db, id)).map(({ operator }) => operator).sort()).toEqual([camille, "dominique"].sort());
	});

	test("dropped twice at once is kept once", async () => {
		const { id } = await newOrder();
		const files = [newExtract(), newExtract()];
		const outcomes = await Promise.all(files.map((file) => drop(id, file)));
		expect(outcomes.map(({ ok }) => ok)).toEqual([true, true]);
		expect(await listDrafts(shop.db, id)).toHaveLength(1);
	});

	test("that is another company's offers that company's open orders, the earliest promise first", async () => {
		const { id } = await newOrder();
		const [late, early] = [
			await newOrder({ siren: "732829320", promised_at: new Date("2026-11-21T15:00:00Z") }),
			await newOrder({ siren: "732829320" }),
		];
		const outcome = await drop(id, newExtract({ siren: "732 829 320" }));
		expect(outcome.ok && outcome.draft.facts.problem).toBe("other-company");
		expect(outcome.ok && outcome.rightOrders.map((order) => order.id)).toEqual([early.id, late.id]);
	});

	test("that is no safe PDF is refused, and the previous draft stays", async () => {
		const { id } = await newOrder();
		await drop(id, newExtract());
		expect(await drop(id, new TextEncoder().encode("\u00ff"))).toMatchObject({ ok: false, code: "not-pdf" });
		expect(await drop(id, generatePdf({ objects: ["<< /S /JavaScript /JS (1) >>"] }))).toMatchObject({ ok: false, code: "script" });
		expect(await drop(id, generatePdf({ pages: 400 }))).toMatchObject({ ok: false, code: "too-many-pages" });
		expect(await listDrafts(shop.db, id)).toHaveLength(1);
	});

	test("of an order that ended meanwhile is refused", async () => {
		const order = await newOrder();
		await failOrder(shop, order.id, "operator");
		expect(await drop(order.id, newExtract())).toMatchObject({ ok: false, code: "failed" });
		expect(await drop(randomUUID(), newExtract())).toMatchObject({ ok: false, code: "unknown-order" });
	});

	test("of an order that was refunded in full is refused, unless it was late: its extract is still owed", async () => {
		const refunded = await shop.insertPaidOrder();
		await shop.insertRefund(refunded.payment);
		const late = await shop.insertPaidOrder();
		await shop.insertRefund(late.payment, { reason: "late" });
		expect(await drop(refunded.order.id, newExtract())).toMatchObject({ ok: false, code: "refunded" });
		expect(await uploadExtract(shop, { orderId: refunded.order.id, bytes: newExtract() })).toMatchObject({ ok: false, code: "refunded" });
		expect(await drop(late.order.id, newExtract())).toMatchObject({ ok: true });
	});

	test("that another order has, or this one, is refused with that order", async () => {
		const [first, second] = [await newOrder(), await newOrder()];
		const bytes = newExtract();
		await uploadExtract(shop, { orderId: first.id, bytes });
		expect(await drop(second.id, bytes)).toMatchObject({ ok: false, code: "of-another-order", order: { id: first.id } });
		expect(await drop(first.id, bytes)).toMatchObject({ ok: false, code: "same-extract" });
	});

	test("goes when an extract of the order is accepted, and after a day", async () => {
		const [first, second] = [await newOrder(), await newOrder()];
		for (const { id } of [first, second]) await drop(id, newExtract());
		await uploadExtract(shop, { orderId: first.id, bytes: newExtract() });
		expect(await listDrafts(shop.db, first.id)).toEqual([]);
		expect(await deleteOldDrafts(shop.db, shop.now())).toBe(0);
		expect(await deleteOldDrafts(shop.db, new Date(shop.now().getTime() + 1))).toBeGreaterThan(0);
		expect(await listDrafts(shop.db, second.id)).toEqual([]);
	});

	test("is discarded by the operator who dropped it alone", async () => {
		const { id } = await newOrder();
		const outcome = await drop(id, newExtract());
		const draftId = outcome.ok ? outcome.draft.id : "";
		expect(await deleteDraft(shop.db, { id: draftId, operator: "dominique" })).toBe(false);
		expect(await deleteDraft(shop.db, { id: draftId, operator: camille })).toBe(true);
		expect(await findDraft(shop.db, draftId)).toBeNull();
	});
});

describe("the picture of a dropped file", () => {
	test("is a PNG of one page, and of no other page or draft", async () => {
		const { id } = await newOrder();
		const outcome = await drop(id, newExtract());
		const draftId = outcome.ok ? outcome.draft.id : "";
		expect(Buffer.from((await drawDraft(shop, { draftId, page: 1 })) ?? []).toString("latin1", 1, 4)).toBe("PNG");
		for (const page of [0, 2, 1.5, Number.NaN]) expect(await drawDraft(shop, { draftId, page })).toBeNull();
		expect(await drawDraft(shop, { draftId: randomUUID(), page: 1 })).toBeNull();
	});
});

describe("several files at once", () => {
	test("find their orders by the SIREN inside; each file serves one order, the earliest promise first", async () => {
		const other = await newOrder({ siren: "732829320" });
		const [late, early] = [await newOrder({ promised_at: new Date("2026-11-21T15:00:00Z") }), await newOrder()];
		const outcomes = await sort(newExtract(), newExtract({ siren: "732 829 320" }), newExtract(), newExtract());
		expect(outcomes.map((outcome) => (outcome.ok ? outcome.order.id : outcome.code))).toEqual([early.id, other.id, late.id, "no-order"]);
		expect(outcomes[0]).toMatchObject({ others: [{ id: late.id }] });
		expect((await listDraftsOfOperator(shop.db, camille)).filter(({ order }) => order.status === "processing")).toHaveLength(3);
	});

	test("leave an order its good file, because its delivery may be asked for, and find their own order again", async () => {
		const [first, second] = [await newOrder(), await newOrder({ promised_at: new Date("2026-11-21T15:00:00Z") })];
		const bytes = newExtract();
		await drop(first.id, bytes);
		expect(await sort(newExtract())).toMatchObject([{ ok: true, order: { id: second.id } }]);
		expect(await sort(bytes)).toMatchObject([{ ok: true, order: { id: first.id } }]);
		expect(await sort(newExtract())).toMatchObject([{ ok: false, code: "no-order" }]);
	});

	test("are refused one by one: the same file twice, no PDF, no company, no order", async () => {
		await newOrder();
		const bytes = newExtract();
		const outcomes = await sort(bytes, bytes, new Uint8Array(), generatePdf({ lines: ["1/1"] }), newExtract({ siren: "404 833 048" }));
		expect(outcomes.map((outcome) => outcome.ok || outcome.code)).toEqual([true, "same-file", "empty", "unknown-siren", "no-order"]);
		expect(outcomes[4]).toMatchObject({ siren: "404833048" });
	});

	test("that are refused leave their order free, unless the operator had it before", async () => {
		const [first, { id }] = [await newOrder(), await newOrder()];
		const bytes = newExtract();
		await uploadExtract(shop, { orderId: first.id, bytes });
		expect(await sort(bytes)).toMatchObject([{ ok: false, code: "of-another-order" }]);
		expect(await findHolder(shop.db, id, shop.now())).toBeNull();
		await claimOrder(shop, { id: camille, name: "Camille" }, id);
		expect(await sort(bytes)).toMatchObject([{ ok: false, code: "of-another-order" }]);
		expect(await findHolder(shop.db, id, shop.now())).toMatchObject({ operatorId: camille });
	});

	test("of an unknown layout are not guessed when they name two companies with open orders", async () => {
		await newOrder();
		await newOrder({ siren: "732829320" });
		const lines = [
			"Document d'essai sans mention du registre",
			"SIREN 552032534",
			"Président : 732 829 320",
			"à jour au 21/11/2026 à 10:32",
		];
		expect(await sort(generatePdf({ lines }))).toMatchObject([{ ok: false, code: "several-companies", orders: [{}, {}] }]);
	});
});

describe("what is known to refuse a draft is said before it is asked for", () => {
	const operator = { id: camille, name: "Camille" };
	const dropAndAsk = async (orderId: string, bytes: Uint8Array) => {
		const dropped = await drop(orderId, bytes);
		return { orderId, draftId: dropped.ok ? dropped.draft.id : "", operator, confirmed: {}, requestedAt: shop.now() };
	};

	test("the file became another order's extract since it was dropped", async () => {
		const [first, second] = [await newOrder(), await newOrder()];
		const bytes = newExtract();
		const asked = await dropAndAsk(second.id, bytes);
		expect(await checkDelivery(shop, asked)).toBeNull();
		await uploadExtract(shop, { orderId: first.id, bytes });
		expect(await checkDelivery(shop, asked)).toEqual({ ok: false, code: "of-another-order" });
	});

	test("the order has no extract to replace, or none that is a document yet", async () => {
		const { id } = await newOrder();
		const asked = await dropAndAsk(id, newExtract());
		expect(await checkReplacement(shop, asked)).toEqual({ ok: false, code: "no-upload" });
		await uploadExtract(shop, { orderId: id, bytes: newExtract() });
		expect(await checkReplacement(shop, await dropAndAsk(id, newExtract()))).toEqual({ ok: false, code: "not-issued" });
	});
});
