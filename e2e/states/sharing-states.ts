import { expect, type Page } from "@playwright/test";
import { openTracking } from "../flows.ts";
import { openDatabase } from "../shared-shop.ts";
import { openShare, readShareLink, shareExtract } from "../sharing/share-steps.ts";
import type { State } from "./state.ts";

/** Links to a delivered extract: the customer's section, and every page that a reader may see. */
export const sharingStates: State[] = [
	{ name: "sharing: links", visit: (page) => openUsedLinks(page) },
	{
		name: "sharing: a wrong form",
		async visit(page) {
			await openTracking(page);
			await shareExtract(page, { days: "100", code: "abc" });
			await expect(page.getByRole("alert")).toContainText("Indiquez un nombre de jours, de 1 à 90.");
		},
		status: 400,
	},
	{ name: "shared extract: the door", visit: (page) => openDoor(page), scriptless: true },
	{ name: "shared extract: the door with a passcode", visit: (page) => openDoor(page, "Bleu 42"), scriptless: true },
	{
		name: "shared extract: a wrong passcode",
		async visit(page) {
			await openDoor(page, "Bleu 42");
			await openShare(page, "Rouge");
			await expect(page.getByRole("alert")).toContainText("Ce code est incorrect.");
		},
		status: 403,
		scriptless: true,
	},
	{
		name: "shared extract: too many passcodes",
		async visit(page) {
			await openDoor(page, "Bleu 42");
			for (let count = 0; count < 6; count++) await openShare(page, `Rouge ${count}`);
			await expect(page.getByText("Trop d’essais. Réessayez dans un quart d’heure.")).toBeVisible();
		},
		status: 429,
		scriptless: true,
	},
	{
		name: "shared extract: open",
		async visit(page) {
			await openDoor(page);
			await openShare(page);
			await expect(page.getByText("Le fichier est intact.")).toBeVisible();
		},
		scriptless: true,
	},
	{
		name: "shared extract: revoked",
		async visit(page) {
			await openTracking(page);
			await shareExtract(page);
			const link = await readShareLink(page);
			await page.getByRole("button", { name: "Retirer ce lien" }).click();
			await expect(page.getByText("Liens terminés (1)")).toBeVisible();
			await page.goto(link);
			await expect(page.getByRole("heading", { name: "Ce lien a été retiré" })).toBeVisible();
		},
		status: 410,
		scriptless: true,
	},
	{ name: "shared extract: a wrong link", visit: "/partage/abc", status: 404, scriptless: true },
	{ name: "shared extract: a wrong file", visit: "/partage/fichier/abc", status: 403, scriptless: true },
];

/** Makes a link, and follows it. All tests are one client: its tries on other links are forgotten. */
async function openDoor(page: Page, code = ""): Promise<void> {
	const client = await openDatabase();
	await client.query("delete from rate_limits where key like 'share-client:%'");
	await client.end();
	await openTracking(page);
	await shareExtract(page, { sender: "Ada Lovelace", purpose: "Ouverture de compte", code });
	await page.goto(await readShareLink(page));
	await expect(page.getByRole("button", { name: "Ouvrir l’extrait" })).toBeVisible();
}

/** Two links, of which one was opened twice, and one that ended. */
async function openUsedLinks(page: Page): Promise<void> {
	await openTracking(page);
	await shareExtract(page, { label: "Notaire", days: "30" });
	await page.getByRole("button", { name: "Retirer ce lien" }).click();
	await expect(page.getByText("Liens terminés (1)")).toBeVisible();
	await shareExtract(page, { label: "Cabinet Durand", code: "Bleu 42" });
	await shareExtract(page, { label: "Banque Martin" });
	const tracking = page.url();
	const link = await readShareLink(page);
	for (let count = 0; count < 2; count++) {
		await page.goto(link);
		await openShare(page);
	}
	await page.goto(tracking);
	await page.getByText("Liens terminés (1)").click();
	await expect(page.getByText("Ouvert 2 fois, téléchargé 0 fois.")).toBeVisible();
}
