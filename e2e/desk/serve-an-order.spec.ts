import { expect } from "@playwright/test";
import { findViolations } from "../accessibility.ts";
import { startSeparateShop } from "../separate-shop.ts";
import { test } from "../test.ts";
import { droppedFile, newExtract, openDesk, openNext, placeOrder } from "./morning.ts";

// One order from the queue to the customer, as an operator serves it.

let shop: Awaited<ReturnType<typeof startSeparateShop>>;
test.describe.configure({ mode: "serial" });
test.beforeAll(async () => {
	shop = await startSeparateShop({ ISSUER: "manual" });
});
test.afterAll(() => shop?.stop());

test("an order is served with three keys and one file, and can be undone", async ({ browser }) => {
	for (let order = 0; order < 2; order++) await placeOrder(shop.url);
	const page = await openDesk(browser, shop.url);
	await openNext(page);
	await expect(page.getByRole("heading", { name: "DANONE" })).toBeVisible();
	await expect(page.getByRole("link", { name: /^INPI/ })).toHaveAttribute("href", "https://data.inpi.fr/entreprises/552032534");
	expect(await findViolations(page)).toEqual([]);

	// chosen by a click, which leaves the focus on the field: the keys go on
	const chooser = page.waitForEvent("filechooser");
	await page.getByLabel("Extrait au format PDF").click();
	await (await chooser).setFiles(newExtract());
	await expect(page.getByText("Le SIREN 552 032 534 se lit dans l’extrait.")).toBeVisible();
	await expect(droppedFile(page)).toBeVisible();
	expect(await droppedFile(page).evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth))).toBe(1000);
	expect(await findViolations(page)).toEqual([]);

	await page.keyboard.press("d");
	await page.getByRole("button", { name: "Annuler" }).click();
	await expect(page.getByRole("button", { name: /^Livrer/ })).toBeVisible();
	await page.keyboard.press("d");
	await expect(page.getByText("pour l’annuler")).toBeVisible();

	// the next order is served meanwhile
	await openNext(page);
	await expect(page.getByRole("heading", { name: "Déposer l’extrait" })).toBeVisible();
});

test("without JavaScript, the file field and the buttons serve an order", async ({ browser }) => {
	await placeOrder(shop.url);
	const page = await openDesk(browser, shop.url, { javaScriptEnabled: false });
	// nothing is there to be taken before the order has asked for its extract
	await expect(async () => {
		await page.getByRole("button", { name: "Prendre la suivante" }).click();
		await expect(page.getByLabel("Extrait au format PDF")).toBeAttached({ timeout: 500 });
	}).toPass();
	await page.getByLabel("Extrait au format PDF").setInputFiles({ ...newExtract(), buffer: Buffer.from("bonjour") });
	await page.getByRole("button", { name: "Déposer" }).click();
	await expect(page.getByText("Ce fichier n’est ni un PDF ni une photo en JPEG ou en PNG.")).toBeVisible();
	await page.getByLabel("Un autre fichier PDF").setInputFiles(newExtract());
	await page.getByRole("button", { name: "Déposer" }).click();
	await expect(droppedFile(page)).toBeVisible();
	await page.getByRole("button", { name: /^Livrer/ }).click();
	await expect(page.getByRole("button", { name: "Annuler" }).first()).toBeVisible();
});
