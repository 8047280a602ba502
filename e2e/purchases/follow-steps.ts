import { expect, type Page } from "@playwright/test";
import { showLater } from "../flows.ts";
import { openMail } from "../mailbox.ts";
import { buyPurchase, failOrder } from "./buy-purchase.ts";
import { readArchive } from "./steps.ts";

/** A purchase of several orders after its payment: its page lives, its documents are downloaded at once, one line fails. */
export async function followPurchase(page: Page, { javaScriptEnabled = true } = {}): Promise<void> {
	const { email, numbers } = await buyPurchase(page, 4, { slowLast: true });
	// the page reads itself again, or has a link for it
	await showLater(page, page.getByText("3 sur 4 prêts, 1 en cours."));
	await failOrder(numbers[3] ?? "");
	await showLater(page, page.getByText("3 sur 4 prêts, 1 n’a pas abouti."));
	await showLater(page, page.getByText("39,00 € remboursés."));
	await showLater(page, page.getByRole("link", { name: "Télécharger la facture" }));
	expect(await readArchive(page)).toHaveLength(3);

	await page.getByRole("link", { name: "LA POSTE", exact: true }).click();
	await expect(page.getByText(`Commande ${numbers[1]}`)).toBeVisible();
	await expect(page.getByText("dossier 2026-2")).toBeVisible();
	await page.getByRole("link", { name: `commande groupée ${numbers[0]}` }).click();
	await expect(page.getByRole("heading", { level: 1 })).toHaveText(/Commande confirmée|Votre commande de 4 extraits/);
	if (!javaScriptEnabled) return;

	const mail = await openMail(page, email, "Vos 2 extraits sont prêts");
	await mail.getByRole("link", { name: "Suivre votre commande" }).click();
	await expect(page.getByText("3 sur 4 prêts, 1 n’a pas abouti.")).toBeVisible();
	await expect(page.getByRole("link", { name: "Télécharger la facture" })).toBeVisible();
}
