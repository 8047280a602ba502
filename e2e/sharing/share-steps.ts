import { expect, type Page } from "@playwright/test";

// What a customer does with links to their extract, and their readers.

/** Fills in and sends the form of the order's page. */
export async function shareExtract(page: Page, { label = "", days = "7", code = "" } = {}): Promise<void> {
	const links = page.getByLabel("Lien à transmettre");
	const before = await links.count();
	await page.getByText("Créer un lien", { exact: true }).click();
	await page.getByLabel("Pour qui").fill(label);
	await page.getByLabel("Durée en jours").fill(days);
	await page.getByLabel("Code d’accès").fill(code);
	await page.getByRole("button", { name: "Créer le lien" }).click();
	await expect(page.getByRole("alert").or(links.nth(before))).toBeVisible();
}

/** The newest link. */
export const readShareLink = (page: Page): Promise<string> => page.getByLabel("Lien à transmettre").first().inputValue();

/** Presses the button of a link's page, and waits for the page after it. */
export async function openShare(page: Page, code?: string): Promise<void> {
	if (code !== undefined) await page.getByLabel("Code").fill(code);
	const answered = page.waitForResponse((response) => response.request().method() === "POST");
	await page.getByRole("button", { name: "Ouvrir l’extrait" }).click();
	await answered;
	await page.waitForLoadState();
}
