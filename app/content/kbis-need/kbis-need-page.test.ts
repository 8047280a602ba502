import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestShop, type TestShop } from "../../../test/shop.ts";

let shop: TestShop;
beforeAll(async () => {
	shop = await createTestShop();
});
afterAll(() => shop?.close());

const path = "/ai-je-besoin-d-un-kbis";
const open = async (address: string) => {
	const answer = await shop.ask(address);
	const page = (await answer.text()).replaceAll("\u00a0", " ");
	return { status: answer.status, page, main: page.slice(page.indexOf("<main"), page.indexOf("</main>")) };
};
const heading = (page: string) => /<h1[^>]*>([^<]+)</.exec(page)?.[1];

test("the page without replies shows the questions and the guide, and may be indexed", async () => {
	const { status, page, main } = await open(path);
	expect(status).toBe(200);
	expect(heading(page)).toBe("Ai-je besoin d’un Kbis ?");
	expect(main.match(/<fieldset/g)).toHaveLength(3);
	expect(main).not.toContain('role="alert"');
	for (const place of ["monidenum.fr", "data.inpi.fr", "avis-situation-sirene.insee.fr", "annuaire-entreprises.data.gouv.fr"])
		expect(main).toContain(place);
	expect(page).toContain(`<link rel="canonical" href="${shop.url}${path}"/>`);
	expect(page).not.toMatch(/<script(?! type="application\/ld)|noindex/);
});

test("with replies that need a Kbis, the free route comes first, then the greffe, then our service", async () => {
	const { status, page, main } = await open(`${path}?demande=banque&entreprise=societe`);
	expect(status).toBe(200);
	expect(heading(page)).toBe("Oui, il vous faut un Kbis.");
	const places = ["monidenum.fr", "3,20 €", "39,00 €", 'href="/commande"'].map((part) => main.indexOf(part));
	expect(places).toEqual([...places].sort((a, b) => a - b));
	expect(places[0]).toBeGreaterThan(0);
	expect(main.indexOf("est un service privé et indépendant")).toBeLessThan(main.indexOf("<form"));
	for (const value of ["banque", "societe"]) expect(main).toMatch(new RegExp(`<input[^>]* checked="" value="${value}"`));
	expect(page).toContain(`<link rel="canonical" href="${shop.url}${path}"/>`);
});

test("for an association there is no Kbis, and no offer above the form", async () => {
	const { page, main } = await open(`${path}?demande=autre&entreprise=association&forme=papier`);
	expect(heading(page)).toBe("Pas de Kbis : une association n’en a pas.");
	const answer = main.slice(0, main.indexOf("<form"));
	expect(answer).not.toMatch(/€|href="\/commande/);
	expect(answer).toContain("imprimez le document gratuit");
});

test.each(["auto-entrepreneur", "artisan-liberal"])(
	"%s: the next step is the free document, and a link leads to the answer of merchants",
	async (kind) => {
		const { main } = await open(`${path}?demande=banque&entreprise=${kind}&forme=pdf`);
		expect(main).toMatch(/<a href="https:\/\/avis-situation-sirene\.insee\.fr" class="[^"]+">Télécharger l’avis de situation \(gratuit\)/);
		const [, link = ""] = /href="([^"]+)"[^>]*>« entreprise individuelle commerçante »/.exec(main) ?? [];
		const merchant = await open(link.replaceAll("&amp;", "&"));
		expect(heading(merchant.page)).toBe("Pas de Kbis : votre document est l’extrait K.");
		for (const value of ["banque", "commerce", "pdf"]) expect(merchant.main).toMatch(new RegExp(`<input[^>]* checked="" value="${value}"`));
	},
);

test.each([
	["?forme=indifferente", ["demande", "entreprise"]],
	["?demande=banque&forme=pdf", ["entreprise"]],
	["?entreprise=societe", ["demande"]],
	["?demande=voisin&entreprise=societe", ["demande"]],
])("%s: a missing reply has an error beside its question and above the form", async (query, missing) => {
	const { status, page, main } = await open(path + query);
	expect(status).toBe(400);
	expect(heading(page)).toBe("Ai-je besoin d’un Kbis ?");
	expect([...main.matchAll(/id="(\w+)-error"/g)].map(([, field]) => field)).toEqual(missing);
	for (const field of missing) {
		expect(main).toContain(`href="#${field}"`);
		expect(main).toMatch(new RegExp(`<input[^>]* id="${field}"`));
	}
	expect(page).toContain("noindex");
});

test.each(["/", "/commande"])("%s leads to it before any price of ours", async (from) => {
	const { main } = await open(from);
	const link = main.indexOf(`href="${path}"`);
	expect(link).toBeGreaterThan(0);
	expect(link).toBeLessThan(main.indexOf("39,00 €"));
});

test("a company's page leads to it below the services", async () => {
	expect((await open("/entreprise/552032534")).main).toContain(`href="${path}"`);
});

test("a company without an extract has no link to the questionnaire", async () => {
	expect((await open("/entreprise/775688732")).main).not.toContain(path);
});
