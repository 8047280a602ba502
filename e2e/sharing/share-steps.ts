import { readFile } from "node:fs/promises";
import { type Browser, expect, type Page } from "@playwright/test";
import { orderAndPay, reloadUntilDelivered, trackOrder } from "../flows.ts";

// What a customer does with links to their extract, and their readers.

/** Fills in and sends the form of the order's page. */
export async function shareExtract(page: Page, { label = "", sender = "", purpose = "", days = "7", code = "" } = {}): Promise<void> {
	const links = page.getByLabel("Lien à transmettre");
	const before = await links.count();
	await page.getByText("Créer un lien", { exact: true }).click();
	await page.getByLabel("Votre nom, tel que le destinataire le verra").fill(sender);
	await page.getByLabel("Objet").fill(purpose);
	await page.getByLabel("Pour qui").fill(label);
	await page.getByLabel("Durée en jours").fill(days);
	await page.getByLabel("Code d’accès").fill(code);
	await page.getByRole("button", { name: "Créer le lien" }).click();
	await expect(page.getByRole("alert").or(links.nth(before))).toBeVisible();
}

/** The newest link. */
export const readShareLink = (page: Page): Promise<string> => page.getByLabel("Lien à transmettre").first().inputValue();

/** Presses the button of a link's page, and waits for the page after it. */
export async function openShare(page: Page, code?: string): Promise<void> {
	if (code !== undefined) await page.getByLabel("Code").fill(code);
	const answered = page.waitForResponse((response) => response.request().method() === "POST");
	await page.getByRole("button", { name: "Ouvrir l’extrait" }).click();
	await answered;
	await page.waitForLoadState();
}

/** Downloads by a click. @returns the bytes. */
async function download(page: Page, name: string): Promise<Buffer> {
	const started = page.waitForEvent("download");
	await page.getByRole("link", { name }).first().click();
	return readFile(await (await started).path());
}

/** Another person's browser, in which no page may run a script. */
async function openReader(browser: Browser): Promise<Page> {
	const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 320, height: 640 } });
	return context.newPage();
}

/** Shares an extract with a passcode, somebody else downloads it, and the customer takes the link back. @param shopper where it is ordered. */
export async function shareAndTakeBack(browser: Browser, shopper: Page, { javaScriptEnabled = true } = {}): Promise<void> {
	const placed = await orderAndPay(shopper);
	await reloadUntilDelivered(shopper);
	const page = await (await browser.newContext({ javaScriptEnabled })).newPage();
	await trackOrder(page, placed);
	const original = await download(page, "Télécharger");
	await shareExtract(page, { label: "Banque Martin", purpose: "Ouverture de compte", days: "3", code: "Bleu 42" });
	await expect(page.getByRole("heading", { name: "Banque Martin" })).toBeVisible();
	await expect(page.getByText("Jamais ouvert.")).toBeVisible();
	const link = await readShareLink(page);

	const reader = await openReader(browser);
	await reader.goto(link);
	await expect(reader.getByText("DANONE")).toHaveCount(0);
	await expect(reader.getByText("Ouverture de compte")).toBeVisible();
	await openShare(reader, "Rouge 42");
	await expect(reader.getByRole("alert")).toContainText("Ce code est incorrect.");
	await openShare(reader, "bleu 42");
	await expect(reader.getByRole("heading", { level: 1, name: "DANONE" })).toBeVisible();
	await expect(reader.getByText("Le fichier est intact.")).toBeVisible();
	for (const hidden of [placed.email, placed.number, "Lovelace", "Banque Martin"]) await expect(reader.getByText(hidden)).toHaveCount(0);
	expect(Buffer.compare(await download(reader, "Télécharger l’extrait"), original)).toBe(0);
	expect(await reader.context().cookies()).toEqual([]);
	expect(await reader.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);

	await page.reload();
	await expect(page.getByText("Ouvert 1 fois, téléchargé 1 fois.")).toBeVisible();
	await page.getByRole("button", { name: "Retirer ce lien" }).click();
	await expect(page.getByText("Liens terminés (1)")).toBeVisible();
	await expect(page.getByLabel("Lien à transmettre")).toHaveCount(0);

	// the page that is still open gives no file either
	const file = await reader.getByRole("link", { name: "Télécharger l’extrait" }).getAttribute("href");
	expect((await reader.request.get(file ?? "")).status()).toBe(410);
	expect((await reader.goto(link))?.status()).toBe(410);
	await expect(reader.getByRole("heading", { name: "Ce lien a été retiré" })).toBeVisible();
}
