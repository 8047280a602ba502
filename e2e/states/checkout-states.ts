import { expect, type Page } from "@playwright/test";
import { cards, delayScripts, getBilling, newCustomer, openOrderForm, payWith, waitForHydration } from "../customer.ts";
import { orderAndPay, orderFormUrl, paymentUrl } from "../flows.ts";
import { pay, placeOrder } from "../place-order.ts";
import { delayExtract } from "../shared-shop.ts";
import type { State } from "./state.ts";

/** Orders, and opens the sandbox's page. */
const openSandbox = async (page: Page) => page.goto((await placeOrder(page)).payUrl);

/** The order form, the payment and the confirmation. */
export const checkoutStates: State[] = [
	{ name: "order: empty", visit: "/commande" },
	{ name: "order: of a company", visit: orderFormUrl },
	{
		name: "order: with errors",
		async visit(page) {
			await openOrderForm(page, "/commande");
			await page.getByRole("radio", { name: "Je commande pour quelqu’un d’autre" }).check();
			await page.getByRole("button", { name: "Continuer vers le paiement" }).click();
			await expect(page.getByRole("alert")).toBeVisible();
		},
	},
	{
		name: "order: filled in, with suggestions and cities",
		async visit(page) {
			await openOrderForm(page, "/commande");
			await page.getByLabel("Prénom").fill(newCustomer().firstName);
			await page.getByRole("radio", { name: "Je commande pour quelqu’un d’autre" }).check();
			await getBilling(page).getByLabel("Code postal", { exact: true }).fill("01090");
			await expect(page.getByRole("group", { name: "Villes de ce code postal" })).toBeVisible();
			await page.getByRole("combobox", { name: /SIREN/ }).fill("groupe");
			await expect(page.getByRole("option").first()).toBeVisible();
			await page.getByRole("combobox", { name: /SIREN/ }).press("ArrowDown");
			await expect(page.getByRole("option", { selected: true })).toBeVisible();
		},
	},
	{
		name: "order: with a draft",
		async visit(page) {
			await page.goto("/commande");
			await page.evaluate(() =>
				localStorage.setItem("kbis-draft", JSON.stringify({ savedAt: Date.now(), values: { firstName: "Ada" }, company: null })),
			);
			await page.goto("/commande");
			await expect(page.getByText("Reprendre votre brouillon ?")).toBeVisible();
		},
	},
	{
		name: "order: another company's invoice, a letter and a mistyped address",
		async visit(page) {
			await openOrderForm(page, orderFormUrl.replace("express", "postal"));
			await page.getByRole("radio", { name: "Je commande pour quelqu’un d’autre" }).check();
			await page.getByText("Facturer à ma société").click();
			await page.getByLabel("Adresse e-mail", { exact: true }).fill("ada@gmial.com");
			await page.getByLabel("Prénom").focus();
			await expect(page.getByText("Vouliez-vous dire")).toBeVisible();
		},
	},
	{
		name: "order: a doubtful address, without JavaScript",
		async visit(page) {
			const scriptsArrive = await delayScripts(page);
			await page.goto(orderFormUrl, { waitUntil: "commit" });
			for (const [label, text] of Object.entries({ "Adresse e-mail": "ada@gmial.com", Prénom: "Ada", Nom: "Lovelace" }))
				await page.getByLabel(label, { exact: true }).fill(text);
			await page.getByRole("radio", { name: /C’est ma société/ }).check();
			await page.getByRole("checkbox", { name: /J’accepte/ }).check();
			await page.getByRole("button", { name: "Continuer vers le paiement" }).click({ noWaitAfter: true });
			await expect(page.getByText("Oui, corriger")).toBeVisible();
			await scriptsArrive();
		},
	},
	{ name: "order: an expired form", visit: "/commande?commande=expired" },
	{ name: "payment: an expired form", visit: "/paiement?commande=expired", status: 410 },
	{ name: "payment", visit: `${paymentUrl}&acceptTerms=on` },
	{
		name: "payment: a mistyped address",
		visit: `${paymentUrl.replace("ada%40example.fr", "ada%40gmial.com")}&billingSiren=552032534&billingVat=FR27552032534`,
	},
	{
		name: "payment: with errors",
		async visit(page) {
			await page.goto(paymentUrl);
			await waitForHydration(page);
			await page.getByRole("button", { name: /^Finaliser/ }).click();
			await expect(page.getByRole("alert")).toBeVisible();
		},
	},
	{ name: "payment: of a company without an extract", visit: paymentUrl.replace("552032534", "775688732") },
	{ name: "payment: of an unknown company", visit: paymentUrl.replace("552032534", "900000001"), status: 404 },
	{ name: "sandbox", visit: openSandbox, scriptless: true },
	{
		name: "sandbox: declined",
		async visit(page) {
			await openSandbox(page);
			await payWith(page, cards.declined);
			await expect(page.getByText("Votre carte a été refusée.")).toBeVisible();
		},
		status: 402,
		scriptless: true,
	},
	{
		name: "sandbox: second step",
		async visit(page) {
			await openSandbox(page);
			await payWith(page, cards.secondStep);
			await expect(page.getByText("Votre banque demande une confirmation.")).toBeVisible();
		},
		scriptless: true,
	},
	{
		name: "resume payment",
		async visit(page) {
			await openSandbox(page);
			await page.getByRole("link", { name: "Annuler et revenir à la boutique" }).click();
			await page.waitForURL("**/paiement/reprendre/**");
		},
		scriptless: true,
	},
	{ name: "resume payment: a wrong link", visit: "/paiement/reprendre/abc", status: 403 },
	{
		name: "confirmation: in progress",
		async visit(page) {
			const placed = await placeOrder(page);
			await delayExtract(placed.number);
			await page.goto(await pay(page, placed));
		},
	},
	{
		name: "confirmation: done",
		async visit(page) {
			await orderAndPay(page);
			await expect(page.getByRole("link", { name: "Télécharger le KBIS" })).toBeVisible();
		},
	},
	{ name: "confirmation: without a number", visit: "/confirmation", status: 400 },
	{ name: "confirmation: unknown", visit: "/confirmation/cs_test_nobody", status: 404 },
];
