import { expect, type Locator, type Page } from "@playwright/test";
import { scaledTimeout } from "../test/time-limits.ts";
import { cards, getBilling, newCustomer, open, waitForHydration } from "./customer.ts";
import { test } from "./test.ts";

/** No page has so many focusable elements. */
const maxStops = 150;

/** Presses Tab until `target` has the focus. Each focus on the way must be visible: with an outline, inside the window, not under the header. */
async function tabTo(page: Page, target: Locator): Promise<void> {
	for (let stop = 0; stop < maxStops; stop += 1) {
		await page.keyboard.press("Tab");
		const seen = await page.evaluate(() => {
			const focused = document.activeElement;
			if (focused === null || focused === document.body) return { outline: true, hidden: false, what: "the window" };
			const marks = [focused, focused.closest("label")].filter((element) => element !== null);
			const outline = marks.some((element) => {
				const { outlineStyle, outlineWidth } = getComputedStyle(element);
				return outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 2;
			});
			const { top, bottom, left } = focused.getBoundingClientRect();
			const at = document.elementFromPoint(left + 4, (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2);
			const covered = at !== null && !focused.contains(at) && !at.contains(focused) && at.closest("label") !== focused.closest("label");
			return { outline, hidden: bottom <= 0 || top >= innerHeight || covered, what: focused.outerHTML.slice(0, 120) };
		});
		expect(seen.outline, `the focus is visible on ${seen.what}`).toBe(true);
		expect(seen.hidden, `nothing hides ${seen.what}`).toBe(false);
		if (await target.evaluate((element) => element === document.activeElement)) return;
	}
	throw new Error(`Tab never reaches ${target}`);
}

async function typeInto(page: Page, field: Locator, text: string): Promise<void> {
	await tabTo(page, field);
	await page.keyboard.type(text);
}

test("a customer gets from the home page to the document with the keyboard only", async ({ page }) => {
	test.setTimeout(scaledTimeout(120_000));
	const customer = newCustomer();
	await page.goto("/");

	await page.keyboard.press("Tab");
	await expect(page.getByRole("link", { name: "Aller au contenu" })).toBeFocused();
	await page.keyboard.press("Enter");
	await expect(page.getByRole("main")).toBeFocused();

	await typeInto(page, page.getByLabel("SIREN, SIRET ou nom d'entreprise"), "groupe carre");
	await page.keyboard.press("Enter");
	await page.waitForURL("**/recherche?**");
	await waitForHydration(page);
	await tabTo(page, page.getByRole("article").filter({ hasText: "GROUPE CARRE" }).getByRole("link", { name: "Commander KBIS" }));
	await page.keyboard.press("Enter");
	await page.waitForURL("**/entreprise/**");
	await waitForHydration(page);

	// Tab stops once at a group of radio buttons; arrows choose in it
	await tabTo(page, page.getByRole("radio", { name: /KBIS Standard/ }));
	await page.keyboard.press("Space");
	await page.keyboard.press("ArrowDown");
	await expect(page.getByRole("radio", { name: /KBIS Express/ })).toBeChecked();
	await tabTo(page, page.getByRole("button", { name: "Continuer vers la commande" }));
	await page.keyboard.press("Enter");
	await page.waitForURL("**/commande/**");
	await waitForHydration(page);

	// an incomplete form focuses the error summary, which links to the field
	await tabTo(page, page.getByRole("button", { name: "Continuer vers le paiement" }));
	await page.keyboard.press("Enter");
	await expect(page.getByRole("alert")).toBeFocused();
	await tabTo(page, page.getByRole("alert").getByRole("link").first());
	await page.keyboard.press("Enter");
	await expect(page.getByLabel("Adresse e-mail", { exact: true })).toBeFocused();

	await page.keyboard.type(customer.email);
	await typeInto(page, page.getByLabel("Prénom"), customer.firstName);
	await typeInto(page, page.getByLabel("Nom", { exact: true }), customer.lastName);
	// nobody is invoiced by default: Tab stops at the first choice, and the arrow goes to the next
	await tabTo(page, page.getByRole("radio", { name: /^C’est ma société.*GROUPE CARRE/ }));
	await page.keyboard.press("ArrowDown");
	const billing = getBilling(page);
	await typeInto(page, billing.getByLabel("Adresse", { exact: true }), customer.address);
	await typeInto(page, billing.getByLabel("Code postal", { exact: true }), customer.postalCode);
	await expect(billing.getByLabel("Ville", { exact: true })).toHaveValue(customer.city);
	for (const name of [/J’accepte les conditions générales/, /Je demande l’exécution immédiate/]) {
		await tabTo(page, page.getByRole("checkbox", { name }));
		await page.keyboard.press("Space");
	}
	await tabTo(page, page.getByRole("button", { name: "Continuer vers le paiement" }));
	await page.keyboard.press("Enter");
	await page.waitForURL("**/paiement?**");
	await waitForHydration(page);

	await tabTo(page, page.getByRole("button", { name: /^Finaliser ma commande/ }));
	await page.keyboard.press("Enter");
	await page.waitForURL("**/bac-a-sable/**");
	await typeInto(page, page.getByLabel("Numéro de carte"), cards.accepted);
	await page.keyboard.press("Enter");
	await page.waitForURL("**/confirmation/**");
	await expect(page.getByRole("link", { name: "Télécharger le KBIS" })).toBeVisible();
	await tabTo(page, page.getByRole("link", { name: "Télécharger le KBIS" }));
});

test("Enter in the search for the company of the invoice searches for it", async ({ page }) => {
	await open(page, "/commande/423435544?service=express");
	await page.getByRole("radio", { name: /Je commande pour quelqu’un d’autre/ }).check();
	await page.getByText("Facturer à ma société").click();
	await page.getByLabel("Nom, SIREN ou SIRET de la société").fill("552032534");
	await page.keyboard.press("Enter");
	await expect(page.getByLabel("Société à facturer")).toHaveValue("DANONE");
	await expect(page.getByText("Continuer vers le paiement")).toBeVisible();
});
