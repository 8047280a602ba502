import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { insertCompanies } from "../../test/fixtures/companies.ts";
import { createTestShop, type TestShop } from "../../test/shop.ts";

let shop: TestShop;
beforeAll(async () => {
	// the page says when a document would be there: the clock stands still
	shop = await createTestShop({ now: () => new Date("2026-11-20T10:00:00Z") });
});
afterAll(() => shop?.close());

const siren = "900000001";

const usual = {
	id: 1_000_000,
	siren,
	status: "active",
	masked: false,
	name: "ATELIERS DU MARAIS",
	legal_category: "5710",
	address: "59 RUE LA FAYETTE",
	address_complement: "ETAGE 2",
	postal_code: "75009",
	city: "PARIS",
	created_on: "1955-03-01",
	registered_on: null,
};
const setCompany = (change: Record<string, string | boolean | null>) => insertCompanies(shop.shop.db, [{ ...usual, ...change }]);
beforeEach(() => setCompany({}));

const pageOf = async (path: string) => await (await shop.ask(path)).text();

/** The data blocks of a page, by their type. */
function blocksOf(page: string): Record<string, Record<string, unknown>> {
	const blocks = [...page.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)].map(([, json = ""]) => JSON.parse(json));
	return Object.fromEntries(blocks.map((block) => [block["@type"], block]));
}

const organization = async () => blocksOf(await pageOf(`/entreprise/${siren}`)).Organization;

describe("what search engines are told of a company", () => {
	test("who it is, as the registers have it", async () => {
		expect(await organization()).toEqual({
			"@context": "https://schema.org",
			"@type": "Organization",
			name: "ATELIERS DU MARAIS",
			legalName: "ATELIERS DU MARAIS",
			identifier: { "@type": "PropertyValue", propertyID: "SIREN", value: siren },
			vatID: "FR68900000001",
			address: {
				"@type": "PostalAddress",
				streetAddress: "ETAGE 2, 59 RUE LA FAYETTE",
				postalCode: "75009",
				addressLocality: "PARIS",
				addressCountry: "FR",
			},
			foundingDate: "1955-03-01",
			url: `${shop.url}/entreprise/${siren}`,
		});
	});

	test("the day of its creation, not that of its registration, which its page tells apart", async () => {
		const page = await pageOf("/entreprise/552032534");
		expect(blocksOf(page).Organization?.foundingDate).toBe("1955-01-01");
		expect(page).toMatch(/Date de création<\/dt><dd[^>]*>01\/01\/1955<.*Date d’immatriculation<\/dt><dd[^>]*>01\/03\/1955</s);
		expect(await pageOf("/entreprise/315549352")).toMatch(
			/Date de création<\/dt><dd[^>]*>01\/01\/1979<.*Date d’immatriculation<\/dt><dd[^>]*>Non communiqué</s,
		);
	});

	test("nothing that is not known, and a VAT number only where a company has a Kbis", async () => {
		await setCompany({ legal_category: "9220", created_on: null, address: null, address_complement: null, postal_code: null, city: null });
		const { vatID, address, foundingDate, name } = (await organization()) ?? {};
		expect({ vatID, address, foundingDate, name }).toEqual({ name: "ATELIERS DU MARAIS" });
	});

	test("of a head office abroad, no country that is not its own", async () => {
		await setCompany({ postal_code: null, city: "LONDRES (ROYAUME-UNI)", address_complement: null });
		expect((await organization())?.address).toEqual({
			"@type": "PostalAddress",
			streetAddress: "59 RUE LA FAYETTE",
			addressLocality: "LONDRES (ROYAUME-UNI)",
		});
	});

	test("a name cannot close the block", async () => {
		await setCompany({ name: "</script><b>SARL" });
		const page = await pageOf(`/entreprise/${siren}`);
		expect(blocksOf(page).Organization?.name).toBe("</script><b>SARL");
		expect(page).not.toContain("</script><b>");
	});
});

describe("the page of a company", () => {
	test("has one address, whatever was added to it", async () => {
		for (const path of [`/entreprise/${siren}`, `/entreprise/${siren}?service=express`, `/entreprise/${siren}?back=true`]) {
			const page = await pageOf(path);
			expect(page.match(/<link rel="canonical"[^>]*>/g)).toEqual([`<link rel="canonical" href="${shop.url}/entreprise/${siren}"/>`]);
			expect(page).not.toContain("noindex");
		}
	});

	test.each([
		["ceased", { status: "ceased" }],
		["removed", { status: "removed" }],
		["masked", { masked: true, name: null, address: null, address_complement: null, postal_code: null, city: null, created_on: null }],
		["masked, whatever its row holds", { masked: true }],
	])("of one that is %s is not indexed, and tells search engines nothing", async (_what, change) => {
		await setCompany(change);
		const answer = await shop.ask(`/entreprise/${siren}`);
		expect(answer.status).toBe(200);
		const page = await answer.text();
		expect(page).toContain('<meta name="robots" content="noindex"/>');
		expect(page).not.toContain("canonical");
		expect(blocksOf(page).Organization).toBeUndefined();
	});

	test("of none is 404, and not indexed", async () => {
		for (const nobody of ["999999998", "abc"]) {
			const answer = await shop.ask(`/entreprise/${nobody}`);
			expect(answer.status).toBe(404);
			expect(answer.headers.get("cache-control")).toBe("no-store");
			expect(answer.headers.get("etag")).toBeNull();
			const page = await answer.text();
			expect(page).toContain('<meta name="robots" content="noindex"/>');
			expect(page).not.toContain("canonical");
			expect(blocksOf(page).Organization).toBeUndefined();
		}
	});
});

describe("pages that are the same for everybody", () => {
	const companyPage = `/entreprise/${siren}`;
	const pagesWithScripts = ["/recherche", "/recherche?q=danone", "/recherche?q=danone&departement=75", companyPage];

	test.each(["/", "/cgv", "/politique-confidentialite", "/politique-rgpd", "/abonnement", ...pagesWithScripts])(
		"%s is sent again only when it changed",
		async (path) => {
			const first = await shop.ask(path);
			const etag = first.headers.get("etag") ?? "";
			expect(etag).toMatch(/^W\/"[\w-]{22}"$/);
			expect(first.headers.get("cache-control")).toMatch(/^(public, max-age=0, s-maxage=60|private, max-age=0), must-revalidate$/);
			for (const method of ["GET", "HEAD"]) {
				for (const known of [etag, `"other", ${etag}`]) {
					const answer = await shop.ask(path, { method, headers: { "if-none-match": known } });
					expect({ status: answer.status, body: await answer.text() }).toEqual({ status: 304, body: "" });
					for (const header of ["etag", "cache-control", "vary"]) expect(answer.headers.get(header)).toBe(first.headers.get(header));
				}
				const changed = await shop.ask(path, { method, headers: { "if-none-match": 'W/"other"' } });
				expect({ status: changed.status, etag: changed.headers.get("etag") }).toEqual({ status: 200, etag });
			}
		},
	);

	test.each(pagesWithScripts)("%s: a page that a browser kept keeps the policy whose nonce it has", async (path) => {
		const first = await shop.ask(path);
		expect(first.headers.get("cache-control")).toMatch(/^private/);
		expect(first.headers.get("content-security-policy")).toContain("'nonce-");
		const kept = await shop.ask(path, { headers: { "if-none-match": first.headers.get("etag") ?? "" } });
		expect(kept.status).toBe(304);
		expect(kept.headers.get("content-security-policy")).toBeNull();
	});

	test("a change of the register is seen", async () => {
		const etag = (await shop.ask(companyPage)).headers.get("etag") ?? "";
		await setCompany({ city: "LYON" });
		const answer = await shop.ask(companyPage, { headers: { "if-none-match": etag } });
		expect(answer.status).toBe(200);
		expect(answer.headers.get("etag")).not.toBe(etag);
		expect(await answer.text()).toContain("LYON");
	});

	test("the API is kept nowhere", async () => {
		for (const path of ["/api/entreprises?q=danone", "/api/entreprises/suggestions?q=danone", `/api/entreprises/${siren}`]) {
			const { headers } = await shop.ask(path);
			expect({ cache: headers.get("cache-control"), etag: headers.get("etag") }).toEqual({ cache: "no-store", etag: null });
		}
	});
});
