import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { createTestDatabase } from "../../../test/database.ts";
import { deleteRows } from "../../../test/delete-rows.ts";
import { invoice as example } from "../../../test/fixtures/invoice.ts";
import { insertOrder } from "../../../test/orders.ts";
import { diskStorage } from "../documents/disk-storage.server.ts";
import { formatInvoiceNumber, type InvoiceNumber, parseInvoiceNumber } from "./invoice-number.ts";
import { deleteGap, type IssuedInvoice, listUnexplainedPlaces } from "./invoices.store.server.ts";
import { issueInvoice } from "./issue-invoice.server.ts";
import { deleteNumber, listNumbersAfter, NumberIssuedElsewhere, recordIssuedNumber } from "./issued-numbers.server.ts";
import { moveInvoices } from "./move-invoices.server.ts";

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let folder: string;
let storage: ReturnType<typeof diskStorage>;
beforeAll(async () => {
	database = await createTestDatabase();
});
afterAll(() => database?.close());
beforeEach(async () => {
	await deleteRows(database.db, "invoices", "invoice_series", "invoice_gaps", "orders");
	folder = mkdtempSync(join(tmpdir(), "series-"));
	storage = diskStorage(folder);
	return () => rmSync(folder, { recursive: true });
});

const november = new Date("2026-11-24T10:00:00Z");
const { kind: _, number: __, issuedAt: ___, corrects: ____, ...draft } = example;
const parseNumber = (number: string) => parseInvoiceNumber(number) as InvoiceNumber;

/** Issues an invoice and records its number in the storage. */
async function issue(): Promise<string> {
	const { id } = await insertOrder(database.db, { created_at: november, status: "completed", paid_at: november });
	const issued = await database.db.transaction().execute((trx) => issueInvoice({ storage }, trx, { purchaseId: id, draft, now: november }));
	await recordIssuedNumber({ storage }, database.db, issued, "ab/cd.pdf");
	return issued.number;
}
/** Records the number of an invoice that this database lacks. */
const recordForeignNumber = (number: string) =>
	recordIssuedNumber({ storage }, database.db, { order_id: randomUUID(), id: randomUUID(), number } as IssuedInvoice, null);
const move = (number: string, reason = "base restaurée") =>
	moveInvoices({ db: database.db, storage, now: () => november }, parseNumber(number), reason);
const listGaps = async () =>
	(await database.db.selectFrom("invoice_gaps").selectAll().orderBy("number_in_year").execute()).map(
		({ number_in_year, reason, recorded_at }) => {
			expect(recorded_at).toEqual(november);
			return [number_in_year, reason];
		},
	);
const listUnexplained = () => listUnexplainedPlaces(database.db, parseNumber("F2026-1"));

describe("a number in the storage that the database lacks", () => {
	test("stops a demo only when the same database recorded it, not an earlier database", async () => {
		await recordForeignNumber("F2026-000001");
		const { id } = await insertOrder(database.db, { created_at: november, status: "completed", paid_at: november });
		const issueInDemo = (demo: boolean) =>
			database.db.transaction().execute((trx) => issueInvoice({ storage, demo }, trx, { purchaseId: id, draft, now: november }));
		for (const demo of [true, false]) await expect(issueInDemo(demo)).rejects.toThrow(NumberIssuedElsewhere);
		await sql`update database_identity set id = gen_random_uuid()`.execute(database.db);
		await expect(issueInDemo(false)).rejects.toThrow(NumberIssuedElsewhere);
		expect((await issueInDemo(true)).number).toBe("F2026-000001");
	});

	test("is not issued again, and the series does not advance", async () => {
		await issue();
		await recordForeignNumber("F2026-000002");
		for (let time = 0; time < 2; time++)
			await expect(issue()).rejects.toThrow(expect.objectContaining({ constructor: NumberIssuedElsewhere, number: "F2026-000002" }));
		expect((await database.db.selectFrom("invoice_series").select("last_number").execute()).map(({ last_number }) => last_number)).toEqual([
			1,
		]);
		expect(await database.db.selectFrom("invoices").select("number").execute()).toEqual([{ number: "F2026-000001" }]);
	});

	test("does not stop other series", async () => {
		await recordForeignNumber("A2026-000001");
		await recordForeignNumber("F2025-000001");
		expect(await issue()).toBe("F2026-000001");
	});

	test("cannot be checked when the storage fails, so that no number is allocated", async () => {
		await issue();
		const { findObject } = storage;
		storage.findObject = () => Promise.reject(new Error("storage fails"));
		await expect(issue()).rejects.toThrow("storage fails");
		storage.findObject = findObject;
		expect(await issue()).toBe("F2026-000002");
	});

	test("no longer stops the series after a move past it, which records the reason for each gap", async () => {
		await issue();
		for (const number of ["F2026-000002", "F2026-000004", "F2025-000009", "A2026-000008"]) await recordForeignNumber(number);
		expect(await listNumbersAfter(storage, parseNumber("F2026-000001"))).toEqual([
			parseNumber("F2026-000002"),
			parseNumber("F2026-000004"),
		]);
		expect(await move("F2026-000005", "base restaurée du 22 au 23 novembre")).toEqual({ ok: true, gaps: [2, 3, 4, 5] });
		expect(await listGaps()).toEqual([2, 3, 4, 5].map((place) => [place, "base restaurée du 22 au 23 novembre"]));
		expect(await issue()).toBe("F2026-000006");
		expect(await move("F2026-000006", "another")).toEqual({ ok: true, gaps: [] });
		expect((await listGaps()).length).toBe(4);
	});

	test("names its order and PDF until it is deleted", async () => {
		const number = await issue();
		const [row] = await database.db.selectFrom("invoices").selectAll().execute();
		expect(JSON.parse(Buffer.from((await storage.findObject(`invoices/${number}`)) ?? []).toString())).toEqual({
			order: row?.order_id,
			invoice: row?.id,
			pdf: "ab/cd.pdf",
			database: expect.any(String),
		});
		await deleteNumber(storage, number);
		expect(await storage.findObject(`invoices/${number}`)).toBeNull();
	});
});

describe("the record of a number", () => {
	const number = "F2026-000031";
	const record = (invoice: Pick<IssuedInvoice, "id" | "order_id">, pdf: string | null) =>
		recordIssuedNumber({ storage }, database.db, { ...invoice, number }, pdf);
	const readPdf = async () => JSON.parse(Buffer.from((await storage.findObject(`invoices/${number}`)) ?? []).toString()).pdf;

	test("has no PDF, then one, which it keeps; it is written only when it changes", async () => {
		const invoice = { id: randomUUID(), order_id: randomUUID() };
		const put = vi.spyOn(storage, "putObject");
		const pdfs = [];
		for (const pdf of [null, null, "ab/cd.pdf", null, "ab/cd.pdf"]) {
			await record(invoice, pdf);
			pdfs.push(await readPdf());
		}
		expect(pdfs).toEqual([null, null, "ab/cd.pdf", "ab/cd.pdf", "ab/cd.pdf"]);
		expect(put).toHaveBeenCalledTimes(2);
		await expect(record({ ...invoice, id: randomUUID() }, "ef/01.pdf")).rejects.toThrow(NumberIssuedElsewhere);
		expect(await readPdf()).toBe("ab/cd.pdf");
	});

	test("is listed by number, whatever the length, without earlier numbers and other objects", async () => {
		for (const name of ["F2026-000005", "F2026-999999", "F2026-1000000"]) await recordForeignNumber(name);
		for (const name of ["F2026-5", "F2026-copy"]) await storage.putObject(`invoices/${name}`, new Uint8Array(1));
		const list = async (after: string) => (await listNumbersAfter(storage, parseNumber(after))).map(({ place }) => place);
		expect(await list("F2026-000005")).toEqual([999_999, 1_000_000]);
		expect(await list("F2026-1000000")).toEqual([]);
	});
});

describe("moving a series", () => {
	test("is refused backwards, below a number in the storage, and before its year", async () => {
		await issue();
		await issue();
		await recordForeignNumber("F2026-000007");
		expect(await move("F2026-000001")).toEqual({ ok: false, code: "backwards", place: 2 });
		expect(await move("F2026-000006")).toEqual({ ok: false, code: "known-behind", place: 7 });
		expect(await move("F2027-000001")).toEqual({ ok: false, code: "not-begun", place: 0 });
		expect(await listGaps()).toEqual([]);
		expect(await move("F2025-000003")).toMatchObject({ ok: true, gaps: [1, 2, 3] });
		expect(await move("A2026-000001")).toMatchObject({ ok: true, gaps: [1] });
		expect((await listGaps()).map(([place]) => place)).toEqual([1, 1, 2, 3]);
		expect(await listUnexplained()).toEqual([]);
	});

	test("is possible from the midnight in Paris at which its year begins", async () => {
		const moveAt = (instant: string) =>
			moveInvoices({ db: database.db, storage, now: () => new Date(instant) }, parseNumber("F2027-000001"), "base restaurée");
		expect(await moveAt("2026-12-31T22:59:59Z")).toMatchObject({ ok: false, code: "not-begun" });
		expect(await moveAt("2026-12-31T23:00:00Z")).toMatchObject({ ok: true, gaps: [1] });
	});

	test("is refused by more than a thousand numbers after the last known one", async () => {
		await recordForeignNumber("F2026-000010");
		expect(await move("F2026-001011")).toEqual({ ok: false, code: "too-far", place: 10 });
		expect(await move("F2026-001010")).toMatchObject({ ok: true });
		expect(await issue()).toBe("F2026-001011");
	});

	test("to the current number records the reason for gaps; a gap can be deleted when its invoice is found", async () => {
		for (let count = 0; count < 3; count++) await issue();
		await sql`alter table invoices disable trigger invoices_are_kept`.execute(database.db);
		await database.db.deleteFrom("invoices").where("number", "in", ["F2026-000001", "F2026-000002"]).execute();
		await sql`alter table invoices enable trigger invoices_are_kept`.execute(database.db);
		expect(await listUnexplained()).toEqual([1, 2]);
		expect(await move("F2026-000003")).toEqual({ ok: true, gaps: [1, 2] });
		expect(await listUnexplained()).toEqual([]);
		for (const other of ["F2025-000002", "A2026-000002"]) await move(other, "another series");
		await database.db.transaction().execute((trx) => deleteGap(trx, parseNumber("F2026-000002")));
		expect(await listUnexplained()).toEqual([2]);
		expect((await listGaps()).filter(([, reason]) => reason !== "another series").map(([place]) => place)).toEqual([1]);
		expect(await listGaps()).toHaveLength(5);
		expect(formatInvoiceNumber(parseNumber("F2026-000002"))).toBe("F2026-000002");
	});
});
