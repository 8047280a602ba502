import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { insertCompanies } from "../../test/fixtures/companies.ts";
import { createTestShop, paymentRequest, type TestShop } from "../../test/shop.ts";
import { serviceCodes, services } from "../catalogue/services.ts";
import type { CompanyPreview } from "../companies/company.ts";

let shop: TestShop;

const mutualInsurer = "775652126"; // MMA IARD ASSURANCES MUTUELLES, of the sample
const units = {
	active: { siren: "900000001" },
	ceased: { siren: "900000002", status: "ceased" },
	removed: { siren: "900000003", status: "removed" },
	soleTrader: { siren: "900000004", legal_category: "1000" },
	ceasedSoleTrader: { siren: "900000005", legal_category: "1000", status: "ceased" },
	association: { siren: "900000006", legal_category: "9220" },
};

beforeAll(async () => {
	shop = await createTestShop({ onLog() {} }); // one of these tests causes log errors
	const rows = Object.entries(units).map(([name, unit], index) => ({ id: 1_000_000 + index, status: "active", name, ...unit }));
	await insertCompanies(shop.shop.db, rows);
});
afterAll(() => shop?.close());

const ceased =
	"D’après l’Insee, cette entreprise n’a plus d’activité. L’extrait le mentionnera. Si le greffe n’a plus d’extrait à délivrer, nous vous remboursons.";
const removed =
	"Cette entreprise est radiée du registre. L’extrait le mentionnera. Si le greffe n’a plus d’extrait à délivrer, nous vous remboursons.";
const soleTrader = "Un entrepreneur individuel commerçant a un extrait K.";
const insurer = "si le greffe ne trouve pas celle-ci, le prix de l’extrait vous est remboursé.";
const titles = ["Entreprise radiée", "Un extrait K, à vérifier", "Un extrait Kbis, à vérifier", "Pas d’extrait Kbis"] as const;

/** The notices of each company. */
const companies = [
	["an active company", units.active.siren, [], []],
	["a ceased company", units.ceased.siren, ["ceased"], [ceased]],
	["a removed company", units.removed.siren, ["removed"], ["Entreprise radiée", removed]],
	["a sole trader", units.soleTrader.siren, ["extrait-k-to-verify"], ["Un extrait K, à vérifier", soleTrader]],
	[
		"a ceased sole trader",
		units.ceasedSoleTrader.siren,
		["ceased", "extrait-k-to-verify"],
		[ceased, "Un extrait K, à vérifier", soleTrader],
	],
	["a mutual insurer", mutualInsurer, ["kbis-to-verify"], ["Un extrait Kbis, à vérifier", insurer]],
] as const;

const query = (siren: string, more: Record<string, string> = {}) =>
	new URLSearchParams({ siren, service: "express", email: "ada@example.fr", firstName: "Ada", lastName: "Lovelace", ...more });

/** The text of a page's main part, without markup and with ordinary spaces. */
async function readText(answer: Response): Promise<string> {
	const main = /<main.*?<\/main>/s.exec(await answer.text())?.[0] ?? "";
	return main
		.replace(/<!--.*?-->/gs, "")
		.replace(/<[^>]*>/g, " ")
		.replace(/&#x27;/g, "'")
		.replace(/\s+/g, " ");
}

/** Every page on which a company appears before the payment, with the search results of the form without JavaScript. */
const pages = [
	["its own page", (siren: string) => shop.ask(`/entreprise/${siren}`)],
	["the form of its own address", (siren: string) => shop.ask(`/commande/${siren}?service=express`)],
	["the form filled in by a link", (siren: string) => shop.ask(`/commande?${query(siren)}`)],
	["the list that the form finds", (siren: string) => shop.postForm("/commande", { intent: "find-company", companyQuery: siren })],
	["the form with errors", (siren: string) => shop.postForm("/commande", { siren, service: "express" })],
	["the payment step", (siren: string) => shop.ask(`/paiement?${query(siren)}`)],
] as const;

describe.each(companies)("%s", (_company, siren, codes, sentences) => {
	test.each(pages)("has its notices on %s", async (_page, ask) => {
		const words = await readText(await ask(siren));
		expect(words).not.toBe("");
		for (const sentence of sentences) expect(words).toContain(sentence);
		for (const title of titles.filter((title) => !(sentences as readonly string[]).includes(title))) expect(words).not.toContain(title);
		if (!(sentences as readonly string[]).includes(ceased)) expect(words).not.toContain(ceased);
	});

	test("has its notices in the suggestions, the search and the API", async () => {
		const suggestions = (await (await shop.ask(`/api/entreprises/suggestions?q=${siren}`)).json()) as CompanyPreview[];
		const { results } = (await (await shop.ask(`/api/entreprises?q=${siren}`)).json()) as { results: CompanyPreview[] };
		const detail = (await (await shop.ask(`/api/entreprises/${siren}`)).json()) as CompanyPreview;
		for (const company of [suggestions[0], results[0], detail]) {
			expect(company?.notices.map(({ code }) => code)).toEqual(codes);
			expect(company?.eligibility).toBe((codes as readonly string[]).includes("extrait-k-to-verify") ? "extrait-k" : "kbis");
		}
	});

	test("can be ordered", async () => {
		expect((await shop.postJson("/api/create-payment", paymentRequest({ order: { siren } }))).status).toBe(200);
		const page = await readText(await shop.ask(`/paiement?${query(siren)}`));
		expect(page).toContain("Commander avec obligation de paiement");
	});
});

describe("a company without an extract", () => {
	const { siren } = units.association;
	const free = /Cet organisme n’est pas immatriculé .* est gratuit sur data\.inpi\.fr \./;

	test.each(pages)("is announced as such, with the free alternative, on %s", async (_page, ask) => {
		const answer = await ask(siren);
		const page = answer.status === 302 ? await shop.ask(answer.headers.get("location") ?? "") : answer;
		const words = await readText(page);
		expect(words).toMatch(free);
		expect(words).not.toContain("Commander avec obligation de paiement");
	});

	test("has no button in the form's search results, and is marked in the suggestions", async () => {
		const found = await shop.postForm("/commande", { intent: "find-company", companyQuery: siren });
		expect(await found.text()).not.toContain('name="siren"');
		expect(await (await shop.ask(`/api/entreprises/suggestions?q=${siren}`)).json()).toMatchObject([
			{ siren, eligibility: "none", notices: [{ code: "no-extract" }] },
		]);
	});
});

test("companies with the same name are distinguished by their head office", async () => {
	for (const path of [`/commande?siren=552032534`, `/paiement?${query("552032534")}`])
		expect(await readText(await shop.ask(path))).toContain("59 rue La Fayette, 75009 Paris");
});

test.each(serviceCodes)("the payment step and the summary name the features of %s", async (service) => {
	const flat = (text: string) => text.replace(/\s+/g, " ");
	const payment = await readText(await shop.ask(`/paiement?${query("552032534", { service })}`));
	expect(payment).toContain(flat(services[service].highlight));
	const form = await readText(await shop.ask(`/commande/552032534?service=${service}`));
	const summary = form.slice(form.indexOf("Résumé de commande"));
	expect(summary).toContain(services[service].description);
});

test.each(["/", "/recherche?q=danone", "/services/kbis-express", "/entreprise/552032534", "/commande", `/paiement?${query("552032534")}`])(
	"%s says who we are not, the official price with its date and source, and the free routes",
	async (path) => {
		const words = await readText(await shop.ask(path));
		const { officialPrice } = shop.shop.environment;
		expect(words).toContain("est un service privé et indépendant, sans lien avec Infogreffe, les greffes, l’INPI ni l’État.");
		expect(words).toContain(
			`Au greffe, l’extrait électronique coûte ${(officialPrice.cents / 100).toFixed(2).replace(".", ",")} € ${officialPrice.tax} (source : ${officialPrice.source}, `,
		);
		expect(words).toMatch(/MonIdenum.*data\.inpi\.fr/);
	},
);

test("the sandbox names no wallet, as it offers none", async () => {
	expect(await readText(await shop.ask(`/paiement?${query("552032534")}`))).not.toMatch(/Apple Pay|Visa/);
});

describe("links of the earlier site", () => {
	test("keep the billed company", async () => {
		expect(await readText(await shop.ask(`/paiement?${query("552032534", { billingCompany: "Analytique SARL" })}`))).toContain(
			"Analytique SARL",
		);
	});

	test("tick no box that says false", async () => {
		const page = await readText(await shop.ask(`/paiement?${query("552032534", { acceptTerms: "false" })}`));
		expect(page).toContain("J’accepte les conditions générales de vente");
	});
});

describe("a payment step that cannot go on", () => {
	test("for an unknown company says so, and leads back to the form with its values", async () => {
		const answer = await shop.ask(`/paiement?${query("900009999")}`);
		expect(answer.status).toBe(404);
		const html = await answer.text();
		expect(html).toMatch(/<h1[^>]*>Entreprise introuvable<\/h1>/);
		expect(html).not.toContain("Page not found");
		expect(html).toMatch(/href="\/commande\?service=express&amp;email=ada%40example\.fr/);
		const form = await shop.ask("/commande/900009999?service=express");
		expect([form.status, form.headers.get("location")]).toEqual([302, "/entreprise/900009999"]);
	});

	test("after a database error shows the error beside the order", async () => {
		const { db } = shop.shop;
		const before = await shop.countOrders();
		await db.schema.alterTable("order_events").renameTo("order_events_away").execute();
		try {
			const address = `/paiement?${query("552032534", { acceptTerms: "on" })}`;
			const answer = await shop.postForm(address, { amount: "5900", key: "k1" });
			expect(answer.status).toBe(500);
			const words = await readText(answer);
			expect(words).toContain("Erreur lors du traitement du paiement");
			expect(words).toContain("ada@example.fr");
			expect(words).toContain("DANONE");
		} finally {
			await db.schema.alterTable("order_events_away").renameTo("order_events").execute();
		}
		expect(await shop.countOrders()).toBe(before);
	});
});
