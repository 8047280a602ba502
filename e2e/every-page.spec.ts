import { join } from "node:path";
import { expect, type Page, test } from "@playwright/test";
import type { RunOnly } from "axe-core";
import { colourRules, findViolations } from "./accessibility.ts";
import { waitForHydration } from "./customer.ts";
import { expectAgreedTexts } from "./page-text.ts";
import { blockExtracts } from "./shared-shop.ts";
import { states } from "./states/page-states.ts";

const screens = [
	{ width: 1280, height: 800 },
	{ width: 360, height: 740 },
];
/** The narrowest window (WCAG 1.4.10), a tablet, and 1280 × 800 at 200 % (WCAG 1.4.4). No page scrolls sideways, here or above. */
const narrow = [
	{ width: 320, height: 640 },
	{ width: 768, height: 1024 },
	{ width: 640, height: 400 },
];
const allRules: RunOnly = { type: "tag", values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"] };

/** SCREENSHOTS names a folder for a picture of each state. */
const folder = process.env.SCREENSHOTS;
async function takeScreenshot(page: Page, name: string, screen: string): Promise<void> {
	if (folder) await page.screenshot({ path: join(folder, `${name.replace(/[^\p{L}\d]+/gu, "-")}-${screen}.png`), fullPage: true });
}

async function expectNoSidewaysScroll(page: Page): Promise<void> {
	const width = page.viewportSize()?.width;
	expect(await page.evaluate(() => document.documentElement.scrollWidth), `${width} px`).toBeLessThanOrEqual(width ?? 0);
}

for (const { name, visit, status = 200, scriptless = false, indexable = false, blocksExtracts = false } of states) {
	test(name, async ({ page }) => {
		const consoleErrors: string[] = [];
		let lastStatus = 0;
		page.on("console", (message) => message.type() === "error" && consoleErrors.push(message.text()));
		page.on("pageerror", (error) => consoleErrors.push(error.message));
		page.on("response", (response) => {
			if (response.request().resourceType() === "document") lastStatus = response.status();
		});
		const unblockExtracts = blocksExtracts ? await blockExtracts() : undefined;
		try {
			if (typeof visit === "string") await page.goto(visit);
			else await visit(page);
			await waitForHydration(page);
			await expectAgreedTexts(page, name);
			if (typeof visit === "string" || scriptless) expect(lastStatus).toBe(status);

			await expect(page.locator("html")).toHaveAttribute("lang", "fr");
			await expect(page.locator("h1")).toHaveCount(1);
			await expect(page).toHaveTitle(/\S/);
			if (indexable) await expect(page.locator("meta[name=description]")).toHaveAttribute("content", /.{50}/);
			else if (typeof visit === "string") await expect(page.locator("meta[name=robots]")).toHaveAttribute("content", "noindex");
			if (scriptless) await expect(page.locator("script[src], script[type=module], link[rel=modulepreload]")).toHaveCount(0);

			for (const viewport of screens) {
				await page.setViewportSize(viewport);
				await expectNoSidewaysScroll(page);
				for (const colorScheme of ["light", "dark"] as const) {
					await page.emulateMedia({ colorScheme });
					await takeScreenshot(page, name, `${viewport.width}-${colorScheme}`);
					const found = await findViolations(page, colorScheme === "light" ? allRules : colourRules);
					expect(found, `${viewport.width} px, ${colorScheme}`).toEqual([]);
				}
			}
			for (const viewport of narrow) {
				await page.setViewportSize(viewport);
				await takeScreenshot(page, name, `${viewport.width}`);
				await expectNoSidewaysScroll(page);
			}
		} finally {
			await unblockExtracts?.();
		}
		// the browser logs every answer with an error status
		expect(consoleErrors.filter((text) => !/^Failed to load resource: .* status of 4\d\d/.test(text))).toEqual([]);
	});
}

test.describe("without JavaScript", () => {
	test.use({ javaScriptEnabled: false, viewport: { width: 360, height: 740 } });

	test("the phone menu opens, closes, and its links work", async ({ page }) => {
		for (const path of ["/", "/entreprise/552032534"]) {
			await page.goto(path);
			const menu = page.getByRole("navigation", { name: "Menu" });
			await expect(menu).toBeHidden();
			await page.getByRole("button", { name: "Menu" }).click();
			await expect(menu).toBeVisible();
			for (const legal of ["Conditions générales de vente", "Politique de confidentialité"])
				await expect(menu.getByRole("link", { name: legal })).toBeVisible();
			await page.getByRole("button", { name: "Fermer" }).click();
			await expect(menu).toBeHidden();
			await page.getByRole("button", { name: "Menu" }).click();
			await page.keyboard.press("Escape");
			await expect(menu).toBeHidden();
			await page.getByRole("button", { name: "Menu" }).click();
			await menu.getByRole("link", { name: "Suivre ma commande" }).click();
			await expect(page).toHaveURL("/suivi-commande");
		}
	});

	test("the home page opens one of its eight questions at a time, and can close it", async ({ page }) => {
		await page.goto("/");
		const questions = page.locator("#faq details");
		await expect(questions).toHaveCount(8);
		const open = page.locator("#faq details[open]");
		await expect(open).toHaveCount(0);
		await questions.nth(0).locator("summary").click();
		await expect(questions.nth(0).locator("p")).toBeVisible();
		await questions.nth(3).locator("summary").click();
		await expect(open).toHaveCount(1);
		await expect(questions.nth(3).locator("p")).toBeVisible();
		await expect(questions.nth(0).locator("p")).toBeHidden();
		await questions.nth(3).locator("summary").click();
		await expect(open).toHaveCount(0);
	});
});
