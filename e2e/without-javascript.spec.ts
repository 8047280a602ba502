import { expect, type Page, test } from "@playwright/test";
import { scaledTimeout } from "../test/time-limits.ts";
import { cards, fillIn, getBilling, newCustomer, payWith, readOrderNumber, tickConsentBoxes } from "./customer.ts";
import { blockExtracts, countOrders } from "./shared-shop.ts";

test.use({ javaScriptEnabled: false });

/** Pays, waits for the delivery, and opens the tracking page. */
async function payAndFollow(page: Page): Promise<void> {
	await page.waitForURL("**/paiement?**");
	await page.getByRole("button", { name: "Finaliser ma commande" }).click();
	await page.waitForURL("**/bac-a-sable/**");
	const deliver = await blockExtracts();
	try {
		await payWith(page, cards.accepted);
		await page.waitForURL("**/confirmation/**");
		await expect(page.getByRole("heading", { level: 1 })).toHaveText("Commande confirmée !");
		await expect(page.getByRole("link", { name: "Télécharger le KBIS" })).toHaveCount(0);
	} finally {
		await deliver();
	}
	// the page reloads by itself
	const link = page.getByRole("link", { name: "Télécharger le KBIS" });
	await expect(link).toBeVisible({ timeout: scaledTimeout(20_000) });
	await expect(page.locator("meta[http-equiv=refresh]")).toHaveCount(0);
	const answer = await page.request.get((await link.getAttribute("href")) ?? "");
	expect((await answer.body()).toString("latin1")).toMatch(/^%PDF/);

	const number = await readOrderNumber(page);
	await page.getByRole("main").getByRole("link", { name: "Suivre ma commande" }).click();
	// the browser that paid gives neither e-mail nor number
	await page.waitForURL(`**/suivi/${number}`);
	await expect(page.getByText("Terminé", { exact: true })).toBeVisible();
	await page.getByText("Historique", { exact: true }).click();
	await expect(page.getByText("Commande terminée")).toBeVisible();
	await page.getByRole("button", { name: "Quitter" }).click();
	await page.waitForURL("**/suivi-commande");
	await page.goto(`/suivi/${number}`);
	await expect(page.getByLabel("Numéro de commande")).toHaveValue(number);
}

test("a customer orders from the search through the company’s page", async ({ page }) => {
	const customer = newCustomer();
	await page.goto("/");
	await page.getByLabel("SIREN, SIRET ou nom d'entreprise").fill("groupe");
	await page.getByRole("button", { name: "Rechercher" }).click();
	await page.getByLabel("Département").selectOption("62");
	await page.getByRole("button", { name: "Filtrer" }).click();
	await page.waitForURL("**/recherche?*departement=62*");
	await page.getByRole("article").filter({ hasText: "GROUPE CARRE" }).getByRole("link", { name: "Commander KBIS" }).click();

	await page.getByRole("button", { name: "Continuer vers la commande" }).click();
	await expect(page.getByText("Choisissez un service pour continuer.")).toBeVisible();
	await page.getByRole("radio", { name: /KBIS Standard/ }).check();
	await page.getByRole("button", { name: "Continuer vers la commande" }).click();
	await page.waitForURL("**/commande/423435544?service=standard");

	await fillIn(page, customer, { typesCity: true });
	await page.getByLabel("Prénom").fill("");
	await page.getByText("Ajouter un téléphone").click();
	await page.getByLabel("Téléphone").fill("12");
	await page.getByRole("button", { name: "Continuer vers le paiement" }).click();
	const complaints = page.getByRole("alert");
	await expect(complaints).toContainText("Le prénom est requis");
	await expect(complaints).toContainText("Format de téléphone invalide");
	await expect(complaints).toContainText("Vous devez accepter les conditions générales");
	await expect(page.getByLabel("Nom", { exact: true })).toHaveValue(customer.lastName);
	await expect(getBilling(page).getByLabel("Ville", { exact: true })).toHaveValue("Paris");
	await expect(page.getByLabel("Téléphone")).toHaveValue("12");
	await expect(page.locator("[name=service][value=standard]")).toBeChecked();

	await page.getByLabel("Prénom").fill(customer.firstName);
	await page.getByLabel("Téléphone").fill("+33 6 12 34 56 78");
	await tickConsentBoxes(page);
	await page.getByRole("button", { name: "Continuer vers le paiement" }).click();
	await payAndFollow(page);
});

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
	await expect(page.getByRole("heading", { level: 1 })).toHaveText("Commande confirmée !");
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
