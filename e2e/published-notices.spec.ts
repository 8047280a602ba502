import { expect, type Page } from "@playwright/test";
import { findViolations } from "./accessibility.ts";
import { addPublishedCompany, publishedCompany } from "./published-company.ts";
import { test } from "./test.ts";

const sizes = [
	{ width: 390, height: 844 },
	{ width: 1366, height: 768 },
];

/** SCREENSHOTS names a folder for a picture of each step. */
const folder = process.env.SCREENSHOTS;

/** Checks that a text is there once for the eye, in a page without accessibility violations. */
async function expectOnce(page: Page, text: string, { picture, scripts }: { picture: string; scripts: boolean }): Promise<void> {
	await expect(page.getByText(text, { exact: true }).filter({ visible: true })).toHaveCount(1);
	for (const colorScheme of ["light", "dark"] as const) {
		await page.emulateMedia({ colorScheme });
		const name = [picture, page.viewportSize()?.width, colorScheme, ...(scripts ? [] : ["without-scripts"])].join("-");
		if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
		// axe-core runs in the page
		if (scripts) expect(await findViolations(page)).toEqual([]);
	}
}

async function readAndOrder(page: Page, scripts: boolean): Promise<void> {
	await addPublishedCompany();
	for (const size of sizes) {
		await page.setViewportSize(size);
		await page.goto(`/entreprise/${publishedCompany}`);
		const section = page.locator("#annonces");
		await expect(section.getByRole("listitem")).toHaveCount(5);
		await expect(section.getByRole("listitem").first()).toContainText("Annonce de procédure collective publiée");
		await expectOnce(page, "Chronologie", { picture: "company", scripts });
		await section.getByText("Voir les 3 autres annonces").click();
		await expect(section.getByRole("listitem")).toHaveCount(8);
		await expectOnce(page, "Une radiation peut suivre un transfert à un autre greffe : un extrait récent le précise.", {
			picture: "company-open",
			scripts,
		});

		await page.getByRole("radio", { name: /KBIS Express/ }).check();
		await page
			.getByRole("button", { name: /^(Continuer vers la commande|Commander ce service)$/ })
			.filter({ visible: true })
			.first()
			.click();
		await page.waitForURL(`**/commande/${publishedCompany}?service=express`);
		await expectOnce(page, "Annonces publiées", { picture: "order", scripts });

		const query = { siren: publishedCompany, service: "express", email: "ada@example.fr", firstName: "Ada", lastName: "Lovelace" };
		await page.goto(`/paiement?${new URLSearchParams(query)}`);
		await expectOnce(page, "Annonces publiées", { picture: "payment", scripts });
	}
}

test("a customer reads what was published, and is told once on each step of the order", async ({ page }) => {
	await readAndOrder(page, true);
});

test.describe("without JavaScript", () => {
	test.use({ javaScriptEnabled: false });

	test("a customer reads the same", async ({ page }) => {
		await readAndOrder(page, false);
	});
});
