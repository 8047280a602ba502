import { expect } from "@playwright/test";
import { test } from "../test.ts";
import { buyPurchase } from "./buy-purchase.ts";

for (const javaScriptEnabled of [true, false])
	test.describe(javaScriptEnabled ? "with JavaScript" : "without JavaScript", () => {
		test.use({ javaScriptEnabled });

		test("Enter in a ticked box declares that box alone; « Tout cocher » leaves no key in the URL", async ({ page }) => {
			const { email, numbers } = await buyPurchase(page, 3);
			const declare = async () => {
				await page.goto("/retractation");
				await page.getByLabel("E-mail").fill(email);
				await page.getByLabel("Numéro de commande").fill(numbers[0] ?? "");
				await page.getByRole("button", { name: "Renoncer au contrat ici" }).click();
				await expect(page.getByRole("checkbox", { checked: false })).not.toHaveCount(0);
			};
			await declare();
			await page.getByRole("checkbox").nth(1).check();
			await page.getByRole("checkbox").nth(1).press("Enter");
			await expect(page.getByText(`Rétractation du contrat portant sur la commande ${numbers[1]}`)).toBeVisible();

			await declare();
			await page.getByRole("button", { name: "Tout cocher" }).click();
			await expect(page.getByRole("checkbox", { checked: true })).toHaveCount(2);
			expect(new URL(page.url()).search).toBe("");
			await page.getByRole("checkbox").nth(1).press("Enter");
			await expect(page.getByRole("heading", { name: "Déclaration reçue" })).toBeVisible();
		});
	});
