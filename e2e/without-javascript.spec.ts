import { expect } from "@playwright/test";
import { cards, confirmedHeading, fillIn, getBilling, newCustomer, payWith, tickConsentBoxes } from "./customer.ts";
import { payAndFollow, showLater } from "./flows.ts";
import { countOrders } from "./shared-shop.ts";
import { test } from "./test.ts";

test.use({ javaScriptEnabled: false });

test("a customer orders from the order form, where a second button finds the company", async ({ page }) => {
	const customer = newCustomer();
	await page.goto("/commande");
	await fillIn(page, customer, { typesCity: true });
	await page.getByRole("button", { name: "Continuer vers le paiement" }).click();
	await expect(page.getByRole("alert")).toContainText("Vous devez sélectionner une entreprise");

	await page.getByLabel("SIREN, SIRET ou nom d'entreprise").fill("zzzzqqq");
	await page.getByRole("button", { name: "Rechercher" }).click();
	await expect(page.getByText("Aucune entreprise trouvée pour votre recherche")).toBeVisible();
	await page.getByLabel("SIREN, SIRET ou nom d'entreprise").fill("danone");
	await page.getByRole("button", { name: "Rechercher" }).first().click();
	// the answer starts at the company, and a single result is chosen
	await page.waitForURL(/\/commande(\?.*)?#entreprise$/);
	await expect(page.getByText("DANONE (552032534)")).toBeInViewport();
	await expect(page.getByLabel("Adresse e-mail", { exact: true })).toHaveValue(customer.email);
	await tickConsentBoxes(page);
	await page.getByRole("button", { name: "Continuer vers le paiement" }).click();

	await page.waitForURL("**/paiement?**");
	await page.getByRole("link", { name: "Modifier ma commande" }).click();
	await page.waitForURL("**/commande?**");
	await expect(page.getByText("DANONE").first()).toBeVisible();
	await page.getByRole("button", { name: "Modifier l'entreprise" }).click();
	await expect(page.getByLabel("SIREN, SIRET ou nom d'entreprise")).toBeVisible();
	await expect(getBilling(page).getByLabel("Adresse", { exact: true })).toHaveValue(customer.address);
	await page.getByLabel("SIREN, SIRET ou nom d'entreprise").fill("552 032 534");
	await page.getByRole("button", { name: "Rechercher" }).first().click();
	// the answer starts at the company, and a single result is chosen
	await page.waitForURL(/\/commande(\?.*)?#entreprise$/);
	await expect(page.getByText("DANONE (552032534)")).toBeInViewport();
	await tickConsentBoxes(page);
	await page.getByRole("button", { name: "Continuer vers le paiement" }).click();
	await payAndFollow(page);
});

test("the company’s page keeps a service from its URL", async ({ page }) => {
	await page.goto("/entreprise/552032534?service=postal&back=true");
	await expect(page.getByRole("radio", { name: /KBIS Postal/ })).toBeChecked();
	await page.getByRole("button", { name: "Continuer vers la commande" }).click();
	await page.waitForURL("**/commande/552032534?service=postal");
});

test("a payment without the terms is refused with a sentence", async ({ page }) => {
	await page.goto("/paiement?siren=552032534&service=express&email=ada%40example.fr&firstName=Ada&lastName=Lovelace");
	await page.getByRole("button", { name: "Finaliser ma commande" }).click();
	await expect(page.getByRole("alert")).toContainText("Vous devez accepter les conditions générales");
	await tickConsentBoxes(page);
	await page.getByRole("button", { name: "Finaliser ma commande" }).click();
	await page.waitForURL("**/bac-a-sable/**");
});

test("an unpaid order leads to its payment, and another browser sees no name", async ({ page, browser }) => {
	const { email } = newCustomer();
	const query = { siren: "552032534", service: "express", email, firstName: "Ada", lastName: "Lovelace", acceptTerms: "on" };
	await page.goto(`/paiement?${new URLSearchParams(query)}`);
	await page.getByRole("button", { name: "Finaliser ma commande" }).click();
	await page.waitForURL("**/bac-a-sable/**");
	const confirmation = page.url().replace("/bac-a-sable/", "/confirmation/");
	await page.goto(confirmation);
	await expect(page.getByText("Ada Lovelace")).toBeVisible();
	const elsewhere = await browser.newContext({ javaScriptEnabled: false });
	const other = await elsewhere.newPage();
	await other.goto(confirmation);
	await expect(other.getByText("Cette commande n’est pas payée.")).toBeVisible();
	expect(await other.content()).not.toContain("Lovelace");
	await elsewhere.close();
	await page.getByRole("button", { name: "Reprendre le paiement" }).click();
	await page.waitForURL("**/bac-a-sable/**");
	await payWith(page, cards.accepted);
	await page.waitForURL("**/confirmation/**");
	await showLater(page, page.getByRole("heading", { level: 1, name: confirmedHeading }));
	await expect(page.getByText("Ada Lovelace")).toBeVisible();
});

test("a double click on « Finaliser ma commande » places one order", async ({ page }) => {
	const { email } = newCustomer();
	const query = { siren: "552032534", service: "express", email, firstName: "Ada", lastName: "Lovelace", acceptTerms: "on" };
	await page.goto(`/paiement?${new URLSearchParams(query)}`);
	await page.getByRole("button", { name: "Finaliser ma commande" }).dblclick();
	await page.waitForURL("**/bac-a-sable/**");
	expect(await countOrders(email)).toBe(1);
});

test.describe("on a phone", () => {
	test.use({ viewport: { width: 360, height: 740 } });

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

	test("the home page opens one of its questions at a time, and can close it", async ({ page }) => {
		await page.goto("/");
		const questions = page.locator("#faq details");
		await expect(questions).toHaveCount(5);
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
