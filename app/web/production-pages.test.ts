import { afterAll, beforeAll, expect, test } from "vitest";
import { productionSettings } from "../../test/production-settings.ts";
import { createTestShop, type TestShop } from "../../test/shop.ts";
import { openings, people, statistics, testimonials } from "../content/claims.ts";
import { pages } from "../content/pages.ts";

// A real shop must not show the demo's fictitious claims (C. conso. art. L121-2, L121-4).

let shop: TestShop;
beforeAll(async () => {
	shop = await createTestShop({ variables: productionSettings });
});
afterAll(() => shop?.close());

const fictitious = [
	// a short figure such as « 2 h » may occur in another sense
	...statistics.map(({ figure, label }) => (figure.length > 3 ? figure : label)),
	...testimonials.flatMap(({ quote, name }) => [quote, name]),
	...people.map(({ name }) => name),
	...openings.map(({ work }) => work),
];
const demoTexts = [
	"Exemple",
	"Plus populaire",
	"démonstration",
	"fictif",
	"fictive",
	"Démoville",
	"ExtraitPro",
	"extraitpro.example",
	"01 99 00 00 00",
	"000 000 000",
	"SPECIMEN",
	"spécimen",
];
const paths = [...new Set(pages.map(({ path }) => path.split("#")[0] || "/")), "/commande", "/entreprise/552032534"];

/** Returns the visible text of a page with plain spaces. */
const getText = (html: string) =>
	html
		.replace(/<(script|style|svg)\b.*?<\/\1>/gs, " ")
		.replace(/<[^>]+>/g, " ")
		.replace(/&amp;/g, "&")
		.replace(/&#x27;/g, "'")
		.replace(/\s+/g, " ");
const normalizeSpaces = (text: string) => text.replace(/\s+/g, " ");

test.each(paths)("%s shows nothing fictitious", async (path) => {
	const answer = await shop.ask(path);
	expect(answer.status).toBe(200);
	const text = getText(await answer.text());
	expect(text.slice(0, 200)).toContain("Extraits & Cie");
	expect([...fictitious.map(normalizeSpaces), ...demoTexts].filter((claim) => text.includes(claim))).toEqual([]);
	expect(text.match(/undefined|\{\w+\}/g)).toBeNull();
});

test("true statements replace the demo's fictitious ones", async () => {
	const read = async (path: string) => (await shop.ask(path)).text();
	const home = await read("/");
	for (const text of ["Recommandé", "Ce que vous pouvez vérifier", "Confié à Stripe", 'href="https://docs.stripe.com/security"'])
		expect(home).toContain(text);
	expect(await read("/securite")).toContain("Nous n’avons nous-mêmes ni label ni audit extérieur");
	expect(home).not.toContain("Ils nous font confiance");
	expect(await read("/equipe")).toContain("Nous ne publions pas encore les noms");
	expect(await read("/carrieres")).toContain("Aucun poste n’est ouvert en ce moment");
	expect((await shop.ask("/test")).status).toBe(404);
	// R192: what the owner says of the backups, and nothing else
	expect(normalizeSpaces(await read("/politique-confidentialite"))).toContain(
		"Nos sauvegardes sont chiffrées, conservées à Nantes et supprimées au bout de 14 jours. Une donnée effacée",
	);
});
