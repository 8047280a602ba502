import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type AccountsFixture, createAccountsFixture } from "../../test/accounts.ts";
import { setBooks } from "../catalogue/settings/change-settings.server.ts";
import { type BooksSettings, defaultSettings } from "../catalogue/settings/shop-settings.ts";
import { closeMonth, getMonthFile } from "./closing/close-month.server.ts";
import { listImportFiles } from "./files/import-files.server.ts";
import { fecFields, listFecRows } from "./files/journal-files.ts";
import { writeYear } from "./files/year-file.server.ts";
import { getFiscalYear } from "./fiscal-year.ts";
import type { Month } from "./month.ts";
import { postEntries } from "./post-entries.server.ts";
import { readJournal, readYear } from "./read-journal.server.ts";

// The entries of a fiscal year as one file, and customers in one account.

let shop: AccountsFixture;
beforeAll(async () => {
	shop = await createAccountsFixture("2026-10-01T09:00:00Z");
	const { payment } = await shop.sell("2026-10-10T09:00:00Z");
	await shop.sell("2026-10-31T22:59:59Z", { invoicedAt: "2026-10-31T23:00:03Z" }); // paid in October, invoiced in November
	await shop.sell("2026-11-12T09:00:00Z", { product_code: "standard" });
	await shop.refund(payment, "2026-12-05T09:00:00Z", { amount: 3000 });
	const { order } = await shop.sell("2026-12-20T09:00:00Z");
	await shop.payAgain(order, "2026-12-21T09:00:00Z");
	await shop.sell("2026-12-31T22:59:59Z", { invoicedAt: "2026-12-31T23:00:04Z" }); // paid in December, invoiced in January
	await shop.readProvider("2027-01-03T09:00:00Z");
	await postEntries(shop);
});
afterAll(() => shop?.close());

const months = ["2026-10", "2026-11", "2026-12"] as Month[];
const ada = { id: null, name: "Ada" };
const setting = (books: Partial<BooksSettings>) => setBooks(shop, ada, { ...defaultSettings.books, ...books });

type Row = Record<(typeof fecFields)[number], string>;
const toRows = (text: string): Row[] => {
	const [head = "", ...lines] = text.replace(/\r\n$/, "").split("\r\n");
	expect(head).toBe(fecFields.join("\t"));
	return lines.map((line) => Object.fromEntries(line.split("\t").map((field, at) => [fecFields[at], field])) as Row);
};
async function readFile(year = 2026) {
	const file = await writeYear(shop, year);
	if (!file.ok) throw new Error(file.code);
	return { name: file.name, text: (await buffer(file.stream)).toString("latin1") };
}
const toCents = (amount: string) => Number(amount.replace(",", ""));
const withoutLetters = ({ EcritureLet: _, DateLet: __, ...row }: Row) => JSON.stringify(row);

test("a year has the lines of its months, in the order of their posting, each series without gaps", async () => {
	const rows = toRows((await readFile()).text);
	const ofMonths = await Promise.all(
		months.map(async (month) => {
			const file = await getMonthFile(shop, month, "fec");
			return file.ok ? toRows(Buffer.from(file.bytes).toString("latin1")) : [];
		}),
	);
	expect(rows.map(withoutLetters).sort()).toEqual(ofMonths.flat().map(withoutLetters).sort());
	for (const journal of ["VT", "PP"]) {
		const numbers = [...new Set(rows.filter(({ JournalCode }) => JournalCode === journal).map(({ EcritureNum }) => EcritureNum))];
		expect(numbers).toEqual(numbers.map((_, at) => `${journal}2026-${String(at + 1).padStart(6, "0")}`));
	}
});

test("a group that spans months has its letter on both sides", async () => {
	const order = toRows((await readFile()).text).find(({ PieceRef }) => PieceRef === "F2026-000002")?.CompAuxNum;
	const lines = toRows((await readFile()).text).filter(({ CompAuxNum }) => CompAuxNum === order);
	expect(lines.map(({ EcritureDate, EcritureLet, DateLet }) => [EcritureDate, EcritureLet, DateLet])).toEqual([
		["20261031", "A", "20261101"],
		["20261101", "A", "20261101"],
	]);
	const october = await readJournal(shop.db, "2026-10" as Month);
	expect(listFecRows(october).filter((row) => row[6] === order && row[13] !== "")).toEqual([]);
	// what is settled in the next year is not settled yet
	const open = toRows((await readFile()).text).filter(({ CompAuxNum, EcritureLet }) => CompAuxNum !== "" && EcritureLet === "");
	expect(open.map(({ EcritureDate, CompteNum }) => [EcritureDate, CompteNum])).toEqual([
		["20261221", "471000"],
		["20261231", "411000"],
	]);
});

test("however many entries are read at once, the file is the same", async () => {
	const read = async (atOnce: number) => {
		const rows = [];
		const parts = [];
		for await (const part of readYear(shop.db, getFiscalYear(2026, 1), "order", atOnce)) {
			rows.push(...listFecRows(part));
			parts.push(part.entries.length);
		}
		return { rows, parts };
	};
	const whole = await read(1000);
	expect(whole.parts).toHaveLength(1);
	for (const atOnce of [1, 3, whole.parts[0] ?? 0]) {
		const { rows, parts } = await read(atOnce);
		expect(rows).toEqual(whole.rows);
		expect(Math.max(...parts)).toBe(atOnce);
	}
});

test("without an account for each order, each letter of an account is one group, the same groups as with it", async () => {
	const byOrder = toRows((await readFile()).text);
	await setting({ customers: "collective" });
	const collective = toRows((await readFile()).text);
	expect((await readFile()).text).toBe((await readFile()).text);
	expect(collective.every(({ CompAuxNum, CompAuxLib }) => CompAuxNum === "" && CompAuxLib === "")).toBe(true);
	/** The positions of each group's lines. */
	const group = (rows: Row[], keyOf: (row: Row) => string) => {
		const groups = Map.groupBy(
			rows.map((row, at) => ({ row, at })).filter(({ row }) => row.EcritureLet !== ""),
			({ row }) => keyOf(row),
		);
		return [...groups.values()].map((lines) => lines.map(({ at }) => at).join(" ")).sort();
	};
	const groups = group(collective, (row) => `${row.CompteNum} ${row.EcritureLet}`);
	expect(groups).toEqual(group(byOrder, (row) => `${row.CompteNum} ${row.CompAuxNum} ${row.EcritureLet}`));
	expect(groups.length).toBeGreaterThan(3);
	for (const positions of groups) {
		const sum = positions.split(" ").reduce((total, at) => {
			const row = collective[Number(at)];
			return total + toCents(row?.Debit ?? "") - toCents(row?.Credit ?? "");
		}, 0);
		expect(sum).toBe(0);
	}
	// the month's record keeps its accounts; the file beside it has the year's letters
	const record = await getMonthFile(shop, "2026-12" as Month, "fec");
	expect(record.ok && Buffer.from(record.bytes).toString("latin1")).toMatch(/\tKB-/);
	const collectiveBooks = { ...defaultSettings.books, customers: "collective" } as const;
	const [view] = listImportFiles(collectiveBooks, "2026-12" as Month, shop.environment);
	expect(view?.name).toBe("collectif-000000000FEC20261231.txt");
	const december = toRows(Buffer.from((await view?.write(shop.db)) ?? []).toString("latin1"));
	expect(december.length).toBeGreaterThan(5);
	const lines = new Set(collective.map((row) => JSON.stringify(row)));
	expect(december.filter((row) => !lines.has(JSON.stringify(row)))).toEqual([]);
	await setting({ customers: "order" });
});

test("the file is provisional until all months of the fiscal year are closed", async () => {
	expect((await readFile()).name).toBe("provisoire-000000000FEC20261231.txt");
	for (const month of months) expect(await closeMonth(shop, month, { closedBy: "Ada" })).toMatchObject({ ok: true });
	const closed = await readFile();
	expect(closed.name).toBe("000000000FEC20261231.txt");
	await shop.sell("2027-02-10T09:00:00Z");
	expect(await readFile()).toEqual(closed);
	await setting({ yearStart: 11 });
	const october = await readFile();
	expect(october.name).toBe("000000000FEC20261031.txt");
	expect(new Set(toRows(october.text).map(({ EcritureDate }) => EcritureDate.slice(0, 6)))).toEqual(new Set(["202610"]));
	expect((await readFile(2027)).name).toBe("provisoire-000000000FEC20271031.txt");
	expect(await writeYear(shop, 2030)).toEqual({ ok: false, code: "empty" });
});
