import { expect, test } from "@playwright/test";
import { agree, alive, cards, newCustomer, open, orderNumber, orderUpToPayment, payWith } from "./customer.ts";

const danone = "/commande/552032534?service=express";

/** The address of the payment step, as other sites may link to it. */
function paymentAddress(changes: Record<string, string> = {}): string {
	const query = { siren: "552032534", service: "express", email: newCustomer().email, firstName: "Ada", lastName: "Lovelace", ...changes };
	return `/paiement?${new URLSearchParams(query)}`;
}

test("a declined card costs nothing, and another one pays", async ({ page }) => {
	await orderUpToPayment(page, danone);
	await payWith(page, cards.declined);
	await expect(page.getByText("Votre carte a été refusée. Aucun montant n’a été débité. Essayez une autre carte.")).toBeVisible();
	await payWith(page, "4111 1111 1111 1111");
	await expect(page.getByText("Ce numéro n’est pas celui d’une carte de test.")).toBeVisible();
	await payWith(page, cards.accepted);
	await page.waitForURL("**/confirmation/**");
	await expect(page.getByRole("heading", { level: 1 })).toHaveText("Commande confirmée !");
});

test("a bank’s second step can be refused, then confirmed", async ({ page }) => {
	await orderUpToPayment(page, danone);
	await payWith(page, cards.secondStep);
	await expect(page.getByText("Votre banque demande une confirmation.")).toBeVisible();
	await page.getByRole("button", { name: "Refuser" }).click();
	await expect(page.getByText("Votre carte a été refusée.")).toBeVisible();
	await payWith(page, cards.secondStep);
	await page.getByRole("button", { name: "Confirmer le paiement" }).click();
	await page.waitForURL("**/confirmation/**");
	await expect(page.getByRole("heading", { level: 1 })).toHaveText("Commande confirmée !");
});

test("a cancelled payment is taken up again where it was", async ({ page }) => {
	await orderUpToPayment(page, danone);
	const sandbox = page.url();
	await page.getByRole("link", { name: "Annuler et revenir à la boutique" }).click();
	await page.waitForURL("**/paiement/reprendre/**");
	const resume = page.url();
	await expect(page.getByRole("heading", { level: 1 })).toHaveText("Votre paiement n’est pas terminé");
	await expect(page.getByText("DANONE")).toBeVisible();
	await expect(page.getByText("59,00 €")).toBeVisible();
	await page.getByRole("button", { name: "Reprendre le paiement" }).click();
	await page.waitForURL(sandbox);
	await payWith(page, cards.accepted);
	await page.waitForURL("**/confirmation/**");

	await page.goto(resume); // the link of an order that is paid leads to the order
	await page.waitForURL("**/suivi/KB-*");
	await page.goto(sandbox); // and its payment page to the confirmation
	await page.waitForURL("**/confirmation/**");
});

test("the confirmation shows everything where the payment started, and masks it elsewhere", async ({ page, browser }) => {
	const { email } = await orderUpToPayment(page, danone);
	await payWith(page, cards.accepted);
	await page.waitForURL("**/confirmation/**");
	for (const said of [email, "Ada Lovelace"]) await expect(page.getByText(said).first()).toBeVisible();
	await page.reload();
	await expect(page.getByText("Ada Lovelace")).toBeVisible();

	const elsewhere = await browser.newContext();
	const other = await elsewhere.newPage();
	await open(other, page.url());
	await expect(other.getByRole("heading", { level: 1 })).toHaveText("Commande confirmée !");
	await expect(other.getByText("a…@example.fr").first()).toBeVisible();
	for (const hidden of [email, "Lovelace"]) expect(await other.content()).not.toContain(hidden);
	await elsewhere.close();
});

test("an order that is not paid says so, and one press leads to its payment", async ({ page }) => {
	const { email } = await orderUpToPayment(page, danone);
	const sandbox = page.url();
	await open(page, sandbox.replace("/bac-a-sable/", "/confirmation/"));
	await expect(page.getByText("Cette commande n’est pas payée.")).toBeVisible();
	const number = await orderNumber(page);
	await page.getByRole("button", { name: "Reprendre le paiement" }).click();
	await page.waitForURL(sandbox);

	await open(page, `/suivi/${number}`);
	await page.getByLabel("Adresse e-mail").fill(email);
	await page.getByRole("button", { name: "Rechercher" }).click();
	await page.getByRole("button", { name: "Reprendre le paiement" }).click();
	await page.waitForURL(sandbox);
	await payWith(page, cards.accepted);
	await page.waitForURL("**/confirmation/**");
	await expect(page.getByRole("heading", { level: 1 })).toHaveText("Commande confirmée !");
	await expect(page.getByText("Ada Lovelace")).toBeVisible();
});

test("the button says what it costs and that it obliges to pay", async ({ page }) => {
	await open(page, paymentAddress());
	const button = page.getByRole("button", { name: "Finaliser ma commande - 59€" });
	await expect(button).toContainText("Commander avec obligation de paiement");
	await open(page, paymentAddress({ service: "postal", address: "12 rue de la Paix", postalCode: "75002", city: "Paris" }));
	await expect(page.getByRole("button", { name: "Finaliser ma commande - 44€" })).toContainText("Commander avec obligation de paiement");
});

test("opened without the boxes, the step shows them and does without payment as long as the terms are not accepted", async ({ page }) => {
	await open(page, paymentAddress());
	const boxes = page.getByRole("checkbox");
	await expect(boxes).toHaveCount(2);
	for (const box of await boxes.all()) await expect(box).not.toBeChecked();
	const pay = page.getByRole("button", { name: /^Finaliser ma commande/ });
	await pay.click();
	const complaint = page.getByRole("alert");
	await expect(complaint).toContainText("Vous devez accepter les conditions générales");
	await expect(complaint).toBeFocused();
	await complaint.getByRole("link").click();
	await expect(page.getByRole("checkbox", { name: /J’accepte/ })).toBeFocused();
	await agree(page);
	await pay.click();
	await page.waitForURL("**/bac-a-sable/**");
});

test("with the boxes in its address, the step asks for no more", async ({ page }) => {
	await open(page, paymentAddress({ acceptTerms: "on" }));
	await expect(page.getByRole("checkbox")).toHaveCount(0);
});

for (const missing of ["siren", "service", "email", "firstName", "lastName"]) {
	test(`without ${missing}, the step leads home`, async ({ page }) => {
		await page.goto(paymentAddress({ [missing]: "" }));
		await expect(page).toHaveURL("/");
	});
}

test("a wrong service or e-mail leads home; an unknown company is said to be unknown", async ({ page }) => {
	const mistakes: Record<string, string>[] = [{ service: "gratuit" }, { email: "ada" }, { siren: "123" }];
	for (const mistake of mistakes) {
		await page.goto(paymentAddress(mistake));
		await expect(page).toHaveURL("/");
	}
	const answer = await page.goto(paymentAddress({ siren: "900000001" }));
	expect(answer?.status()).toBe(404);
	await expect(page.getByText("Entreprise introuvable")).toBeVisible();
});

test("name and price are the registry’s and the catalogue’s, whatever the address says", async ({ page }) => {
	await open(page, paymentAddress({ companyName: "Une autre", amount: "100", acceptTerms: "on" }));
	await expect(page.getByText("DANONE")).toBeVisible();
	await expect(page.getByText("Une autre")).toHaveCount(0);
	await expect(page.getByRole("button", { name: "Finaliser ma commande - 59€" })).toBeVisible();
});

test("what has no extract cannot be paid for", async ({ page }) => {
	await open(page, paymentAddress({ siren: "775688732", acceptTerms: "on" }));
	await expect(page.getByText("Pas d’extrait Kbis", { exact: true })).toBeVisible();
	await expect(page.getByRole("button", { name: /^Finaliser ma commande/ })).toHaveCount(0);
});

test("coming back from the payment page, the step is ready again", async ({ page }) => {
	await orderUpToPayment(page, danone);
	await page.goBack();
	await page.waitForURL("**/paiement?**");
	await alive(page);
	await page.getByRole("button", { name: "Finaliser ma commande - 59€" }).click();
	await page.waitForURL("**/bac-a-sable/**");
});
