import { once } from "node:events";
import { get as httpGet, type IncomingMessage } from "node:http";
import type { KyselyPlugin } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type CompanyFixture, insertCompanies } from "../../../test/fixtures/companies.ts";
import { createTestShop, type TestShop } from "../../../test/shop.ts";

let shop: TestShop;
let last = 0;
let hours = 0;
beforeAll(async () => {
	shop = await createTestShop({ now: () => new Date(Date.now() + hours * 3_600_000) });
	const { id } = await shop.shop.db
		.selectFrom("companies")
		.select((eb) => eb.fn.max("id").as("id"))
		.executeTakeFirstOrThrow();
	last = Number(id);
});
afterAll(() => shop?.close());

/** Adds generated units: active companies, unless the test says otherwise. Cached sitemaps expire. */
async function addUnits(units: CompanyFixture[]): Promise<void> {
	const whole = units.map((unit) => ({ status: "active", masked: false, updated_on: "2026-10-01", ...unit }));
	await insertCompanies(shop.shop.db, whole);
	hours++;
}

const read = async (path: string) => {
	const answer = await shop.ask(path);
	return { status: answer.status, text: await answer.text() };
};

/** The entries of a sitemap that is exactly as the protocol has it: declaration, one root, and of each entry a place and perhaps a day. */
function parse(
	xml: string,
	root: "urlset" | "sitemapindex",
	entry: "url" | "sitemap",
): { address: string; changedOn: string | undefined }[] {
	const whole = new RegExp(
		`^<\\?xml version="1\\.0" encoding="UTF-8"\\?>\\n<${root} xmlns="http://www\\.sitemaps\\.org/schemas/sitemap/0\\.9">\\n(.*)</${root}>\\n$`,
		"s",
	);
	const body = whole.exec(xml)?.[1];
	if (body === undefined) throw new Error(`not a ${root}: ${xml.slice(0, 300)}`);
	const one = new RegExp(`<${entry}><loc>([^<>"'\\s]+)</loc>(?:<lastmod>(\\d{4}-\\d{2}-\\d{2})</lastmod>)?</${entry}>\\n`, "g");
	expect(body.replace(one, "")).toBe("");
	return [...body.matchAll(one)].map(([, address = "", changedOn]) => {
		expect(address.replace(/&(amp|lt|gt|quot|apos);/g, "")).not.toContain("&");
		return { address, changedOn };
	});
}

const listPages = async (path: string) => parse((await read(path)).text, "urlset", "url");
const index = async () => parse((await read("/sitemap.xml")).text, "sitemapindex", "sitemap");

describe("the index", () => {
	test("lists the sitemap of the shop's pages and each sitemap of companies", async () => {
		const files = await index();
		expect(files.map(({ address }) => address.replace(shop.url, ""))).toEqual(["/sitemap-pages.xml", "/sitemap-entreprises-1.xml"]);
		for (const { address } of files) expect((await shop.ask(address)).status).toBe(200);
	});

	test("is public, and its sitemaps too", async () => {
		for (const path of ["/sitemap.xml", "/sitemap-pages.xml", "/sitemap-entreprises-1.xml"]) {
			const { headers } = await shop.ask(path);
			expect(Object.fromEntries(headers), path).toMatchObject({
				"content-type": "application/xml; charset=utf-8",
				"cache-control": "public, max-age=3600",
				vary: "accept-encoding",
			});
		}
	});
});

test("the shop's pages: each once, with its canonical URL, and indexable", async () => {
	const listed = (await listPages("/sitemap-pages.xml")).map(({ address }) => address);
	expect(new Set(listed).size).toBe(listed.length);
	expect(listed).toEqual(expect.arrayContaining([`${shop.url}/`, `${shop.url}/recherche`, `${shop.url}/cgv`]));
	for (const address of listed) {
		const answer = await shop.ask(address);
		expect(answer.status, address).toBe(200);
		expect(answer.headers.get("x-robots-tag"), address).toBeNull();
		const page = await answer.text();
		expect(page, address).not.toContain("noindex");
		expect(page, address).toContain(`<link rel="canonical" href="${address}"/>`);
	}
});

describe("companies", () => {
	test("lists active, unmasked companies by importance, with the day of their last change", async () => {
		await addUnits([
			{ id: last + 1, siren: "900000001" },
			{ id: last + 2, siren: "900000002", status: "ceased" },
			{ id: last + 3, siren: "900000003", status: "removed" },
			{ id: last + 4, siren: "900000004", masked: true },
			{ id: last + 5, siren: "900000005", updated_on: null },
		]);
		const expected = await shop.shop.db
			.selectFrom("companies")
			.select("siren")
			.where("status", "=", "active")
			.where("masked", "=", false)
			.orderBy("id")
			.execute();
		const listed = await listPages("/sitemap-entreprises-1.xml");
		expect(listed.length).toBeGreaterThan(2000); // more than one query of the database
		expect(listed.map(({ address }) => address)).toEqual(expected.map(({ siren }) => `${shop.url}/entreprise/${siren}`));
		expect(listed.slice(-2)).toEqual([
			{ address: `${shop.url}/entreprise/900000001`, changedOn: "2026-10-01" },
			{ address: `${shop.url}/entreprise/900000005`, changedOn: undefined },
		]);
	});

	test("the second file starts above 50 000; none exists beyond the last company to list", async () => {
		expect((await read("/sitemap-entreprises-2.xml")).status).toBe(404);
		await addUnits([
			{ id: 50_000, siren: "900050000" },
			{ id: 50_001, siren: "900050001", status: "ceased" },
		]);
		expect((await read("/sitemap-entreprises-2.xml")).status).toBe(404); // a list without any entry is none
		expect(await index()).toHaveLength(2);
		await addUnits([
			{ id: 99_999, siren: "900099999" },
			{ id: 100_000, siren: "900100000" },
			{ id: 100_001, siren: "900100001", masked: true },
		]);
		expect((await listPages("/sitemap-entreprises-1.xml")).at(-1)?.address).toBe(`${shop.url}/entreprise/900050000`);
		expect((await listPages("/sitemap-entreprises-2.xml")).map(({ address }) => address.slice(-9))).toEqual(["900099999", "900100000"]);
		expect((await index()).map(({ address }) => address.replace(shop.url, ""))).toEqual([
			"/sitemap-pages.xml",
			"/sitemap-entreprises-1.xml",
			"/sitemap-entreprises-2.xml",
		]);
		expect((await read("/sitemap-entreprises-3.xml")).status).toBe(404);
	});

	test.each(["0", "01", "-1", "1.5", "x", "99999", "999999999999", ""])(
		"a sitemap with the number « %s » does not exist",
		async (number) => {
			expect((await shop.ask(`/sitemap-entreprises-${number}.xml`)).status).toBe(404);
		},
	);

	test("is sent in gzip to clients that accept it", async () => {
		const zipped = await shop.ask("/sitemap-entreprises-1.xml", { headers: { "accept-encoding": "gzip" } });
		expect(zipped.headers.get("content-encoding")).toBe("gzip");
		const plain = await shop.ask("/sitemap-entreprises-1.xml", { headers: { "accept-encoding": "identity" } });
		expect(plain.headers.get("content-encoding")).toBeNull();
		expect(await zipped.text()).toBe(await plain.text()); // fetch decodes by itself
	});

	test("HEAD gets the same headers and reads no companies", async () => {
		const [head, get] = [await shop.ask("/sitemap-entreprises-1.xml", { method: "HEAD" }), await shop.ask("/sitemap-entreprises-1.xml")];
		expect({ status: head.status, body: await head.text() }).toEqual({ status: 200, body: "" });
		await get.text();
		for (const header of ["content-type", "cache-control", "vary", "content-encoding"])
			expect(head.headers.get(header)).toBe(get.headers.get(header));
	});
});

test("a client that disconnects or reads slowly stops the queries", async () => {
	const busy = await createTestShop();
	try {
		// 50 000 addresses with a long beginning are more than the sockets between the two hold
		const units = Array.from({ length: 50_000 }, (_, at) => ({ id: 50_001 + at, siren: String(900_000_001 + at), lexemes: "" }));
		await insertCompanies(busy.shop.db, units);
		busy.shop.environment.baseUrl = `https://shop.example/${"a".repeat(400)}`;
		let queries = 0;
		const counter: KyselyPlugin = {
			transformQuery({ node }) {
				queries++;
				return node;
			},
			transformResult: async ({ result }) => result,
		};
		busy.shop.db = busy.shop.db.withPlugin(counter);
		// on a busy machine a query may take longer than one of these waits
		const settle = async () => {
			for (let before = -1, same = 0; same < 5; same = before === queries ? same + 1 : 0) {
				before = queries;
				await new Promise((done) => setTimeout(done, 300));
			}
		};

		const answer = await new Promise<IncomingMessage>((done) => httpGet(`${busy.url}/sitemap-entreprises-2.xml`, done));
		await once(answer, "readable");
		await settle();
		const whileWaiting = queries;
		expect(whileWaiting).toBeLessThan(20); // of 26
		await settle();
		expect(queries).toBe(whileWaiting);
		answer.destroy();
		await settle();
		expect(queries).toBeLessThanOrEqual(whileWaiting + 1);

		const whole = await (await busy.ask("/sitemap-entreprises-2.xml")).text();
		expect(whole.match(/<loc>/g)).toHaveLength(50_000);
	} finally {
		await busy.close();
	}
});

test("URLs are escaped for XML", async () => {
	const odd = await createTestShop({ variables: { BASE_URL: "https://shop.example/a&b'c" } });
	try {
		expect(await (await odd.ask("/sitemap.xml")).text()).toContain("<loc>https://shop.example/a&amp;b&apos;c/sitemap-pages.xml</loc>");
		expect(await (await odd.ask("/sitemap-pages.xml")).text()).toContain("<loc>https://shop.example/a&amp;b&apos;c/cgv</loc>");
		const companies = await (await odd.ask("/sitemap-entreprises-1.xml")).text();
		expect(companies).toContain("<loc>https://shop.example/a&amp;b&apos;c/entreprise/552032534</loc>");
	} finally {
		await odd.close();
	}
});

describe("robots.txt", () => {
	/** Whether a robot that follows RFC 9309 may read an address: the longest rule that fits wins. */
	async function readRules(): Promise<(path: string) => boolean> {
		const { status, text } = await read("/robots.txt");
		expect(status, text).toBe(200);
		const rules = [...text.matchAll(/^(Allow|Disallow): (\S+)$/gm)]
			.map(([, verb, rule = ""]) => ({
				verb,
				rule,
				start: new RegExp(`^${rule.replace(/[.?+^(){}|[\]\\]/g, "\\$&").replaceAll("*", ".*")}`),
			}))
			.sort((one, other) => other.rule.length - one.rule.length);
		return (path) => rules.find(({ start }) => start.test(path))?.verb !== "Disallow";
	}

	test("names the sitemap", async () => {
		const answer = await shop.ask("/robots.txt");
		expect(answer.headers.get("content-type")).toBe("text/plain; charset=utf-8");
		expect(await answer.text()).toMatch(new RegExp(`^User-agent: \\*\\n[^]*\\n\\nSitemap: ${shop.url}/sitemap\\.xml\\n$`));
	});

	test("allows all URLs of the sitemaps, and searches without filters", async () => {
		const mayRead = await readRules();
		const listed = [...(await listPages("/sitemap-pages.xml")), ...(await listPages("/sitemap-entreprises-1.xml"))];
		for (const { address } of listed) expect(mayRead(address.slice(shop.url.length)), address).toBe(true);
		for (const path of ["/recherche?q=danone", "/commande?service=express", "/suivi-commande", "/assets/app.css", "/sitemap.xml"])
			expect(mayRead(path), path).toBe(true);
	});

	test.each([
		"/api/entreprises?q=danone",
		"/paiement?siren=552032534",
		"/paiement/reprendre/x",
		"/confirmation/cs_test_x",
		"/suivi/KB-2222-2222",
		"/documents/x",
		"/bac-a-sable/cs_test_x",
		"/commande/552032534?service=express",
		"/recherche?q=danone&departement=75",
		"/recherche?q=danone&forme=SAS",
		"/recherche?secteur=btp&q=danone",
		"/recherche?q=danone&page=2",
		"/test",
	])("disallows %s", async (path) => {
		expect((await readRules())(path)).toBe(false);
	});
});
