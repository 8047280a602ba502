import { expect } from "@playwright/test";
import { openAlertLink, openAlerts } from "../flows.ts";
import type { State } from "./state.ts";

/** The pages of alerts about companies. */
export const alertStates: State[] = [
	{ name: "alert: the form", visit: "/entreprise/552032534/alerte", scriptless: true },
	{
		name: "alert: with errors",
		async visit(page) {
			await page.goto("/entreprise/552032534/alerte");
			await page.getByLabel("Votre adresse e-mail").fill("ada@");
			for (const checkbox of await page.getByRole("checkbox").all()) await checkbox.uncheck();
			await page.getByRole("button", { name: "Recevoir ces alertes" }).click();
			await expect(page.getByRole("alert")).toBeFocused();
			await expect(page.getByLabel("Votre adresse e-mail")).toHaveValue("ada@");
		},
		status: 400,
		scriptless: true,
	},
	{ name: "alert: requested", visit: "/entreprise/552032534/alerte?demande=1", scriptless: true },
	{ name: "alert: an unknown company", visit: "/entreprise/900000001/alerte", status: 404, scriptless: true },
	{
		name: "alert: to be confirmed",
		visit: (page) => openAlertLink(page),
		scriptless: true,
	},
	{
		name: "alert: confirmed",
		async visit(page) {
			await openAlertLink(page);
			await page.getByRole("button", { name: "Confirmer mon alerte" }).click();
			await expect(page.getByRole("heading", { name: "Votre alerte est confirmée" })).toBeVisible();
		},
		scriptless: true,
	},
	{
		name: "alerts of a mailbox",
		async visit(page) {
			await openAlerts(page);
			await page.getByText("Modifier", { exact: true }).click();
			await expect(page.getByRole("button", { name: "Enregistrer" })).toBeVisible();
		},
		scriptless: true,
	},
	{
		name: "alerts of a mailbox: with an error",
		async visit(page) {
			await openAlerts(page);
			await page.getByLabel("SIREN de l’entreprise").fill("12");
			await page.getByRole("button", { name: "Suivre", exact: true }).click();
			await expect(page.getByText("Un SIREN a neuf chiffres")).toBeVisible();
		},
		status: 400,
		scriptless: true,
	},
	{ name: "alerts: a lost link", visit: "/alertes", scriptless: true, indexable: true },
	{
		name: "alerts: a lost link, with an error",
		async visit(page) {
			await page.goto("/alertes");
			await page.getByRole("button", { name: "Recevoir le lien de mes alertes" }).click();
			await expect(page.getByRole("alert")).toBeVisible();
		},
		status: 400,
		scriptless: true,
	},
	{ name: "alerts: a lost link is sent", visit: "/alertes?demande=1", scriptless: true },
	{ name: "alerts: a wrong link", visit: "/alertes/abc", status: 403, scriptless: true },
	{ name: "alert: a wrong confirmation link", visit: "/alertes/confirmer/abc", status: 403, scriptless: true },
	{ name: "alert: a wrong link to end it", visit: "/alertes/fin/abc", status: 403, scriptless: true },
	{ name: "alerts: a wrong link to end all", visit: "/alertes/desinscription/abc", status: 403, scriptless: true },
];
