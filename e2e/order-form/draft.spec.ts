import { expect, type Page } from "@playwright/test";
import { scaledTimeout } from "../../test/time-limits.ts";
import {
	type Customer,
	cards,
	confirmedHeading,
	fillIn,
	getBilling,
	newCustomer,
	openOrderForm as open,
	payWith,
	tickConsentBoxes,
	waitForHydration,
} from "../customer.ts";
import { test } from "../test.ts";

const submit = (page: Page) => page.getByRole("button", { name: "Continuer vers le paiement" }).click();
const draftSaved = (page: Page) => page.getByText("✓ Brouillon enregistré");
const draftOffer = (page: Page) => page.getByText("Reprendre votre brouillon ?");

/** Fills in every field that a draft stores, and ticks both boxes. */
async function typeEverything(page: Page) {
	const customer = newCustomer();
	await page.getByRole("combobox", { name: /SIREN/ }).fill("danone");
	await page.getByRole("option").first().click();
	await page.getByRole("radio", { name: /KBIS Standard/ }).check();
	await fillIn(page, customer);
	await page.getByText("Ajouter un téléphone").click();
	await page.getByLabel("Téléphone").fill("06 12 34 56 78");
	await page.getByText("Envoyer aussi l’extrait à une autre adresse").click();
	await page.getByLabel("Autre adresse e-mail").fill("compta@example.fr");
	await page.getByText("Facturer à ma société").click();
	await page.getByLabel("Société à facturer").fill("Analytique SARL");
	await page.getByRole("checkbox", { name: /Recevoir la lettre/ }).check();
	await tickConsentBoxes(page);
	return customer;
}

async function expectEverything(page: Page, customer: Customer, { newsletter }: { newsletter: boolean }) {
	await expect(page.getByText("DANONE (552032534)")).toBeVisible();
	await expect(page.locator("[name=service][value=standard]")).toBeChecked();
	await expect(page.getByRole("complementary", { name: "Résumé de commande" })).toContainText("39,00 €");
	await expect(page.getByLabel("Adresse e-mail", { exact: true })).toHaveValue(customer.email);
	await expect(page.getByLabel("Prénom")).toHaveValue(customer.firstName);
	await expect(page.getByLabel("Nom", { exact: true })).toHaveValue(customer.lastName);
	await expect(page.getByLabel("Téléphone")).toHaveValue("06 12 34 56 78");
	await expect(page.getByLabel("Autre adresse e-mail")).toHaveValue("compta@example.fr");
	await expect(page.getByLabel("Société à facturer")).toHaveValue("Analytique SARL");
	await expect(getBilling(page).getByLabel("Adresse", { exact: true })).toHaveValue(customer.address);
	await expect(getBilling(page).getByLabel("Code postal", { exact: true })).toHaveValue(customer.postalCode);
	await expect(getBilling(page).getByLabel("Ville", { exact: true })).toHaveValue(customer.city);
	await expect(page.getByRole("checkbox", { name: /Recevoir la lettre/ })).toBeChecked({ checked: newsletter });
	await expect(page.getByRole("checkbox", { name: /J’accepte/ })).not.toBeChecked();
	await expect(page.getByRole("checkbox", { name: /Je demande l’exécution/ })).not.toBeChecked();
}

test("is saved two seconds after the last change, and restores everything except the three boxes", async ({ page }) => {
	await open(page, "/commande");
	const customer = await typeEverything(page);
	await expect(draftSaved(page)).toBeVisible({ timeout: scaledTimeout(4000) });
	await expect(draftSaved(page)).toBeHidden({ timeout: scaledTimeout(4000) });
	await open(page, "/commande");
	await expect(draftOffer(page)).toBeVisible();
	await page.getByRole("button", { name: "Reprendre", exact: true }).click();
	await expectEverything(page, customer, { newsletter: false });
	// the folded fields that have a text are opened
	for (const label of ["Téléphone", "Autre adresse e-mail", "Société à facturer"]) await expect(page.getByLabel(label)).toBeVisible();
	await expect(draftOffer(page)).toHaveCount(0);
});

test("restores the notice about its company", async ({ page }) => {
	await open(page, "/commande");
	await page.getByRole("combobox", { name: /SIREN/ }).fill("775652126");
	await page.getByRole("option").click();
	await page.getByLabel("Prénom").fill("Ada");
	await expect(draftSaved(page)).toBeVisible({ timeout: scaledTimeout(4000) });
	await open(page, "/commande");
	await page.getByRole("button", { name: "Reprendre", exact: true }).click();
	await expect(page.getByRole("status").filter({ hasText: "Un extrait Kbis, à vérifier" })).toBeVisible();
	// a folded field without a text stays folded
	await expect(page.getByLabel("Téléphone")).toBeHidden();
});

test("is offered for thirty days, and then deleted", async ({ page }) => {
	await open(page, "/commande");
	const keepFor = async (days: number) => {
		await page.evaluate(
			(savedAt) => {
				localStorage.setItem("kbis-draft", JSON.stringify({ savedAt, values: { firstName: "Ada" }, company: null }));
			},
			Date.now() - days * 86_400_000,
		);
		await open(page, "/commande");
	};
	await keepFor(29);
	await expect(draftOffer(page)).toBeVisible();
	await keepFor(31);
	await expect(draftOffer(page)).toHaveCount(0);
	expect(await page.evaluate(() => localStorage.length)).toBe(0);
});

test("is deleted if it has no time or cannot be read", async ({ page }) => {
	for (const text of ['{"values":{"firstName":"Ada"},"companyName":""}', "{", "null"]) {
		await page.goto("/");
		await page.evaluate((draft) => localStorage.setItem("kbis-draft", draft), text);
		await open(page, "/commande");
		await expect(draftOffer(page)).toHaveCount(0);
		expect(await page.evaluate(() => localStorage.length)).toBe(0);
	}
});

test("is not saved before a name or an e-mail is typed", async ({ ownPage: page }) => {
	await page.clock.install();
	await open(page, "/commande");
	await page.getByRole("radio", { name: "Je commande pour quelqu’un d’autre" }).check();
	await getBilling(page).getByLabel("Adresse", { exact: true }).fill("12 rue de la Paix");
	await page.clock.runFor(2500);
	expect(await page.evaluate(() => localStorage.length)).toBe(0);
	await expect(draftSaved(page)).toBeHidden();
	await open(page, "/commande");
	await expect(draftOffer(page)).toHaveCount(0);
});

test("can be deleted", async ({ page }) => {
	await open(page, "/commande");
	await page.getByLabel("Prénom").fill("Ada");
	await expect(draftSaved(page)).toBeVisible({ timeout: scaledTimeout(4000) });
	await open(page, "/commande");
	await page.getByRole("button", { name: "Supprimer le brouillon" }).click();
	await expect(draftOffer(page)).toHaveCount(0);
	await open(page, "/commande");
	await expect(page.getByLabel("Prénom")).toHaveValue("");
	await expect(draftOffer(page)).toHaveCount(0);
});

async function acceptAndPay(page: Page): Promise<void> {
	await tickConsentBoxes(page);
	await submit(page);
	await page.waitForURL("**/paiement?**");
	await page.getByRole("button", { name: /^Finaliser ma commande/ }).click();
	await page.waitForURL("**/bac-a-sable/**");
	await payWith(page, cards.accepted);
}

test("keeps the company of the URL, and is deleted once the order is placed", async ({ page }) => {
	await open(page, "/commande");
	const customer = await typeEverything(page);
	await expect(draftSaved(page)).toBeVisible({ timeout: scaledTimeout(4000) });
	await open(page, "/commande/423435544?service=express");
	await page.getByRole("button", { name: "Reprendre", exact: true }).click();
	await expect(page.getByText("GROUPE CARRE").first()).toBeVisible();
	await expect(page.locator("[name=service][value=express]")).toBeChecked();
	await expect(page.getByLabel("Adresse e-mail", { exact: true })).toHaveValue(customer.email);
	await acceptAndPay(page);
	await page.waitForURL("**/confirmation/**");
	await expect(page.getByRole("heading", { level: 1 })).toHaveText(confirmedHeading);
	await expect.poll(() => page.evaluate(() => localStorage.length)).toBe(0);
	await open(page, "/commande");
	await expect(draftOffer(page)).toHaveCount(0);
});

test("is deleted too once it was bought together with another company", async ({ page }) => {
	await open(page, "/commande");
	await typeEverything(page);
	await expect(draftSaved(page)).toBeVisible({ timeout: scaledTimeout(4000) });
	await page.getByRole("button", { name: "Ajouter une autre entreprise" }).click();
	await page.waitForURL("**/commande/plusieurs?commande=*");
	await page.getByLabel("Une entreprise par ligne").fill("423435544");
	await page.getByRole("button", { name: "Ajouter à la liste" }).click();
	await expect(page.getByRole("heading", { name: "2 extraits à commander" })).toBeVisible();
	await page.getByRole("radio", { name: /KBIS Standard/ }).check();
	// until the payment, the back button may need it
	expect(await page.evaluate(() => localStorage.getItem("kbis-draft"))).not.toBeNull();
	await acceptAndPay(page);
	await page.waitForURL("**/ensemble");
	await expect(page.getByRole("heading", { level: 1 })).toHaveText(/Commande confirmée|Votre commande de 2 extraits/);
	await expect.poll(() => page.evaluate(() => localStorage.getItem("kbis-draft"))).toBeNull();
	await open(page, "/commande");
	await expect(draftOffer(page)).toHaveCount(0);
});

test("is not offered after « Modifier ma commande », which restores everything", async ({ page }) => {
	await open(page, "/commande");
	const customer = await typeEverything(page);
	await submit(page);
	await page.waitForURL("**/paiement?**");
	await page.getByRole("link", { name: "Modifier ma commande" }).click();
	await page.waitForURL("**/commande?**");
	await waitForHydration(page);
	await expectEverything(page, customer, { newsletter: true });
	await expect(draftOffer(page)).toHaveCount(0);
});
