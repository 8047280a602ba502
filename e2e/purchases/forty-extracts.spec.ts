import { expect, type Page, test } from "@playwright/test";
import { extractXml, Profile, validateXsd } from "@stackforge-eu/factur-x";
import { scaledTimeout } from "../../test/time-limits.ts";
import { cards, newCustomer, payWith } from "../customer.ts";
import { openCustomerLink } from "../customer-space/steps.ts";
import { openShare, readShareLink, shareExtract } from "../sharing/share-steps.ts";
import { delayLine, failOrder, listNumbers } from "./buy-purchase.ts";
import { fillInPurchase, listSirens, readArchive, sendList } from "./steps.ts";

// A firm of accountants from its pasted list to a document that it hands to a bank.

const phone = { width: 390, height: 844 };
const desktop = { width: 1280, height: 800 };
const minute = 60_000;

/** Downloads a document without leaving the page. */
async function fetchLink(page: Page, name: string | RegExp): Promise<Buffer> {
	const href = await page.getByRole("link", { name }).first().getAttribute("href");
	const answer = await page.request.get(href ?? "");
	expect(answer.status()).toBe(200);
	return answer.body();
}

/** Reads the XML inside an invoice or a credit note. @returns the numbers of its lines, once the official schema finds it valid. */
async function readInvoiceLines(pdf: Buffer): Promise<string[]> {
	const { xml } = await extractXml(new Uint8Array(pdf));
	expect(await validateXsd(xml, Profile.EN16931)).toEqual({ valid: true, errors: [] });
	return Array.from(xml.matchAll(/<ram:LineID>(\d+)</g), ([, line]) => line ?? "");
}

for (const [name, options] of [
	["on a desktop", { viewport: desktop }],
	["on a phone without JavaScript", { viewport: phone, javaScriptEnabled: false }],
] as const) {
	test.describe(name, () => {
		test.use(options);

		test("forty pasted companies are bought, delivered, downloaded, partly refunded, found again and shared", async ({ page, browser }) => {
			test.setTimeout(scaledTimeout(3 * minute));
			const customer = newCustomer();
			await sendList(page, (await listSirens(40)).map((siren, index) => `${siren} ; dossier ${index + 1}`).join("\n"));
			await expect(page.getByRole("heading", { name: "40 entreprises" })).toBeVisible();
			await fillInPurchase(page, customer);
			await page.getByRole("button", { name: "Continuer vers le paiement" }).click();
			await page.waitForURL("**/paiement?**");
			await expect(page.getByRole("heading", { name: "Votre commande de 40 extraits" })).toBeVisible();
			await page.getByRole("button", { name: "Finaliser ma commande - 2360€" }).click();
			await page.waitForURL("**/bac-a-sable/**");
			const numbers = await listNumbers(customer.email);
			expect(numbers).toHaveLength(40);
			await delayLine(numbers[39] ?? "");
			await payWith(page, cards.accepted);
			await page.waitForURL("**/suivi/*/ensemble");

			// one a second, but for the last, which fails
			await expect(page.getByText("39 sur 40 prêts, 1 en cours.")).toBeVisible({ timeout: scaledTimeout(2 * minute) });
			await failOrder(numbers[39] ?? "");
			await expect(page.getByText("39 sur 40 prêts, 1 n’a pas abouti.")).toBeVisible({ timeout: scaledTimeout(minute) });
			await expect(page.getByText("59,00 € vous ont été remboursés.")).toBeVisible({ timeout: scaledTimeout(minute) });
			expect(new Set(await readArchive(page)).size).toBe(39);
			expect(await readInvoiceLines(await fetchLink(page, "Télécharger la facture"))).toHaveLength(40);

			// days later, on another computer
			const context = await browser.newContext(options);
			const later = await context.newPage();
			await openCustomerLink(later, customer.email);
			await later.getByRole("button", { name: "Ouvrir mes commandes" }).click();
			await expect(later.getByRole("heading", { name: "Commande groupée de 40 extraits" })).toBeVisible();
			await expect(later.getByText("dont 59,00 € remboursés")).toBeVisible();
			await later.getByText("Voir les 40 extraits").click();
			expect(await readInvoiceLines(await fetchLink(later, /^Avoir /))).toHaveLength(1);
			await later.goto("/mes-commandes/factures");
			await expect(later.getByText(/^2\s360,00\s€ TTC$/)).toBeVisible();
			await expect(later.getByText(/^−59,00\s€ TTC$/)).toBeVisible();
			await later.goto("/mes-commandes");
			await later.getByLabel("Entreprise, SIREN, numéro ou votre référence").fill("dossier 17");
			await later.getByRole("button", { name: "Chercher", exact: true }).click();
			await expect(later.getByText(/^1 extrait correspond à votre recherche, sur 40/)).toBeVisible();
			await expect(later.getByText(/votre référence\s: dossier 17$/).first()).toBeVisible();
			await later.goto(`/mes-commandes/commande/${numbers[16]}`);
			await expect(later.getByText(`Commande ${numbers[16]}`)).toBeVisible();
			await shareExtract(later, { label: "Banque Martin" });
			const reader = await (await browser.newContext(options)).newPage();
			await reader.goto(await readShareLink(later));
			await openShare(reader);
			await expect(reader.getByText("Le fichier est intact.")).toBeVisible();
			expect((await fetchLink(reader, "Télécharger l’extrait")).toString("latin1", 0, 4)).toBe("%PDF");
			await later.getByRole("button", { name: "Retirer ce lien" }).click();
			await expect(later.getByText("Liens terminés (1)")).toBeVisible();
			expect((await reader.goto(reader.url()))?.status()).toBe(410);
			await reader.context().close();
			await context.close();
		});
	});
}
