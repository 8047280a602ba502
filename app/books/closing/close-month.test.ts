import { readdirSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { toJson } from "../../../server/database/column-types.ts";
import { type AccountsFixture, createAccountsFixture } from "../../../test/accounts.ts";
import { checkMonth } from "../checks/check-month.server.ts";
import { deleteOldBooks } from "../delete-old-books.server.ts";
import { listEntries } from "../entries.store.server.ts";
import { type MonthFileKey, monthFiles } from "../files/month-files.server.ts";
import type { Month } from "../month.ts";
import { postEntries } from "../post-entries.server.ts";
import { readVat } from "../read-vat.server.ts";
import { closeMonth, getMonthFile, getMonthHash } from "./close-month.server.ts";

let shop: AccountsFixture;
beforeAll(async () => {
	shop = await createAccountsFixture("2026-10-01T09:00:00Z");
});
afterAll(() => shop?.close());

const toMonth = (text: string) => text as Month;
const close = (month: string, seen?: string) => closeMonth(shop, toMonth(month), { closedBy: "Ada", ...(seen && { seen }) });
const keys = Object.keys(monthFiles) as MonthFileKey[];
async function readFiles(month: string): Promise<Buffer[]> {
	const files = [];
	for (const key of keys) {
		const file = await getMonthFile(shop, toMonth(month), key);
		if (!file.ok) throw new Error(file.code);
		files.push(Buffer.from(file.bytes));
	}
	return files;
}
const countStored = () => readdirSync(join(shop.folder, "accounts")).length;

test("a month is closed once it is over, the earlier ones are closed, and everything agrees", async () => {
	const { payment } = await shop.sell("2026-10-10T09:00:00Z");
	await shop.sell("2026-11-10T09:00:00Z");
	await postEntries(shop);
	shop.setClock("2026-10-31T22:59:59Z");
	expect(await close("2026-10")).toEqual({ ok: false, code: "not-over" });
	shop.setClock("2026-12-01T09:00:00Z");
	expect(await close("2026-11")).toEqual({ ok: false, code: "earlier-open", month: "2026-10" });
	expect(await close("2026-09")).toEqual({ ok: false, code: "nothing" });
	expect(await close("2026-10")).toMatchObject({ ok: false, code: "differences", findings: [{ code: "provider-unread" }] });
	await shop.readProvider("2026-12-01T09:00:00Z");
	const refund = await shop.insertRefund(payment, { amount_cents: 500, settled_at: new Date("2026-10-12T09:00:00Z"), provider_id: "re_1" });
	expect(await close("2026-10")).toMatchObject({ code: "differences", findings: [{ code: "not-credited", amount: 500 }] });
	await shop.db.deleteFrom("refunds").where("id", "=", refund.id).execute();
	const closed = await close("2026-10");
	expect(closed).toMatchObject({ ok: true, again: false, closing: { month: "2026-10", closedBy: "Ada" } });
	expect(closed.ok && closed.closing.files.map(({ name }) => name)).toEqual(
		expect.arrayContaining(["journal-2026-10.csv", "000000000FEC20261031.txt"]),
	);
});

test("a closed month is closed again without any change", async () => {
	const [files, stored] = [await readFiles("2026-10"), countStored()];
	shop.setClock("2026-12-02T09:00:00Z");
	expect(await close("2026-10")).toMatchObject({ ok: true, again: true, closing: { closedAt: new Date("2026-12-01T09:00:00Z") } });
	expect(await readFiles("2026-10")).toEqual(files);
	expect(countStored()).toBe(stored);
});

test("what happens later to an order of a closed month goes into the next month", async () => {
	const before = await readFiles("2026-10");
	const [entry] = await listEntries(shop.db, toMonth("2026-10"));
	const order = await shop.db
		.selectFrom("orders")
		.selectAll()
		.where("order_number", "=", (entry?.subject ?? "") as never)
		.executeTakeFirstOrThrow();
	const payment = await shop.db.selectFrom("payments").selectAll().where("order_id", "=", order.id).executeTakeFirstOrThrow();
	await shop.refund(payment, "2026-12-03T09:00:00Z");
	// facts that the shop learns of late: a payment and a fee of October
	await shop.payAgain(order, "2026-10-20T09:00:00Z", "mismatch");
	await shop.readProvider("2026-12-05T09:00:00Z");
	await postEntries(shop);
	expect(await readFiles("2026-10")).toEqual(before);
	const late = (await listEntries(shop.db, toMonth("2026-11"))).filter(({ pieceDay }) => pieceDay < "2026-11-01");
	expect(late.map(({ label, day }) => [label.split(",")[0], day])).toEqual([
		["Paiement à vérifier", "2026-11-01"],
		["Frais", "2026-11-01"],
	]);
	const remarks = (await checkMonth(shop.db, toMonth("2026-11"))).map(({ code }) => code);
	expect(remarks.filter((code) => code === "late-fact")).toHaveLength(2);
	expect((await readVat(shop.db, toMonth("2026-12"))).rates[0]?.creditNotes).toEqual({ net: -4917, vat: -983 });
	await expect(
		shop.db
			.insertInto("account_entries")
			.values({
				...{ fact: "late", journal: "VT", year: 2026, number_in_year: 99, entry_date: "2026-10-31", piece_date: "2026-10-31" },
				...{ piece_ref: "x", label: "x", subject: "x", posted_at: shop.now(), lines: toJson([]) },
			})
			.execute(),
	).rejects.toThrow("is closed");
});

test("the operator closes what they looked at: new entries ask for another look", async () => {
	const seen = await getMonthHash(shop.db, toMonth("2026-11"));
	await shop.sell("2026-11-29T09:00:00Z");
	await shop.readProvider("2026-12-06T09:00:00Z");
	expect(await close("2026-11", seen)).toEqual({ ok: false, code: "changed" });
	expect(await close("2026-11", await getMonthHash(shop.db, toMonth("2026-11")))).toMatchObject({ ok: true });
});

test("a stored file that was altered or lost is not given", async () => {
	const closed = await close("2026-11");
	const [file] = closed.ok ? closed.closing.files : [];
	const name = file?.object ?? "";
	const bytes = (await shop.storage.findObject(name)) ?? new Uint8Array();
	await shop.storage.putObject(name, new Uint8Array([...bytes, 32]));
	expect(await getMonthFile(shop, toMonth("2026-11"), "journal")).toEqual({ ok: false, code: "lost" });
	await shop.storage.remove(name);
	expect(await getMonthFile(shop, toMonth("2026-11"), "journal")).toEqual({ ok: false, code: "lost" });
	await shop.storage.putObject(name, bytes);
	expect(await getMonthFile(shop, toMonth("2026-11"), "journal")).toMatchObject({ ok: true, closed: true });
});

test("a month that was closed before a file existed gets it from its entries", async () => {
	const stored = await getMonthFile(shop, toMonth("2026-11"), "vat-difference");
	await sql`alter table account_closings disable trigger account_closings_are_kept`.execute(shop.db);
	const change = (files: unknown) =>
		sql`update account_closings set files = ${JSON.stringify(files)} where month = '2026-11-01'`.execute(shop.db);
	const { files } = await shop.db
		.selectFrom("account_closings")
		.select("files")
		.where("month", "=", "2026-11-01" as never)
		.executeTakeFirstOrThrow();
	await change(files.filter(({ key }) => key !== "vat-difference"));
	expect(await getMonthFile(shop, toMonth("2026-11"), "vat-difference")).toEqual({ ...stored, closed: false });
	expect(await getMonthFile(shop, toMonth("2026-11"), "vat")).toMatchObject({ ok: true, closed: true });
	await change(files);
	expect(await getMonthFile(shop, toMonth("2026-11"), "vat-difference")).toEqual({ ...stored, closed: true });
	await sql`alter table account_closings enable trigger account_closings_are_kept`.execute(shop.db);
});

test("a storage that fails closes nothing", async () => {
	await shop.readProvider("2027-01-02T09:00:00Z");
	const putObject = () => Promise.reject(new Error("no storage"));
	const broken = { ...shop, storage: { ...shop.storage, putObject } };
	await expect(closeMonth(broken, toMonth("2026-12"), { closedBy: "Ada" })).rejects.toThrow("no storage");
	expect(await getMonthFile(shop, toMonth("2026-12"), "vat")).toMatchObject({ ok: true, closed: false });
});

test("in production, a restored database takes a closing over when it has the same invoices, and refuses it otherwise", async () => {
	const production = { ...shop, environment: { ...shop.environment, production: true } };
	const closeAgain = () => closeMonth(production, toMonth("2026-12"), { closedBy: "Eve" });
	const closed = await closeMonth(production, toMonth("2026-12"), { closedBy: "Ada" });
	if (!closed.ok) throw new Error(closed.code);
	/** As after a restore to an instant before the closing. */
	const loseClosing = async () => {
		await sql`alter table account_closings disable trigger account_closings_are_kept`.execute(shop.db);
		await sql`delete from account_closings where month = '2026-12-01'`.execute(shop.db);
		await sql`alter table account_closings enable trigger account_closings_are_kept`.execute(shop.db);
	};
	await loseClosing();
	const other = await shop.sell("2026-12-15T09:00:00Z");
	await shop.readProvider("2027-01-02T09:00:00Z");
	expect(await closeAgain()).toEqual({ ok: false, code: "closed-elsewhere" });
	await sql`alter table account_entries disable trigger account_entries_are_kept`.execute(shop.db);
	await sql`delete from account_entries where subject = ${other.order.order_number}`.execute(shop.db);
	await sql`alter table account_entries enable trigger account_entries_are_kept`.execute(shop.db);
	await sql`set session_replication_role = replica; delete from invoices where order_id = '${sql.raw(other.order.id)}';
		delete from payments where order_id = '${sql.raw(other.order.id)}'; set session_replication_role = default`.execute(shop.db);
	await sql`delete from provider_movements where payment_id = ${other.payment.id}`.execute(shop.db);
	expect(await closeAgain()).toEqual({ ok: true, again: true, closing: closed.closing });
	expect(await getMonthFile(production, toMonth("2026-12"), "fec")).toMatchObject({ ok: true, closed: true });
});

test("two closings at once close the month once", async () => {
	await shop.sell("2027-01-05T09:00:00Z");
	await shop.readProvider("2027-02-01T09:00:00Z");
	const outcomes = await Promise.all([close("2027-01"), close("2027-01")]);
	expect(outcomes.map((outcome) => outcome.ok && outcome.again).sort()).toEqual([false, true]);
});

test("after ten years the books are deleted with their files, and nothing is booked again", async () => {
	shop.setClock("2038-01-02T09:00:00Z");
	const later = await shop.sell("2030-06-01T09:00:00Z");
	await postEntries(shop);
	expect(await deleteOldBooks(shop, 2028)).toBeGreaterThan(5);
	expect(countStored()).toBe(0);
	shop.setClock("2038-01-02T09:00:00Z");
	expect(await postEntries(shop)).toBe(0);
	const subjects = await shop.db.selectFrom("account_entries").select("subject").distinct().execute();
	expect(subjects).toEqual([{ subject: later.order.order_number }]);
	expect(await deleteOldBooks(shop, 2028)).toBe(0);
});
