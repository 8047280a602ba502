import { createHash } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Database, Trx } from "../../../server/database/database.ts";
import { createTestDatabase } from "../../../test/database.ts";
import { generatePdf } from "../../../test/fixtures/pdf.ts";
import { insertOrder } from "../../../test/orders.ts";
import {
	anonymisePostings,
	deleteExtractRequests,
	deleteUploads,
	enqueueRequest,
	findRequest,
	findUploadByHash,
	lockHash,
	lockRequest,
	recordNotFound,
	recordPosting,
	recordUpload,
	replacePosting,
	replaceUpload,
} from "../extract-requests.store.server.ts";
import type { ExtractRequest, Issuer } from "./issuer.ts";
import { manualIssuer } from "./manual-issuer.server.ts";
import { specimenIssuer } from "./specimen-issuer.server.ts";

const now = () => new Date("2026-11-20T09:00:00Z");
const uploaded = generatePdf();
const files = new Map([["00/upload.pdf", uploaded]]);
let database: Awaited<ReturnType<typeof createTestDatabase>>;
let db: Database;
beforeAll(async () => {
	database = await createTestDatabase();
	db = database.db;
});
afterAll(async () => {
	await database?.close();
});

async function newOrder(): Promise<ExtractRequest> {
	const order = await insertOrder(db, { created_at: now(), status: "paid", paid_at: now(), product_code: "postal" });
	const company = { siren: order.siren, companyName: order.company_name };
	return { orderId: order.id, ...company, paidAt: now(), line: 1 };
}

const getHash = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

const read = async (path: string) => {
	const bytes = files.get(path);
	if (bytes === undefined) throw new Error("missing");
	return bytes;
};

async function upload({ orderId }: ExtractRequest, path = "00/upload.pdf"): Promise<void> {
	const file = { path, sha256: getHash(Buffer.from(orderId)), bytes: uploaded.length, issuedAt: now() };
	await db.transaction().execute(async (trx) => {
		await lockRequest(trx, orderId, now());
		await recordUpload(trx, orderId, file, now());
	});
}

/** Every implementation passes the same tests. Each row has what makes an extract ready and a letter posted. */
const implementations: {
	name: string;
	requested: "queued" | "requested";
	open: () => Issuer;
	serve: (order: ExtractRequest) => Promise<void>;
}[] = [
	{ name: "specimen", requested: "requested", open: () => specimenIssuer(now), serve: async () => {} },
	{
		name: "manual",
		requested: "queued",
		open: () => manualIssuer({ db, read, now }),
		async serve(order) {
			await upload(order);
			await db.transaction().execute((trx) => recordPosting(trx, order.orderId, "1A23456789012", now()));
		},
	},
];

describe.each(implementations)("an issuer: $name", ({ name, requested, open, serve }) => {
	let issuer: Issuer;
	let order: ExtractRequest;
	beforeAll(async () => {
		issuer = open();
		order = await newOrder();
	});

	test("has its name", () => expect(issuer.name).toBe(name));

	test("accepts a request, once or ten times at once", async () => {
		for (const answer of await Promise.all(Array.from({ length: 10 }, () => issuer.request(order))))
			expect(answer).toEqual({ state: requested });
	});

	test("returns the extract once it is served, as a PDF with its date, and the same one again", async () => {
		await serve(order);
		const results = [await issuer.result(order), await issuer.result(order)];
		for (const result of results) {
			expect(result).toMatchObject({ state: "ready", issuedAt: now() });
			expect(result.state === "ready" && Buffer.from(result.pdf).subarray(0, 5).toString()).toBe("%PDF-");
		}
	});

	test("returns one tracking number, which does not change", async () => {
		const posted = await issuer.post(order);
		expect(posted).toEqual({ state: "posted", trackingNumber: expect.stringMatching(/^[A-Z0-9]{11,15}$/) });
		expect(await issuer.post(order)).toEqual(posted);
	});
});

test("the specimens of one purchase are issued one after another", async () => {
	const [first, third] = [await newOrder(), { ...(await newOrder()), line: 3 }];
	const issuer = specimenIssuer(now);
	expect(await issuer.result(first)).toMatchObject({ state: "ready" });
	const waits = await issuer.result(third);
	expect(waits).toEqual({ state: "pending", readyAt: expect.any(Date) });
	const readyAt = waits.state === "pending" && waits.readyAt ? waits.readyAt : now();
	expect(readyAt > now()).toBe(true);
	expect(await specimenIssuer(() => readyAt).result(third)).toMatchObject({ state: "ready" });
});

describe("the manual issuer", () => {
	const issuer = () => manualIssuer({ db, read, now });

	test("leaves an order pending until the operator has served it", async () => {
		const order = await newOrder();
		expect(await issuer().result(order)).toEqual({ state: "pending" });
		await issuer().request(order);
		expect(await findRequest(db, order.orderId)).toMatchObject({ requested_at: now(), storage_path: null, not_found_at: null });
		expect(await issuer().result(order)).toEqual({ state: "pending" });
		expect(await issuer().post(order)).toEqual({ state: "pending" });
		await upload(order);
		expect(await issuer().post(order)).toEqual({ state: "pending" });
	});

	test("delivers the uploaded bytes, and a repeated request keeps them", async () => {
		const order = await newOrder();
		await issuer().request(order);
		await upload(order);
		await issuer().request(order);
		const result = await issuer().result(order);
		expect(result.state === "ready" && Buffer.from(result.pdf).equals(uploaded)).toBe(true);
	});

	test("reports not-found once the operator has recorded it", async () => {
		const order = await newOrder();
		await issuer().request(order);
		await db.transaction().execute((trx) => recordNotFound(trx, order.orderId, { because: "unknown", now: now() }));
		expect(await issuer().result(order)).toEqual({ state: "not-found" });
	});

	test("returns an uploaded extract even if not-found was recorded before", async () => {
		const order = await newOrder();
		await issuer().request(order);
		await db.transaction().execute((trx) => recordNotFound(trx, order.orderId, { because: "unknown", now: now() }));
		await upload(order);
		expect(await issuer().result(order)).toMatchObject({ state: "ready" });
	});

	test("throws for a missing file, instead of reporting a missing extract", async () => {
		const order = await newOrder();
		await upload(order, "00/gone.pdf");
		await expect(issuer().result(order)).rejects.toThrow();
	});
});

describe("a request in the fulfilment queue", () => {
	const later = new Date(now().getTime() + 60_000);
	const file = (sha256: string, path = "00/a.pdf") => ({ path, sha256, bytes: 1, issuedAt: now() });
	const act = (what: (trx: Trx) => Promise<unknown>) => db.transaction().execute(what);

	test("keeps its first values, whatever is recorded again", async () => {
		const { orderId } = await newOrder();
		const hash = getHash(Buffer.from(orderId));
		await enqueueRequest(db, orderId, now());
		await act((trx) => recordUpload(trx, orderId, file(hash), now()));
		await act((trx) => recordPosting(trx, orderId, "1A23456789012", now()));
		await act((trx) => recordNotFound(trx, orderId, { because: "unknown", now: now() }));
		const first = await findRequest(db, orderId);
		expect(first).toMatchObject({ requested_at: now(), uploaded_at: now(), posted_at: now(), not_found_at: now(), sha256: hash });
		await enqueueRequest(db, orderId, later);
		await act((trx) => lockRequest(trx, orderId, later));
		await act((trx) => recordUpload(trx, orderId, file("another", "00/b.pdf"), later));
		await act((trx) => recordPosting(trx, orderId, "2B23456789012", later));
		await act((trx) => recordNotFound(trx, orderId, { because: "unknown", now: later }));
		expect(await findRequest(db, orderId)).toEqual(first);
	});

	test("is updated alone", async () => {
		const [mine, other] = [(await newOrder()).orderId, (await newOrder()).orderId];
		const hash = getHash(Buffer.from(other));
		for (const id of [mine, other]) await enqueueRequest(db, id, now());
		const untouched = await findRequest(db, other);
		const everything = async () => {
			await act((trx) => recordUpload(trx, mine, file(getHash(Buffer.from(mine))), later));
			await act((trx) => recordPosting(trx, mine, "2B23456789012", later));
			await act((trx) => recordNotFound(trx, mine, { because: "unknown", now: later }));
		};
		await everything();
		expect(await findRequest(db, other)).toEqual(untouched);

		await act((trx) => recordUpload(trx, other, file(hash, "00/b.pdf"), now()));
		await act((trx) => recordPosting(trx, other, "1A23456789012", now()));
		const expected = await findRequest(db, other);
		const posting = () => findRequest(db, mine);
		await act((trx) => replacePosting(trx, mine, "3C23456789012"));
		expect(await posting()).toMatchObject({ tracking_number: "3C23456789012", posted_at: later });
		await act((trx) => replacePosting(trx, mine, "4D23456789012", now()));
		expect(await posting()).toMatchObject({ tracking_number: "4D23456789012", posted_at: now() });
		await act((trx) => replacePosting(trx, mine, "2B23456789012", later));
		const again = { ...file("again", "00/c.pdf"), bytes: 7, by: "Ada", confirmed: ["old"] };
		await act((trx) => replaceUpload(trx, mine, again, later));
		expect(await posting()).toMatchObject({
			...{ storage_path: "00/c.pdf", sha256: "again", bytes: 7, issued_at: now(), uploaded_at: later },
			...{ served_by: "Ada", confirmed: ["old"], printed_at: null },
		});
		await act((trx) => replaceUpload(trx, mine, file(getHash(Buffer.from(mine))), later));
		expect(await posting()).toMatchObject({ served_by: null, confirmed: null });
		expect(await findRequest(db, other)).toEqual(expected);
		expect((await findUploadByHash(db, hash))?.order_id).toBe(other);
		expect(await findUploadByHash(db, "no such hash")).toBeNull();
		await act((trx) => deleteUploads(trx, [mine]));
		await act((trx) => anonymisePostings(trx, [mine]));
		// the hash stays, so that the file is not uploaded for another order
		expect(await findRequest(db, mine)).toMatchObject({
			storage_path: null,
			sha256: getHash(Buffer.from(mine)),
			tracking_number: null,
			posted_at: later,
		});
		await act((trx) => deleteExtractRequests(trx, [mine]));
		expect(await findRequest(db, mine)).toBeNull();
		expect(await findRequest(db, other)).toEqual(expected);
	});

	test("has its own file: the table refuses it for another order", async () => {
		const [mine, other] = [(await newOrder()).orderId, (await newOrder()).orderId];
		for (const id of [mine, other]) await enqueueRequest(db, id, now());
		await act((trx) => recordUpload(trx, mine, file("one hash"), now()));
		await expect(act((trx) => recordUpload(trx, other, file("one hash"), now()))).rejects.toThrow("extract_requests_sha256_key");
	});

	test("is locked until the transaction ends, and so is a hash", async () => {
		const { orderId } = await newOrder();
		await enqueueRequest(db, orderId, now());
		const isFree = async () =>
			(await db.selectFrom("extract_requests").select("order_id").where("order_id", "=", orderId).forUpdate().skipLocked().execute())
				.length === 1;
		const isHashFree = async (sha256: string) =>
			(await sql<{ free: boolean }>`select pg_try_advisory_xact_lock(hashtextextended(${sha256}, 0)) as free`.execute(db)).rows[0]?.free;
		await act(async (trx) => {
			await lockRequest(trx, orderId, later);
			await lockHash(trx, "aa");
			expect([await isFree(), await isHashFree("aa"), await isHashFree("bb")]).toEqual([false, false, true]);
		});
		expect([await isFree(), await isHashFree("aa")]).toEqual([true, true]);
	});
});
