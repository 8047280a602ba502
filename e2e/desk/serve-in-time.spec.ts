import { expect } from "@playwright/test";
import { findViolations } from "../accessibility.ts";
import { delayScripts } from "../customer.ts";
import { startSeparateShop } from "../separate-shop.ts";
import { test } from "../test.ts";
import { droppedFile, newExtract, openDesk, openNext, placeOrder } from "./morning.ts";

// An order is served while its page is read again, before its scripts arrive, without network, in two tabs, and with several files.

let shop: Awaited<ReturnType<typeof startSeparateShop>>;
test.describe.configure({ mode: "serial" });
test.beforeAll(async () => {
	shop = await startSeparateShop({ ISSUER: "manual" });
});
test.afterAll(() => shop?.stop());

const readNumber = (url: string) => /KB-\w{4}-\w{4}/.exec(url)?.[0] ?? "";

test("the next order and its address come together while the open page is being read again", async ({ browser }) => {
	for (let order = 0; order < 2; order++) await placeOrder(shop.url);
	const page = await openDesk(browser, shop.url);
	await openNext(page);
	const readings: { number: string; answer: () => void }[] = [];
	await page.route(/\/commandes\/KB-[^/]+\.data/, async (route) => {
		await new Promise<void>((answer) => readings.push({ number: readNumber(route.request().url()), answer }));
		await route.continue().catch(() => {}); // the page may have given it up
	});
	const before = readNumber(page.url());
	const untilRead = (reads: (number: string) => boolean) =>
		expect.poll(() => readings.some(({ number }) => reads(number)), { intervals: [50] }).toBe(true);
	await placeOrder(shop.url); // the desk reads the open page again
	await untilRead((number) => number === before);
	await page.keyboard.press("n");
	await untilRead((number) => number !== before);
	for (const { number, answer } of readings) if (number === before) answer();
	await page.waitForTimeout(500);
	await page.unroute(/\/commandes\/KB-[^/]+\.data/);
	for (const { answer } of readings) answer();
	await expect(page.getByRole("heading", { level: 1 })).not.toHaveText(before);
	await expect(page).toHaveURL(new RegExp(`${await page.getByRole("heading", { level: 1 }).textContent()}$`));
});

test("a file chosen before the scripts arrive is sent when they do", async ({ browser }) => {
	await placeOrder(shop.url);
	const page = await openDesk(browser, shop.url);
	await openNext(page);
	const scriptsArrive = await delayScripts(page);
	await page.reload({ waitUntil: "commit" });
	await page.getByLabel("Extrait au format PDF").setInputFiles(newExtract());
	await scriptsArrive();
	await expect(page.getByText("Le SIREN 552 032 534 se lit dans l’extrait.")).toBeVisible();
});

test("a file dropped on the page is kept without network, and sent once", async ({ browser }) => {
	await placeOrder(shop.url);
	const page = await openDesk(browser, shop.url);
	await openNext(page);
	await page.getByLabel("Note interne").fill("Le greffe rappelle à 11 h.");
	await page.context().setOffline(true);
	const data = await page.evaluateHandle((base64) => {
		const transfer = new DataTransfer();
		const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
		transfer.items.add(new File([bytes], "depose.pdf", { type: "application/pdf" }));
		return transfer;
	}, newExtract().buffer.toString("base64"));
	await page.dispatchEvent("main", "drop", { dataTransfer: data });
	await expect(page.getByText("Pas de réseau. Le fichier reste ici")).toBeVisible();
	await page.getByRole("button", { name: "Ajouter" }).click();
	await expect(page.getByText("Pas de réseau. Ce que vous avez saisi reste ici")).toBeVisible();
	await page.context().setOffline(false);
	await expect(page.getByText("depose.pdf")).toBeVisible();
	await expect(page.getByText("La note est enregistrée.")).toBeVisible();
	await page.reload();
	await expect(page.getByRole("listitem").filter({ hasText: "Le greffe rappelle à 11 h." })).toHaveCount(1);
});

test("a file appears in the other tab; on a phone its place follows the SIREN, and what can be undone stays in view", async ({
	browser,
}) => {
	await placeOrder(shop.url);
	const page = await openDesk(browser, shop.url);
	await openNext(page);
	const phone = await page.context().newPage();
	await phone.setViewportSize({ width: 360, height: 740 });
	await phone.goto(page.url());
	const top = async (heading: string) => (await phone.getByRole("heading", { name: heading }).boundingBox())?.y ?? 0;
	const [siren, field, register] = [
		await phone.getByText("552 032 534").first().boundingBox(),
		await top("Déposer l’extrait"),
		await top("Au registre"),
	];
	expect(field).toBeGreaterThan(siren?.y ?? 0);
	expect(field).toBeLessThan(740);
	expect(register).toBeGreaterThan(field);
	await page.getByLabel("Extrait au format PDF").setInputFiles(newExtract());
	await expect(page.getByText("Le fichier est déposé. Rien n’est encore envoyé.")).toBeVisible();
	await expect(droppedFile(phone)).toBeVisible();

	await phone.getByRole("button", { name: /^Livrer/ }).click();
	await expect(page.getByText("pour l’annuler")).toBeVisible();
	await expect(page.getByText("Le fichier est déposé. Rien n’est encore envoyé.")).toHaveCount(0);
	await phone.getByRole("heading", { name: "Historique" }).scrollIntoViewIfNeeded();
	await expect(phone.getByRole("status").getByRole("button", { name: "Annuler" })).toBeInViewport();
	expect(await findViolations(phone)).toEqual([]);
	const number = /KB-[\w-]+/.exec(phone.url())?.[0] ?? "";
	await phone.getByRole("link", { name: "Commandes", exact: true }).first().click();
	await expect(phone.getByRole("heading", { name: "Commandes" })).toBeVisible();
	// orders of the tests before may still be undone too
	const undo = phone.getByRole("complementary", { name: "Encore annulable" }).locator("form", { hasText: number });
	await undo.getByRole("button", { name: "Annuler" }).scrollIntoViewIfNeeded();
	expect(await findViolations(phone)).toEqual([]);
	await undo.getByRole("button", { name: "Annuler" }).click();
	await expect(page.getByRole("button", { name: /^Livrer/ })).toBeVisible();
});

test("several files find their orders; the page fits a telephone", async ({ browser }) => {
	await placeOrder(shop.url);
	const page = await openDesk(browser, shop.url);
	await page.setViewportSize({ width: 360, height: 780 });
	await page.goto("/bureau/fichiers");
	await page.getByLabel("Extraits au format PDF").setInputFiles([
		{ ...newExtract(), name: "danone.pdf" },
		{ ...newExtract("404833048"), name: "inconnue.pdf" },
	]);
	await page.getByRole("button", { name: "Déposer" }).click();
	await expect(page.getByText("Aucune commande de cette entreprise n’attend un extrait")).toBeVisible();
	await expect(page.getByRole("button", { name: /^Livrer/ }).first()).toBeVisible();
	expect(await findViolations(page)).toEqual([]);
	await page.getByRole("link", { name: /^KB-/ }).first().click();
	await expect(droppedFile(page)).toBeVisible();
	expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
	expect(await findViolations(page)).toEqual([]);
	for (const name of [/^E-mail\s: Confirmation/, "Le lien du client"]) {
		await page.getByRole("link", { name }).first().click();
		await expect(page.getByRole("heading", { level: 1 })).not.toHaveText(/^KB-/);
		expect(await findViolations(page)).toEqual([]);
		expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
		if (name === "Le lien du client") {
			await page.getByRole("button", { name: "Montrer le lien" }).click();
			await expect(page.getByText("/acces/")).toBeVisible();
			expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
		}
		await page.goBack();
		await expect(droppedFile(page)).toBeVisible();
	}
});
