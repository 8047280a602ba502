import { expect, type Locator, type Page } from "@playwright/test";
import { cards, getBilling, newCustomer, payWith, waitForHydration } from "./customer.ts";
import { listSirens } from "./purchases/steps.ts";
import { test } from "./test.ts";

// What an order costs its customer in taps and typed fields, on a phone, from the front page to the document. The payment's own page, which
// is the provider's, is not counted.

test.use({ viewport: { width: 390, height: 844 } });

/** A hand that counts what it does. */
const createHand = () => ({
	taps: 0,
	fields: 0,
	async tap(target: Locator) {
		await target.click();
		this.taps++;
	},
	async type(target: Locator, text: string) {
		await target.fill(text);
		this.fields++;
	},
});
type Hand = ReturnType<typeof createHand>;

const link = (page: Page, name: string | RegExp) => page.getByRole("main").getByRole("link", { name }).first();
const press = (page: Page, name: string | RegExp) => page.getByRole("button", { name });

/** The contact of one extract or of several, the consent and the payment. */
async function fillInAndPay(page: Page, hand: Hand): Promise<void> {
	const { email, firstName, lastName } = newCustomer();
	await hand.type(page.getByLabel("Adresse e-mail", { exact: true }), email);
	await hand.type(page.getByLabel("Prénom"), firstName);
	await hand.type(page.getByLabel("Nom", { exact: true }), lastName);
	await hand.tap(page.getByRole("checkbox", { name: /J’accepte/ }));
	await hand.tap(press(page, "Continuer vers le paiement"));
	await page.waitForURL("**/paiement?commande=*");
	await waitForHydration(page);
	await hand.tap(press(page, /^Finaliser ma commande/));
	await page.waitForURL("**/bac-a-sable/**");
	await payWith(page, cards.accepted);
}

/** From the chosen company to its document. */
async function orderForOwnCompany(page: Page, hand: Hand): Promise<void> {
	await hand.tap(page.getByRole("radio", { name: /^C’est ma société/ }));
	await fillInAndPay(page, hand);
	await page.waitForURL("**/confirmation/**");
	await hand.tap(link(page, "Télécharger le KBIS"));
}

test("a manager orders the extract of the company with at most eight taps and five fields", async ({ page }) => {
	const hand = createHand();
	await page.goto("/");
	await hand.tap(link(page, "Commander maintenant"));
	await waitForHydration(page);
	await hand.type(page.getByLabel("SIREN, SIRET ou nom d'entreprise"), "danone");
	await hand.tap(page.getByRole("option").first());
	await orderForOwnCompany(page, hand);
	expect(hand.taps).toBeLessThanOrEqual(8);
	expect(hand.fields).toBeLessThanOrEqual(5);
});

test("a manager who searches on the front page needs no more", async ({ page }) => {
	const hand = createHand();
	await page.goto("/");
	await hand.type(page.getByLabel("SIREN, SIRET ou nom d'entreprise"), "danone");
	await hand.tap(page.getByRole("option").first());
	await page.waitForURL("**/entreprise/*");
	await hand.tap(page.getByRole("radio", { name: /KBIS Express/ }));
	await hand.tap(press(page, "Continuer vers la commande").filter({ visible: true }));
	await waitForHydration(page);
	await orderForOwnCompany(page, hand);
	expect(hand.taps).toBeLessThanOrEqual(8);
	expect(hand.fields).toBeLessThanOrEqual(5);
});

test("an accountant orders twelve extracts with at most twelve taps and one card", async ({ page }) => {
	const hand = createHand();
	const sirens = await listSirens(12);
	await page.goto("/");
	await hand.tap(link(page, "Commander plusieurs extraits"));
	await hand.type(page.getByLabel("Vos entreprises, une par ligne"), sirens.join("\n"));
	await hand.tap(press(page, "Vérifier la liste"));
	await page.waitForURL("**/commande/plusieurs?commande=*");
	await waitForHydration(page);
	await hand.tap(page.getByRole("radio", { name: /KBIS Standard/ }));
	const { address, postalCode, city } = newCustomer();
	await hand.tap(page.getByRole("radio", { name: "Je commande pour quelqu’un d’autre" }));
	await hand.type(getBilling(page).getByLabel("Adresse", { exact: true }), address);
	await hand.type(getBilling(page).getByLabel("Code postal"), postalCode);
	await expect(getBilling(page).getByLabel("Ville")).toHaveValue(city);
	await fillInAndPay(page, hand);
	await page.waitForURL("**/ensemble");
	await hand.tap(link(page, /^(Tout télécharger|Télécharger .* prêts?)$/));
	expect(hand.taps).toBeLessThanOrEqual(12);
});
