import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestShop, type TestShop } from "../../test/shop.ts";

let shop: TestShop;
let log: string[] = [];
beforeAll(async () => {
	shop = await createTestShop({ variables: { LOG_LEVEL: "debug" }, onLog: (line) => log.push(line) });
});
beforeEach(() => {
	log = [];
});
afterAll(() => shop?.close());

const logged = () => log.map((line) => JSON.parse(line) as { level: number; msg: string; route?: string });

describe("the API refuses in JSON", () => {
	const json = { "content-type": expect.stringContaining("application/json"), "cache-control": "no-store" };
	test.each<[string, string, number]>([
		["GET", "/api", 404],
		["GET", "/api/", 404],
		["GET", "/api/inconnue", 404],
		["POST", "/api/inconnue", 404],
		["GET", "/api/entreprises/999999999", 404],
		["GET", "/api/entreprises/abc", 404],
		["GET", "/api/create-payment", 405],
		["PUT", "/api/create-payment", 405],
		["GET", "/api/suivi", 405],
		["DELETE", "/api/suivi", 405],
		["GET", "/api/stripe/webhook", 405],
		["PUT", "/api/stripe/webhook", 405],
		["POST", "/api/entreprises", 405],
		["DELETE", "/api/entreprises/552032534", 405],
		["POST", "/api/adresse/search", 405],
		["GET", "/api/%E0%A4%A", 400],
		["GET", "/api/entreprises?q=%00", 400],
	])("%s %s: %i", async (method, path, status) => {
		const response = await shop.ask(path, { method });
		expect(response.status).toBe(status);
		expect(Object.fromEntries(response.headers)).toMatchObject(json);
		expect(await response.json()).toEqual({ error: expect.stringMatching(/^[A-ZÀÉ].*[^ ]$/) });
	});

	test("HEAD gets the headers of a refusal, without its body", async () => {
		for (const [path, status, allow] of [
			["/api/entreprises/999999999", 404, null],
			["/api/inconnue", 404, null],
			["/api/suivi", 405, "POST"],
		] as const) {
			const { headers, ...answer } = await shop.ask(path, { method: "HEAD" }).then(async (response) => ({
				...{ status: response.status, headers: response.headers, body: await response.text() },
			}));
			expect([path, answer, headers.get("allow")]).toEqual([path, { status, body: "" }, allow]);
			expect(Object.fromEntries(headers)).toMatchObject(json);
		}
	});

	test("large bodies and cross-site requests", async () => {
		const large = await shop.postJson("/api/suivi", { email: "a".repeat(300_000) });
		expect({ status: large.status, body: await large.json() }).toEqual({
			status: 413,
			body: { error: "Votre envoi est trop volumineux." },
		});
		const foreign = await shop.postJson("/api/suivi", {}, { origin: "https://elsewhere.example" });
		expect({ status: foreign.status, body: await foreign.json() }).toEqual({
			status: 403,
			body: { error: expect.stringMatching(/autre site/) },
		});
	});
});

describe("malformed URLs", () => {
	const paths = [
		"",
		"entreprise/",
		"commande/",
		"confirmation/",
		"bac-a-sable/",
		"suivi/",
		"documents/",
		"paiement/reprendre/",
		"api/entreprises/",
	];
	const oddities = [
		"%E0%A4%A",
		"%00",
		"a%00b",
		"%",
		"%zz",
		"%2e%2e%2f",
		"..%5c..%5c",
		"%FF%FE",
		"%0d%0aset-cookie:x",
		"<script>",
		"'--",
		"😀",
		"a".repeat(5000),
	];

	test.each(paths)("/%s… never causes an error of the shop", async (path) => {
		for (const oddity of oddities) {
			const response = await shop.ask(`/${path}${oddity}`);
			expect(response.status, oddity).toBeLessThan(500);
			expect(response.headers.get("set-cookie")).toBeNull();
			expect(await response.text()).not.toMatch(/node_modules|<script>alert| at \w+ \(/);
		}
		expect(logged().filter(({ level }) => level >= 50)).toEqual([]);
	});

	test.each([
		"/recherche?q=",
		"/recherche?page=",
		"/recherche?departement=",
		"/api/entreprises?q=",
		"/api/entreprises?page=",
		"/api/entreprises/suggestions?q=",
		"/api/adresse/search?postcode=",
		"/api/adresse/search?limit=",
		"/commande?email=",
		"/paiement?siren=",
		"/entreprise/552032534?back=",
	])("%s… causes none either", async (path) => {
		for (const oddity of oddities) expect((await shop.ask(path + oddity)).status, oddity).toBeLessThan(500);
		expect(logged().filter(({ level }) => level >= 50)).toEqual([]);
	});

	test("a malformed URL gets a page of the shop", async () => {
		const response = await shop.ask("/entreprise/%E0%A4%A");
		expect(response.status).toBe(400);
		const page = await response.text();
		for (const part of ["L’adresse demandée est mal formée.", "<header", "<footer"]) expect(page).toContain(part);
	});
});

describe("forms", () => {
	test.each(["https://elsewhere.example", "http://127.0.0.1:1", "null", "not an address", "http://127.0.0.1.elsewhere.example"])(
		"from %s are refused with a page, and logged without an error",
		async (origin) => {
			for (const path of ["/suivi-commande", "/commande", "/paiement?x=1", "/suivi-commande.data"]) {
				const response = await shop.postForm(path, { email: "ada@example.fr", orderId: "KB-2222-2222" }, { origin });
				expect(response.status, path).toBe(403);
				expect(await response.text()).toContain("Cette demande vient d’un autre site\u00a0: elle est refusée.");
			}
			expect(logged().map(({ msg, level }) => [msg, level])).toEqual(Array(4).fill(["request", 40]));
			expect(log.join()).not.toMatch(/ at |stack/);
		},
	);

	test.each([
		[{}, 404],
		[{ "sec-fetch-site": "same-origin" }, 404],
		[{ "sec-fetch-site": "none" }, 404],
		[{ "sec-fetch-site": "same-site" }, 403],
		[{ "sec-fetch-site": "cross-site" }, 403],
	])("without an origin, %o: %i", async (headers, status) => {
		const fields = { email: "ada@example.fr", orderId: "KB-2222-2222" };
		expect((await shop.postForm("/suivi-commande", fields, headers)).status).toBe(status);
	});

	test("of this site are accepted", async () => {
		const fields = { email: "ada@example.fr", orderId: "KB-2222-2222" };
		expect((await shop.postForm("/suivi-commande", fields, { origin: shop.url })).status).toBe(404);
		// other ports and schemes are other origins
		for (const origin of [`${shop.url}0`, shop.url.slice(0, -1), shop.url.replace("http:", "https:"), shop.url.replace(/:\d+$/, "")])
			expect((await shop.postForm("/suivi-commande", fields, { origin })).status, origin).toBe(403);
	});

	test("reading is allowed", async () => {
		expect((await shop.ask("/", { headers: { origin: "https://elsewhere.example" } })).status).toBe(200);
	});
});
