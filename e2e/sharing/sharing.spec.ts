import { readFile } from "node:fs/promises";
import { type Browser, expect, type Page } from "@playwright/test";
import { findViolations } from "../accessibility.ts";
import { openTracking, orderAndPay, trackOrder } from "../flows.ts";
import { test } from "../test.ts";
import { openShare, readShareLink, shareExtract } from "./share-steps.ts";

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

for (const javaScriptEnabled of [true, false])
	test.describe(`${javaScriptEnabled ? "with" : "without"} JavaScript`, () => {
		test("a customer shares an extract with a passcode, somebody else downloads it, and the customer takes the link back", async ({
			browser,
			page: shopper,
		}) => {
			const placed = await orderAndPay(shopper);
			await expect(shopper.getByRole("link", { name: "Télécharger le KBIS" })).toBeVisible();
			const page = await (await browser.newContext({ javaScriptEnabled })).newPage();
			await trackOrder(page, placed);
			const original = await download(page, "Télécharger");
			await shareExtract(page, { label: "Banque Martin", days: "3", code: "Bleu 42" });
			await expect(page.getByRole("heading", { name: "Banque Martin" })).toBeVisible();
			await expect(page.getByText("Jamais ouvert.")).toBeVisible();
			const link = await readShareLink(page);

			const reader = await openReader(browser);
			await reader.goto(link);
			await expect(reader.getByText("DANONE")).toHaveCount(0);
			await openShare(reader, "Rouge 42");
			await expect(reader.getByRole("alert")).toContainText("Ce code est incorrect.");
			await openShare(reader, "bleu 42");
			await expect(reader.getByRole("heading", { level: 1, name: "DANONE" })).toBeVisible();
			await expect(reader.getByText("Le fichier est intact.")).toBeVisible();
			for (const hidden of [placed.email, placed.number, "Lovelace", "Banque Martin"])
				await expect(reader.getByText(hidden)).toHaveCount(0);
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
		});
	});

test("a refused form says why, keeps what was typed, and is accessible", async ({ page }) => {
	await openTracking(page);
	await shareExtract(page, { label: "Banque Martin", days: "0" });
	await expect(page.getByRole("alert")).toBeFocused();
	await page.getByRole("alert").getByRole("link").click();
	await expect(page.getByLabel("Durée en jours")).toBeFocused();
	await expect(page.getByLabel("Pour qui")).toHaveValue("Banque Martin");
	expect(await findViolations(page)).toEqual([]);
});
