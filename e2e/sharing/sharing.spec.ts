import { expect } from "@playwright/test";
import { findViolations } from "../accessibility.ts";
import { openTracking } from "../flows.ts";
import { test } from "../test.ts";
import { shareAndTakeBack, shareExtract } from "./share-steps.ts";

test("a customer shares an extract with a passcode, somebody else downloads it, and the customer takes the link back", ({
	browser,
	page,
}) => shareAndTakeBack(browser, page));

test("a refused form says why, keeps what was typed, and is accessible", async ({ page }) => {
	await openTracking(page);
	await shareExtract(page, { label: "Banque Martin", days: "0" });
	await expect(page.getByRole("alert")).toBeFocused();
	await page.getByRole("alert").getByRole("link").click();
	await expect(page.getByLabel("Durée en jours")).toBeFocused();
	await expect(page.getByLabel("Pour qui")).toHaveValue("Banque Martin");
	expect(await findViolations(page)).toEqual([]);
});
