import { expect, type Page } from "@playwright/test";
import { type FakeStripe, startFakeStripe } from "../../test/fakes/stripe/stripe.ts";
import { waitForHydration } from "../customer.ts";
import { startSeparateShop } from "../separate-shop.ts";
import { test } from "../test.ts";

// What a later stage refuses comes back to its field: the payment provider's refusal of an address, and what only the server knows.

let stripe: FakeStripe;
let shop: Awaited<ReturnType<typeof startSeparateShop>>;
test.describe.configure({ mode: "serial" });
test.beforeAll(async () => {
	stripe = await startFakeStripe();
	const { url, secretKey, webhookSecret } = stripe;
	shop = await startSeparateShop({ STRIPE_API_BASE: url, STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret });
});
test.afterAll(async () => {
	await shop?.stop();
	await stripe?.close();
});

const email = (page: Page) => page.getByLabel("Adresse e-mail", { exact: true });
const submit = (page: Page) => page.getByRole("button", { name: "Continuer vers le paiement" }).click();
const summary = (page: Page) => page.getByRole("alert").filter({ hasText: "champ à corriger" });

async function fillIn(page: Page, address: string, ready: (page: Page) => Promise<void>) {
	await page.goto(`${shop.url}/commande/552032534?service=express`);
	await ready(page);
	await email(page).fill(address);
	await page.getByLabel("Prénom").fill("Ada");
	await page.getByLabel("Nom", { exact: true }).fill("Lovelace");
	await page.getByRole("radio", { name: /^C’est ma société/ }).check();
	await page.getByRole("checkbox", { name: /J’accepte/ }).check();
}

for (const javaScriptEnabled of [true, false]) {
	test.describe(`${javaScriptEnabled ? "with" : "without"} JavaScript`, () => {
		test.use({ javaScriptEnabled });
		const ready = async (page: Page) => {
			if (javaScriptEnabled) await waitForHydration(page);
		};

		test("an address that the provider refuses is corrected at its field, and the order is paid", async ({ page }) => {
			await fillIn(page, "refusee@example.fr", ready);
			await submit(page);
			await page.waitForURL("**/paiement?commande=*");
			await ready(page);
			stripe.failNext({ path: "POST /v1/checkout/sessions", kind: "email_invalid" });
			await page.getByRole("button", { name: /^Finaliser ma commande/ }).click();
			await page.waitForURL("**/commande?commande=*&refus=email");
			await ready(page);
			await expect(summary(page)).toBeFocused();
			await expect(email(page)).toHaveAccessibleDescription(/Notre prestataire de paiement refuse cette adresse e-mail/);
			await expect(email(page)).toHaveValue("refusee@example.fr");
			await expect(page.getByLabel("Prénom")).toHaveValue("Ada");
			await email(page).fill("ada@example.fr");
			await page.getByRole("checkbox", { name: /J’accepte/ }).check();
			await submit(page);
			await page.waitForURL("**/paiement?commande=*");
			await ready(page);
			await page.getByRole("button", { name: /^Finaliser ma commande/ }).click();
			await page.waitForURL(`${stripe.url}/c/pay/**`);
		});

		test("an address with accents is refused at once, and corrected by a button", async ({ page }) => {
			await fillIn(page, "jérôme@exemple.fr", ready);
			await submit(page);
			await expect(summary(page)).toContainText("Écrivez cette adresse sans accents : jerome@exemple.fr");
			await page.getByRole("button", { name: "Corriger l’adresse" }).click();
			await expect(email(page)).toHaveValue("jerome@exemple.fr");
			await submit(page);
			await page.waitForURL("**/paiement?commande=*");
			await expect(page.getByText("jerome@exemple.fr")).toBeVisible();
		});

		test("a number of another country is accepted, and one that it does not have is refused", async ({ page }) => {
			await fillIn(page, "ada@example.fr", ready);
			await page.getByText("Ajouter un téléphone").click();
			await page.getByLabel("Téléphone").fill("+32 6 12 34 56 78");
			await submit(page);
			await expect(summary(page)).toContainText("Format de téléphone invalide");
			await expect(page.getByLabel("Téléphone")).toHaveValue("+32 6 12 34 56 78");
			await page.getByLabel("Téléphone").fill("+32 (0)470/12.34.56");
			await submit(page);
			await page.waitForURL("**/paiement?commande=*");
		});
	});
}
