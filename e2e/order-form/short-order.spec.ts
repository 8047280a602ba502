import { expect, type Page } from "@playwright/test";
import { cards, delayScripts, getBilling, getDelivery, newCustomer, open, openOrderForm, payWith, waitForHydration } from "../customer.ts";
import { countOrders } from "../shared-shop.ts";
import { test } from "../test.ts";

// An order with few fields: what the shop knows is filled in, what few need is folded.

const danone = "/commande/552032534?service=express";
const letter = "/commande/552032534?service=postal";
const email = (page: Page) => page.getByLabel("Adresse e-mail", { exact: true });
const submit = (page: Page) => page.getByRole("button", { name: "Continuer vers le paiement" }).click();
const ownCompany = (page: Page) => page.getByRole("radio", { name: /^C’est ma société/ });
const pay = (page: Page) => page.getByRole("button", { name: /^Finaliser ma commande/ });

async function typeName(page: Page, address = newCustomer().email): Promise<string> {
	await email(page).fill(address);
	await page.getByLabel("Prénom").fill("Ada");
	await page.getByLabel("Nom", { exact: true }).fill("Lovelace");
	await ownCompany(page).check();
	return address;
}

async function continueToPayment(page: Page): Promise<void> {
	await page.getByRole("checkbox", { name: /J’accepte/ }).check();
	await submit(page);
	await page.waitForURL("**/paiement?commande=*");
	await waitForHydration(page);
}

for (const javaScriptEnabled of [true, false]) {
	test.describe(`on a phone ${javaScriptEnabled ? "with" : "without"} JavaScript`, () => {
		test.use({ viewport: { width: 390, height: 844 }, javaScriptEnabled });

		test("an order for the company itself has three typed fields, near the top, and no personal data in an address", async ({ page }) => {
			await page.goto(danone);
			const bottom = async (name: string) => {
				const box = await page.getByRole("button", { name }).boundingBox();
				return (box?.y ?? Number.POSITIVE_INFINITY) + (box?.height ?? 0);
			};
			expect((await email(page).boundingBox())?.y).toBeLessThanOrEqual(650);
			expect(await bottom("Continuer vers le paiement")).toBeLessThanOrEqual(2100);
			const summary = page.locator("summary").filter({ hasText: "Votre commande" });
			await expect(summary).toContainText(/DANONE · KBIS Express · 59,00\s€ · livré .+ avant .+\sh/);
			await expect(page.getByRole("radio", { name: /KBIS Standard/ })).toBeHidden();
			await expect(ownCompany(page)).toHaveAccessibleName(/DANONE, 59 rue La Fayette, 75009 Paris/);
			for (const choice of await getBilling(page).getByRole("radio").all()) await expect(choice).not.toBeChecked();

			const address = await typeName(page);
			await page.getByRole("checkbox", { name: /J’accepte/ }).check();
			await submit(page);
			await page.waitForURL("**/paiement?commande=*");
			expect(page.url()).toMatch(/\/paiement\?commande=[\w-]{64}$/);
			await expect(page.getByText(address)).toBeVisible();
			const card = page.getByRole("region", { name: "Règlement" });
			for (const text of ["Facturé à DANONE", "59 rue La Fayette, 75009 Paris", "SIREN 552032534", /Total TTC\s?59,00\s€/])
				await expect(card).toContainText(text);
			await expect(card).not.toContainText("TVA FR"); // not in the DGFiP's list
			expect(await bottom("Finaliser ma commande")).toBeLessThanOrEqual(1000);
			await pay(page).click();
			await page.waitForURL("**/bac-a-sable/**");
			await payWith(page, cards.accepted);
			await page.waitForURL("**/confirmation/**");
		});

		test("the line of the order opens the choice of the service, and follows it", async ({ page }) => {
			await (javaScriptEnabled ? openOrderForm(page, danone) : page.goto(danone));
			await page.getByText("Modifier", { exact: true }).click();
			const choice = page.getByRole("radio", { name: /KBIS Postal/ });
			await choice.check();
			await expect(getDelivery(page)).toBeVisible();
			await expect(page.getByText("Envoyer aussi l’extrait")).toBeHidden();
			if (!javaScriptEnabled) return;
			await expect(page.locator("summary").filter({ hasText: "Votre commande" })).toContainText("KBIS Postal · 44,00 €");
			await expect(choice).toBeHidden(); // a tap is the last act
		});
	});
}

test("a letter goes to its own recipient, and the invoice to another company", async ({ page }) => {
	await openOrderForm(page, letter);
	await typeName(page);
	const delivery = getDelivery(page);
	await delivery.getByLabel("À l’attention de").fill("Tribunal de commerce");
	await delivery.getByLabel("Adresse", { exact: true }).fill("1 quai de la Corse");
	await delivery.getByLabel("Code postal").fill("75004");
	await expect(delivery.getByLabel("Ville")).toHaveValue("Paris");
	await expect(page.getByRole("radio", { name: "À mon nom, à l’adresse de livraison" })).toBeVisible();

	await page.getByRole("radio", { name: "Je commande pour quelqu’un d’autre" }).check();
	await page.getByText("Facturer à ma société").click();
	const billing = getBilling(page);
	await billing.getByRole("combobox").fill("groupe carre");
	await page.getByRole("option").first().click();
	await expect(billing.getByLabel("Société à facturer")).toHaveValue("GROUPE CARRE");
	await expect(billing.getByLabel("SIREN", { exact: false }).last()).toHaveValue("423435544");
	await expect(billing.getByLabel("Numéro de TVA")).toHaveValue(""); // never a calculated one
	await expect(billing.getByLabel("Adresse", { exact: true })).not.toHaveValue("");

	await billing.getByLabel("Numéro de TVA").fill("FR27552032534");
	await page.getByRole("checkbox", { name: /J’accepte/ }).check();
	await submit(page);
	await expect(page.getByRole("alert")).toContainText("Ce numéro de TVA ne correspond pas au SIREN");
	await billing.getByLabel("Numéro de TVA").fill("");
	await continueToPayment(page);
	for (const line of ["Tribunal de commerce", "1 quai de la Corse", "75004 Paris"])
		await expect(page.getByText(line, { exact: true })).toBeVisible();
	await expect(page.getByRole("region", { name: "Règlement" })).toContainText(/Facturé à GROUPE CARRE.*SIREN 423435544/);
});

test("a letter to the company ordered needs one tap", async ({ page }) => {
	await openOrderForm(page, letter);
	await page.getByRole("button", { name: /^Livrer à DANONE/ }).click();
	const delivery = getDelivery(page);
	await expect(delivery.getByLabel("Adresse", { exact: true })).toHaveValue("59 rue La Fayette");
	await expect(delivery.getByLabel("Ville")).toHaveValue("Paris");
});

test("a choice of the invoice that a PDF does not have is no longer made", async ({ page }) => {
	await openOrderForm(page, letter);
	await page.getByRole("radio", { name: "À mon nom, à l’adresse de livraison" }).check();
	await page.getByText("Modifier", { exact: true }).click();
	await page.getByRole("radio", { name: /KBIS Express/ }).check();
	for (const choice of await getBilling(page).getByRole("radio").all()) await expect(choice).not.toBeChecked();
	await submit(page);
	await page.getByRole("alert").getByRole("link", { name: "Indiquez à qui adresser la facture" }).click();
	await expect(page.getByRole("group", { name: "À qui adressons-nous la facture ?" })).toBeFocused();
	await ownCompany(page).check();
	await expect(getBilling(page).getByText("Indiquez à qui adresser la facture")).toHaveCount(0);
});

test("a choice of the invoice of a letter that was made before the code arrived stays", async ({ page }) => {
	const scriptsArrive = await delayScripts(page);
	await page.goto(danone, { waitUntil: "commit" });
	await page.getByText("Modifier", { exact: true }).click();
	await page.getByRole("radio", { name: /KBIS Postal/ }).check();
	const atDelivery = page.getByRole("radio", { name: "À mon nom, à l’adresse de livraison" });
	await atDelivery.check();
	await scriptsArrive();
	await email(page).focus();
	// a button of the code
	await expect(page.getByRole("button", { name: /^Livrer à DANONE/ })).toBeVisible();
	await expect(atDelivery).toBeChecked();
});

test.describe("a mistyped e-mail address", () => {
	test("is questioned beside its field, and corrected with a button", async ({ page }) => {
		await openOrderForm(page, danone);
		await email(page).fill("ada@gmial.com");
		await page.getByLabel("Prénom").focus();
		await expect(page.getByText("Vouliez-vous dire ada@gmail.com ?")).toBeVisible();
		await page.getByRole("button", { name: "Corriger l’adresse" }).click();
		await expect(email(page)).toHaveValue("ada@gmail.com");
		await expect(email(page)).toBeFocused();
		await expect(page.getByText("Vouliez-vous dire")).toHaveCount(0);
	});

	test("is questioned too if it was typed and left before the code of the form arrived", async ({ page }) => {
		const scriptsArrive = await delayScripts(page);
		await page.goto(danone, { waitUntil: "commit" });
		await email(page).fill("ada@gmial.com");
		await page.getByLabel("Prénom").fill("Ada");
		await scriptsArrive();
		await page.getByLabel("Nom", { exact: true }).fill("Lovelace");
		await page.getByRole("button", { name: "Corriger l’adresse" }).click();
		await expect(email(page)).toHaveValue("ada@gmail.com");
	});

	for (const javaScriptEnabled of [true, false]) {
		test.describe(`on a phone ${javaScriptEnabled ? "with" : "without"} JavaScript`, () => {
			test.use({ viewport: { width: 390, height: 844 }, javaScriptEnabled });

			test("stops an order once, where the reader sees it", async ({ page }) => {
				await (javaScriptEnabled ? openOrderForm(page, danone) : page.goto(danone));
				const meant = `ada.${Date.now()}@hotmail.fr`;
				const typed = meant.replace("hotmail", "hotmial");
				await typeName(page, typed);
				await page.getByRole("checkbox", { name: /J’accepte/ }).check();
				const doubt = page.getByRole("status").filter({ hasText: "Oui, corriger" });
				await submit(page);
				await expect(doubt).toContainText(`Vouliez-vous dire ${meant} ?`);
				await expect(doubt).toBeInViewport({ ratio: 0.99 });
				await expect(doubt.locator("..")).toBeFocused();
				await expect(page.getByLabel("Prénom")).toHaveValue("Ada");
				await doubt.getByRole("button", { name: "Non, garder" }).click();
				await page.waitForURL("**/paiement?commande=*");
				await expect(page.getByText(typed ?? "")).toBeVisible();
				await page.getByRole("link", { name: "Modifier ma commande" }).click();
				await page.waitForURL("**/commande?commande=*");
				await page.getByRole("checkbox", { name: /J’accepte/ }).check();
				await submit(page);
				await doubt.getByRole("button", { name: "Oui, corriger" }).click();
				await page.waitForURL("**/paiement?commande=*");
				await expect(page.getByRole("heading", { name: "Paiement", exact: true })).toBeVisible();
				await expect(page.getByText(meant ?? "")).toBeVisible();
			});
		});
	}

	test("is questioned no longer once its field or another is wrong", async ({ page }) => {
		await openOrderForm(page, danone);
		await typeName(page, "ada@hotmial.fr");
		await page.getByRole("checkbox", { name: /J’accepte/ }).check();
		const doubt = page.getByRole("button", { name: "Oui, corriger" });
		await submit(page);
		await expect(doubt).toBeVisible();
		await page.getByLabel("Prénom").fill("Grace");
		await expect(doubt).toBeVisible();
		await email(page).fill("ada@hotmal.fr");
		await expect(doubt).toHaveCount(0);
		await submit(page);
		await expect(doubt).toBeVisible();
		await page.getByLabel("Prénom").fill("");
		await submit(page);
		await expect(page.getByRole("alert")).toBeFocused();
		await expect(doubt).toHaveCount(0);
	});
});

test("« Commander pour une autre entreprise » fills in the next order", async ({ page }) => {
	await openOrderForm(page, danone);
	const address = await typeName(page);
	await continueToPayment(page);
	await pay(page).click();
	await page.waitForURL("**/bac-a-sable/**");
	await payWith(page, cards.accepted);
	await page.waitForURL("**/confirmation/**");
	await page.getByRole("button", { name: "Commander pour une autre entreprise" }).click();
	await page.waitForURL("**/commande?commande=*");
	await waitForHydration(page);
	await expect(email(page)).toHaveValue(address);
	await expect(getBilling(page).getByLabel("Société à facturer")).toHaveValue("DANONE");
	await expect(page.getByLabel("SIREN, SIRET ou nom d'entreprise")).toHaveValue("");
	await expect(page.getByRole("checkbox", { name: /J’accepte/ })).not.toBeChecked();
});

test("the order of a form is placed once, from two tabs and after the back button", async ({ page }) => {
	await openOrderForm(page, danone);
	const address = await typeName(page);
	await continueToPayment(page);
	const other = await page.context().newPage();
	await open(other, page.url());
	await pay(page).click();
	await page.waitForURL("**/bac-a-sable/**");
	const session = page.url();
	await pay(other).click();
	await other.waitForURL(session);
	await page.goBack();
	await page.waitForURL("**/paiement?**");
	await waitForHydration(page);
	await pay(page).click();
	await page.waitForURL(session);
	expect(await countOrders(address)).toBe(1);
});

test("a payment page says so when another tab has changed its order", async ({ page }) => {
	await openOrderForm(page, danone);
	await typeName(page);
	await continueToPayment(page);
	const other = await page.context().newPage();
	await open(other, page.url());
	await other.getByRole("link", { name: "Modifier ma commande" }).click();
	await other.waitForURL("**/commande?commande=*");
	await openOrderForm(other, other.url());
	await other.getByText("Modifier", { exact: true }).click();
	await other.getByRole("radio", { name: /KBIS Standard/ }).check();
	await continueToPayment(other);
	await pay(page).click();
	await expect(page.getByText("Votre commande a été modifiée dans un autre onglet.")).toBeVisible();
	await expect(page.getByRole("button", { name: "Finaliser ma commande - 39€" })).toBeVisible();
	await pay(page).click();
	await page.waitForURL("**/bac-a-sable/**");
});

test("an expired form says so, and the browser’s draft is offered", async ({ page }) => {
	await openOrderForm(page, danone);
	const address = await typeName(page);
	await continueToPayment(page);
	await page.goto("/paiement?commande=expired");
	await expect(page.getByRole("heading", { level: 1 })).toHaveText("Votre saisie a expiré");
	await page.getByRole("link", { name: "Reprendre ma commande" }).click();
	await page.waitForURL("**/commande");
	await waitForHydration(page);
	await expect(page.getByText("Reprendre votre brouillon ?")).toBeInViewport();
	await page.getByRole("button", { name: "Reprendre", exact: true }).click();
	await expect(email(page)).toHaveValue(address);
});
