import { expect, type Page } from "@playwright/test";
import { extractXml, Profile, validateXsd } from "@stackforge-eu/factur-x";
import { scaledTimeout } from "../../test/time-limits.ts";
import { cards, newCustomer, payWith } from "../customer.ts";
import { openCustomerLink } from "../customer-space/steps.ts";
import { showLater } from "../flows.ts";
import { delayExtract } from "../shared-shop.ts";
import { openShare, readShareLink, shareExtract } from "../sharing/share-steps.ts";
import { test } from "../test.ts";
import { failOrder, listNumbers } from "./buy-purchase.ts";
import { fillInPurchase, listSirens, readArchive, sendList } from "./steps.ts";

// A firm of accountants from its pasted list to a document that it hands to a bank.

const phone = { width: 390, height: 844 };
const desktop = { width: 1280, height: 800 };

/** As in a regular expression: the separators are narrow spaces. */
const formatEuros = (euros: number) => euros.toLocaleString("fr-FR", { minimumFractionDigits: 2 }).replaceAll(/\s/g, "\\s");

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

/** On a phone the page is a few screens long, what failed comes first, and a line is found by its reference. */
async function findLine(page: Page, { count, found }: { count: number; found: number }): Promise<void> {
	await page.setViewportSize(phone);
	expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(5 * phone.height);
	const lines = page.locator("#extraits");
	await expect(lines.locator("summary")).toHaveText(["1 extrait n’a pas abouti", `${count - 1} extraits prêts`]);
	const downloads = lines.getByRole("link", { name: /^Télécharger/ });
	await expect(downloads).toHaveCount(0);
	await lines.getByLabel("Entreprise, SIREN, numéro ou votre référence").fill(`dossier ${100 + found}`);
	await lines.getByRole("button", { name: "Chercher" }).click();
	await expect(lines.getByText(`1 extrait correspond à votre recherche, sur ${count}`)).toBeVisible();
	await expect(downloads).toHaveCount(1);
	expect(page.url()).not.toContain("dossier");
	await lines.getByRole("link", { name: "Tout afficher" }).click();
	await expect(lines.getByText("correspond")).toBeHidden();
	await page.setViewportSize(desktop);
}

// eight are enough to see that each page works without scripts; every-state.spec.ts has the form of two hundred lines
for (const { name, count, found, options } of [
	{ name: "on a desktop", count: 40, found: 17, options: { viewport: desktop } },
	{ name: "on a phone without JavaScript", count: 8, found: 5, options: { viewport: phone, javaScriptEnabled: false } },
]) {
	test.describe(name, () => {
		test.use(options);

		test(`${count} pasted companies are bought, delivered, downloaded, partly refunded, found again and shared`, async ({
			page,
			browser,
		}) => {
			test.setTimeout(scaledTimeout(180_000));
			const customer = newCustomer();
			await sendList(page, (await listSirens(count)).map((siren, index) => `${siren} ; dossier ${100 + index}`).join("\n"));
			await expect(page.getByRole("heading", { name: `${count} extraits à commander` })).toBeVisible();
			await fillInPurchase(page, customer);
			await page.getByRole("button", { name: "Continuer vers le paiement" }).click();
			await page.waitForURL("**/paiement?**");
			await expect(page.getByRole("heading", { name: `Votre commande de ${count} extraits` })).toBeVisible();
			await page
				.getByRole("button", { name: `Finaliser ma commande - ${(59 * count).toLocaleString("fr-FR").replace(/\s/g, " ")}€` })
				.click();
			await page.waitForURL("**/bac-a-sable/**");
			const numbers = await listNumbers(customer.email);
			expect(numbers).toHaveLength(count);
			const last = numbers[count - 1] ?? "";
			await delayExtract(last);
			await payWith(page, cards.accepted);
			await page.waitForURL("**/suivi/*/ensemble");

			// one a second, but for the last, which fails
			await showLater(page, page.getByText(`${count - 1} sur ${count} prêts, 1 en cours.`));
			await failOrder(last);
			await showLater(page, page.getByText(`${count - 1} sur ${count} prêts, 1 n’a pas abouti.`));
			await showLater(page, page.getByText("59,00 € vous ont été remboursés."));
			if (count > 20) await findLine(page, { count, found });
			expect(new Set(await readArchive(page)).size).toBe(count - 1);
			expect(await readInvoiceLines(await fetchLink(page, "Télécharger la facture"))).toHaveLength(count);

			// days later, on another computer
			const context = await browser.newContext(options);
			const later = await context.newPage();
			await openCustomerLink(later, customer.email);
			await later.getByRole("button", { name: "Ouvrir mes commandes" }).click();
			await expect(later.getByRole("heading", { name: `Commande groupée de ${count} extraits` })).toBeVisible();
			await expect(later.getByText("dont 59,00 € remboursés")).toBeVisible();
			await later.getByText(`Voir les ${count} extraits`).click();
			expect(await readInvoiceLines(await fetchLink(later, /^Avoir /))).toHaveLength(1);
			await later.goto("/mes-commandes/factures");
			await expect(later.getByText(new RegExp(`^${formatEuros(59 * count)}\\s€ TTC$`))).toBeVisible();
			await expect(later.getByText(/^−59,00\s€ TTC$/)).toBeVisible();
			await later.goto("/mes-commandes");
			await later.getByLabel("Entreprise, SIREN, numéro ou votre référence").fill(`dossier ${100 + found}`);
			await later.getByRole("button", { name: "Chercher", exact: true }).click();
			await expect(later.getByText(new RegExp(`^1 extrait correspond à votre recherche, sur ${count}`))).toBeVisible();
			await expect(later.getByText(new RegExp(`votre référence\\s: dossier ${100 + found}$`)).first()).toBeVisible();
			await later.goto(`/mes-commandes/commande/${numbers[found]}`);
			await expect(later.getByText(`Commande ${numbers[found]}`)).toBeVisible();
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
