import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { listenForChanges } from "../../../server/database/changes.ts";
import { anyJson } from "../../../test/any-json.ts";
import { extractLines, generatePdf, generateScan, illegibleLine } from "../../../test/fixtures/pdf.ts";
import { fourColours, generateJpeg } from "../../../test/fixtures/photo.ts";
import { createOrderFixture, type OrderFixture, type OrderValues } from "../../../test/orders.ts";
import { scaledTimeout } from "../../../test/time-limits.ts";
import { claimOrder, findHolder, takeOverOrder } from "../claims/claim-order.server.ts";
import { findRequest } from "../extract-requests.store.server.ts";
import type { ExtractFacts } from "../extracts/judge-extract.ts";
import { failOrder } from "../fail-order.server.ts";
import { fulfilOrder } from "../fulfil-order.server.ts";
import { manualIssuer } from "../issuers/manual-issuer.server.ts";
import { reportExtractNotFound } from "../report-extract-not-found.server.ts";
import { uploadExtract } from "../upload-extract.server.ts";
import { checkDelivery, checkReplacement, deliverDraft, moveDraft, replaceByDraft } from "./deliver-draft.server.ts";
import { deleteDraft, deleteOldDrafts, findDraft, findDraftFile, listDrafts, listDraftsOfOperator } from "./drafts.store.server.ts";
import { drawDraft } from "./draw-draft.server.ts";
import { insertDraft, listRightOrders } from "./insert-draft.server.ts";
import { maxDroppedFiles, sortFiles } from "./sort-files.server.ts";

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
		const waitForTold = (times: number) => vi.waitFor(() => expect(told).toBe(times), { timeout: scaledTimeout(10_000), interval: 10 });
		try {
			const dropped = await drop(id, newExtract());
			await waitForTold(2);
			await deleteDraft(shop.db, { id: dropped.ok ? dropped.draft.id : "", operator: camille });
			await waitForTold(3);
		} finally {
			await changes.stop();
		}
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
		expect(outcome.ok && outcome.draft.facts).toMatchObject({ problem: null, siren: "732829320" });
		expect(outcome.ok && outcome.rightOrders.map((order) => order.id)).toEqual([early.id, late.id]);
	});

	test("that is another company's offers ten orders at most, and none that is ended, has its extract or was reported not found", async () => {
		const siren = "732829320";
		const { id } = await newOrder();
		await shop.insertDocument({ id });
		const [issued, uploaded, reported] = [await newOrder({ siren }), await newOrder({ siren }), await newOrder({ siren })];
		await newOrder({ siren, status: "completed" });
		await shop.insertDocument(issued);
		await uploadExtract(shop, { orderId: uploaded.id, bytes: newExtract({ siren: "732 829 320" }) });
		await reportExtractNotFound(shop, { orderId: reported.id, because: "unknown" });
		const { created_at } = await newOrder({ status: "failed" });
		const first = await newOrder({ siren, status: "paid", created_at: new Date(created_at.getTime() - 1) });
		const orders = await Promise.all(Array.from({ length: 11 }, () => newOrder({ siren, created_at })));
		const outcome = await drop((await newOrder()).id, newExtract({ siren: "732 829 320" }));
		const sorted = orders.map((order) => order.id).toSorted();
		expect(outcome.ok && outcome.rightOrders.map((order) => order.id)).toEqual([first.id, ...sorted.slice(0, 9)]);
	});

	test("that is another company's, or names several, offers the open orders of the others, and no other file offers any", async () => {
		const [own, other, third] = [await newOrder({ siren: "732829320" }), await newOrder({ siren: "404833048" }), await newOrder()];
		const named = { readable: true, issueDate: null, pages: 1, sirens: [other.siren, third.siren] };
		const list = async (facts: Pick<ExtractFacts, "problem" | "siren">) =>
			new Set((await listRightOrders(shop.db, own, { ...named, ...facts })).map(({ id }) => id));
		expect(await list({ problem: null, siren: null })).toEqual(new Set([other.id, third.id]));
		expect(await list({ problem: null, siren: third.siren })).toEqual(new Set([third.id]));
		expect(await list({ problem: null, siren: own.siren })).toEqual(new Set());
		expect(await list({ problem: "script", siren: third.siren })).toEqual(new Set());
	});

	test("of a completed order is kept for its correction; its name is cut after two hundred characters", async () => {
		const order = await newOrder({ status: "completed" });
		const bytes = newExtract();
		expect(await insertDraft(shop, { orderId: order.id, bytes, operator: camille, fileName: "x".repeat(201) })).toMatchObject({
			...{ ok: true, draft: { file_name: "x".repeat(200), bytes: bytes.length } },
		});
		const disputed = await newOrder({ status: "completed", disputed_at: shop.now() });
		expect(await drop(disputed.id, newExtract())).toMatchObject({ ok: false, code: "disputed" });
	});

	// R206
	test("that is a photo or a scan is kept for a letter alone", async () => {
		const [order, letter] = [await newOrder(), await newOrder({ product_code: "postal" })];
		const photo = generateJpeg({ squares: fourColours });
		expect(await drop(order.id, photo)).toEqual({ ok: false, code: "photo" });
		expect(await drop(letter.id, photo)).toMatchObject({ ok: true, draft: { facts: { isPhoto: true, pages: 1 } } });
		expect(await drop(letter.id, photo.subarray(0, 40))).toMatchObject({ ok: false });
		expect(await drop(order.id, generateScan())).toEqual({ ok: false, code: "scan" });
		expect(await drop(letter.id, generateScan())).toMatchObject({ ok: true, draft: { facts: { isScan: true } } });
		expect(await listDrafts(shop.db, order.id)).toEqual([]);
	});

	test("that is the demo's specimen is kept in the demo alone as one without a problem", async () => {
		const { id } = await newOrder();
		const specimen = () => generatePdf({ lines: [...extractLines(), "SPECIMEN \u0097 SANS VALEUR", `Exemplaire ${++copies}`] });
		expect(await drop(id, specimen())).toMatchObject({ draft: { facts: { problem: null } } });
		const production = { ...shop, environment: { ...shop.environment, production: true } };
		const insert = (bytes: Uint8Array) => insertDraft(production, { orderId: id, bytes, operator: camille, fileName: "x.pdf" });
		expect(await insert(specimen())).toMatchObject({ ok: true, draft: { facts: { problem: "specimen" } } });
	});

	test("of several operators is listed after the newer ones, and those of one instant always in the same order", async () => {
		const { id } = await newOrder();
		for (const operator of ["a", "b", "c", "d", "e"]) await drop(id, newExtract(), operator);
		shop.clock.now = shop.after(1);
		await drop(id, newExtract(), "f");
		shop.clock.now = shop.start;
		const [newest, ...others] = await listDrafts(shop.db, id);
		expect(newest?.operator).toBe("f");
		expect(others.map((draft) => draft.id)).toEqual(others.map((draft) => draft.id).toSorted());
	});

	test("is listed among its operator's own with its order, the earliest promise first", async () => {
		const operator = randomUUID();
		const [late, early] = [
			await newOrder({ promised_at: new Date("2026-11-21T15:00:00Z"), reference: "2026-114" }),
			await newOrder({ promised_at: new Date("2026-11-21T14:00:00Z") }),
		];
		for (const { id } of [late, early]) await drop(id, newExtract(), operator);
		await drop(early.id, newExtract());
		const listed = await listDraftsOfOperator(shop.db, operator);
		const { id, order_number, company_name, siren, status, promised_at, product_code, reference } = late;
		expect(listed).toMatchObject([{ order: { id: early.id } }, { order_id: id, file_name: "extrait.pdf" }]);
		expect(listed[1]?.order).toEqual({ id, order_number, company_name, siren, status, promised_at, product_code, reference });
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

	test("is drawn of a file of another company, and of none that may have active content", async () => {
		const { id } = await newOrder();
		const outcome = await drop(id, newExtract({ siren: "732 829 320" }));
		const draftId = outcome.ok ? outcome.draft.id : "";
		expect(await drawDraft(shop, { draftId, page: 1 })).not.toBeNull();
		const facts = outcome.ok ? outcome.draft.facts : null;
		for (const change of [{ problem: "script" }, { pages: 0 }]) {
			await shop.db
				.updateTable("extract_drafts")
				.set({ facts: anyJson({ ...facts, ...change }) })
				.where("id", "=", draftId)
				.execute();
			expect(await drawDraft(shop, { draftId, page: 1 })).toBeNull();
		}
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

	test("are twenty at most", async () => {
		const files = Array.from({ length: maxDroppedFiles + 1 }, (_, index) => new Uint8Array(index));
		expect(await sort(...files)).toHaveLength(maxDroppedFiles);
	});

	test("go to an order that no other operator has; when others have them all, the first is named", async () => {
		const [first, second] = [await newOrder(), await newOrder({ promised_at: new Date("2026-11-21T15:00:00Z") })];
		const bytes = newExtract();
		await claimOrder(shop, { id: "ada", name: "Ada" }, first.id);
		expect(await sort(bytes)).toMatchObject([{ ok: true, order: { id: second.id }, others: [{ id: first.id }] }]);
		expect(await findHolder(shop.db, second.id, shop.now())).toMatchObject({ operatorId: camille, operatorName: "Camille" });
		await deleteDraft(shop.db, { id: (await listDrafts(shop.db, second.id))[0]?.id ?? "", operator: camille });
		await takeOverOrder(shop, { id: "grace", name: "Grace" }, second.id);
		expect(await sort(bytes)).toEqual([
			{
				...{ ok: false, code: "held-by-other", fileName: "0.pdf" },
				held: { ok: false, code: "held-by-other", holder: "Ada", until: shop.after(20 * 60_000) },
				orders: [expect.objectContaining({ id: first.id }), expect.objectContaining({ id: second.id })],
			},
		]);
		expect(await listDrafts(shop.db, second.id)).toEqual([]);
	});

	test("that have a problem do not keep their order from taking a good one; a colleague's good file does", async () => {
		const { id } = await newOrder();
		await drop(id, newExtract({ siren: "732 829 320" }));
		expect(await sort(newExtract())).toMatchObject([{ ok: true, order: { id } }]);
		await drop(id, newExtract({ siren: "732 829 320" }));
		await drop(id, newExtract(), "dominique");
		expect(await sort(newExtract())).toMatchObject([{ ok: false, code: "no-order" }]);
	});

	// R206
	test("that are scans go to a letter of their company, if there is one", async () => {
		const order = await newOrder();
		const scan = () => generateScan(extractLines({ dated: "à jour au 21/11/2026 à 10:32" }));
		expect(await sort(scan())).toMatchObject([{ ok: false, code: "scan", orders: [{ id: order.id }] }]);
		const letter = await newOrder({ product_code: "postal", promised_at: new Date("2026-11-21T15:00:00Z") });
		expect(await sort(newExtract(), scan())).toMatchObject([{ order: { id: order.id } }, { order: { id: letter.id }, others: [] }]);
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

const operator = { id: camille, name: "Camille" };
const dropAndAsk = async (orderId: string, bytes: Uint8Array) => {
	const dropped = await drop(orderId, bytes);
	return { orderId, draftId: dropped.ok ? dropped.draft.id : "", operator, confirmed: {}, requestedAt: shop.now() };
};

describe("a draft that is delivered", () => {
	test("becomes the order's extract with its operator, once; a colleague's draft of it is gone", async () => {
		const { id } = await newOrder();
		const [mine, theirs] = [await dropAndAsk(id, newExtract()), await drop(id, newExtract(), "dominique")];
		const asked = { ...mine, operator: { id: "dominique", name: "Dominique" } };
		expect(await deliverDraft(shop, asked)).toEqual({ ok: false, code: "no-draft" });
		expect(await deliverDraft(shop, { ...mine, orderId: (await newOrder()).id })).toEqual({ ok: false, code: "no-draft" });
		for (let run = 0; run < 2; run++) {
			// again as after a crash: asked for before it was delivered
			expect(await checkDelivery(shop, mine)).toBeNull();
			expect(await deliverDraft(shop, mine)).toEqual({ ok: true, warnings: [] });
		}
		const later = new Date(shop.now().getTime() + 1);
		expect(await checkDelivery(shop, { ...mine, requestedAt: later })).toEqual({ ok: false, code: "other-extract" });
		expect(await checkDelivery(shop, asked)).toMatchObject({ ok: false });
		expect(await findRequest(shop.db, id)).toMatchObject({ served_by: "Camille", uploaded_at: shop.now() });
		expect(await deliverDraft(shop, { ...asked, draftId: theirs.ok ? theirs.draft.id : "" })).toEqual({ ok: false, code: "no-draft" });
		await shop.db.updateTable("extract_requests").set({ storage_path: null }).where("order_id", "=", id).execute();
		expect(await deliverDraft(shop, mine)).toEqual({ ok: false, code: "no-draft" });
	});

	test("takes what its operator confirmed, and the instant when they asked", async () => {
		const { id } = await newOrder();
		const asked = await dropAndAsk(id, generatePdf({ lines: [illegibleLine, `Exemplaire ${++copies}`] }));
		expect(await checkDelivery(shop, asked)).toMatchObject({ ok: false, code: "unreadable" });
		expect(await deliverDraft(shop, asked)).toMatchObject({ ok: false, code: "unreadable" });
		const confirmed = { unreadable: true, issuedAt: new Date("2026-11-10T11:30:00Z") };
		expect(await checkDelivery(shop, { ...asked, confirmed })).toMatchObject({ ok: false, code: "old" });
		expect(await deliverDraft(shop, { ...asked, confirmed })).toMatchObject({ ok: false, code: "old" });
		const inTime = { ...asked, confirmed, requestedAt: new Date("2026-11-10T12:00:00Z") };
		expect(await checkDelivery(shop, inTime)).toBeNull();
		expect(await deliverDraft(shop, inTime)).toMatchObject({ ok: true });
	});

	test("replaces the extract of a delivered order, with the operator and their reason", async () => {
		const { id } = await newOrder();
		await uploadExtract(shop, { orderId: id, bytes: newExtract() });
		await fulfilOrder({ ...shop, issuer: manualIssuer({ db: shop.db, read: shop.storage.get, now: shop.now }) }, id);
		await shop.db.updateTable("orders").set({ status: "completed", completed_at: shop.now() }).where("id", "=", id).execute();
		const asked = await dropAndAsk(id, newExtract());
		expect(await checkReplacement(shop, asked)).toBeNull();
		expect(await replaceByDraft(shop, { ...asked, because: "page manquante" })).toMatchObject({ ok: true, replacement: "replaced" });
		expect((await shop.getEvents({ id })).at(-1)).toMatchObject({ event_type: "extract_replaced", payload: { by: "Camille" } });
		expect(await findRequest(shop.db, id)).toMatchObject({ served_by: "Camille" });
		expect((await shop.getDocuments({ id })).map(({ replaced_because }) => replaced_because ?? "").toSorted()).toEqual([
			"",
			"page manquante",
		]);
		expect(await replaceByDraft(shop, { ...asked, because: "encore" })).toEqual({ ok: false, code: "no-draft" });
		expect(await checkReplacement(shop, asked)).toEqual({ ok: false, code: "no-draft" });
		const old = await dropAndAsk(id, newExtract({ dated: "à jour au 3 novembre 2026" }));
		expect(await checkReplacement(shop, old)).toMatchObject({ ok: false, code: "old" });
	});
});

describe("a draft that is moved", () => {
	const move = (draftId: string, toOrderId: string, who = camille) => moveDraft(shop, { draftId, operator: who, toOrderId });

	test("is checked for the other order, with its name, and is gone from the first", async () => {
		const [wrong, right] = [await newOrder(), await newOrder({ siren: "732829320" })];
		const { draftId } = await dropAndAsk(wrong.id, newExtract({ siren: "732 829 320" }));
		expect(await move(draftId, right.id, "dominique")).toEqual({ ok: false, code: "no-draft" });
		expect(await move(randomUUID(), right.id)).toEqual({ ok: false, code: "no-draft" });
		expect(await move(draftId, randomUUID())).toEqual({ ok: false, code: "unknown-order" });
		expect(await listDrafts(shop.db, wrong.id)).toHaveLength(1);
		expect(await move(draftId, right.id)).toMatchObject({ ok: true, draft: { file_name: "extrait.pdf", operator: camille } });
		expect(await listDrafts(shop.db, wrong.id)).toEqual([]);
		expect(await listDrafts(shop.db, right.id)).toMatchObject([{ facts: { problem: null } }]);
	});
});

describe("what is known to refuse a draft is said before it is asked for", () => {
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

	test("the order is unknown, ended, reported not found or has another extract, or the draft is gone", async () => {
		const { id } = await newOrder();
		const asked = await dropAndAsk(id, newExtract());
		const check = () => checkDelivery(shop, asked);
		for (const act of [checkDelivery, checkReplacement])
			expect(await act(shop, { ...asked, orderId: randomUUID() })).toEqual({ ok: false, code: "unknown-order" });
		const gone = { ...asked, draftId: randomUUID() };
		expect(await checkDelivery(shop, gone)).toEqual({ ok: false, code: "no-draft" });
		expect(await checkReplacement(shop, gone)).toEqual({ ok: false, code: "no-upload" });
		const facts = { sha256: "another", storage_path: "00/a.pdf" };
		await shop.db
			.insertInto("extract_requests")
			.values({ order_id: id, requested_at: shop.now(), ...facts })
			.execute();
		expect(await check()).toEqual({ ok: false, code: "other-extract" });
		await shop.db.updateTable("extract_requests").set({ not_found_at: shop.now() }).where("order_id", "=", id).execute();
		expect(await check()).toEqual({ ok: false, code: "reported-not-found" });
		await shop.db.updateTable("orders").set({ status: "failed" }).where("id", "=", id).execute();
		expect(await check()).toEqual({ ok: false, code: "failed" });
		// also when its draft is gone
		await deleteDraft(shop.db, { id: asked.draftId, operator: camille });
		expect(await checkReplacement(shop, asked)).toEqual({ ok: false, code: "failed" });
	});

	test("a scan is delivered with a letter alone", async () => {
		const letter = await newOrder({ product_code: "postal" });
		const asked = await dropAndAsk(letter.id, generateScan(extractLines({ dated: "à jour au 21/11/2026 à 10:32" })));
		expect(await checkDelivery(shop, asked)).toBeNull();
		await shop.db.updateTable("orders").set({ product_code: "express" }).where("id", "=", letter.id).execute();
		expect(await checkDelivery(shop, asked)).toMatchObject({ ok: false, code: "scan" });
	});
});
