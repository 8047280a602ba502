import { expect } from "@playwright/test";
import { scaledTimeout } from "../test/time-limits.ts";
import { orderAndPay, trackOrder } from "./flows.ts";
import { test } from "./test.ts";

test("prints an order on one white sheet, without buttons and menus", async ({ page }) => {
	await page.emulateMedia({ colorScheme: "dark" });
	const placed = await orderAndPay(page);
	await expect(page.getByRole("link", { name: "Télécharger le KBIS" })).toBeAttached({ timeout: scaledTimeout(20_000) });
	for (const look of [async () => {}, () => trackOrder(page, placed)]) {
		await page.emulateMedia({ media: "screen" });
		await look();
		await page.emulateMedia({ media: "print" });
		await expect(page.getByRole("banner")).toBeHidden();
		await expect(page.getByRole("contentinfo").locator("p").first()).toBeVisible();
		for (const button of await page.getByRole("main").getByRole("button").all()) await expect(button).toBeHidden();
		expect(await page.evaluate(() => getComputedStyle(document.body).color)).toBe("rgb(21, 33, 28)");
		const sheets = await page.pdf({ format: "A4", margin: { top: "15mm", bottom: "15mm", left: "12mm", right: "12mm" } });
		expect(sheets.toString("latin1").match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
	}
});
