import { expect } from "@playwright/test";
import { newCustomer, open, orderUpToPayment, tickConsentBoxes, waitForHydration } from "./customer.ts";
import { test } from "./test.ts";

const danone = "/commande/552032534?service=express";

/** The URL of the payment step, as other sites may link to it. */
function getPaymentUrl(changes: Record<string, string> = {}): string {
	const query = { siren: "552032534", service: "express", email: newCustomer().email, firstName: "Ada", lastName: "Lovelace", ...changes };
	return `/paiement?${new URLSearchParams(query)}`;
}

test("the button names the price and the obligation to pay", async ({ page }) => {
	await open(page, getPaymentUrl());
	const button = page.getByRole("button", { name: "Finaliser ma commande - 59€" });
	await expect(button).toContainText("Commander avec obligation de paiement");
	await open(page, getPaymentUrl({ service: "postal", address: "12 rue de la Paix", postalCode: "75002", city: "Paris" }));
	await expect(page.getByRole("button", { name: "Finaliser ma commande - 44€" })).toContainText("Commander avec obligation de paiement");
});

test("the step asks for consents that its URL lacks, and refuses to continue without the terms", async ({ page }) => {
	await open(page, getPaymentUrl());
	const boxes = page.getByRole("checkbox");
	await expect(boxes).toHaveCount(2);
	for (const box of await boxes.all()) await expect(box).not.toBeChecked();
	const pay = page.getByRole("button", { name: /^Finaliser ma commande/ });
	await pay.click();
	const errorSummary = page.getByRole("alert");
	await expect(errorSummary).toContainText("Vous devez accepter les conditions générales");
	await expect(errorSummary).toBeFocused();
	await errorSummary.getByRole("link").click();
	await expect(page.getByRole("checkbox", { name: /J’accepte/ })).toBeFocused();
	await tickConsentBoxes(page);
	await pay.click();
	await page.waitForURL("**/bac-a-sable/**");
});

test("the step asks for no consents when its URL has them", async ({ page }) => {
	await open(page, getPaymentUrl({ acceptTerms: "on" }));
	await expect(page.getByRole("checkbox")).toHaveCount(0);
});

for (const missing of ["siren", "service", "email", "firstName", "lastName"]) {
	test(`the step redirects home without ${missing}`, async ({ page }) => {
		await page.goto(getPaymentUrl({ [missing]: "" }));
		await expect(page).toHaveURL("/");
	});
}

test("the step redirects home with an invalid service, e-mail or SIREN, and answers 404 for an unknown company", async ({ page }) => {
	const mistakes: Record<string, string>[] = [{ service: "gratuit" }, { email: "ada" }, { siren: "123" }];
	for (const mistake of mistakes) {
		await page.goto(getPaymentUrl(mistake));
		await expect(page).toHaveURL("/");
	}
	const answer = await page.goto(getPaymentUrl({ siren: "900000001" }));
	expect(answer?.status()).toBe(404);
	await expect(page.getByText("Entreprise introuvable")).toBeVisible();
});

test("the step ignores a name and a price in its URL", async ({ page }) => {
	await open(page, getPaymentUrl({ companyName: "Une autre", amount: "100", acceptTerms: "on" }));
	await expect(page.getByText("DANONE")).toBeVisible();
	await expect(page.getByText("Une autre")).toHaveCount(0);
	await expect(page.getByRole("button", { name: "Finaliser ma commande - 59€" })).toBeVisible();
});

test("the step does not sell an extract that does not exist", async ({ page }) => {
	await open(page, getPaymentUrl({ siren: "775688732", acceptTerms: "on" }));
	await expect(page.getByText("Pas d’extrait Kbis", { exact: true })).toBeVisible();
	await expect(page.getByRole("button", { name: /^Finaliser ma commande/ })).toHaveCount(0);
});

test("the step works again after the customer comes back from the payment page", async ({ page }) => {
	await orderUpToPayment(page, danone);
	await page.goBack();
	await page.waitForURL("**/paiement?**");
	await waitForHydration(page);
	await page.getByRole("button", { name: "Finaliser ma commande - 59€" }).click();
	await page.waitForURL("**/bac-a-sable/**");
});
