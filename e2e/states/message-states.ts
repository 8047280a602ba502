import { expect } from "@playwright/test";
import { openNewsletterLink } from "../flows.ts";
import type { State } from "./state.ts";

/** Pages that a visitor writes to: messages, the newsletter, the questionnaire. */
export const messageStates: State[] = [
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
	{ name: "contact: about an order", visit: "/contact?commande=KB-2222-2222", scriptless: true },
	{ name: "contact: sent", visit: "/contact?envoye=1", scriptless: true },
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
];
