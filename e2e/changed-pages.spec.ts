import { expect } from "@playwright/test";
import {
	allChanges,
	change,
	expectKept,
	fillAll,
	hasLiveFields,
	keepChanging,
	loadForm,
	openBeforeScripts,
	readAll,
	watchErrors,
} from "./changed-page.ts";
import { cards, delayScripts, open, openSearch, payWith, waitForHydration } from "./customer.ts";
import { orderFormUrl } from "./flows.ts";
import { states } from "./states/page-states.ts";
import { test } from "./test.ts";

// Nothing typed is lost, and no page ends, whatever others change in it: on every form that has scripts, and in every way on the longest.

const seen = new Set<string>();

for (const { name, visit, scriptless } of states) {
	if (scriptless || name.includes("two hundred lines")) continue;
	test(`${name}: its fields keep what they hold in a page that others change`, async ({ page }) => {
		test.slow();
		if (typeof visit === "string") await page.goto(visit);
		else await visit(page);
		// the same form in another state is tried once
		const form = await page.evaluate(() =>
			[...document.forms].map((each) => [...each.elements].map((field) => field.getAttribute("name"))).join(),
		);
		if (seen.has(form) || !(await hasLiveFields(page))) return;
		seen.add(form);
		await page.unrouteAll({ behavior: "ignoreErrors" });
		// the page itself, where an anchor would only scroll
		await expectKept(page, page.url().replace(/#.*/, ""));
	});
}

for (const name of allChanges) {
	test(`the order form keeps what it holds: ${name}`, async ({ page }) => {
		const errors = watchErrors(page);
		for (const time of ["before", "during"]) {
			const arrive = await openBeforeScripts(page, orderFormUrl);
			await fillAll(page, { silently: time === "before" });
			const typed = await readAll(page);
			expect(Object.keys(typed).length).toBeGreaterThan(20);
			await (time === "before" ? change : keepChanging)(page, [name]);
			await arrive();
			expect(await readAll(page), time).toEqual(typed);
		}
		await open(page, orderFormUrl);
		await change(page, [name]);
		await loadForm(page);
		await fillAll(page);
		const typed = await readAll(page);
		await change(page, [name]);
		await waitForHydration(page);
		expect(await readAll(page), "after").toEqual(typed);
		expect(errors).toEqual([]);
	});
}

for (const isLate of [false, true]) {
	test(`a customer orders on a page translated ${isLate ? "after" : "before"} its scripts: sentences and prices follow`, async ({
		page,
	}) => {
		const errors = watchErrors(page);
		const arrive = await openBeforeScripts(page, orderFormUrl);
		if (isLate) await arrive();
		await change(page, ["a translation"]);
		await page.locator("[name=email]").fill("ada@example.fr");
		if (!isLate) await arrive();
		const summary = page.locator("summary").first();
		await expect(summary).toContainText("59,00");
		await summary.click();
		await page.locator("[name=service][value=postal]").check();
		await expect(summary).toContainText("44,00");
		await expect(summary).not.toContainText("59,00");
		await page.locator("[name=firstName]").fill("Ada");
		await page.locator("#commande button[type=submit]:visible").last().click();
		const alert = page.getByRole("alert");
		await expect(alert).toContainText("Le nom est requis");
		await change(page, ["a translation"]);
		await page.locator("[name=lastName]").fill("Lovelace");
		await expect(page.locator("#lastName-error")).toHaveCount(0);
		await page.locator("[name=billTo][value=ordered]").check();
		await page.locator("[name=deliveryAddress]").fill("12 rue de la Paix");
		await page.locator("[name=deliveryPostalCode]").fill("75002");
		await expect(page.locator("[name=deliveryCity]")).toHaveValue("Paris");
		await page.locator("[name=acceptTerms]").check();
		await change(page, ["a translation", "the icons of a password manager"]);
		await page.locator("#commande button[type=submit]:visible").last().click();
		await page.waitForURL("**/paiement?commande=*");
		await change(page, ["a translation"]);
		await page.locator("main form button[type=submit]").last().click();
		await page.waitForURL("**/bac-a-sable/**");
		await payWith(page, cards.accepted);
		await page.waitForURL("**/confirmation/**");
		expect(errors).toEqual([]);
	});
}

test("a visitor searches again and again on a translated page", async ({ page }) => {
	const errors = watchErrors(page);
	await openSearch(page, "/recherche?q=groupe");
	for (const [text, name] of [
		["danone", "DANONE"],
		["groupe carre", "GROUPE CARRE"],
	] as const) {
		await change(page, ["a translation", "the icons of a password manager", "links on numbers"]);
		await page.locator("[name=q]").fill(text);
		await page.locator("[name=q]").press("Enter");
		await expect(page.getByRole("heading", { level: 1 })).toContainText(text);
		await expect(page.getByRole("article").filter({ hasText: name }).first()).toBeVisible();
		await expect(page.locator("[name=q]")).toHaveValue(text);
	}
	// a text beside another one comes, changes and goes
	const filters = page.locator("#recherche-entreprise summary");
	for (const [form, text] of [
		["SA", "1 actif"],
		["SAS", "2 actifs"],
	] as const) {
		await change(page, ["a translation"]);
		await page.locator(`#forme-${form}`).check();
		await page.waitForURL(new RegExp(`forme=${form}($|&)`));
		await expect(filters).toContainText(text);
	}
	await expect(filters).not.toContainText("1 actif");
	for (const text of ["1 actif", "Filtres"]) {
		await change(page, ["a translation"]);
		await page.goBack();
		await expect(filters).toContainText(text);
		await expect(filters).not.toContainText("2 actifs");
	}
	await expect(filters).not.toContainText("actif");
	expect(errors).toEqual([]);
});

test("the field that is used keeps the caret when React draws the page anew", async ({ page }) => {
	const arrive = await delayScripts(page);
	await page.goto(orderFormUrl, { waitUntil: "domcontentloaded" });
	const field = page.locator("[name=lastName]");
	await field.fill("Lovelace");
	await field.evaluate((input: HTMLInputElement) => input.setSelectionRange(4, 4));
	await page.evaluate(() => Object.assign(window, { first: document.querySelector("[name=lastName]") }));
	await change(page, ["a translation", "the icons of a password manager"]);
	await field.focus();
	await arrive();
	await expect.poll(() => page.evaluate(() => (window as Window & { first?: Element }).first?.isConnected)).toBe(false);
	await page.keyboard.type("X");
	await expect(field).toHaveValue("LoveXlace");
});

for (const isTranslated of [false, true]) {
	test(`a field that is used before the scripts of a refused form arrive keeps the focus${isTranslated ? ", also on a translated page" : ""}`, async ({
		page,
	}) => {
		const arrive = await delayScripts(page);
		await page.goto(orderFormUrl, { waitUntil: "domcontentloaded" });
		await page.locator("#commande button[type=submit]:visible").last().click();
		const summary = page.getByRole("alert").filter({ hasText: "champs à corriger" });
		await expect(summary).toBeFocused();
		if (isTranslated) await change(page, ["a translation"]);
		const field = page.locator("[name=lastName]");
		await field.focus();
		await page.keyboard.type("Love");
		await arrive();
		await page.keyboard.type("lace");
		await expect(field).toHaveValue("Lovelace");
		// what is wrong then takes the focus again
		await page.unrouteAll({ behavior: "ignoreErrors" });
		await loadForm(page);
		await page.locator("#commande button[type=submit]:visible").last().click();
		await expect(page.getByRole("alert").first()).toBeFocused();
	});
}
