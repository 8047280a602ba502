import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type AccountsFixture, createAccountsFixture } from "../../../test/accounts.ts";
import { setBooks } from "../../catalogue/settings/change-settings.server.ts";
import { defaultSettings } from "../../catalogue/settings/shop-settings.ts";
import { listDeskLog } from "../../desk/log/desk-log.store.server.ts";
import { sandboxProvider } from "../../payments/sandbox/sandbox-provider.server.ts";
import type { Shop } from "../../shop.ts";
import { runAccountsCommand } from "./accounts-commands.server.ts";

const folder = mkdtempSync(join(tmpdir(), "accounts-"));
let fixture: AccountsFixture;
let shop: Shop;
beforeAll(async () => {
	fixture = await createAccountsFixture("2026-11-02T09:00:00Z");
	const { db, jobs, signer, now } = fixture;
	shop = { ...fixture, provider: sandboxProvider({ db, jobs, signer, now, baseUrl: "http://localhost" }) } as unknown as Shop;
});
afterAll(async () => {
	await fixture?.close();
	rmSync(folder, { recursive: true });
});

/** What the operator is told, with ordinary spaces. */
async function accounts(...args: string[]) {
	const { ok, text } = await runAccountsCommand(shop, [...args, "--as", "Ada"]);
	return { ok, text: text.replaceAll(/[\u00a0\u202f]/g, " ") };
}

test("without a known verb, the usage is shown", async () => {
	for (const args of [[], ["constructor"], ["export", "--unknown"]])
		expect(await accounts(...args)).toMatchObject({ ok: false, text: expect.stringContaining("Usage : npm run accounts") });
	expect(await accounts("months")).toEqual({ ok: true, text: "Aucune écriture." });
	for (const verb of ["show", "export", "close"])
		expect(await accounts(verb, "novembre")).toEqual({ ok: false, text: "Écrivez le mois ainsi : 2026-11." });
});

test("a month is shown, exported, and closed in two steps", async () => {
	const { order } = await fixture.sell("2026-11-10T09:00:00Z", { completed_at: new Date("2026-11-10T10:00:00Z") });
	await fixture.readProvider("2026-12-02T09:00:00Z");
	expect(await accounts("cost", order.order_number, "3,53")).toEqual({ ok: true, text: "Coût de l’extrait : 3,53 €." });
	expect(await accounts("cost", "KB-2222-2222", "3")).toMatchObject({ ok: false, text: "La commande KB-2222-2222 n’existe pas." });
	const shown = await accounts("show", "2026-11");
	expect(shown.text).toMatch(/Ventes HT \(facturé dans le mois\) +49,17 €/);
	expect(shown.text).toMatch(/Encaissé +59,00 €/);
	expect(shown.text).toMatch(/Frais du prestataire +1,14 €/);
	expect(shown.text).toMatch(/Marge \(sur l’encaissé HT\) +44,50 € \(extraits 3,53 €\)/);
	expect(shown.text).toContain("20 %  base 49,17 €  TVA 9,83 €");
	expect(await accounts("export", "2026-11", folder, "--zip")).toMatchObject({
		ok: true,
		text: expect.stringContaining("factures-2026-11.zip"),
	});
	expect(readdirSync(folder).sort()).toEqual([
		...["000000000FEC20261130.txt", "e-reporting-2026-11.json", "factures-2026-11.csv", "factures-2026-11.zip", "journal-2026-11.csv"],
		...["marge-2026-11.csv", "tva-2026-11.csv", "tva-detail-2026-11.csv", "tva-ecart-2026-11.csv", "virements-2026-11.csv"],
	]);
	await setBooks(shop, { id: null, name: "Ada" }, { ...defaultSettings.books, customers: "collective" });
	expect(await accounts("export", "2026-11", folder)).toMatchObject({
		ok: true,
		text: expect.stringContaining("collectif-000000000FEC20261130.txt"),
	});
	expect(await accounts("export-year", "2026", folder)).toMatchObject({
		ok: true,
		text: expect.stringContaining("provisoire-000000000FEC20261231.txt"),
	});
	expect(readFileSync(join(folder, "provisoire-000000000FEC20261231.txt"))).toEqual(
		readFileSync(join(folder, "collectif-000000000FEC20261130.txt")),
	);
	expect(await accounts("export-year", "26")).toEqual({ ok: false, text: "Écrivez l’année ainsi : 2026." });
	expect(await accounts("export-year", "2025", folder)).toEqual({ ok: false, text: "L’exercice 2025 n’a aucune écriture." });
	expect(await accounts("export-year", "2026", "/dev/null/x")).toMatchObject({
		ok: false,
		text: expect.stringContaining("ne s’écrit pas"),
	});
	const before = readFileSync(join(folder, "journal-2026-11.csv"));
	const first = await accounts("close", "2026-11");
	const [, hash = ""] = /--confirm (\w{12})/.exec(first.text) ?? [];
	expect(await accounts("close", "2026-11", "--confirm", "000000000000")).toMatchObject({
		ok: false,
		text: expect.stringContaining("Relisez"),
	});
	expect(await accounts("close", "2026-11", "--confirm", hash)).toEqual({ ok: true, text: "novembre 2026 est clôturé." });
	expect(await accounts("close", "2026-11")).toMatchObject({ ok: true, text: expect.stringContaining("déjà clôturé") });
	await accounts("export", "2026-11", folder);
	expect(readFileSync(join(folder, "journal-2026-11.csv")).equals(before)).toBe(true);
	expect((await accounts("months")).text).toMatch(/^2026-11 +clôturé le 02\/12\/2026 10:00 +49,17 € +9,83 € +59,00 €/m);
});

test("what differs is named, and nothing is closed", async () => {
	fixture.setClock("2026-12-05T09:00:00Z");
	const { order } = await fixture.insertPaidOrder();
	await fixture.readProvider("2027-01-02T09:00:00Z");
	const refused = await accounts("close", "2026-12", "--confirm", "x");
	expect(refused.ok).toBe(false);
	const first = await accounts("close", "2026-12");
	expect(first.text).toContain(`${order.order_number} (59,00 €) : commande payée sans facture.`);
	const [, hash = ""] = /--confirm (\w{12})/.exec(first.text) ?? [];
	expect((await accounts("close", "2026-12", "--confirm", hash)).text).toMatch(/^Une différence empêche la clôture\.\nKB-/);
});

test("the balance is read on demand, and each verb is recorded with its operator", async () => {
	expect(await accounts("update")).toMatchObject({ ok: true, text: expect.stringContaining("Mouvements lus : 0") });
	const log = await listDeskLog(fixture.db, 100);
	expect(log).toContainEqual(expect.objectContaining({ verb: "accounts close", subject: "2026-11", who: "Ada", outcome: "done" }));
});
