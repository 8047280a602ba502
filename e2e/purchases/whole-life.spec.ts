import { type Browser, expect, type Page } from "@playwright/test";
import { scaledTimeout } from "../../test/time-limits.ts";
import { cards, getPart, newCustomer, open, payWith } from "../customer.ts";
import { showLater } from "../flows.ts";
import { delayExtract, waitForInvoices } from "../shared-shop.ts";
import { openShare, readShareLink, shareExtract } from "../sharing/share-steps.ts";
import { test } from "../test.ts";
import { failOrder, listNumbers } from "./buy-purchase.ts";
import { fillInPurchase, listSirens, readArchive, sendList } from "./steps.ts";

// Purchases of one extract, of four and of two hundred on a phone, from the form to « Quitter ».

const minute = scaledTimeout(60_000);

/** Sends the form and confirms the order, up to the sandbox's page. */
async function continueToCard(page: Page): Promise<void> {
	await page.getByRole("button", { name: "Continuer vers le paiement" }).click();
	await page.waitForURL("**/paiement?**");
	await page.getByRole("button", { name: /^Finaliser ma commande/ }).click();
	await page.waitForURL("**/bac-a-sable/**");
}

/** Pays a purchase. The extracts of these orders come late. @returns the numbers of its orders. */
async function payWithLate(page: Page, email: string, isLate: (line: number) => boolean): Promise<string[]> {
	const numbers = await listNumbers(email);
	for (const [index, number] of numbers.entries()) if (isLate(index + 1)) await delayExtract(number, index);
	await payWith(page, cards.accepted);
	await page.waitForURL("**/ensemble");
	return numbers;
}

/** Corrects the e-mail address where an order is still open. */
async function correctAddress(page: Page, email: string): Promise<void> {
	await page.getByText("Mauvaise adresse e-mail").click();
	await page.getByLabel("Votre adresse e-mail").fill(email);
	await page.getByRole("button", { name: "Corriger", exact: true }).click();
	await expect(page.getByText("Adresse corrigée.")).toBeVisible();
}

/** Shares the extract of the order's page, and opens the link as a bank does. */
async function shareWithBank(page: Page, browser: Browser, company: string): Promise<void> {
	await shareExtract(page, { label: "Banque Martin" });
	const context = await browser.newContext({ javaScriptEnabled: false });
	const reader = await context.newPage();
	await reader.goto(await readShareLink(page));
	await openShare(reader);
	await expect(reader.getByRole("heading", { level: 1, name: company })).toBeVisible();
	await context.close();
}

/** Withdraws from all that the declaration offers. Ends on its receipt. */
async function withdraw(page: Page, number: string): Promise<void> {
	await page.getByRole("button", { name: "Renoncer au contrat ici" }).click();
	await expect(page.getByRole("blockquote")).toContainText(number);
	const all = page.getByRole("button", { name: "Tout cocher" });
	if (await all.isVisible()) await all.click();
	await page.getByRole("button", { name: "Confirmer la rétractation" }).click();
	await expect(page.getByRole("heading", { name: "Déclaration reçue" })).toBeVisible();
}

/** Leaves a shared computer: the order is not open there any more. */
async function quit(page: Page, number: string): Promise<void> {
	await page.getByRole("button", { name: "Quitter" }).click();
	await page.waitForURL("**/suivi-commande");
	await page.goto(`/suivi/${number}`);
	await expect(page.getByLabel("Numéro de commande")).toHaveValue(number);
}

/** Opens the page of a line, and comes back. @param place on the page, from 1. @param act what is done there, with the company's name. */
async function visitLine(page: Page, place: number, act: (company: string) => Promise<void>): Promise<void> {
	const link = page.locator("a[href*='/ensemble/ligne/']:not([href*='#'])").nth(place - 1);
	if (!(await link.isVisible())) await link.locator("xpath=ancestor::details/summary").click();
	const company = await link.innerText();
	await link.click();
	await expect(page.getByRole("heading", { level: 1 })).toHaveText(company);
	await act(company);
	await page.getByRole("link", { name: /^commande groupée/ }).click();
	await page.waitForURL("**/ensemble");
}

for (const javaScriptEnabled of [true, false]) {
	const visit = (page: Page, path: string) => (javaScriptEnabled ? open(page, path) : page.goto(path).then(() => {}));

	test.describe(javaScriptEnabled ? "with JavaScript" : "without JavaScript", () => {
		test.use({ javaScriptEnabled, viewport: { width: 390, height: 844 } });

		test("one extract is bought, followed, corrected, shared and withdrawn from", async ({ page, browser }) => {
			test.setTimeout(3 * minute);
			const customer = newCustomer();
			await visit(page, "/commande/552032534?service=express");
			await fillInPurchase(page, customer);
			await continueToCard(page);
			await payWith(page, cards.accepted);
			await page.waitForURL("**/confirmation/**");
			await showLater(page, page.getByRole("link", { name: "Télécharger le KBIS" }));
			await page.getByRole("main").getByRole("link", { name: "Suivre ma commande" }).click();
			await page.waitForURL("**/suivi/*");
			const number = new URL(page.url()).pathname.slice("/suivi/".length);
			await expect(page.getByText("Terminé", { exact: true })).toBeVisible();
			await waitForInvoices(customer.email, 1);
			await page.reload();
			await page.getByRole("link", { name: "Corriger la facture" }).click();
			await page.getByLabel("Société à facturer").fill("Danone");
			await page.getByLabel("SIREN de la société").fill("552 032 534");
			await page.getByRole("button", { name: "Corriger la facture" }).click();
			await showLater(page, page.getByText("(remplacée)"));
			await shareWithBank(page, browser, "DANONE");

			await withdraw(page, number);
			await page.getByRole("main").getByRole("link", { name: "Suivre ma commande" }).click();
			await showLater(page, page.getByText("59,00 € vous ont été remboursés."));
			await quit(page, number);
		});

		test("four extracts are delivered, posted, refunded or still open, and are withdrawn from line by line", async ({ page, browser }) => {
			test.setTimeout(3 * minute);
			const customer = newCustomer();
			await visit(page, "/commande/552032534?service=express");
			await page.getByRole("button", { name: "Ajouter une autre entreprise" }).click();
			await page.waitForURL("**/commande/plusieurs?commande=*");
			await page.getByLabel("Une entreprise par ligne").fill("356000000 ; dossier 2\n302474648\n470501545");
			await page.getByRole("button", { name: "Ajouter à la liste" }).click();
			await expect(page.getByRole("heading", { name: "4 extraits à commander" })).toBeVisible();
			await page.getByRole("radio", { name: /KBIS Standard/ }).check();
			await page.getByLabel("Service de la ligne 2", { exact: true }).selectOption("postal");
			const letter = getPart(page, "Adresse de livraison des courriers");
			await letter.getByLabel("Adresse", { exact: true }).fill("1 rue du Courrier");
			await letter.getByLabel("Code postal").fill("69001");
			await letter.getByLabel("Ville").fill("Lyon");
			await fillInPurchase(page, customer);
			await continueToCard(page);
			const numbers = await payWithLate(page, customer.email, (line) => line > 2);
			const [first = "", , third = ""] = numbers;
			expect(numbers).toHaveLength(4);
			await showLater(page, page.getByText("2 sur 4 prêts ou postés, 2 en cours."));
			await visitLine(page, 4, () => correctAddress(page, `corrected.${customer.email}`));

			await failOrder(third);
			await showLater(page, page.getByText("2 sur 4 prêts ou postés, 1 en cours, 1 n’a pas abouti."));
			await showLater(page, page.getByText("39,00 € vous ont été remboursés."));
			expect(await readArchive(page)).toHaveLength(1);
			await visitLine(page, 1, (company) => shareWithBank(page, browser, company));
			await visitLine(page, 2, () => expect(page.getByText("Numéro de suivi : DEMO")).toBeVisible());

			await withdraw(page, first);
			await page.getByRole("main").getByRole("link", { name: "Suivre ma commande" }).click();
			await showLater(page, page.getByText("2 sur 4 prêts ou postés, 1 n’a pas abouti, 1 annulé."));
			await quit(page, first);
		});

		test("two hundred extracts are bought, arrive one by one, and are withdrawn from at once", async ({ page, browser }) => {
			test.setTimeout(6 * minute);
			const customer = newCustomer();
			await sendList(page, (await listSirens(200)).join("\n"));
			await expect(
				page.getByRole("heading", { name: /^200 extraits à commander|^\d+ extraits à commander, \d+ à vérifier$/ }),
			).toBeVisible();
			await page.getByRole("radio", { name: /KBIS Standard/ }).check();
			await fillInPurchase(page, customer);
			await continueToCard(page);
			const numbers = await payWithLate(page, customer.email, (line) => line > 20);
			const [first = ""] = numbers;
			expect(numbers).toHaveLength(200);
			await showLater(page, page.getByText("20 sur 200 prêts, 180 en cours."));

			await failOrder(numbers[199] ?? "");
			await showLater(page, page.getByText("20 sur 200 prêts, 179 en cours, 1 n’a pas abouti."));
			expect(await readArchive(page)).toHaveLength(20);
			// the one that failed, then those in progress, then those that are ready
			await visitLine(page, 181, (company) => shareWithBank(page, browser, company));
			await visitLine(page, 180, () => correctAddress(page, `corrected.${customer.email}`));

			await withdraw(page, first);
			await page.getByRole("main").getByRole("link", { name: "Suivre ma commande" }).click();
			await showLater(page, page.getByText("20 sur 200 prêts, 1 n’a pas abouti, 179 annulés."));
			await showLater(page, page.getByText("7 800,00 € vous ont été remboursés."));
			await quit(page, first);
		});
	});
}
