import { expect, type Page } from "@playwright/test";
import {
	delayScripts,
	fillIn,
	getBilling,
	getDelivery,
	newCustomer,
	openOrderForm as open,
	orderUpToPayment,
	tickConsentBoxes,
	waitForHydration,
} from "../customer.ts";
import { countOrders } from "../shared-shop.ts";
import { test } from "../test.ts";

const submit = (page: Page) => page.getByRole("button", { name: "Continuer vers le paiement" }).click();
const company = (page: Page) => page.getByRole("combobox", { name: "SIREN, SIRET ou nom d'entreprise" });
const chooseOtherAddress = (page: Page) => page.getByRole("radio", { name: "Je commande pour quelqu’un d’autre" }).check();
const suggestions = (page: Page) => page.getByRole("option");

/** The error of each field of an empty form. */
const complaints = [
	{ label: "SIREN, SIRET ou nom d'entreprise", sentence: "Vous devez sélectionner une entreprise" },
	{ label: "Adresse e-mail", sentence: "L'adresse email est requise" },
	{ label: "Prénom", sentence: "Le prénom est requis" },
	{ label: "Nom", sentence: "Le nom est requis" },
	{ label: "Adresse", sentence: "L'adresse est requise" },
	{ label: "Code postal", sentence: "Le code postal est requis" },
	{ label: "Ville", sentence: "La ville est requise" },
	{ label: /J’accepte les conditions générales/, sentence: "Vous devez accepter les conditions générales" },
] as const;

test.describe("errors", () => {
	test("an empty form gets an error beside each field, and a summary with links to the fields", async ({ page }) => {
		await open(page, "/commande");
		await chooseOtherAddress(page);
		await submit(page);
		const summary = page.getByRole("alert");
		await expect(summary).toBeFocused();
		await expect(summary.getByRole("link")).toHaveText(complaints.map(({ sentence }) => sentence));
		for (const { label, sentence } of complaints) {
			const field = page.getByLabel(label, { exact: true }).filter({ visible: true });
			await expect(field).toHaveAccessibleDescription(new RegExp(sentence));
			await expect(field).toHaveAttribute("aria-invalid", "true");
			await summary.getByRole("link", { name: sentence }).click();
			await expect(field).toBeFocused();
		}
		expect(new URL(page.url()).pathname).toBe("/commande");
	});

	test("a wrong value gets an error beside its field, and editing a field removes only its own error", async ({ page }) => {
		await open(page, "/commande/552032534?service=express");
		await page.getByLabel("Adresse e-mail", { exact: true }).fill("ada@");
		await page.getByText("Ajouter un téléphone").click();
		await page.getByLabel("Téléphone").fill("06 12");
		await chooseOtherAddress(page);
		const billing = getBilling(page);
		await billing.getByLabel("Code postal", { exact: true }).fill("7500");
		await page.getByText("Envoyer aussi l’extrait à une autre adresse").click();
		await page.getByLabel("Autre adresse e-mail").fill("compta");
		await submit(page);
		await expect(page.getByLabel("Adresse e-mail", { exact: true })).toHaveAccessibleDescription(/Format d'email invalide/);
		await expect(page.getByLabel("Téléphone")).toHaveAccessibleDescription(/Format de téléphone invalide/);
		await expect(getBilling(page).getByLabel("Code postal", { exact: true })).toHaveAccessibleDescription(
			/Code postal invalide \(5 chiffres\)/,
		);
		await expect(page.getByLabel("Autre adresse e-mail")).toHaveAccessibleDescription(/Format d'email invalide/);

		await page.getByLabel("Téléphone").press("End");
		await page.getByLabel("Téléphone").pressSequentially(" 34 56 78");
		await expect(page.getByLabel("Téléphone")).not.toHaveAttribute("aria-invalid");
		await expect(getBilling(page).getByLabel("Code postal", { exact: true })).toHaveAttribute("aria-invalid", "true");
		await page.getByRole("checkbox", { name: /J’accepte/ }).check();
		await expect(page.getByRole("checkbox", { name: /J’accepte/ })).not.toHaveAttribute("aria-invalid");
		await getBilling(page).getByLabel("Code postal", { exact: true }).press("End");
		await getBilling(page).getByLabel("Code postal", { exact: true }).pressSequentially("1");
		await expect(getBilling(page).getByLabel("Ville", { exact: true })).toHaveValue("Paris");
		await expect(getBilling(page).getByLabel("Ville", { exact: true })).not.toHaveAttribute("aria-invalid"); // filled in by the postal code
		await expect(page.getByLabel("Prénom")).toHaveAttribute("aria-invalid", "true");
	});

	test("keeps what is typed before the page’s JavaScript arrives", async ({ page }) => {
		const scriptsArrive = await delayScripts(page);
		await page.goto("/commande?service=express", { waitUntil: "commit" });
		const customer = newCustomer();
		// before the style sheet arrives, every part is visible
		await expect(getDelivery(page)).toBeHidden();
		await fillIn(page, customer, { typesCity: true });
		await page.getByText("Modifier", { exact: true }).click();
		await page.getByRole("radio", { name: /KBIS Standard/ }).check();
		await page.getByRole("checkbox", { name: /J’accepte/ }).check();
		await scriptsArrive();
		await submit(page);
		await expect(page.getByRole("alert").getByRole("link")).toHaveText(["Vous devez sélectionner une entreprise"]);
		await expect(page.getByLabel("Prénom")).toHaveValue(customer.firstName);
		await expect(getBilling(page).getByLabel("Code postal", { exact: true })).toHaveValue(customer.postalCode);
		await expect(getBilling(page).getByLabel("Ville", { exact: true })).toHaveValue(customer.city);
		await expect(page.locator("[name=service][value=standard]")).toBeChecked();
		await expect(page.getByRole("complementary", { name: "Résumé de commande" })).toContainText("39,00 €");
	});

	test("fills in the city of a postal code that was typed before the page’s JavaScript arrives", async ({ page }) => {
		const scriptsArrive = await delayScripts(page);
		await page.goto("/commande?service=express", { waitUntil: "commit" });
		const { postalCode, city } = newCustomer();
		await page.getByRole("radio", { name: "Je commande pour quelqu’un d’autre" }).check();
		await getBilling(page).getByLabel("Code postal", { exact: true }).fill(postalCode);
		await scriptsArrive();
		await page.getByLabel("Prénom").click();
		await expect(getBilling(page).getByLabel("Ville", { exact: true })).toHaveValue(city);
	});
});

test.describe("the postal code", () => {
	test.beforeEach(async ({ page }) => {
		await open(page, "/commande");
		await chooseOtherAddress(page);
	});

	test("of one city fills in the city; editing it clears the city", async ({ page }) => {
		await getBilling(page).getByLabel("Code postal", { exact: true }).fill("75008");
		await expect(getBilling(page).getByLabel("Ville", { exact: true })).toHaveValue("Paris");
		await getBilling(page).getByLabel("Code postal", { exact: true }).press("Backspace");
		await expect(getBilling(page).getByLabel("Ville", { exact: true })).toHaveValue("");
	});

	test("of several cities offers all of them", async ({ page }) => {
		await getBilling(page).getByLabel("Code postal", { exact: true }).fill("01090");
		const choices = page.getByRole("group", { name: "Villes de ce code postal" }).getByRole("button");
		await expect(choices).toHaveCount(6);
		await expect(getBilling(page).getByLabel("Ville", { exact: true })).toHaveValue("");
		await choices.filter({ hasText: "Lurcy" }).click();
		await expect(getBilling(page).getByLabel("Ville", { exact: true })).toHaveValue("Lurcy");
		await expect(choices).toHaveCount(0);
		await getBilling(page).getByLabel("Code postal", { exact: true }).fill("02140"); // more than the national address service returns
		await expect(choices).toHaveCount(33);
		await getBilling(page).getByLabel("Code postal", { exact: true }).press("Backspace");
		await expect(choices).toHaveCount(0);
	});

	test("without a city shows a hint and does not stop the order", async ({ page }) => {
		await getBilling(page).getByLabel("Code postal", { exact: true }).fill("75399");
		await expect(getBilling(page).getByLabel("Code postal", { exact: true })).toHaveAccessibleDescription("Code postal non trouvé");
		await company(page).fill("danone");
		await suggestions(page).first().click();
		await fillIn(page, { ...newCustomer(), postalCode: "75399", city: "Paris Cedex 08" }, { typesCity: true });
		await tickConsentBoxes(page);
		await submit(page);
		await page.waitForURL("**/paiement?commande=*");
		await expect(page.getByText(/75399 Paris Cedex 08/)).toBeVisible();
	});

	test("accepts five digits, and a pasted value with a space", async ({ page }) => {
		await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
		const field = getBilling(page).getByLabel("Code postal", { exact: true });
		for (const pasted of ["75 008", " 75008\n"]) {
			await page.evaluate((text) => navigator.clipboard.writeText(text), pasted);
			await field.fill("");
			await field.focus();
			await page.keyboard.press("ControlOrMeta+V");
			await expect(field).toHaveValue("75008");
			await expect(getBilling(page).getByLabel("Ville", { exact: true })).toHaveValue("Paris");
		}
		await field.fill("");
		await field.pressSequentially("75 0089");
		await expect(field).toHaveValue("75008");
	});

	test("shows no error when the address service fails", async ({ page }) => {
		await page.route("**/api/adresse/search?*", (route) => route.fulfill({ status: 503 }));
		const answer = page.waitForResponse("**/api/adresse/search?*");
		await getBilling(page).getByLabel("Code postal", { exact: true }).fill("75008");
		await answer;
		await expect(getBilling(page).getByLabel("Code postal", { exact: true })).not.toHaveAttribute("aria-invalid");
		await getBilling(page).getByLabel("Ville", { exact: true }).fill("Paris");
		await expect(getBilling(page).getByLabel("Ville", { exact: true })).toHaveValue("Paris");
	});
});

test("a double click on « Finaliser ma commande » places one order", async ({ page }) => {
	const customer = newCustomer();
	await open(page, "/commande/552032534?service=express");
	await fillIn(page, customer);
	await tickConsentBoxes(page);
	await submit(page);
	await page.waitForURL("**/paiement?**");
	await page.getByRole("button", { name: /^Finaliser ma commande/ }).dblclick();
	await page.waitForURL("**/bac-a-sable/**");
	expect(await countOrders(customer.email)).toBe(1);
});

test("the form still has everything after the customer comes back from the payment page", async ({ page }) => {
	const customer = await orderUpToPayment(page, "/commande/552032534?service=express");
	await page.goBack();
	await page.waitForURL("**/paiement?**");
	await waitForHydration(page);
	await page.goBack();
	await page.waitForURL("**/commande/552032534?**");
	await expect(page.getByLabel("Adresse e-mail", { exact: true })).toHaveValue(customer.email);
	await expect(page.getByLabel("Prénom")).toHaveValue(customer.firstName);
	await expect(page.getByText("Reprendre votre brouillon ?")).toHaveCount(0);
});

test("two quick steps back lead to the form, also before the page hydrates", async ({ page }) => {
	await orderUpToPayment(page, "/commande/552032534?service=express");
	const scriptsArrive = await delayScripts(page);
	await page.goBack({ waitUntil: "commit" });
	await expect(page.getByRole("heading", { level: 1 })).toHaveText("Paiement");
	await page.goBack({ waitUntil: "commit" });
	await page.waitForURL("**/commande/552032534?**", { waitUntil: "commit" });
	await scriptsArrive();
	await expect(page.getByRole("heading", { level: 1 })).toHaveText("Finaliser votre commande KBIS");
	await expect(page.getByText("Reprendre votre brouillon ?")).toBeVisible();
});
