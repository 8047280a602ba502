import { expect, type Page } from "@playwright/test";
import { waitForHydration } from "../customer.ts";
import { startSeparateShop } from "../separate-shop.ts";
import { openDatabase } from "../shared-shop.ts";
import { test } from "../test.ts";
import { makeExtract, openDesk, placeOrders } from "./morning.ts";

// The keys of the desk on pages that were loaded whole, where a page's own keys start before those of the menu.

let shop: Awaited<ReturnType<typeof startSeparateShop>>;
let order: { number: string; siren: string };
test.describe.configure({ mode: "serial" });
test.beforeAll(async () => {
	shop = await startSeparateShop({ ISSUER: "manual" });
	await placeOrders(shop.url, [{ siren: "552032534", name: "DANONE" }], 2, { services: ["express"] });
	const database = await openDatabase(shop);
	order = (await database.query("select order_number as number, siren from orders limit 1")).rows[0];
	await database.end();
});
test.afterAll(() => shop?.stop());

async function load(page: Page, path: string): Promise<void> {
	await page.goto(`/bureau/${path}`);
	await waitForHydration(page);
}

const openDetails = (page: Page) =>
	page.evaluate(() => {
		for (const details of document.querySelectorAll("details")) details.open = true;
	});

test("« g d » on a loaded order opens a page and delivers nothing", async ({ browser }) => {
	const page = await openDesk(browser, shop.url);
	await load(page, `commandes/${order.number}`);
	await page.locator('input[type="file"]').setInputFiles(makeExtract(order));
	const deliver = page.getByRole("button", { name: /^Livrer/ });
	await expect(deliver).toBeVisible();
	await load(page, `commandes/${order.number}`);
	await page.keyboard.press("g");
	await page.keyboard.press("d");
	await expect(page).toHaveURL("/bureau/personnes");
	await load(page, `commandes/${order.number}`);
	await expect(deliver).toBeVisible();
	// a second key that completes nothing is not done alone either
	await page.keyboard.press("g");
	await page.keyboard.press("x");
	await page.keyboard.press("g");
	await page.keyboard.press("n");
	await page.keyboard.press("?");
	await expect(page.getByRole("dialog", { name: "Raccourcis clavier" })).toBeVisible();
	await expect(page).toHaveURL(`/bureau/commandes/${order.number}`);
});

test("« g j » and « g k » leave a loaded list of orders, whose rows have j and k", async ({ browser }) => {
	const page = await openDesk(browser, shop.url);
	for (const [key, path] of [
		["j", "journal"],
		["k", "comptes"],
	] as const) {
		await load(page, "commandes");
		await page.keyboard.press("g");
		await page.keyboard.press(key);
		await expect(page).toHaveURL(`/bureau/${path}`);
	}
	await load(page, "commandes");
	await page.keyboard.press("j");
	await expect(page.locator("a[data-row]").first()).toBeFocused();
});

test("c and Maj c copy the SIREN in its two forms", async ({ browser }) => {
	const page = await openDesk(browser, shop.url, { permissions: ["clipboard-read", "clipboard-write"] });
	await load(page, `commandes/${order.number}`);
	const copied = () => page.evaluate(() => navigator.clipboard.readText());
	await page.keyboard.press("c");
	await expect(page.getByText("Copié", { exact: true })).toBeVisible();
	expect(await copied()).toBe(order.siren);
	await page.keyboard.press("Shift+C");
	await expect.poll(copied).toBe(order.siren.replace(/(\d{3})(?=\d)/g, "$1 "));
});

test("keys of one letter can be switched off in this browser, and on again", async ({ browser }) => {
	const page = await openDesk(browser, shop.url);
	await load(page, "commandes");
	const dialog = page.getByRole("dialog", { name: "Raccourcis clavier" });
	await page.keyboard.press("?");
	await dialog.getByRole("checkbox", { name: "Les touches agissent" }).uncheck();
	await page.keyboard.press("Escape");
	await expect(dialog).toBeHidden();
	for (const reload of [false, true]) {
		if (reload) await load(page, "commandes");
		for (const key of ["?", "/", "g", "a", "j", "n"]) await page.keyboard.press(key);
		await page.keyboard.press("ArrowDown");
		await expect(page.locator("a[data-row]").first()).toBeFocused();
		await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
		await expect(dialog).toBeHidden();
		await expect(page).toHaveURL("/bureau/commandes");
	}
	await page.getByRole("button", { name: "Raccourcis clavier" }).click();
	await dialog.getByRole("checkbox", { name: "Les touches agissent" }).check();
	await page.keyboard.press("Escape");
	await page.keyboard.press("g");
	await page.keyboard.press("a");
	await expect(page).toHaveURL("/bureau/argent");
	expect(await page.evaluate(() => localStorage.length)).toBe(0);
});

test("keys act from a field without text, and are letters in any other", async ({ browser }) => {
	const page = await openDesk(browser, shop.url);
	const dialog = page.getByRole("dialog", { name: "Raccourcis clavier" });
	for (const [path, pressed] of [
		[`commandes/${order.number}`, page.locator('input[type="file"]')],
		["equipe", page.getByRole("checkbox").first()],
	] as const) {
		await load(page, path);
		await openDetails(page);
		await pressed.focus();
		await page.keyboard.press("?");
		await expect(dialog).toBeVisible();
	}
	for (const [path, typed] of [
		["recherche", page.getByRole("searchbox")],
		["equipe", page.getByRole("textbox", { name: "E-mail" })],
		[`commandes/${order.number}`, page.locator("textarea:visible").first()],
	] as const) {
		await load(page, path);
		await openDetails(page);
		await typed.fill("d");
		await typed.press("?");
		await expect(typed).toHaveValue("d?");
		await expect(dialog).toBeHidden();
	}
	await load(page, `commandes/${order.number}`);
	await openDetails(page);
	await page.locator("select").first().focus();
	await page.keyboard.press("?");
	await expect(dialog).toBeHidden();
});
