import { readdirSync, readFileSync } from "node:fs";
import { sep } from "node:path";
import { expect, type Page } from "@playwright/test";
import { alive, cards, newCustomer, orderUpToPayment, payWith } from "./customer.ts";
import { noticeStates } from "./notice-states.ts";
import { orderStates } from "./order-states.ts";
import { declareWithdrawal, openNewsletterLink, order, pay, payment, track } from "./ways.ts";

export interface State {
	name: string;
	/** Its address, or how it is reached. */
	reach: string | ((page: Page) => Promise<unknown>);
	status?: number;
	/** Ships no JavaScript at all. */
	plain?: boolean;
	/** For everyone and for search engines: says what it is about. */
	described?: boolean;
	/** An order is under way, and stays so while it is looked at. */
	held?: boolean;
}

/** Pages that are their text alone: each has a file under its own address. The pages that place a text themselves have states below. */
const contentPages = readdirSync("app/content/texts", { recursive: true, encoding: "utf8" })
	.filter((file) => file.endsWith(".md") && !/^layout: custom$/m.test(readFileSync(`app/content/texts/${file}`, "utf8")))
	.map((file) => `/${file.split(sep).join("/").slice(0, -".md".length)}`)
	.sort();

/** Every page of the shop, in every state that it has. */
export const states: State[] = [
	{ name: "home", reach: "/", plain: true, described: true },
	{ name: "search: results", reach: "/recherche?q=groupe", described: true },
	{ name: "search: a correction", reach: "/recherche?q=dannone", described: true },
	{ name: "search: nothing found", reach: "/recherche?q=zzzzqqq", described: true },
	{ name: "search: nothing asked", reach: "/recherche", described: true },
	{ name: "company", reach: "/entreprise/552032534", described: true },
	{ name: "company without an extract", reach: "/entreprise/775688732", described: true },
	{ name: "company that ceased", reach: "/entreprise/005420039", described: true },
	{ name: "company nobody knows", reach: "/entreprise/900000001", status: 404 },
	{ name: "order: empty", reach: "/commande" },
	{ name: "order: of a company", reach: order },
	{
		name: "order: with errors",
		async reach(page) {
			await page.goto("/commande");
			await alive(page);
			await page.getByRole("button", { name: "Continuer vers le paiement" }).click();
			await expect(page.getByRole("alert")).toBeVisible();
		},
	},
	{
		name: "order: filled in, with suggestions and cities",
		async reach(page) {
			await page.goto("/commande");
			await alive(page);
			await page.getByLabel("Prénom").fill(newCustomer().firstName);
			await page.getByLabel("Code postal", { exact: true }).fill("01090");
			await expect(page.getByRole("group", { name: "Villes de ce code postal" })).toBeVisible();
			await page.getByRole("combobox", { name: /SIREN/ }).fill("groupe");
			await expect(page.getByRole("option").first()).toBeVisible();
			await page.getByRole("combobox", { name: /SIREN/ }).press("ArrowDown");
			await expect(page.getByRole("option", { selected: true })).toBeVisible();
		},
	},
	{
		name: "order: with a draft",
		async reach(page) {
			await page.goto("/commande");
			await page.evaluate(() =>
				localStorage.setItem("kbis-draft", JSON.stringify({ savedAt: Date.now(), values: { firstName: "Ada" }, company: null })),
			);
			await page.goto("/commande");
			await expect(page.getByText("Reprendre votre brouillon ?")).toBeVisible();
		},
	},
	...noticeStates,
	{ name: "payment", reach: `${payment}&acceptTerms=on` },
	{
		name: "payment: with errors",
		async reach(page) {
			await page.goto(payment);
			await alive(page);
			await page.getByRole("button", { name: /^Finaliser/ }).click();
			await expect(page.getByRole("alert")).toBeVisible();
		},
	},
	{ name: "payment of what has no extract", reach: payment.replace("552032534", "775688732") },
	{ name: "payment of a company nobody knows", reach: payment.replace("552032534", "900000001"), status: 404 },
	{ name: "sandbox", reach: (page) => orderUpToPayment(page, order), plain: true },
	{
		name: "sandbox: declined",
		async reach(page) {
			await orderUpToPayment(page, order);
			await payWith(page, cards.declined);
			await expect(page.getByText("Votre carte a été refusée.")).toBeVisible();
		},
		status: 402,
		plain: true,
	},
	{
		name: "sandbox: second step",
		async reach(page) {
			await orderUpToPayment(page, order);
			await payWith(page, cards.secondStep);
			await expect(page.getByText("Votre banque demande une confirmation.")).toBeVisible();
		},
		plain: true,
	},
	{
		name: "payment to take up again",
		async reach(page) {
			await orderUpToPayment(page, order);
			await page.getByRole("link", { name: "Annuler et revenir à la boutique" }).click();
			await page.waitForURL("**/paiement/reprendre/**");
		},
		plain: true,
	},
	{ name: "payment to take up again: a wrong link", reach: "/paiement/reprendre/abc", status: 403 },
	{ name: "confirmation: in progress", reach: pay, held: true },
	{
		name: "confirmation: done",
		async reach(page) {
			await pay(page);
			await expect(page.getByRole("link", { name: "Télécharger le KBIS" })).toBeVisible();
		},
	},
	{ name: "confirmation: without a number", reach: "/confirmation", status: 400 },
	{ name: "confirmation: unknown", reach: "/confirmation/cs_test_nobody", status: 404 },
	{ name: "tracking", reach: "/suivi-commande", described: true },
	{
		name: "tracking: not found",
		async reach(page) {
			await page.goto("/suivi-commande");
			await alive(page);
			await page.getByLabel("Adresse e-mail").fill(newCustomer().email);
			await page.getByLabel("Numéro de commande").fill("KB-2222-2222");
			await page.getByRole("button", { name: "Rechercher" }).click();
			await expect(page.getByText("Commande non trouvée. Vérifiez vos informations.")).toBeVisible();
		},
		status: 404,
	},
	{ name: "tracking: found", reach: track },
	...orderStates,
	...contentPages.map((path) => ({ name: `content: ${path}`, reach: path, plain: true, described: true })),
	{ name: "subscription", reach: "/abonnement", plain: true, described: true },
	{
		name: "subscription: with an error",
		async reach(page) {
			await page.goto("/abonnement");
			await page.getByLabel(/e-mail/).fill("ada@");
			await page.getByRole("main").getByRole("button").click();
			await expect(page.getByRole("alert")).toBeVisible();
		},
		status: 400,
		plain: true,
	},
	{ name: "contact", reach: "/contact", plain: true, described: true },
	{
		name: "contact: with errors",
		async reach(page) {
			await page.goto("/contact");
			await page.getByRole("button", { name: "Envoyer le message" }).click();
			await expect(page.getByRole("alert")).toBeVisible();
		},
		status: 400,
		plain: true,
	},
	{ name: "contact: about a company", reach: "/contact?objet=donnees&siren=552032534", plain: true },
	{ name: "contact: sent", reach: "/contact?envoye=1", plain: true },
	{ name: "the state of the service", reach: "/status-systeme", plain: true, described: true },
	{ name: "support", reach: "/support", plain: true, described: true },
	{
		name: "support: with errors",
		async reach(page) {
			await page.goto("/support");
			await page.getByLabel("Prénom").fill("Ada");
			await page.getByLabel("Téléphone").fill("12");
			await page.getByRole("button", { name: "Envoyer le message" }).click();
			await expect(page.getByRole("alert")).toBeFocused();
			await expect(page.getByLabel("Prénom")).toHaveValue("Ada");
		},
		status: 400,
		plain: true,
	},
	{ name: "support: sent", reach: "/support?envoye=1", plain: true },
	{ name: "whether a Kbis is needed", reach: "/ai-je-besoin-d-un-kbis", plain: true, described: true },
	{
		name: "whether a Kbis is needed: with errors",
		async reach(page) {
			await page.goto("/ai-je-besoin-d-un-kbis");
			await page.getByRole("button", { name: "Voir la réponse" }).click();
			await expect(page.getByRole("alert")).toBeFocused();
		},
		status: 400,
		plain: true,
	},
	{
		name: "whether a Kbis is needed: it is",
		async reach(page) {
			await page.goto("/ai-je-besoin-d-un-kbis");
			await page.getByLabel("Une banque").check();
			await page.getByLabel("une société").check();
			await page.getByRole("button", { name: "Voir la réponse" }).click();
			await expect(page.getByRole("heading", { level: 1 })).toHaveText("Un Kbis vous est utile.");
			await expect(page.getByLabel("Une banque")).toBeChecked();
		},
		plain: true,
	},
	{
		name: "whether a Kbis is needed: it is not",
		async reach(page) {
			await page.goto("/ai-je-besoin-d-un-kbis?demande=banque&entreprise=association&forme=papier");
			await expect(page.getByRole("heading", { level: 1 })).toContainText("Pas de Kbis");
		},
		plain: true,
	},
	{ name: "newsletter", reach: "/lettre-information", plain: true, described: true },
	{
		name: "newsletter: with an error",
		async reach(page) {
			await page.goto("/lettre-information");
			await page.getByLabel(/e-mail/).fill("ada@");
			await page.getByRole("button", { name: "S’inscrire" }).click();
			await expect(page.getByRole("alert")).toBeVisible();
		},
		status: 400,
		plain: true,
	},
	{ name: "newsletter: asked for", reach: "/lettre-information?demande=1", plain: true },
	{ name: "newsletter: to be confirmed", reach: openNewsletterLink, plain: true },
	{
		name: "newsletter: confirmed",
		async reach(page) {
			await openNewsletterLink(page);
			await page.getByRole("button", { name: "Confirmer mon inscription" }).click();
			await expect(page.getByRole("heading", { name: "Votre inscription est confirmée" })).toBeVisible();
		},
		plain: true,
	},
	{ name: "newsletter: a wrong link to confirm", reach: "/lettre-information/confirmer/abc", status: 403, plain: true },
	{ name: "newsletter: a wrong link to unsubscribe", reach: "/lettre-information/desinscription/abc", status: 403, plain: true },
	{ name: "withdrawal", reach: "/retractation", plain: true, described: true },
	{
		name: "withdrawal: with an error",
		async reach(page) {
			await page.goto("/retractation");
			await page.getByRole("button", { name: "renoncer au contrat ici" }).click();
			await expect(page.getByRole("alert")).toBeVisible();
		},
		status: 400,
		plain: true,
	},
	{ name: "withdrawal: to be confirmed", reach: declareWithdrawal, plain: true },
	{
		name: "withdrawal: received",
		async reach(page) {
			await declareWithdrawal(page);
			await page.getByRole("button", { name: "confirmer la rétractation" }).click();
			await expect(page.getByRole("heading", { name: "Déclaration reçue" })).toBeVisible();
		},
		plain: true,
	},
	{
		name: "tracking: an order that may be cancelled",
		async reach(page) {
			await track(page, { delivered: false });
			await page.getByText("Annuler la commande").click();
			await expect(page.getByRole("button", { name: "Confirmer l’annulation" })).toBeVisible();
		},
		held: true,
	},
	{
		name: "tracking: a refund asked for",
		async reach(page) {
			await track(page);
			await page.getByText("Un problème avec votre extrait ?").click();
			await page.getByLabel("Ce qui ne va pas").fill("Une page manque.");
			await page.getByRole("button", { name: "Demander le remboursement" }).click();
			await expect(page.getByText(/Votre demande de remboursement est reçue/)).toBeVisible();
		},
	},
	{
		name: "a delivered document to be verified",
		async reach(page) {
			await track(page);
			await page.getByRole("link", { name: "Vérifier" }).click();
			await page.waitForURL("**/verifier/**");
		},
	},
	{ name: "an address that does not exist", reach: "/nulle-part", status: 404 },
	{ name: "a document behind a wrong link", reach: "/documents/abc", status: 403, plain: true },
	{ name: "the demo’s backstage", reach: "/test", plain: true },
];
