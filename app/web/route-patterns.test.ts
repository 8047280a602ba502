import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fillRoutePattern, listRoutePatterns } from "../../test/route-paths.ts";
import { createTestShop, type TestShop } from "../../test/shop.ts";
import { countedRoutes } from "./read-limits.ts";

/** One name for a route, however its address is written: docs/rules.md, R176. */

let shop: TestShop;
let log: string[] = [];
beforeAll(async () => {
	// a client may ask once for each kind of costly page
	const once = "pages=1,searches=1,suggestions=1,lists=1,cities=1,pictures=1,sitemaps=1,orders=1,archives=1,verifications=1";
	shop = await createTestShop({
		variables: { READ_LIMITS: once, TRUSTED_PROXIES: "1", LOG_LEVEL: "info" },
		onLog: (line) => log.push(line),
	});
});
afterAll(() => shop?.close());

/** Every way in which the framework accepts the address of a page, or of its data. */
const spellings: Record<string, (path: string) => string> = {
	"as it is": (path) => path,
	"its data": (path) => `${path}.data`,
	"its data, after a slash": (path) => `${path}/_.data`,
	"its data, after slashes": (path) => `${path}///_.data`,
	"a final slash": (path) => `${path}/`,
	"final slashes": (path) => `${path}///`,
	"another case": (path) => path.toUpperCase(),
	"another case, its data": (path) => `${path.toUpperCase()}.data`,
	"an encoded letter": (path) => path.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
	"encoded letters, upper case": (path) => path.replace(/[a-z]/g, (letter) => `%${letter.toUpperCase().charCodeAt(0).toString(16)}`),
	"encoded digits, its data": (path) => `${path.replace(/\d/g, (digit) => `%3${digit}`)}/_.data`,
	"a dot segment": (path) => `/x/..${path}`,
	"an encoded dot segment": (path) => `/x/%2E%2e${path}`,
};

interface Line {
	msg: string;
	route: string;
	status: number;
}

describe.each(Object.entries(spellings))("an address in this spelling is counted: %s", (name, spell) => {
	test.each(countedRoutes.map((route) => [`${route.methods[0]} ${route.pattern}`, route] as const))("%s", async (_title, counted) => {
		const { pattern, methods, parameter } = counted;
		// with a query, no page comes from memory
		const query = `?${parameter ?? "x"}=abc`;
		const path = spell(fillRoutePattern(pattern)) + query;
		// each pair of a spelling and a route is another client
		const from = { "x-forwarded-for": `2001:db8:${Object.keys(spellings).indexOf(name)}:${countedRoutes.indexOf(counted)}::1` };
		log = [];
		// a page in another spelling leads to its canonical one, which is then counted
		const ask = async () => {
			const answer = await shop.ask(path, { method: methods[0], headers: from });
			const location = answer.headers.get("location") ?? "";
			return answer.status === 301 ? shop.ask(location, { headers: from }) : answer;
		};
		const first = await ask();
		expect(first.status).not.toBe(429);
		const second = await ask();
		expect([path, second.status, Number(second.headers.get("retry-after")) > 0]).toEqual([path, 429, true]);
		const routes = log.map((line) => JSON.parse(line) as Line).filter(({ msg, status }) => msg === "request" && status !== 301);
		expect(routes.map(({ route }) => route)).toEqual([pattern, pattern]);
	});
});

test("each counted route is a route", () => {
	const patterns = listRoutePatterns();
	for (const { pattern } of countedRoutes) expect(patterns).toContain(pattern);
});

describe("one address a page", () => {
	const location = async (path: string, init: RequestInit = {}) => {
		const headers = { "x-forwarded-for": `2001:db8:ffff:${requests++}::1` };
		const answer = await shop.ask(shop.url + path, { headers, ...init });
		return answer.status === 301 ? answer.headers.get("location") : answer.status;
	};
	let requests = 0;

	test.each([
		["/ENTREPRISE/552032534", "/entreprise/552032534"],
		["/entreprise/%35%352032534", "/entreprise/552032534"],
		["/entreprise/552032534//", "/entreprise/552032534"],
		["/entreprise/552%20032%C2%A0534", "/entreprise/552032534"],
		["/entreprise/552.032.534/alerte", "/entreprise/552032534/alerte"],
		["/commande/552-032-534?service=express", "/commande/552032534?service=express"],
		["//entreprise//552032534?service=express", "/entreprise/552032534?service=express"],
		["/Entreprise/552032534/ALERTE", "/entreprise/552032534/alerte"],
		["/%53uivi/KB-ab%2Fc", "/suivi/KB-ab%2Fc"],
		["/Suivi/KB-%252F%2e", "/suivi/KB-%252F."],
		["/Confirmation/", "/confirmation"],
		["/CGV", "/cgv"],
		["/Status-Systeme/", "/status-systeme"],
		["/API/Entreprises/552032534/", "/api/entreprises/552032534"],
		["/BUREAU/Commandes/KB-1/", "/bureau/commandes/KB-1"],
		["/Sitemap-entreprises-1.XML", "/Sitemap-entreprises-1.xml"],
		["//", "/"],
	])("%s → %s", async (path, canonical) => {
		expect(await location(path)).toBe(canonical);
		expect(await location(path, { method: "HEAD" })).toBe(canonical);
		// once is enough
		expect(typeof (await location(canonical))).toBe("number");
	});

	test("data, forms and unknown addresses of the API stay where they are", async () => {
		expect(await location("/api/entreprises/552%20032%20534")).toBe(200);
		for (const path of ["/ENTREPRISE/552032534.data", "/entreprise/552032534/_.data", "/api/", "/api/inconnue/"])
			expect(await location(path), path).not.toBe(301);
		expect(await location("/CONTACT", { method: "POST" })).toBe(400);
	});

	test("a redirect never leads to another host", async () => {
		for (const path of ["//evil.example/", "///evil.example//", "/\\evil.example/", "//evil.example"])
			expect(String(await location(path)), path).toMatch(/^(\/[^/\\]|404)/);
	});
});

test("the pages of companies are cached once, in whatever spelling they are asked for", async () => {
	const ask = (path: string) => shop.ask(path, { headers: { "x-forwarded-for": "203.0.113.77" }, redirect: "follow" });
	expect((await ask("/entreprise/356000000")).status).toBe(200);
	// a second reading of the page would be refused: these are answered from memory
	for (const path of ["/entreprise/356000000", "/ENTREPRISE/356000000", "/entreprise/%3356000000", "/entreprise/356000000/"])
		expect((await ask(path)).status, path).toBe(200);
	expect((await ask("/entreprise/356000000?x=1")).status).toBe(429);
});
