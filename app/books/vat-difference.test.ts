import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type AccountsFixture, createAccountsFixture } from "../../test/accounts.ts";
import { checkMonth } from "./checks/check-month.server.ts";
import { formatFinding, isBlocking } from "./checks/finding.ts";
import { closeMonth } from "./closing/close-month.server.ts";
import { explainBases, explainVat, getUnexplained, writeVatDifference } from "./files/vat-difference.ts";
import type { Month } from "./month.ts";
import { postEntries } from "./post-entries.server.ts";
import { readVatDifference } from "./read-vat.server.ts";

// Between the account of VAT and the declaration: what is paid in one month and invoiced in the next.

let shop: AccountsFixture;
beforeAll(async () => {
	shop = await createAccountsFixture("2026-10-01T09:00:00Z");
});
afterAll(() => shop?.close());

async function read(month: string) {
	await postEntries(shop);
	return readVatDifference(shop.db, month as Month);
}
const toText = (bytes: Uint8Array) => new TextDecoder().decode(bytes).replaceAll("\u00a0", " ");
const plain = (text: string | null) => text?.replaceAll(/[\u00a0\u202f]/g, " ") ?? null;
const sellAtTheEnd = (second: string, product_code?: "standard") =>
	shop.sell(`2026-11-30T22:59:${second}.900Z`, { invoicedAt: "2026-11-30T23:00:03Z", ...(product_code && { product_code }) });

test("a month whose payments are all invoiced in it has no difference to explain", async () => {
	await shop.sell("2026-10-10T09:00:00Z");
	const october = await read("2026-10");
	expect(october).toMatchObject({ booked: 983, declared: { net: 4917, vat: 983 }, before: [], after: [], opening: 0, ending: 0 });
	expect([explainBases(october), explainVat(october, "445710"), getUnexplained(october)]).toEqual([null, null, 0]);
});

test("invoices of the next month are listed one by one, from the account to the declaration", async () => {
	await shop.sell("2026-11-10T09:00:00Z");
	await sellAtTheEnd("58");
	await sellAtTheEnd("59", "standard");
	const [november, december] = [await read("2026-11"), await read("2026-12")];
	expect(november).toMatchObject({ booked: 983, declared: { net: 4917 + 4917 + 3250, vat: 983 + 983 + 650 }, opening: 0, ending: 1633 });
	expect(december).toMatchObject({ booked: 1633, declared: { net: 0, vat: 0 }, opening: 1633, ending: 0 });
	expect([getUnexplained(november), getUnexplained(december)]).toEqual([0, 0]);
	expect(plain(explainVat(november, "445710"))).toBe(
		"16,33 € de plus que le compte 445710 : 2 factures payées en novembre 2026, écrites ensuite.",
	);
	expect(plain(explainBases(november))).toBe(
		"Facturé 49,17 € HT, encaissé 130,84 € HT : 2 factures payées en novembre 2026, écrites ensuite.",
	);
	expect(plain(explainVat(december, "445711"))).toBe(
		"16,33 € de moins que le compte 445711 : 2 factures écrites en décembre 2026, payées et déclarées avant.",
	);
	const [first, second] = november.after;
	expect(toText(writeVatDifference(november, "445710")).split("\r\n")).toEqual([
		"Ligne;Pièce;Commande;Écriture;Comptabilisée le;Déclarée en;Taux;Base HT;TVA",
		"TVA écrite au compte 445710;;;;;;;49,17;9,83",
		`Déclarée ce mois, écrite ensuite;F2026-000003;${first?.subject};VT2026-000003;01/12/2026;novembre 2026;20 %;49,17;9,83`,
		`Déclarée ce mois, écrite ensuite;F2026-000004;${second?.subject};VT2026-000004;01/12/2026;novembre 2026;20 %;32,50;6,50`,
		"TVA à déclarer pour novembre 2026;;;;;;;130,84;26,16",
		"Déclarée et pas encore écrite, au début du mois;;;;;;;;0,00",
		"Déclarée et pas encore écrite, à la fin du mois;;;;;;;;16,33",
		"",
	]);
	expect(toText(writeVatDifference(december, "445710"))).toContain(
		`Écrite ce mois, déclarée avant;F2026-000003;${first?.subject};VT2026-000003;01/12/2026;novembre 2026;20 %;-49,17;-9,83`,
	);
});

test("a month may have both: invoices of payments before it, and payments that are invoiced after it", async () => {
	await shop.sell("2026-12-31T22:59:59Z", { invoicedAt: "2026-12-31T23:00:03Z", product_code: "standard" });
	const december = await read("2026-12");
	expect(plain(explainVat(december, "445710"))).toBe(
		"9,83 € de moins que le compte 445710 : 1 facture payée en décembre 2026, écrite ensuite ; 2 factures écrites en décembre 2026, payées et déclarées avant.",
	);
	expect([december.opening, december.ending, getUnexplained(december)]).toEqual([1633, 650, 0]);
});

test("a payment of a closed month that is invoiced late is declared and written in the same month", async () => {
	await shop.readProvider("2026-12-02T09:00:00Z");
	expect(await closeMonth(shop, "2026-10" as Month, { closedBy: "Ada" })).toMatchObject({ ok: true });
	await shop.sell("2026-10-31T22:59:59Z", { invoicedAt: "2026-12-03T09:00:00Z" });
	const november = await read("2026-11");
	// due in October, declared in the first open month, written when it was issued
	expect(november.after.map(({ pieceRef }) => pieceRef)).toHaveLength(3);
	expect(getUnexplained(november)).toBe(0);
	expect(getUnexplained(await read("2026-12"))).toBe(0);
});

test("VAT that no document explains keeps the month open", async () => {
	await shop.readProvider("2027-01-02T09:00:00Z");
	const check = async () => (await checkMonth(shop.db, "2026-12" as Month)).filter(({ code }) => code === "vat-not-explained");
	expect(await check()).toEqual([]);
	const change = async (by: number) => {
		await sql`alter table account_entries disable trigger account_entries_are_kept`.execute(shop.db);
		await sql`update account_entries set lines = jsonb_set(lines, '{2,credit}', to_jsonb((lines->2->>'credit')::integer + ${sql.lit(by)}))
			where piece_ref = 'F2026-000003' and journal = 'VT'`.execute(shop.db);
		await sql`alter table account_entries enable trigger account_entries_are_kept`.execute(shop.db);
	};
	await change(7);
	const [found] = await check();
	expect(found && { ...found, text: plain(formatFinding(found)), blocks: isBlocking(found) }).toEqual({
		...{ code: "vat-not-explained", subject: "TVA 2026-12", amount: -7, blocks: true },
		text: "TVA 2026-12 (−0,07 €) : la TVA du compte et la TVA déclarée diffèrent sans qu’une facture l’explique.",
	});
	await change(-7);
	expect(await check()).toEqual([]);
});
