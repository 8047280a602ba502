import { expect, type Page } from "@playwright/test";
import { measureWeight } from "./measure-weight.ts";
import { test } from "./test.ts";

const query = "siren=552032534&service=express&email=ada%40example.fr&firstName=Ada&lastName=Lovelace";
for (const path of ["/", "/recherche?q=danone", "/recherche", "/entreprise/552032534", "/commande/plusieurs"]) {
	test(`${path} loads at most 6 kB of JavaScript before a field is used`, async ({ ownPage: page }) => {
		const first = page.waitForEvent("requestfinished", (request) => request.resourceType() === "script");
		// a second import() resolves once all its imports are loaded
		const loadAll = async () => page.evaluate(async (script) => void (await import(script)), (await first).url());
		const { scripts, stylesAndFonts, styleSheets, deskScripts } = await measureWeight(page, path, loadAll);
		expect(scripts).toBeGreaterThan(0);
		expect(deskScripts).toEqual([]);
		expect(scripts).toBeLessThanOrEqual(6_000);
		expect(stylesAndFonts).toBeLessThanOrEqual(30_000);
		expect(styleSheets.size).toBe(1);
	});
}

/** Sends a list. @returns the URL of its form. */
async function storeList(page: Page): Promise<string> {
	const sent = await page.request.post("/commande/plusieurs", { multipart: { entreprises: "552032534\n423435544" }, maxRedirects: 0 });
	return sent.headers().location ?? "";
}

const funnel: [name: string, getPath: (page: Page) => string | Promise<string>][] = [
	["/commande", () => "/commande"],
	["the form of a company", () => "/commande/552032534?service=express"],
	["the form of a list", storeList],
	["the payment", () => `/paiement?${query}`],
];

for (const [name, getPath] of funnel) {
	test(`${name} loads at most 110 kB of JavaScript and 30 kB of styles and fonts`, async ({ ownPage: page }) => {
		const { scripts, stylesAndFonts, styleSheets, deskScripts } = await measureWeight(page, await getPath(page));
		expect(scripts).toBeGreaterThan(0);
		expect(deskScripts).toEqual([]);
		expect(scripts).toBeLessThanOrEqual(110_000);
		expect(stylesAndFonts).toBeLessThanOrEqual(30_000);
		expect(styleSheets.size).toBe(1);
	});
}

// that the other pages without scripts load none is part of every-page.spec.ts
for (const path of ["/guide-kbis", "/destinataires/banque", "/statistiques"]) {
	test(`${path} loads no JavaScript`, async ({ ownPage: page }) => {
		const { scripts, stylesAndFonts, styleSheets } = await measureWeight(page, path);
		expect(scripts).toBe(0);
		expect(stylesAndFonts).toBeLessThanOrEqual(30_000);
		expect(styleSheets.size).toBe(1);
	});
}

test("all pages share one style sheet", async ({ ownPage: page }) => {
	const sheets = new Set<string>();
	for (const path of ["/", "/commande", "/suivi-commande"])
		for (const sheet of (await measureWeight(page, path)).styleSheets) sheets.add(sheet);
	expect(sheets.size).toBe(1);
});
