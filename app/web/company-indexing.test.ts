import { createHash } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { insertCompanies } from "../../test/fixtures/companies.ts";
import { createTestShop, type TestShop } from "../../test/shop.ts";

let shop: TestShop;
beforeAll(async () => {
	// the page contains a delivery time, so the clock is fixed
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

const fetchPage = async (path: string) => await (await shop.ask(path)).text();

/** Returns the JSON-LD blocks of a page by type. */
function parseBlocks(page: string): Record<string, Record<string, unknown>> {
	const blocks = [...page.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)].map(([, json = ""]) => JSON.parse(json));
	return Object.fromEntries(blocks.map((block) => [block["@type"], block]));
}

/** A page with a query is in no cache. */
const uncachedPage = `/entreprise/${siren}?service=express`;
const fetchOrganization = async () => parseBlocks(await fetchPage(uncachedPage)).Organization;

describe("structured data of a company", () => {
	test("has the registered identity", async () => {
		expect(await fetchOrganization()).toEqual({
			"@context": "https://schema.org",
			"@type": "Organization",
			name: "ATELIERS DU MARAIS",
			legalName: "ATELIERS DU MARAIS",
			identifier: { "@type": "PropertyValue", propertyID: "SIREN", value: siren },
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

	test("has the creation date, not the registration date", async () => {
		const page = await fetchPage("/entreprise/552032534");
		expect(parseBlocks(page).Organization?.foundingDate).toBe("1955-01-01");
		expect(page).toMatch(/Date de création<\/dt><dd[^>]*>1er janvier 1955<.*Date d’immatriculation<\/dt><dd[^>]*>1er mars 1955</s);
		expect(await fetchPage("/entreprise/315549352")).toMatch(
			/Date de création<\/dt><dd[^>]*>1er janvier 1979<.*Date d’immatriculation<\/dt><dd[^>]*>Non communiquée \(figure sur le Kbis\)</s,
		);
	});

	test("omits unknown values", async () => {
		await setCompany({ legal_category: "9220", created_on: null, address: null, address_complement: null, postal_code: null, city: null });
		const { address, foundingDate, name } = (await fetchOrganization()) ?? {};
		expect({ address, foundingDate, name }).toEqual({ name: "ATELIERS DU MARAIS" });
	});

	test("omits the country of a head office abroad", async () => {
		await setCompany({ postal_code: null, city: "LONDRES (ROYAUME-UNI)", address_complement: null });
		expect((await fetchOrganization())?.address).toEqual({
			"@type": "PostalAddress",
			streetAddress: "59 RUE LA FAYETTE",
			addressLocality: "LONDRES (ROYAUME-UNI)",
		});
	});

	test("escapes a name that would close the block", async () => {
		await setCompany({ name: "</script><b>SARL" });
		const page = await fetchPage(uncachedPage);
		expect(parseBlocks(page).Organization?.name).toBe("</script><b>SARL");
		expect(page).not.toContain("</script><b>");
	});
});

describe("the page of a company", () => {
	test("has one canonical URL, regardless of the query", async () => {
		for (const path of [`/entreprise/${siren}`, `/entreprise/${siren}?service=express`, `/entreprise/${siren}?back=true`]) {
			const page = await fetchPage(path);
			expect(page.match(/<link rel="canonical"[^>]*>/g)).toEqual([`<link rel="canonical" href="${shop.url}/entreprise/${siren}"/>`]);
			expect(page).not.toContain("noindex");
		}
	});

	test.each([
		["ceased", { status: "ceased" }],
		["removed", { status: "removed" }],
		["masked", { masked: true, name: null, address: null, address_complement: null, postal_code: null, city: null, created_on: null }],
		["masked, even if its row holds data", { masked: true }],
	])("is not indexed and has no structured data when the company is %s", async (_name, change) => {
		await setCompany(change);
		const response = await shop.ask(uncachedPage);
		expect(response.status).toBe(200);
		const page = await response.text();
		expect(page).toContain('<meta name="robots" content="noindex"/>');
		expect(page).not.toContain("canonical");
		expect(parseBlocks(page).Organization).toBeUndefined();
	});

	test("of an unknown company is 404 and not indexed", async () => {
		for (const unknown of ["999999998", "abc"]) {
			const response = await shop.ask(`/entreprise/${unknown}`);
			expect(response.status).toBe(404);
			expect(response.headers.get("cache-control")).toBe("no-store");
			expect(response.headers.get("etag")).toBeNull();
			const page = await response.text();
			expect(page).toContain('<meta name="robots" content="noindex"/>');
			expect(page).not.toContain("canonical");
			expect(parseBlocks(page).Organization).toBeUndefined();
		}
	});
});

describe("caching of public pages", () => {
	const companyPage = `/entreprise/${siren}`;
	const searches = ["/recherche", "/recherche?q=danone", "/recherche?q=danone&departement=75"];

	test.each(["/", "/cgv", "/politique-confidentialite", "/politique-rgpd", "/abonnement", companyPage, ...searches])(
		"%s is sent again only after a change",
		async (path) => {
			const first = await shop.ask(path);
			const etag = first.headers.get("etag") ?? "";
			expect(etag).toMatch(/^W\/"[\w-]{22}"$/);
			expect(first.headers.get("cache-control")).toMatch(/^public, max-age=0,( s-maxage=60,)? must-revalidate$/);
			for (const method of ["GET", "HEAD"]) {
				for (const known of [etag, `"other", ${etag}`]) {
					const response = await shop.ask(path, { method, headers: { "if-none-match": known } });
					expect({ status: response.status, body: await response.text() }).toEqual({ status: 304, body: "" });
					for (const header of ["etag", "cache-control", "vary"]) expect(response.headers.get(header)).toBe(first.headers.get(header));
				}
				const changed = await shop.ask(path, { method, headers: { "if-none-match": 'W/"other"' } });
				expect({ status: changed.status, etag: changed.headers.get("etag") }).toEqual({ status: 200, etag });
			}
		},
	);

	test.each([companyPage, ...searches])(
		"%s has one small script from the shop, and no nonce that would differ for each user",
		async (path) => {
			const response = await shop.ask(path);
			const scripts = [...(await response.text()).matchAll(/<script(?![^>]*json)[^>]*>(.*?)<\/script>/g)];
			expect(scripts).toHaveLength(1);
			const loader = scripts[0]?.[1] ?? "";
			expect(loader).toMatch(/^addEventListener\("load",.*import\("\/assets\/entry\.on-demand-[\w-]+\.js"\),100\)\)$/);
			const hash = createHash("sha256").update(loader).digest("base64");
			expect(response.headers.get("content-security-policy")).toContain(`script-src 'self' 'sha256-${hash}';`);
		},
	);

	test("a change of the register changes the page", async () => {
		const etag = (await shop.ask(uncachedPage)).headers.get("etag") ?? "";
		await setCompany({ address: "12 RUE DU BAC" });
		const response = await shop.ask(uncachedPage, { headers: { "if-none-match": etag } });
		expect(response.status).toBe(200);
		expect(response.headers.get("etag")).not.toBe(etag);
		expect(await response.text()).toContain("12 rue du Bac");
	});

	test("the API is not cached", async () => {
		for (const path of ["/api/entreprises?q=danone", "/api/entreprises/suggestions?q=danone", `/api/entreprises/${siren}`]) {
			const { headers } = await shop.ask(path);
			expect({ cache: headers.get("cache-control"), etag: headers.get("etag") }).toEqual({ cache: "no-store", etag: null });
		}
	});
});
