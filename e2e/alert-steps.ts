import { randomInt } from "node:crypto";
import { expect, type Page } from "@playwright/test";
import { openAlertLink } from "./flows.ts";
import { openMail } from "./mailbox.ts";
import { openDatabase } from "./shared-shop.ts";

/** Inserts a notice and a reading of the bulletin, as the import does, and starts the job that the clock starts every five minutes. */
async function publishNotice(siren: string): Promise<void> {
	const client = await openDatabase();
	await client.query(
		`insert into bulletin_notices (siren, id, published_on, family) values ($1, $2, (now() at time zone 'Europe/Paris')::date, 'vente')`,
		[siren, `A2026${randomInt(1000, 9999)}${randomInt(1, 9999)}`],
	);
	await client.query(
		"insert into bulletin_readings (imported_at) values (clock_timestamp()) on conflict (only_row) do update set imported_at = clock_timestamp()",
	);
	await client.query("insert into jobs.job (name, data, retry_limit) values ('queue-company-alerts', '{}', 0)");
	await client.end();
}

/** Follows a company, is told of a notice, and ends the alert, all by e-mail. @param siren not of another test, which would read its notices. */
export async function followCompany(page: Page, siren: string): Promise<void> {
	await page.goto(`/entreprise/${siren}`);
	await page.getByRole("link", { name: "Suivre cette entreprise" }).click();
	await expect(page).toHaveURL(`/entreprise/${siren}/alerte`);
	const email = await openAlertLink(page, siren);
	await page.getByRole("button", { name: "Confirmer mon alerte" }).click();
	await expect(page.getByRole("heading", { name: "Votre alerte est confirmée" })).toBeVisible();

	await publishNotice(siren);
	const mail = await openMail(page, email, "annonce au BODACC");
	await expect(mail.getByRole("link", { name: "Annonce de vente ou de cession publiée le" })).toBeVisible();
	await mail.getByRole("link", { name: "Ne plus suivre cette entreprise" }).click();
	await page.getByRole("button", { name: "Ne plus suivre cette entreprise" }).click();
	await expect(page.getByRole("heading", { name: "Cette alerte est arrêtée" })).toBeVisible();

	await openMail(page, email, "annonce au BODACC");
	await mail.getByRole("link", { name: "Voir, modifier ou prolonger mes alertes" }).click();
	await expect(page.getByText("Vous ne suivez aucune entreprise.")).toBeVisible();
	await page.getByLabel("SIREN de l’entreprise").fill(siren);
	await page.getByRole("button", { name: "Suivre", exact: true }).click();
	await expect(page.getByText("Vous suivez cette entreprise.")).toBeVisible();
	await page.getByText("Modifier", { exact: true }).click();
	await page.getByLabel("Une fois par semaine, le lundi").check();
	await page.getByLabel("Dépôts des comptes").check();
	await page.getByRole("button", { name: "Enregistrer" }).click();
	await expect(page.getByText("Une fois par semaine, le lundi : toutes les annonces")).toBeVisible();
	await page.getByRole("button", { name: "Arrêter toutes mes alertes" }).click();
	await expect(page.getByText("Vous ne suivez aucune entreprise.")).toBeVisible();
}
