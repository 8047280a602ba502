import { expect, type Page } from "@playwright/test";
import { fillIn, newCustomer, openOrderForm as open, tickConsentBoxes } from "../customer.ts";
import { test } from "../test.ts";

const submit = (page: Page) => page.getByRole("button", { name: "Continuer vers le paiement" }).click();
const company = (page: Page) => page.getByRole("combobox", { name: "SIREN, SIRET ou nom d'entreprise" });
const suggestions = (page: Page) => page.getByRole("option");

test.describe("the company", () => {
	test("is suggested from three characters on, and chosen with the keyboard", async ({ ownPage: page }) => {
		await page.clock.install();
		await open(page, "/commande");
		let requests = 0;
		page.on("request", (request) => void (request.url().includes("/suggestions?") && requests++));
		await company(page).pressSequentially("gr");
		await page.clock.runFor(1000);
		expect(requests).toBe(0);
		await expect(suggestions(page)).toHaveCount(0);
		await company(page).pressSequentially("oupe");
		await expect(suggestions(page).first()).toBeVisible();
		await company(page).press("Escape");
		await expect(suggestions(page)).toHaveCount(0);
		await expect(company(page)).toHaveValue("groupe");

		await company(page).fill("danone");
		await expect(suggestions(page)).toHaveCount(1);
		await expect(company(page)).toHaveAttribute("aria-expanded", "true");
		await company(page).press("ArrowDown");
		await expect(page.getByRole("option", { selected: true })).toContainText("DANONE");
		await company(page).press("Enter");
		await expect(company(page)).toHaveCount(0);
		await expect(page.getByText("DANONE (552032534)")).toBeVisible();
		await expect(page.getByRole("complementary", { name: "Résumé de commande" })).toContainText("DANONE");
		expect(new URL(page.url()).pathname).toBe("/commande");
	});

	test("is selected with arrows, which wrap around the list", async ({ page }) => {
		await open(page, "/commande");
		await company(page).fill("groupe");
		await expect(suggestions(page)).toHaveCount(8);
		await company(page).press("ArrowUp");
		await expect(suggestions(page).last()).toHaveAttribute("aria-selected", "true");
		await company(page).press("ArrowDown");
		await expect(suggestions(page).first()).toHaveAttribute("aria-selected", "true");
	});

	test("is chosen with a click, and can be changed", async ({ page }) => {
		await open(page, "/commande");
		await company(page).fill("552 032 534");
		await suggestions(page).filter({ hasText: "DANONE" }).click();
		await expect(page.getByText("DANONE (552032534)")).toBeVisible();
		await page.getByRole("button", { name: "Modifier l'entreprise" }).click();
		await expect(company(page)).toBeVisible();
		await company(page).fill("groupe carre");
		await suggestions(page).first().click();
		await expect(page.getByText("GROUPE CARRE (423435544)")).toBeVisible();
		const customer = newCustomer();
		await fillIn(page, customer);
		await tickConsentBoxes(page);
		await submit(page);
		await page.waitForURL("**/paiement?commande=*");
		await expect(page.getByText("GROUPE CARRE").first()).toBeVisible();
	});

	test("that ceased is marked among the suggestions, and has a notice once it is chosen", async ({ page }) => {
		await open(page, "/commande");
		const announced = page.getByRole("status").filter({ hasText: "L’extrait le mentionnera." });
		await company(page).fill("006620066");
		await expect(suggestions(page)).toContainText(["Entreprise cessée"]);
		await expect(announced).toHaveCount(0);
		await suggestions(page).click();
		await expect(announced).toContainText("D’après l’Insee, cette entreprise n’a plus d’activité.");
		await expect(page.getByRole("complementary", { name: "Résumé de commande" })).toContainText("Entreprise cessée");
		await page.getByRole("button", { name: "Modifier l'entreprise" }).click();
		await expect(announced).toHaveCount(0);
	});

	test("without an extract is marked among the suggestions and refused, with a link to the free register", async ({ page }) => {
		await open(page, "/commande");
		await company(page).fill("775688732");
		await expect(suggestions(page)).toContainText(["Pas d’extrait Kbis"]);
		await suggestions(page).click();
		const refusal = page.getByRole("status").filter({ hasText: "Pas d’extrait Kbis" });
		await expect(refusal.getByRole("link", { name: "data.inpi.fr" })).toBeVisible();
		await expect(page.getByRole("complementary", { name: "Résumé de commande" })).toContainText("Entreprise à choisir");
		await submit(page);
		await expect(company(page)).toHaveAccessibleDescription(/Vous devez sélectionner une entreprise/);
		await company(page).fill("danone");
		await suggestions(page).click();
		await expect(page.getByText("DANONE (552032534)")).toBeVisible();
		await expect(page.getByRole("radio", { name: /^C’est ma société.*DANONE, 59 rue La Fayette, 75009 Paris/ })).toBeVisible();
		await expect(refusal).toHaveCount(0);
	});

	test("of the URL is fixed; its service can be changed on the company’s page", async ({ page }) => {
		await open(page, "/commande/552032534?service=postal");
		await expect(page.getByRole("button", { name: "Modifier l'entreprise" })).toHaveCount(0);
		await page.getByRole("link", { name: "Modifier ma sélection" }).click();
		await page.waitForURL("**/entreprise/552032534?back=true&service=postal");
		await expect(page.getByRole("radio", { name: /KBIS Postal/ })).toBeChecked();
		await expect(page.getByRole("button", { name: "Continuer vers la commande" })).toBeEnabled();
	});

	test("without a service redirects home", async ({ page }) => {
		for (const query of ["", "?service=", "?service=gratuit"]) {
			await page.goto(`/commande/552032534${query}`);
			await expect(page).toHaveURL("/");
		}
	});

	test("without an extract redirects to its page, which says why", async ({ page }) => {
		await page.goto("/commande/775688732?service=express");
		await expect(page).toHaveURL("/entreprise/775688732");
		await expect(page.getByRole("heading", { name: "Pas d’extrait Kbis" })).toBeVisible();
	});
});
