import { expect } from "@playwright/test";
import { newCustomer, waitForHydration } from "../customer.ts";
import { declareWithdrawal, openInvoiceCorrection, openTracking } from "../flows.ts";
import type { State } from "./state.ts";

/** Tracking, and what a customer does there: correct an invoice, withdraw, verify a document. */
export const trackingStates: State[] = [
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
	{
		name: "tracking: sent again",
		async visit(page) {
			await openTracking(page);
			await page.getByText("Renvoyer à une autre adresse").click();
			await page.getByLabel("Autre adresse e-mail").fill(`durand.et.associes.${Date.now()}@cabinet.example`);
			await page.getByRole("button", { name: "Envoyer l’extrait à une autre personne" }).click();
			await expect(page.getByText("Extrait renvoyé à ")).toBeVisible();
			await page.getByText("Renvoyer à une autre adresse").click();
			await expect(page.getByRole("button", { name: "Me renvoyer l’extrait" })).toBeVisible();
		},
	},
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
		visit: openInvoiceCorrection,
	},
	{
		name: "invoice correction: with errors",
		async visit(page) {
			await openInvoiceCorrection(page);
			await page.getByLabel("SIREN de la société").fill("552032535");
			await page.getByRole("button", { name: "Corriger la facture" }).click();
			await expect(page.getByRole("alert")).toBeVisible();
		},
		status: 400,
	},
	{
		name: "tracking: a corrected invoice",
		async visit(page) {
			await openInvoiceCorrection(page);
			await page.getByLabel("Société à facturer").fill("Danone");
			await page.getByLabel("SIREN de la société").fill("552 032 534");
			await page.getByRole("button", { name: "Corriger la facture" }).click();
			await expect(page.getByText("(remplacée)")).toBeVisible();
		},
	},
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
	{ name: "document: a wrong link", visit: "/documents/abc", status: 403, scriptless: true },
];
