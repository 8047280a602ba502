import { expect, type Page } from "@playwright/test";
import { newCustomer, open, waitForHydration } from "../customer.ts";
import { expireForm } from "../shared-shop.ts";
import { test } from "../test.ts";
import { fillInPurchase, listSirens, mixedList, sendList } from "./steps.ts";

test("wrong lines are corrected in place, with the keyboard too", async ({ page }) => {
	await sendList(page, mixedList);
	await expect(page.getByText("6 lignes sur 10 ne seront pas commandées.")).toBeVisible();
	await page.getByRole("link", { name: "ligne 9" }).click();
	await page.getByLabel("SIREN, SIRET ou nom de la ligne 9").fill("423435544");
	await page.getByLabel("Entreprise de la ligne 8").selectOption({ index: 1 });
	await page.getByRole("button", { name: "Retirer la ligne 4" }).click();
	await expect(page.getByText("3 lignes sur 9 ne seront pas commandées.")).toBeVisible();
	await expect(page.getByText("GROUPE CARRE", { exact: true })).toBeVisible();
	await expect(page.getByRole("heading", { name: /^\d extraits? à commander, \d à vérifier, 3 à corriger$/ })).toBeVisible();
});

test("what was added last is shown before the payment", async ({ page }) => {
	await sendList(page, "552032534");
	await fillInPurchase(page, newCustomer());
	await page.getByLabel("Une entreprise par ligne").fill("groupe carre ; dossier 2\nzzzzqqq");
	await page.getByRole("button", { name: "Continuer vers le paiement" }).click();
	const reason = page.getByRole("status").filter({ hasText: "Vérifiez les lignes que vous venez d’ajouter ou de modifier" });
	await expect(reason.locator("..")).toBeFocused();
	await reason.getByRole("link", { name: "ligne 3" }).click();
	await expect(page.getByLabel("SIREN, SIRET ou nom de la ligne 3")).toHaveAccessibleDescription(/Ligne 3, non commandée/);
	await expect(page.getByRole("checkbox", { name: /J’accepte/ })).toBeChecked();
	await page.getByRole("button", { name: "Continuer vers le paiement" }).click();
	await page.waitForURL("**/paiement?**");
	await expect(page.getByText("dossier 2")).toBeVisible();
});

test("a file is read, and the back button of the payment leads to the same form", async ({ page }) => {
	await page.goto("/commande/plusieurs");
	const [first, second] = await listSirens(2);
	await page.getByLabel("Ou un fichier CSV").setInputFiles({
		name: "liste.csv",
		mimeType: "text/csv",
		buffer: Buffer.from(`SIREN;R\xe9f\xe9rence\r\n${first};dossier \xe9\r\n${second};\r\n`, "latin1"),
	});
	await page.getByRole("button", { name: "Vérifier la liste" }).click();
	await expect(page.getByLabel("Votre référence de la ligne 1")).toHaveValue("dossier é");
	await fillInPurchase(page, newCustomer());
	await page.getByRole("button", { name: "Continuer vers le paiement" }).click();
	await page.waitForURL("**/paiement?**");
	await page.getByRole("link", { name: "Modifier ma commande" }).click();
	await expect(page.getByLabel("Votre référence de la ligne 1")).toHaveValue("dossier é");
	await expect(page.getByLabel("Prénom")).toHaveValue("Ada");
	await expect(page.getByRole("checkbox", { name: /J’accepte/ })).not.toBeChecked();
});

test("the back button of the payment asks for the list again when the form has expired", async ({ page }) => {
	const customer = newCustomer();
	await sendList(page, "552032534");
	await waitForHydration(page);
	await fillInPurchase(page, customer);
	await page.getByRole("button", { name: "Continuer vers le paiement" }).click();
	await page.waitForURL("**/paiement?**");
	await expireForm(customer.email);
	await page.goBack();
	await expect(page.getByText("Votre liste a expiré")).toBeVisible();
	await page.getByLabel("Vos entreprises, une par ligne").fill("423435544");
	await page.getByRole("button", { name: "Vérifier la liste" }).click();
	await expect(page.getByText("GROUPE CARRE", { exact: true })).toBeVisible();
});

test("« Ajouter une autre entreprise » takes along what was typed for one", async ({ page }) => {
	await open(page, "/commande/552032534?service=postal");
	await page.getByLabel("Prénom").fill("Grace");
	await page.getByRole("button", { name: "Ajouter une autre entreprise" }).click();
	await page.waitForURL("**/commande/plusieurs?commande=*");
	await expect(page.getByRole("row").filter({ hasText: "DANONE" })).toBeVisible();
	await expect(page.getByLabel("Prénom")).toHaveValue("Grace");
	await expect(page.getByLabel("Service de la ligne 1", { exact: true })).toHaveValue("postal");
	await expect(page.getByRole("heading", { name: "Adresse de livraison des courriers" })).toBeVisible();
	// the next company is typed at once
	await expect(page.getByLabel("Une entreprise par ligne")).toBeFocused();
	await expect(page.getByLabel("Une entreprise par ligne")).toBeInViewport();
	await page.keyboard.type("423435544");
	await page.getByRole("button", { name: "Ajouter à la liste" }).click();
	await expect(page.getByRole("heading", { name: "2 extraits à commander" })).toBeVisible();
	await expect(page.getByLabel("Prénom")).toHaveValue("Grace");
	// and so is the one after it
	await expect(page.getByLabel("Une entreprise par ligne")).toBeFocused();
	await expect(page.getByLabel("Une entreprise par ligne")).toHaveValue("");
});

test("a table of many lines stays where it is when one is removed, and so does what is typed in it", async ({ page }) => {
	const sirens = await listSirens(16);
	await sendList(page, [...sirens, "zzzzqqq"].join("\n"));
	const fold = page.getByText("16 extraits à commander", { exact: true });
	await expect(page.getByRole("row", { name: "Référence" })).toHaveCount(1);
	await expect(page.getByLabel("Votre référence de la ligne 12")).not.toBeVisible();
	await fold.click();
	await page.getByLabel("Votre référence de la ligne 12").fill("dossier 12");
	const remove = page.getByRole("button", { name: "Retirer la ligne 9" });
	await remove.scrollIntoViewIfNeeded();
	const getScroll = () => page.evaluate(() => scrollY);
	const before = await getScroll();
	await remove.click();
	await expect(page.getByText("15 extraits à commander", { exact: true })).toBeVisible();
	// the next line has taken its place
	await expect(remove).toBeFocused();
	expect(await getScroll()).toBe(before);
	await expect(page.getByLabel("Votre référence de la ligne 11")).toHaveValue("dossier 12");
	await page.getByRole("button", { name: "Retirer la ligne 16" }).click();
	await expect(page.getByRole("heading", { name: "15 extraits à commander" })).toBeAttached();
	// the first of the lines that are left
	await expect(page.getByRole("button", { name: "Retirer la ligne 1", exact: true })).toBeFocused();
	await expect(page.locator("summary", { hasText: "15 extraits à commander" })).toBeVisible();
});

const shown = { useInnerText: true };
const summary = (page: Page) => page.getByRole("complementary", { name: "Résumé de commande" });

test("the total follows what is chosen at once, and no service is chosen before", async ({ page }) => {
	await sendList(page, "552032534\n423435544\nzzzzqqq");
	await expect(summary(page)).toContainText("2 extraits n’ont pas encore de service : choisissez-en un.");
	await expect(page.getByRole("button", { name: "Recalculer le total" })).toHaveCount(0);
	await page.getByRole("radio", { name: /KBIS Standard/ }).check();
	await expect(summary(page)).toContainText(/2\s× KBIS Standard.*livrés .*78,00\s€.*Total TTC\s*78,00\s€/s, shown);
	await expect(summary(page)).not.toContainText("à calculer");
	await expect(page.getByLabel("Service de la ligne 1", { exact: true })).toHaveValue("");
	await page.getByLabel("Service de la ligne 2", { exact: true }).selectOption("postal");
	await expect(summary(page)).toContainText(/1\s× KBIS Standard.*livré .*1\s× KBIS Postal.*posté .*Total TTC\s*83,00\s€/s, shown);
	// what the payment shows is what the page showed
	await page.getByRole("radio", { name: /KBIS Express/ }).check();
	await page.getByLabel("Service de la ligne 2", { exact: true }).selectOption("");
	await expect(summary(page)).toContainText(/2\s× KBIS Express.*Total TTC\s*118,00\s€/s, shown);
	const total = await summary(page).innerText();
	await fillInPurchase(page, newCustomer());
	await page.getByRole("button", { name: "Continuer vers le paiement" }).click();
	await page.waitForURL("**/paiement?**");
	for (const line of total.split("\n").filter((text) => /×|118,00|Si vous payez/.test(text)))
		await expect(page.getByRole("region", { name: "Règlement" })).toContainText(line);
});

test("a company that is chosen for a line counts at once, and added lines that ask for something take the focus", async ({ page }) => {
	await sendList(page, "552032534\ngroupe");
	await page.getByRole("radio", { name: /KBIS Standard/ }).check();
	await expect(summary(page)).toContainText(/1\s× KBIS Standard.*Total TTC\s*39,00\s€/s, shown);
	await page.getByLabel("Entreprise de la ligne 2").selectOption({ index: 1 });
	await expect(summary(page)).toContainText(/2\s× KBIS Standard.*Total TTC\s*78,00\s€/s, shown);
	await page.getByLabel("Service de la ligne 2").selectOption("postal");
	await expect(summary(page)).toContainText(/1\s× KBIS Standard.*1\s× KBIS Postal.*Total TTC\s*83,00\s€/s, shown);
	const add = async (list: string) => {
		await page.getByLabel("Une entreprise par ligne").fill(list);
		await page.getByRole("button", { name: "Ajouter à la liste" }).click();
	};
	await page.getByText("Ajouter des entreprises").click();
	await add("356000000\nzzzzqqq");
	await expect(page.getByLabel("SIREN, SIRET ou nom de la ligne 4")).toBeFocused();
	await expect(page.getByLabel("SIREN, SIRET ou nom de la ligne 4")).toBeInViewport();
	await add((await listSirens(1)).join());
	await expect(page.getByRole("heading", { name: /^\d extraits à commander, \d à corriger$/ })).toBeVisible();
	await expect(page.getByLabel("Une entreprise par ligne")).toBeFocused();
});

test("Enter in a line's field updates the list and stays there; in another field it goes on to the payment", async ({ page }) => {
	await sendList(page, "552032534\n423435544\nzzzzqqq");
	const stays = () => expect(page).toHaveURL(/\/commande\/plusieurs\?commande=/);
	const reference = page.getByLabel("Votre référence de la ligne 2");
	await reference.fill("dossier 2");
	await page.getByLabel("SIREN, SIRET ou nom de la ligne 3").fill("356000000");
	await reference.press("Enter");
	await expect(page.getByRole("heading", { name: "3 extraits à commander" })).toBeVisible();
	await expect(reference).toBeFocused();
	await expect(reference).toHaveValue("dossier 2");
	await stays();
	await page.getByText("Ajouter des entreprises").click();
	await page.getByLabel("Une entreprise par ligne").fill("zzzzqqq");
	await page.getByRole("button", { name: "Ajouter à la liste" }).click();
	const company = page.getByLabel("SIREN, SIRET ou nom de la ligne 4");
	await company.fill("302474648");
	await company.press("Enter");
	// the field is gone: the list says what is left
	const list = page.getByRole("heading", { name: "4 extraits à commander" });
	await expect(list).toBeFocused();
	await stays();
	await fillInPurchase(page, newCustomer());
	await page.getByLabel("Prénom").press("Enter");
	await page.waitForURL("**/paiement?**");
	await expect(page.getByText("dossier 2")).toBeVisible();
});

test("a doubt about the address is seen and answered", async ({ page }) => {
	await sendList(page, "552032534");
	await fillInPurchase(page, { ...newCustomer(), email: "ada@gmial.com" });
	await page.getByRole("button", { name: "Continuer vers le paiement" }).click();
	const doubt = page.getByRole("status").filter({ hasText: "Vouliez-vous dire ada@gmail.com" }).filter({ hasText: "Non, garder" });
	await expect(doubt).toBeInViewport({ ratio: 0.99 });
	await expect(doubt.locator("..")).toBeFocused();
	await doubt.getByRole("button", { name: "Oui, corriger" }).click();
	await expect(page.getByRole("button", { name: /^Finaliser/ })).toBeVisible();
	await expect(page.getByText("ada@gmail.com")).toBeVisible();
});

test.describe("without JavaScript", () => {
	test.use({ javaScriptEnabled: false });

	test("the good lines of a long list are sent from their fold, and a removed line leads to the next one", async ({ page }) => {
		const sirens = await listSirens(14);
		await sendList(page, sirens.map((siren, index) => `${siren} ; dossier ${index + 1}`).join("\n"));
		await expect(page.getByLabel("Votre référence de la ligne 14")).not.toBeVisible();
		await page.locator("summary", { hasText: "14 extraits à commander" }).click();
		await page.getByLabel("Votre référence de la ligne 14").fill("dossier 99");
		await page.getByRole("button", { name: "Retirer la ligne 9" }).click();
		// the browser opens the fold that has the line
		await expect(page.getByLabel("Votre référence de la ligne 9")).toBeInViewport();
		await expect(page.getByLabel("Votre référence de la ligne 9")).toHaveValue("dossier 10");
		await fillInPurchase(page, newCustomer());
		await page.locator("summary", { hasText: "13 extraits à commander" }).click();
		await page.getByRole("button", { name: "Continuer vers le paiement" }).click();
		await page.waitForURL("**/paiement?**");
		await page.getByText("Voir les 13 extraits").click();
		await expect(page.getByText("dossier 99")).toBeVisible();
	});

	test("Enter updates the list, in a line's field and elsewhere, and never goes on to the payment", async ({ page }) => {
		await sendList(page, "552032534\n423435544\nzzzzqqq");
		await fillInPurchase(page, newCustomer());
		await page.getByLabel("SIREN, SIRET ou nom de la ligne 3").fill("356000000");
		await page.getByLabel("SIREN, SIRET ou nom de la ligne 3").press("Enter");
		await expect(page.getByRole("heading", { name: "3 extraits à commander" })).toBeVisible();
		await page.getByLabel("Votre référence de la ligne 2").fill("dossier 2");
		await page.getByLabel("Prénom").press("Enter");
		await page.waitForLoadState();
		await expect(page).toHaveURL(/\/commande\/plusieurs\?commande=/);
		await expect(page.getByLabel("Votre référence de la ligne 2")).toHaveValue("dossier 2");
		await expect(page.getByRole("alert")).toHaveCount(0);
	});

	test("a button sums up what is chosen, and the page comes back at the total", async ({ page }) => {
		await sendList(page, "552032534\n423435544");
		await page.getByLabel("Prénom").fill("Grace");
		await page.getByRole("radio", { name: /KBIS Standard/ }).check();
		await expect(page.getByLabel("Service de la ligne 1", { exact: true })).toHaveText(/^Service commun/);
		await page.getByRole("button", { name: "Recalculer le total" }).click();
		await expect(summary(page)).toContainText(/2\s× KBIS Standard.*Total TTC\s*78,00\s€/s, shown);
		expect(new URL(page.url()).hash).toBe("#resume");
		await expect(page.getByLabel("Prénom")).toHaveValue("Grace");
	});
});
