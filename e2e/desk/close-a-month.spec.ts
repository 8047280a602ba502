import { readFileSync } from "node:fs";
import { expect, type Page } from "@playwright/test";
import { withClient } from "../../test/postgres.ts";
import { scaledTimeout } from "../../test/time-limits.ts";
import { findViolations } from "../accessibility.ts";
import { startSeparateShop } from "../separate-shop.ts";
import { test } from "../test.ts";
import { openDesk, placeOrders } from "./morning.ts";

// The accountant's month: update, download, close.

let shop: Awaited<ReturnType<typeof startSeparateShop>>;
test.describe.configure({ mode: "serial" });
test.beforeAll(async () => {
	shop = await startSeparateShop({});
	await placeOrders(shop.url, [{ siren: "552032534", name: "DANONE" }], 2);
	await moveOrdersToLastMonth();
});
test.afterAll(() => shop?.stop());

/** The last month, as the first day of it. */
const lastMonth = new Date(Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth() - 1, 15));
const month = lastMonth.toISOString().slice(0, 7);
const name = new Intl.DateTimeFormat("fr-FR", { month: "long", year: "numeric", timeZone: "UTC" }).format(lastMonth);
const title = name.replace(/^./, (letter) => letter.toUpperCase());

/** As if the orders were of the 15th of the last month. */
async function moveOrdersToLastMonth(): Promise<void> {
	await withClient(shop.connection, async (client) => {
		const count = async () => (await client.query("select count(*)::integer as n from invoices where document_id is not null")).rows[0].n;
		await expect.poll(count, { timeout: scaledTimeout(60_000) }).toBe(2);
		const at = `${month}-15T10:00:00Z`;
		await client.query(`
			set session_replication_role = replica;
			update orders set created_at = '${at}', paid_at = '${at}', completed_at = '${at}';
			update payments set created_at = '${at}';
			update sandbox.sessions set created_at = '${at}', paid_at = '${at}' where payment_status = 'paid';
			update invoices set issued_at = '${at}', data = data || '{"issuedAt": "${at}", "paidAt": "${at}"}';
			set session_replication_role = default`);
	});
}

async function download(page: Page, link: string): Promise<{ name: string; text: string }> {
	const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name: link }).click()]);
	return { name: file.suggestedFilename(), text: readFileSync(await file.path(), "latin1") };
}

test("a month is updated, downloaded and closed in two steps, and its files stay the same", async ({ browser }) => {
	const page = await openDesk(browser, shop.url);
	await page.getByRole("navigation", { name: "Bureau" }).getByRole("link", { name: "Comptes" }).click();
	await page.getByRole("button", { name: "Mettre à jour" }).click();
	await expect(page.getByText(/Écritures passées/)).toBeVisible();
	expect(await findViolations(page)).toEqual([]);
	await page.getByRole("link", { name: title }).click();
	await expect(page.getByRole("heading", { name: title })).toBeVisible();
	const journal = await download(page, "Journal des ventes et des encaissements (tableau)");
	expect(journal.name).toBe(`journal-${month}.csv`);
	const fec = await download(page, "Les mêmes écritures, au format du FEC");
	expect(fec.text.split("\r\n")[0]?.split("\t")).toHaveLength(18);
	expect((await download(page, "PDF des factures et avoirs (2)")).text.slice(0, 2)).toBe("PK");

	await page.getByRole("link", { name: "Préparer la clôture" }).click();
	expect(await findViolations(page)).toEqual([]);
	const close = page.getByRole("button", { name: `Clôturer ${name}` });
	await close.click();
	await expect(page.getByText("Cochez que vous avez relu les sommes.").first()).toBeVisible();
	await page.getByLabel("J’ai relu ces sommes.").check();
	await close.click();
	await expect(page.getByText(/^Clôturé le /)).toBeVisible();
	expect((await download(page, "Journal des ventes et des encaissements (tableau)")).text).toBe(journal.text);
	expect((await download(page, "Les mêmes écritures, au format du FEC")).text).toBe(fec.text);
	expect(await findViolations(page)).toEqual([]);
	await page.context().close();
});

test("without JavaScript the pages and forms work", async ({ browser }) => {
	const page = await openDesk(browser, shop.url, { javaScriptEnabled: false });
	await page.goto("/bureau/comptes");
	await page.getByRole("button", { name: "Mettre à jour" }).click();
	await expect(page.getByText(/Écritures passées\s*: 0/)).toBeVisible();
	await page.getByRole("link", { name: title }).click();
	await expect(page.getByText(/^Clôturé le /)).toBeVisible();
	await page.context().close();
});
