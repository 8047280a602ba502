import { createHash, randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Trx } from "../../server/database/database.ts";
import { extractLines, generatePdf, generateScan } from "../../test/fixtures/pdf.ts";
import { createOrderFixture, type OrderFixture, waitForLock } from "../../test/orders.ts";
import type { ServiceCode } from "../catalogue/services.ts";
import type { Siren } from "../companies/siren.ts";
import { insertDocument } from "../orders/documents/insert-document.server.ts";
import type { OrderStatus } from "../orders/lifecycle.ts";
import { updateOrder } from "../orders/orders.store.server.ts";
import { findRequest, lockHash, lockRequest, recordUpload } from "./extract-requests.store.server.ts";
import { manualIssuer } from "./issuers/manual-issuer.server.ts";
import { postExtract } from "./post-extract.server.ts";
import { checkRequest, recordRequest } from "./record-request.server.ts";
import { checkReportNotFound, reportExtractNotFound } from "./report-extract-not-found.server.ts";
import { uploadExtract } from "./upload-extract.server.ts";

const now = () => new Date("2026-11-21T11:00:00Z");
let shop: OrderFixture;
beforeAll(async () => {
	shop = await createOrderFixture({ startsAt: now().toISOString() });
});
afterAll(() => shop?.close());

const newOrder = async (status: OrderStatus = "processing", product_code: ServiceCode = "express") =>
	(await shop.insertOrder({ status, product_code })).id;

let copies = 0;
/** Generates a different extract each time. */
const newExtract = (dated?: string) => generatePdf({ lines: [...extractLines({ dated }), `Exemplaire ${++copies}`] });
const upload = (orderId: string, bytes: Uint8Array, confirmed?: { old?: boolean }) => uploadExtract(shop, { orderId, bytes, confirmed });
const post = (orderId: string, trackingNumber: string) => postExtract(shop, { orderId, trackingNumber });
const row = (orderId: string) => findRequest(shop.db, orderId);
/** The number of its jobs of every kind. */
async function jobsFor(orderId: string): Promise<number> {
	const { rows } = await sql<{ n: string }>`select count(*) as n from jobs.job where data->>'orderId' = ${orderId}`.execute(shop.db);
	return Number(rows[0]?.n);
}

describe("an uploaded extract", () => {
	test("is stored byte for byte with its hash and date, and the order's job is sent", async () => {
		const orderId = await newOrder();
		const bytes = newExtract("à jour au 21/11/2026 à 10:32");
		expect(await upload(orderId, bytes)).toEqual({ ok: true, warnings: [] });
		const stored = await row(orderId);
		expect(stored).toMatchObject({
			...{ sha256: createHash("sha256").update(bytes).digest("hex"), bytes: bytes.length, uploaded_at: now() },
			issued_at: new Date("2026-11-21T09:32:00Z"),
		});
		expect(await jobsFor(orderId)).toBe(1);
		const issuer = manualIssuer({ db: shop.db, read: shop.storage.get, now });
		const result = await issuer.result({ orderId, siren: "552032534" as Siren, companyName: "", paidAt: now(), line: 1 });
		expect(result.state === "ready" && Buffer.from(result.pdf).equals(bytes)).toBe(true);
	});

	test("is accepted for a paid order that is not in the queue yet", async () => {
		const orderId = await newOrder("paid");
		expect(await upload(orderId, newExtract())).toMatchObject({ ok: true });
		expect((await row(orderId))?.uploaded_at).toEqual(now());
	});

	test.each([
		["pending", "not-paid"],
		["completed", "completed"],
		["failed", "failed"],
	] as const)("of an order that is %s is refused with %s, and nothing is stored", async (status, code) => {
		const orderId = await newOrder(status);
		const files = shop.countFiles();
		expect(await upload(orderId, newExtract())).toMatchObject({ ok: false, code });
		expect([await row(orderId), await jobsFor(orderId), shop.countFiles()]).toEqual([null, 0, files]);
	});

	test("of an unknown order is refused", async () => {
		expect(await upload(randomUUID(), newExtract())).toMatchObject({ ok: false, code: "unknown-order" });
	});

	test("of the company that the order had when the checks began is refused, and not stored", async () => {
		const order = await shop.insertOrder({ status: "processing" });
		const files = shop.countFiles();
		const changeCompany = (trx: Trx) => updateOrder(trx, order.id, { siren: "542051180" as Siren });
		expect(await shop.whileLocked(order, { after: changeCompany }, () => upload(order.id, newExtract()))).toEqual({
			ok: false,
			code: "other-company",
			confirm: null,
		});
		expect([await row(order.id), await jobsFor(order.id), shop.countFiles()]).toEqual([null, 0, files]);
	});

	test("that fails the checks is refused with the reason, and accepted once the operator confirms it", async () => {
		const orderId = await newOrder();
		const bytes = newExtract("à jour au 3 novembre 2026");
		expect(await upload(orderId, bytes)).toMatchObject({ ok: false, code: "old", confirm: "old" });
		expect([await row(orderId), await jobsFor(orderId)]).toEqual([null, 0]);
		expect(await upload(orderId, bytes, { old: true })).toMatchObject({ ok: true, warnings: [expect.any(String), expect.any(String)] });
	});

	test("is as old as it was when its delivery was asked for", async () => {
		const orderId = await newOrder();
		const bytes = newExtract("à jour au 20/11/2026 à 11:59");
		expect(await uploadExtract(shop, { orderId, bytes })).toMatchObject({ ok: false, code: "old" });
		const requestedAt = new Date(now().getTime() - 120_000);
		expect(await uploadExtract(shop, { orderId, bytes, requestedAt })).toMatchObject({ ok: true });
	});

	test("that is a scan is accepted for a letter alone", async () => {
		const scan = (orderId: string) => upload(orderId, generateScan(extractLines({ dated: "à jour au 21/11/2026 à 10:32" })));
		expect(await scan(await newOrder())).toMatchObject({ ok: false, code: "scan" });
		expect(await scan(await newOrder("processing", "postal"))).toMatchObject({ ok: true });
	});

	test("that is uploaded again changes nothing; another one is refused", async () => {
		const orderId = await newOrder();
		const bytes = newExtract();
		await upload(orderId, bytes);
		const stored = await row(orderId);
		expect(await upload(orderId, bytes)).toMatchObject({ ok: true });
		expect(await upload(orderId, newExtract())).toMatchObject({ ok: false, code: "other-extract" });
		expect(await row(orderId)).toEqual(stored);
		expect(await jobsFor(orderId)).toBe(1);
	});

	test("of another order is refused", async () => {
		const bytes = newExtract();
		await upload(await newOrder(), bytes);
		const second = await newOrder();
		expect(await upload(second, bytes)).toMatchObject({ ok: false, code: "of-another-order" });
		expect((await row(second))?.sha256 ?? null).toBeNull();
	});

	test("delivered for another order is refused too, also when its file is purged", async () => {
		const bytes = newExtract();
		const stored = await shop.storage.put(bytes);
		const delivered = await newOrder("completed");
		await shop.inTransaction((trx) => insertDocument(trx, { orderId: delivered, type: "kbis", issuedAt: now(), stored, now: now() }));
		expect(await upload(await newOrder(), bytes)).toMatchObject({ ok: false, code: "of-another-order" });
		expect(Buffer.from(await shop.storage.get(stored.path)).equals(bytes)).toBe(true);
		await shop.db.updateTable("documents").set({ purged_at: now() }).where("order_id", "=", delivered).execute();
		expect(await upload(await newOrder(), bytes)).toMatchObject({ ok: false, code: "of-another-order" });
	});

	test("that another order receives at the same time is refused", async () => {
		const bytes = newExtract();
		const [first, second] = [await newOrder(), await newOrder()];
		const stored = await shop.storage.put(bytes);
		let outcome: ReturnType<typeof upload> | undefined;
		await shop.inTransaction(async (trx) => {
			await lockHash(trx, stored.sha256);
			await lockRequest(trx, first, now());
			await recordUpload(trx, first, { ...stored, issuedAt: now() }, now());
			outcome = upload(second, bytes);
			await waitForLock(shop.db, outcome);
		});
		expect(await outcome).toMatchObject({ ok: false, code: "of-another-order" });
	});

	test("of an order that ends during the checks is refused", async () => {
		const orderId = await newOrder();
		const slow: typeof shop.storage = {
			...shop.storage,
			async put(bytes) {
				await shop.db.updateTable("orders").set({ status: "failed" }).where("id", "=", orderId).execute();
				return shop.storage.put(bytes);
			},
		};
		expect(await uploadExtract({ ...shop, storage: slow }, { orderId, bytes: newExtract() })).toMatchObject({
			...{ ok: false, code: "failed" },
		});
		expect([await row(orderId), await jobsFor(orderId)]).toEqual([null, 0]);
	});

	test("of another company, or a specimen, is refused; the demo accepts its own specimens", async () => {
		const orderId = await newOrder();
		const other = generatePdf({ lines: extractLines({ siren: "356 000 000" }) });
		expect(await upload(orderId, other)).toMatchObject({ ok: false, code: "other-company" });
		const specimen = generatePdf({ lines: [...extractLines(), "SPECIMEN \u0097 SANS VALEUR"] });
		const environment = { ...shop.environment, production: true };
		const inProduction = await uploadExtract({ ...shop, environment }, { orderId, bytes: specimen });
		expect(inProduction).toMatchObject({ ok: false, code: "specimen", confirm: null });
		expect(await row(orderId)).toBeNull();
		expect(await upload(orderId, specimen)).toMatchObject({ ok: true });
	});

	test("uploaded for three orders at once is accepted for one", async () => {
		const bytes = newExtract();
		const orders = await Promise.all([newOrder(), newOrder(), newOrder()]);
		const outcomes = await Promise.all(orders.map((orderId) => upload(orderId, bytes)));
		expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
	});

	test("is stored once when two files are uploaded for one order at once", async () => {
		const orderId = await newOrder();
		const outcomes = await Promise.all([upload(orderId, newExtract()), upload(orderId, newExtract())]);
		expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
	});
});

describe("a posted letter", () => {
	const uploaded = async () => {
		const orderId = await newOrder("processing", "postal");
		await upload(orderId, newExtract());
		return orderId;
	};

	test("has its number recorded without blanks, once; the same number again is accepted", async () => {
		const orderId = await uploaded();
		expect(await post(orderId, " 1a 234 567 8901 2 ")).toEqual({ ok: true });
		expect(await row(orderId)).toMatchObject({ tracking_number: "1A23456789012", posted_at: now() });
		expect(await post(orderId, "1A 234 567 8901 2")).toEqual({ ok: true });
		expect(await post(orderId, "1A 234 567 8901 3")).toMatchObject({ ok: false, code: "other-tracking-number" });
		expect((await row(orderId))?.tracking_number).toBe("1A23456789012");
		expect(await jobsFor(orderId)).toBe(2); // the upload's and its own
	});

	test("has a number of 11 to 15 letters and digits", async () => {
		const orderId = await uploaded();
		for (const wrong of [
			"",
			"1234567890",
			"1A2345678901234567",
			"1234567890123456",
			"ABCD1234567",
			"LETTRE SUIVIE",
			"1A234567890é",
			"ABCDEFGHIJK12",
		])
			expect(await post(orderId, wrong), wrong).toMatchObject({ ok: false, code: "invalid-tracking-number" });
		for (const right of [
			"6A123456789",
			"RK123456785FR",
			"871234567890123",
			"https://www.laposte.fr/outils/suivre-vos-envois?code=1A23456789099",
		]) {
			const other = await uploaded();
			expect(await post(other, right), right).toEqual({ ok: true });
		}
		expect(await post(orderId, "RK123456789FR")).toEqual({ ok: false, code: "wrong-tracking-key" });
		expect(await post(orderId, "552 032 534 00703")).toEqual({ ok: false, code: "no-tracking-number" });
	});

	test("of a form that is not known has its number confirmed", async () => {
		const orderId = await uploaded();
		const asked = { orderId, trackingNumber: "ABC 12345678" };
		expect(await postExtract(shop, asked)).toEqual({ ok: false, code: "unknown-tracking-number" });
		expect((await row(orderId))?.tracking_number).toBeNull();
		expect(await postExtract(shop, { ...asked, confirmed: true })).toEqual({ ok: true });
		expect((await row(orderId))?.tracking_number).toBe("ABC12345678");
		const refused = { ...asked, trackingNumber: "RK123456789FR", confirmed: true };
		expect(await postExtract(shop, refused)).toEqual({ ok: false, code: "wrong-tracking-key" });
	});

	test("is refused without an extract, and for an order that is by e-mail, unpaid or unknown", async () => {
		const number = "1A23456789012";
		const getCode = async (orderId: string) => {
			const outcome = await post(orderId, number);
			return outcome.ok ? null : outcome.code;
		};
		expect(await getCode(await newOrder("processing", "postal"))).toBe("no-extract");
		expect(await getCode(await newOrder("processing", "express"))).toBe("not-postal");
		const unpaid = await newOrder("pending", "postal");
		expect(await getCode(unpaid)).toBe("not-paid");
		expect(await row(unpaid)).toBeNull();
		expect(await getCode(randomUUID())).toBe("unknown-order");
	});
});

describe("an extract that the registry does not have", () => {
	test("is recorded once, and the order's job is sent", async () => {
		const orderId = await newOrder("paid");
		expect(await reportExtractNotFound(shop, { orderId, because: "unknown" })).toEqual({ ok: true });
		expect(await reportExtractNotFound(shop, { orderId, because: "unknown" })).toEqual({ ok: true });
		expect((await row(orderId))?.not_found_at).toEqual(now());
		expect(await jobsFor(orderId)).toBe(1);
		expect(await upload(orderId, newExtract())).toMatchObject({ ok: false, code: "reported-not-found" });
	});

	test("is refused after an upload, and for a final order", async () => {
		const orderId = await newOrder();
		await upload(orderId, newExtract());
		expect(await reportExtractNotFound(shop, { orderId, because: "unknown" })).toEqual({ ok: false, code: "has-extract" });
		expect((await row(orderId))?.not_found_at).toBeNull();
		expect(await check(orderId)).toBe("has-extract");
		const report = (id: string) => reportExtractNotFound(shop, { orderId: id, because: "unknown" });
		const ended = await newOrder("completed");
		expect(await report(ended)).toEqual({ ok: false, code: "completed" });
		expect(await row(ended)).toBeNull();
		expect(await report(randomUUID())).toEqual({ ok: false, code: "unknown-order" });
		expect([await check(ended), await check(await newOrder())]).toEqual(["completed", null]);
	});
	const check = async (orderId: string) => checkReportNotFound(shop.db, await shop.getOrder(orderId));
});

// R204
describe("the request to the registry", () => {
	const record = (orderId: string) => recordRequest(shop, { orderId, by: "Ada" });

	test("is recorded once, with its operator and its instant", async () => {
		const orderId = await newOrder();
		expect(await record(orderId)).toEqual({ ok: true });
		const order = await shop.getOrder(orderId);
		expect(order.extract_requested_at).toEqual(now());
		expect(await shop.getEvents(order)).toEqual([{ event_type: "extract_requested", payload: { by: "Ada" }, created_at: now() }]);
		expect(await record(orderId)).toEqual({ ok: false, code: "already-requested" });
		expect(await shop.getEvents(order)).toHaveLength(1);
	});

	test.each<[string, () => Promise<string>]>([
		["unknown-order", async () => randomUUID()],
		["not-paid", () => newOrder("pending")],
		["completed", () => newOrder("completed")],
		["failed", () => newOrder("failed")],
		[
			"has-extract",
			async () => {
				const orderId = await newOrder();
				await upload(orderId, newExtract());
				return orderId;
			},
		],
		[
			"reported-not-found",
			async () => {
				const orderId = await newOrder();
				await reportExtractNotFound(shop, { orderId, because: "unknown" });
				return orderId;
			},
		],
	])("is refused with %s", async (code, make) => {
		const orderId = await make();
		expect(await record(orderId)).toEqual({ ok: false, code });
		if (code !== "unknown-order") {
			const order = await shop.getOrder(orderId);
			expect([order.extract_requested_at, await checkRequest(shop.db, order)]).toEqual([null, code]);
		}
	});
});
