import { afterAll, beforeAll, expect, test } from "vitest";
import { toJson } from "../../server/database/column-types.ts";
import { type AccountsFixture, createAccountsFixture } from "../../test/accounts.ts";
import { cents } from "../catalogue/money.ts";
import { listEntries } from "./entries.store.server.ts";
import type { Entry } from "./entry.ts";
import { encodeLatin9, fecFields, getFecName, writeFec } from "./files/journal-files.ts";
import { writeJournal } from "./files/journal-layouts.ts";
import type { Month } from "./month.ts";
import { postEntries } from "./post-entries.server.ts";
import { readJournal } from "./read-journal.server.ts";

// The journal of a month. 23:30 in UTC is the next day in Paris.

let shop: AccountsFixture;
beforeAll(async () => {
	shop = await createAccountsFixture("2026-11-02T09:00:00Z", { ACCOUNT_NUMBERS: "sales=706100" });
});
afterAll(() => shop?.close());

const november = "2026-11" as Month;
const december = "2026-12" as Month;

const describeLines = ({ lines }: Entry) =>
	lines.map(({ number, debit, credit }) => `${number} ${debit > 0 ? `D ${debit}` : `C ${credit}`}`).join(", ");
const listBooked = async (month: Month) =>
	(await listEntries(shop.db, month)).map((entry) => [entry.number, entry.day, entry.label.replace(/KB-\S+/, "KB"), describeLines(entry)]);

async function readFiles(month: Month) {
	await postEntries(shop);
	const journal = await readJournal(shop.db, month);
	return { fec: Buffer.from(writeFec(journal)), csv: Buffer.from(writeJournal(journal)) };
}

test("each sale, receipt, refund and credit note is booked once, in the month of Paris", async () => {
	const first = await shop.sell("2026-11-03T08:00:00Z");
	await shop.refund(first.payment, "2026-11-20T10:00:00Z", { amount: 1000 });
	const last = await shop.sell("2026-11-30T22:59:59Z", { invoicedAt: "2026-11-30T23:00:05Z" });
	const surplus = await shop.payAgain(last.order, "2026-12-01T08:00:00Z");
	await shop.refund(surplus, "2026-12-01T09:00:00Z");
	expect(await postEntries(shop)).toBe(8);
	expect(await postEntries(shop)).toBe(0);
	expect(await listBooked(november)).toEqual([
		["VT2026-000001", "2026-11-03", "Facture F2026-000001, commande KB", "411000 D 5900, 706100 C 4917, 445710 C 983"],
		["PP2026-000001", "2026-11-03", "Encaissement, commande KB", "467000 D 5900, 411000 C 5900"],
		["VT2026-000002", "2026-11-20", "Avoir A2026-000001 sur F2026-000001, commande KB", "411000 C 1000, 706100 D 833, 445710 D 167"],
		["PP2026-000002", "2026-11-20", "Remboursement, commande KB", "411000 D 1000, 467000 C 1000"],
		["PP2026-000003", "2026-11-30", "Encaissement, commande KB", "467000 D 5900, 411000 C 5900"],
	]);
	expect(await listBooked(december)).toEqual([
		["VT2026-000003", "2026-12-01", "Facture F2026-000002, commande KB", "411000 D 5900, 706100 C 4917, 445710 C 983"],
		["PP2026-000004", "2026-12-01", "Paiement en double, commande KB", "467000 D 5900, 471000 C 5900"],
		["PP2026-000005", "2026-12-01", "Remboursement, commande KB", "471000 D 5900, 467000 C 5900"],
	]);
	// paid in November, invoiced in December: its VAT belongs to November (CGI art. 269, 2, c)
	expect((await listEntries(shop.db, december))[0]?.vat).toEqual({ month: november, rate: 20, net: 4917, vat: 983 });
});

test("the file of entries has the 18 fields of LPF art. A47 A-1, and balanced amounts", async () => {
	const { fec } = await readFiles(november);
	const [head = "", ...rows] = fec.toString("latin1").slice(0, -2).split("\r\n");
	expect(head.split("\t")).toEqual([...fecFields]);
	expect(fecFields).toHaveLength(18);
	const fields = rows.map((row) => row.split("\t"));
	expect(fields.every((row) => row.length === 18)).toBe(true);
	const entries = await listEntries(shop.db, november);
	const order = entries[0]?.subject;
	expect(fields[0]).toEqual([
		...["VT", "Ventes", "VT2026-000001", "20261103", "411000", "Clients", order, `Commande ${order}`, "F2026-000001", "20261103"],
		...[`Facture F2026-000001, commande ${order}`, "59,00", "0,00", "A", "20261103", "20261201", "", ""],
	]);
	expect(fields[1]?.slice(4, 8)).toEqual(["706100", "Prestations de services", "", ""]);
	const sum = (at: number) => fields.reduce((total, row) => total + Number(row[at]?.replace(",", "")), 0);
	expect(sum(11)).toBe(sum(12));
	expect(getFecName("123 456 789", november)).toBe("123456789FEC20261130.txt");
});

test("a paid order is lettered, each balance with its letter; an open one is not", async () => {
	const { entries, letters } = await readJournal(shop.db, november);
	const codes = entries.map(({ id, subject, lines }) =>
		lines.flatMap(({ account }, at) => (account === "customers" ? [[subject, letters.get(`${id}/${at}`)?.code]] : [])).flat(),
	);
	const [first, last] = [entries[0]?.subject, entries[4]?.subject];
	// the last order is paid in November and invoiced in December
	expect(codes).toEqual([
		[first, "A"],
		[first, "A"],
		[first, "B"],
		[first, "B"],
		[last, undefined],
	]);
	const [invoice] = (await readJournal(shop.db, december)).entries;
	expect((await readJournal(shop.db, december)).letters.get(`${invoice?.id}/0`)).toMatchObject({ code: "A", day: "2026-12-01" });
});

test("the same entries give the same bytes, whatever happens in later months", async () => {
	const before = await readFiles(november);
	await shop.sell("2026-12-02T10:00:00Z");
	const after = await readFiles(november);
	expect(after.fec.equals(before.fec)).toBe(true);
	expect(after.csv.equals(before.csv)).toBe(true);
	expect(after.csv.toString()).toContain("Facture F2026-000001");
});

test("a refund that the bank returned is booked back, even when it succeeded and came back between two postings", async () => {
	const posted = await shop.sell("2026-12-05T10:00:00Z");
	const refund = await shop.refund(posted.payment, "2026-12-05T11:00:00Z");
	await postEntries(shop);
	const unposted = await shop.sell("2026-12-06T10:00:00Z");
	const quick = await shop.refund(unposted.payment, "2026-12-06T11:00:00Z");
	for (const { id } of [refund, quick])
		await shop.db
			.updateTable("refunds")
			.set({ status: "failed", settled_at: new Date("2026-12-07T10:00:00Z") })
			.where("id", "=", id)
			.execute();
	await postEntries(shop);
	const entries = await listEntries(shop.db, december);
	for (const { order } of [posted, unposted]) {
		const booked = entries.filter(({ subject }) => subject === order.order_number);
		expect(booked.filter(({ journal }) => journal === "PP").map(({ label, day }) => [label.split(",")[0], day.slice(8)])).toEqual([
			["Encaissement", order.order_number === posted.order.order_number ? "05" : "06"],
			["Remboursement", order.order_number === posted.order.order_number ? "05" : "06"],
			["Remboursement revenu", "07"],
		]);
	}
});

test("an entry is never changed, deleted, or unbalanced", async () => {
	const changes = [
		() => shop.db.updateTable("account_entries").set({ label: "autre" }).execute(),
		() => shop.db.deleteFrom("account_entries").execute(),
		() =>
			shop.db
				.insertInto("account_entries")
				.values({
					...{ fact: "wrong", journal: "VT", year: 2026, number_in_year: 99, entry_date: "2026-12-01", piece_date: "2026-12-01" },
					...{ piece_ref: "x", label: "x", subject: "x", posted_at: shop.now() },
					lines: toJson([{ account: "bank", number: "512000", debit: cents(1), credit: cents(0) }]),
				})
				.execute(),
	];
	for (const change of changes) await expect(change()).rejects.toThrow(/not changed|does not balance/);
});

test("texts are encoded in ISO 8859-15", () => {
	expect([...encodeLatin9("é€œ’→¤")]).toEqual([0xe9, 0xa4, 0xbd, 0x27, 0x3f, 0x3f]);
});
