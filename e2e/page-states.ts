import { readdirSync, readFileSync } from "node:fs";
import { sep } from "node:path";
import { expect, type Page } from "@playwright/test";
import { cards, delayScripts, getBilling, newCustomer, openOrderForm, orderUpToPayment, payWith, waitForHydration } from "./customer.ts";
import {
	declareWithdrawal,
	openInvoiceCorrection,
	openNewsletterLink,
	openTracking,
	orderAndPay,
	orderFormUrl,
	paymentUrl,
} from "./flows.ts";
import { noticeStates } from "./notice-states.ts";
import { orderStates } from "./order-states.ts";

export interface State {
	name: string;
	/** Its URL, or the steps that lead to it. */
	visit: string | ((page: Page) => Promise<unknown>);
	status?: number;
	/** The page has no JavaScript. */
	scriptless?: boolean;
	/** Search engines may index the page, so it has a description. */
	indexable?: boolean;
	/** The extract of the order is blocked during the test, so that the order stays in progress. */
	blocksExtracts?: boolean;
}

/** Pages that consist of one text file. Pages with `layout: custom` have their states below. */
const contentPages = readdirSync("app/content/texts", { recursive: true, encoding: "utf8" })
	.filter((file) => file.endsWith(".md") && !/^layout: custom$/m.test(readFileSync(`app/content/texts/${file}`, "utf8")))
	.map((file) => `/${file.split(sep).join("/").slice(0, -".md".length)}`)
	.sort();

/** Every page of the shop, in each of its states. */
export const states: State[] = [
	{ name: "home", visit: "/", scriptless: true, indexable: true },
	{ name: "search: results", visit: "/recherche?q=groupe", indexable: true },
	{ name: "search: a correction", visit: "/recherche?q=dannone", indexable: true },
	{ name: "search: nothing found", visit: "/recherche?q=zzzzqqq", indexable: true },
	{ name: "search: blank query", visit: "/recherche", indexable: true },
	{ name: "company", visit: "/entreprise/552032534", indexable: true },
	{ name: "company: without an extract", visit: "/entreprise/775688732", indexable: true },
	{ name: "company: ceased", visit: "/entreprise/005420039", indexable: true },
	{ name: "company: unknown", visit: "/entreprise/900000001", status: 404 },
	{ name: "order: empty", visit: "/commande" },
	{ name: "order: of a company", visit: orderFormUrl },
	{
		name: "order: with errors",
		async visit(page) {
			await openOrderForm(page, "/commande");
			await page.getByRole("radio", { name: "Facturer à une autre adresse" }).check();
			await page.getByRole("button", { name: "Continuer vers le paiement" }).click();
			await expect(page.getByRole("alert")).toBeVisible();
		},
	},
	{
		name: "order: filled in, with suggestions and cities",
		async visit(page) {
			await openOrderForm(page, "/commande");
			await page.getByLabel("Prénom").fill(newCustomer().firstName);
			await page.getByRole("radio", { name: "Facturer à une autre adresse" }).check();
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
			await page.getByRole("radio", { name: "Facturer à une autre adresse" }).check();
			await page.getByText("Je commande pour une société").click();
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
			await page.getByRole("checkbox", { name: /J’accepte/ }).check();
			await page.getByRole("button", { name: "Continuer vers le paiement" }).click({ noWaitAfter: true });
			await expect(page.getByText("Vérifiez votre adresse e-mail")).toBeVisible();
			await scriptsArrive();
		},
	},
	{ name: "order: an expired form", visit: "/commande?commande=expired" },
	{ name: "payment: an expired form", visit: "/paiement?commande=expired", status: 410 },
	...noticeStates,
	{ name: "payment", visit: `${paymentUrl}&acceptTerms=on` },
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
	{ name: "sandbox", visit: (page) => orderUpToPayment(page, orderFormUrl), scriptless: true },
	{
		name: "sandbox: declined",
		async visit(page) {
			await orderUpToPayment(page, orderFormUrl);
			await payWith(page, cards.declined);
			await expect(page.getByText("Votre carte a été refusée.")).toBeVisible();
		},
		status: 402,
		scriptless: true,
	},
	{
		name: "sandbox: second step",
		async visit(page) {
			await orderUpToPayment(page, orderFormUrl);
			await payWith(page, cards.secondStep);
			await expect(page.getByText("Votre banque demande une confirmation.")).toBeVisible();
		},
		scriptless: true,
	},
	{
		name: "resume payment",
		async visit(page) {
			await orderUpToPayment(page, orderFormUrl);
			await page.getByRole("link", { name: "Annuler et revenir à la boutique" }).click();
			await page.waitForURL("**/paiement/reprendre/**");
		},
		scriptless: true,
	},
	{ name: "resume payment: a wrong link", visit: "/paiement/reprendre/abc", status: 403 },
	{ name: "confirmation: in progress", visit: orderAndPay, blocksExtracts: true },
	{
		name: "confirmation: done",
		async visit(page) {
			await orderAndPay(page);
			await expect(page.getByRole("link", { name: "Télécharger le KBIS" })).toBeVisible();
		},
	},
	{ name: "confirmation: without a number", visit: "/confirmation", status: 400 },
	{ name: "confirmation: unknown", visit: "/confirmation/cs_test_nobody", status: 404 },
	{ name: "tracking", visit: "/suivi-commande", scriptless: true, indexable: true },
	{
		name: "tracking: not found",
		async visit(page) {
			await page.goto("/suivi-commande");
			await waitForHydration(page);
			await page.getByLabel("Adresse e-mail").fill(newCustomer().email);
			await page.getByLabel("Numéro de commande").fill("KB-2222-2222");
			await page.getByRole("button", { name: "Rechercher" }).click();
			await expect(page.getByText("Commande non trouvée. Vérifiez vos informations.")).toBeVisible();
		},
		status: 404,
		scriptless: true,
	},
	{ name: "tracking: found", visit: openTracking },
	{ name: "lost number", visit: "/numero-perdu", scriptless: true, indexable: true },
	{
		name: "lost number: a wrong address",
		async visit(page) {
			await page.goto("/numero-perdu");
			await page.getByLabel("Adresse e-mail").fill("ada@");
			await page.getByRole("button", { name: "Recevoir mes numéros" }).click();
			await expect(page.getByText("Format d'email invalide")).toBeVisible();
		},
		status: 400,
		scriptless: true,
	},
	{ name: "lost number: sent", visit: "/numero-perdu?demande=1", scriptless: true },
	{
		name: "invoice correction",
		async visit(page) {
			await openTracking(page);
			await openInvoiceCorrection(page);
		},
		scriptless: true,
	},
	{
		name: "invoice correction: with errors",
		async visit(page) {
			await openTracking(page);
			await openInvoiceCorrection(page);
			await page.getByLabel("SIREN de la société").fill("552032535");
			await page.getByRole("button", { name: "Corriger la facture" }).click();
			await expect(page.getByRole("alert")).toBeVisible();
		},
		status: 400,
		scriptless: true,
	},
	{
		name: "tracking: a corrected invoice",
		async visit(page) {
			await openTracking(page);
			await openInvoiceCorrection(page);
			await page.getByLabel("Société à facturer").fill("ANALYSE SAS");
			await page.getByLabel("SIREN de la société").fill("552 032 534");
			await page.getByRole("button", { name: "Corriger la facture" }).click();
			await expect(page.getByText("(remplacée)")).toBeVisible();
		},
	},
	...orderStates,
	...contentPages.map((path) => ({ name: `content: ${path}`, visit: path, scriptless: true, indexable: true })),
	{ name: "subscription", visit: "/abonnement", scriptless: true, indexable: true },
	{
		name: "subscription: with an error",
		async visit(page) {
			await page.goto("/abonnement");
			await page.getByLabel(/e-mail/).fill("ada@");
			await page.getByRole("main").getByRole("button").click();
			await expect(page.getByRole("alert")).toBeVisible();
		},
		status: 400,
		scriptless: true,
	},
	{ name: "contact", visit: "/contact", scriptless: true, indexable: true },
	{
		name: "contact: with errors",
		async visit(page) {
			await page.goto("/contact");
			await page.getByRole("button", { name: "Envoyer le message" }).click();
			await expect(page.getByRole("alert")).toBeVisible();
		},
		status: 400,
		scriptless: true,
	},
	{ name: "contact: about a company", visit: "/contact?objet=donnees&siren=552032534", scriptless: true },
	{ name: "contact: sent", visit: "/contact?envoye=1", scriptless: true },
	{ name: "status page", visit: "/status-systeme", scriptless: true, indexable: true },
	{ name: "support", visit: "/support", scriptless: true, indexable: true },
	{
		name: "support: with errors",
		async visit(page) {
			await page.goto("/support");
			await page.getByLabel("Prénom").fill("Ada");
			await page.getByLabel("Téléphone").fill("12");
			await page.getByRole("button", { name: "Envoyer le message" }).click();
			await expect(page.getByRole("alert")).toBeFocused();
			await expect(page.getByLabel("Prénom")).toHaveValue("Ada");
		},
		status: 400,
		scriptless: true,
	},
	{ name: "support: sent", visit: "/support?envoye=1", scriptless: true },
	{ name: "Kbis questionnaire", visit: "/ai-je-besoin-d-un-kbis", scriptless: true, indexable: true },
	{
		name: "Kbis questionnaire: with errors",
		async visit(page) {
			await page.goto("/ai-je-besoin-d-un-kbis");
			await page.getByRole("button", { name: "Voir la réponse" }).click();
			await expect(page.getByRole("alert")).toBeFocused();
		},
		status: 400,
		scriptless: true,
	},
	{
		name: "Kbis questionnaire: needed",
		async visit(page) {
			await page.goto("/ai-je-besoin-d-un-kbis");
			await page.getByLabel("Une banque").check();
			await page.getByLabel("une société").check();
			await page.getByRole("button", { name: "Voir la réponse" }).click();
			await expect(page.getByRole("heading", { level: 1 })).toHaveText("Oui, il vous faut un Kbis.");
			await expect(page.getByLabel("Une banque")).toBeChecked();
		},
		scriptless: true,
	},
	{
		name: "Kbis questionnaire: not needed",
		async visit(page) {
			await page.goto("/ai-je-besoin-d-un-kbis?demande=banque&entreprise=association&forme=papier");
			await expect(page.getByRole("heading", { level: 1 })).toContainText("Pas de Kbis");
		},
		scriptless: true,
	},
	{ name: "newsletter", visit: "/lettre-information", scriptless: true, indexable: true },
	{
		name: "newsletter: with an error",
		async visit(page) {
			await page.goto("/lettre-information");
			await page.getByLabel(/e-mail/).fill("ada@");
			await page.getByRole("button", { name: "S’inscrire" }).click();
			await expect(page.getByRole("alert")).toBeVisible();
		},
		status: 400,
		scriptless: true,
	},
	{ name: "newsletter: requested", visit: "/lettre-information?demande=1", scriptless: true },
	{ name: "newsletter: to be confirmed", visit: openNewsletterLink, scriptless: true },
	{
		name: "newsletter: confirmed",
		async visit(page) {
			await openNewsletterLink(page);
			await page.getByRole("button", { name: "Confirmer mon inscription" }).click();
			await expect(page.getByRole("heading", { name: "Votre inscription est confirmée" })).toBeVisible();
		},
		scriptless: true,
	},
	{ name: "newsletter: a wrong confirmation link", visit: "/lettre-information/confirmer/abc", status: 403, scriptless: true },
	{ name: "newsletter: a wrong unsubscription link", visit: "/lettre-information/desinscription/abc", status: 403, scriptless: true },
	{ name: "withdrawal", visit: "/retractation", scriptless: true, indexable: true },
	{
		name: "withdrawal: with an error",
		async visit(page) {
			await page.goto("/retractation");
			await page.getByRole("button", { name: "renoncer au contrat ici" }).click();
			await expect(page.getByRole("alert")).toBeVisible();
		},
		status: 400,
		scriptless: true,
	},
	{ name: "withdrawal: to be confirmed", visit: declareWithdrawal, scriptless: true },
	{
		name: "withdrawal: received",
		async visit(page) {
			await declareWithdrawal(page);
			await page.getByRole("button", { name: "confirmer la rétractation" }).click();
			await expect(page.getByRole("heading", { name: "Déclaration reçue" })).toBeVisible();
		},
		scriptless: true,
	},
	{
		name: "tracking: cancellable",
		async visit(page) {
			await openTracking(page, { delivered: false });
			await page.getByText("Annuler la commande").click();
			await expect(page.getByRole("button", { name: "Confirmer l’annulation" })).toBeVisible();
		},
		blocksExtracts: true,
	},
	{
		name: "tracking: refund requested",
		async visit(page) {
			await openTracking(page);
			await page.getByText("Un problème avec votre extrait ?").click();
			await page.getByLabel("Ce qui ne va pas").fill("Une page manque.");
			await page.getByRole("button", { name: "Demander le remboursement" }).click();
			await expect(page.getByText(/Votre demande de remboursement est reçue/)).toBeVisible();
		},
	},
	{
		name: "verify a document",
		async visit(page) {
			await openTracking(page);
			await page.getByRole("link", { name: "Vérifier", exact: true }).click();
			await page.waitForURL("**/verifier/**");
		},
	},
	{ name: "verify a file", visit: "/verifier", indexable: true },
	{
		name: "verify a file: unknown",
		async visit(page) {
			await page.goto("/verifier");
			await waitForHydration(page);
			await page.getByLabel("Choisissez le fichier reçu").setInputFiles({
				name: "autre.pdf",
				mimeType: "application/pdf",
				buffer: Buffer.from("%PDF-1.7"),
			});
			await expect(page.getByText("n’a pas livré ce fichier")).toBeVisible();
		},
	},
	{ name: "verify a file: no fingerprint", visit: "/verifier?empreinte=abc", status: 400 },
	{ name: "unknown URL", visit: "/nulle-part", status: 404 },
	{ name: "document: a wrong link", visit: "/documents/abc", status: 403, scriptless: true },
	{ name: "demo page", visit: "/test", scriptless: true },
];
