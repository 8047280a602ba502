import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type AccountsFixture, createAccountsFixture } from "../../../test/accounts.ts";
import { deleteRows } from "../../../test/delete-rows.ts";
import { setBooks } from "../../catalogue/settings/change-settings.server.ts";
import { type BooksSettings, defaultSettings } from "../../catalogue/settings/shop-settings.ts";
import { deleteOldBooks } from "../delete-old-books.server.ts";
import type { Day, Month } from "../month.ts";
import { findReport } from "./e-reports.store.server.ts";
import { type Flow, listPeriods } from "./period.ts";
import { formatPrepareRefusal } from "./prepare-refusals.ts";
import { listReportStates, prepareReport } from "./prepare-report.server.ts";

let shop: AccountsFixture;
beforeAll(async () => {
	shop = await createAccountsFixture("2027-09-01T09:00:00Z");
});
afterAll(() => shop?.close());
beforeEach(async () => {
	await deleteRows(shop.db, "shop_settings");
	await setting({});
});

const platform = { id: "A1B2", name: "Plateforme & Cie" };
const setting = (books: Partial<BooksSettings>) =>
	setBooks(shop, { id: null, name: "Ada" }, { ...defaultSettings.books, platform, salesPeriod: "decade", ...books });
const toDay = (text: string) => text as Day;
const prepare = (start: string, end: string, flow: Flow = "sales") =>
	prepareReport(shop, { flow, period: { start: toDay(start), end: toDay(end) }, by: "Ada" });
const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, " ");
const refusal = async (...given: Parameters<typeof prepare>) => {
	const prepared = await prepare(...given);
	return prepared.ok ? prepared.report.id : plain(formatPrepareRefusal(prepared));
};
const readStates = async (month: string, books: Partial<BooksSettings> = {}) => {
	const states = await listReportStates(shop, month as Month, { ...defaultSettings.books, platform, salesPeriod: "decade", ...books });
	return states.map(({ flow, period, reports, isDue, refusal: why }) => [
		`${flow} ${period.start.slice(8)}-${period.end.slice(8)}`,
		reports.map(({ type }) => type).join(" "),
		isDue ? (why?.code ?? "due") : "done",
	]);
};

test("the periods of a month: decades of sales, or the whole month; payments by month", () => {
	const list = (month: string, ...given: [Flow, "decade" | "month"]) =>
		listPeriods(month as Month, ...given).map(({ start, end }) => `${start} ${end}`);
	expect(list("2028-02", "sales", "decade")).toEqual(["2028-02-01 2028-02-10", "2028-02-11 2028-02-20", "2028-02-21 2028-02-29"]);
	expect(list("2027-12", "sales", "month")).toEqual(["2027-12-01 2027-12-31"]);
	expect(list("2027-12", "payments", "decade")).toEqual(["2027-12-01 2027-12-31"]);
});

test("a transmission is kept as it is; a fact that comes late makes one in its place, and changes no other period", async () => {
	await shop.sell("2027-09-02T08:00:00Z");
	await shop.sell("2027-09-10T21:59:59Z", { product_code: "standard" }); // still 10 September in Paris
	await shop.sell("2027-09-10T22:00:00Z"); // the 11th
	await shop.sell("2027-09-03T08:00:00Z", { billing_company: "ANALYSE", billing_siren: "356000000" });
	shop.setClock("2027-09-10T21:59:59Z");
	expect(await refusal("2027-09-01", "2027-09-10")).toBe("Cette période n’est pas terminée.");
	shop.setClock("2027-09-10T22:00:00Z");
	const first = await prepare("2027-09-01", "2027-09-10");
	if (!first.ok) throw new Error(first.code);
	expect(first).toMatchObject({ again: false, report: { id: "EP-20270901-20270910-T-1", type: "IN", number: 1, madeBy: "Ada" } });
	expect(first.report.xml).toContain("<DateTimeString>20270911000000</DateTimeString>");
	expect(first.report.xml).toContain('<Id schemeId="0238">A1B2</Id>');
	expect(first.report.xml).toContain("<Name>Plateforme &amp; Cie</Name>");
	expect(first.report.xml.match(/<Date>\d+/g)).toEqual(["<Date>20270902", "<Date>20270910"]);
	shop.setClock("2027-10-02T09:00:00Z");
	const [second, payments] = [await prepare("2027-09-11", "2027-09-20"), await prepare("2027-09-01", "2027-09-30", "payments")];
	expect(payments).toMatchObject({ ok: true, report: { id: "EP-20270901-20270930-P-1", type: "IN" } });
	expect(await prepare("2027-09-01", "2027-09-10")).toEqual({ ok: true, again: true, report: first.report });
	expect(await readStates("2027-09")).toEqual([
		["sales 01-10", "IN", "done"],
		["sales 11-20", "IN", "done"],
		["sales 21-30", "", "empty"],
		["payments 01-30", "IN", "done"],
	]);
	// paid on the 5th, invoiced a month later
	await shop.sell("2027-09-05T08:00:00Z", { invoicedAt: "2027-10-08T09:00:00Z" });
	expect(await readStates("2027-09")).toEqual([
		["sales 01-10", "IN", "due"],
		["sales 11-20", "IN", "done"],
		["sales 21-30", "", "empty"],
		["payments 01-30", "IN", "due"],
	]);
	const again = await prepare("2027-09-01", "2027-09-10");
	expect(again).toMatchObject({ ok: true, again: false, report: { id: "EP-20270901-20270910-T-2", type: "RE", number: 2 } });
	expect(again.ok && again.report.xml).toMatch(/<TypeCode>RE<\/TypeCode>[\s\S]+<Date>20270902[\s\S]+<Date>20270905[\s\S]+<Date>20270910/);
	expect(await prepare("2027-09-11", "2027-09-20")).toMatchObject({ ok: true, again: true, report: second.ok && second.report });
	expect(await findReport(shop.db, first.report.id)).toEqual(first.report);
	await expect(shop.db.updateTable("e_reports").set({ xml: "" }).execute()).rejects.toThrow("is not changed");
	await expect(shop.db.deleteFrom("e_reports").execute()).rejects.toThrow("is not changed");
});

test("what cannot be transmitted is refused with the reason and the way on", async () => {
	shop.setClock("2027-12-15T09:00:00Z");
	const { payment } = await shop.sell("2027-11-02T08:00:00Z");
	await shop.refund(payment, "2027-11-05T08:00:00Z");
	shop.setClock("2027-12-15T09:00:00Z");
	expect(await refusal("2027-11-01", "2027-11-30", "payments")).toBe(
		"Le 05/11/2027, vous avez remboursé 59,00 € de plus que vous n’avez encaissé. Le format n’admet pas de montant négatif : demandez à votre plateforme comment le transmettre.",
	);
	// sales may be negative: a credit note has its day
	expect(await prepare("2027-11-01", "2027-11-10")).toMatchObject({ ok: true, report: { xml: expect.stringContaining(">-49.17<") } });
	expect(await refusal("2027-11-11", "2027-11-20")).toBe(
		"Rien n’a été vendu ni remboursé à des particuliers dans cette période : il n’y a rien à transmettre.",
	);
	for (const [start, end] of [
		["2027-11-01", "2027-11-11"],
		["2027-11-02", "2027-11-10"],
		["2027-11-01", "2027-11-30"],
	] as const)
		expect(await refusal(start, end)).toBe("Cette période n’existe pas. Rechargez la page.");
	await setting({ salesPeriod: "month" });
	expect(await refusal("2027-11-01", "2027-11-30")).toBe(
		"Des jours de cette période sont déjà dans la transmission du 01/11/2027 au 10/11/2027. Demandez à votre plateforme comment changer de périodicité.",
	);
	await setting({ platform: null });
	expect(await refusal("2027-11-01", "2027-11-10")).toBe(
		"Donnez d’abord le matricule et le nom de votre plateforme agréée, dans « Votre logiciel ».",
	);
	expect(await readStates("2027-11", { platform: null })).toEqual([]);
	// within the day that is more than what was given back, the sum is a payment
	await shop.sell("2027-11-05T09:00:00Z");
	shop.setClock("2027-12-15T09:00:00Z");
	await setting({});
	expect(await prepare("2027-11-01", "2027-11-30", "payments")).toMatchObject({
		ok: true,
		report: { xml: expect.stringContaining(">0.00<") },
	});
});

test("who owes VAT on debits transmits sales, and no payments", async () => {
	const { environment } = shop;
	const onDebits = { ...shop, environment: { ...environment, invoices: { ...environment.invoices, vatOnDebits: true } } };
	const period = { start: toDay("2027-11-01"), end: toDay("2027-11-30") };
	expect(await prepareReport(onDebits, { flow: "payments", period, by: "Ada" })).toEqual({ ok: false, code: "on-debits" });
	expect(plain(formatPrepareRefusal({ code: "on-debits" }))).toBe(
		"Vous payez la TVA d’après les débits : les paiements ne sont pas à transmettre.",
	);
	const states = await listReportStates(onDebits, "2027-11" as Month, { ...defaultSettings.books, platform });
	expect(states.map(({ flow }) => flow)).toEqual(["sales"]);
});

test("two who prepare at once get the same transmission", async () => {
	await shop.sell("2028-01-03T09:00:00Z");
	shop.setClock("2028-02-01T09:00:00Z");
	const both = await Promise.all([prepare("2028-01-01", "2028-01-10"), prepare("2028-01-01", "2028-01-10")]);
	expect(both.map((each) => each.ok && each.report.id)).toEqual(Array(2).fill("EP-20280101-20280110-T-1"));
	expect(both.map((each) => each.ok && each.again).sort()).toEqual([false, true]);
});

test("transmissions are deleted with the books of their year, and no earlier", async () => {
	const count = async () => (await shop.db.selectFrom("e_reports").select("id").execute()).length;
	const before = await count();
	await deleteOldBooks(shop, 2027);
	expect(await count()).toBe(before);
	await deleteOldBooks(shop, 2028);
	expect(await count()).toBe(1);
});
