import { describe, expect, test } from "vitest";
import { BodyRefused } from "./bounded-body.ts";
import { describeBodyRefusal, findRefusal, isMatchable, listManifestPaths } from "./refusals.ts";

// Which requests are refused before any route.

const origin = "http://shop.example";
const find = (path: string, method = "GET", headers: Record<string, string> = {}, own = origin) =>
	findRefusal({ method, url: path.startsWith("/") ? origin + path : path, headers: new Headers(headers) } as Request, own);

test.each(["GET", "HEAD", "POST", "OPTIONS"])("the method %s is accepted", (method) => {
	expect(find("/contact", method)).toBeNull();
});

test.each(["PUT", "PATCH", "DELETE", "TRACE", "get"])("the method %s is refused", (method) => {
	expect(find("/contact", method)).toBe(405);
});

test.each([
	["http://99999999999/", 400],
	[`/${"a".repeat(2047)}`, null],
	[`/${"a".repeat(2048)}`, 414],
	[`/a?${"a".repeat(3000)}`, null],
	["/%E0%A4%A", 400],
	["/a?q=%E0%A4%A", null],
	["/a?q=%00", 400],
	["/a%00b", 400],
	["/a%0ab", null],
] as const)("%.30s: %s", (path, status) => {
	expect(find(path)).toBe(status);
});

describe("the paths whose scripts are asked for", () => {
	const ask = (paths: string[], path = "/__manifest") => find(`${path}?paths=${encodeURIComponent(paths.join(","))}`);
	const many = (count: number) => Array.from({ length: count }, (_, at) => `/a${at}`);

	test("are sixty at most", () => {
		expect([ask(many(60)), ask(many(61)), ask(many(61), "/cgv"), find("/__manifest")]).toEqual([null, 414, null, null]);
	});

	test.each(["/%zz", "/a%0ab", "/a\u0007", "%1b[31m"])("can be decoded and have no control character: %j", (path) => {
		expect([ask(["/a", path]), ask([path, "/a"]), ask([path], "/cgv")]).toEqual([400, 400, null]);
	});

	test("are listed", () => {
		expect(listManifestPaths(`${origin}/__manifest?paths=${encodeURIComponent("/a,/b%20c")}&version=1`)).toEqual(["/a", "/b%20c"]);
		expect([listManifestPaths(`${origin}/__manifest`), listManifestPaths(`${origin}/a?paths=/a`)]).toEqual([[""], []]);
	});
});

test.each([
	["http://99999999999/", false],
	[`${origin}/${"a".repeat(2047)}`, true],
	[`${origin}/${"a".repeat(2048)}`, false],
	[`${origin}/%E0%A4%A`, false],
	[`${origin}/%C3%A9?q=%`, true],
])("%.40s can be matched with routes: %s", (url, matchable) => {
	expect(isMatchable(url)).toBe(matchable);
});

describe("a form", () => {
	test.each<[Record<string, string>, number | null]>([
		[{}, null],
		[{ "sec-fetch-site": "same-origin" }, null],
		[{ "sec-fetch-site": "none" }, null],
		[{ "sec-fetch-site": "same-site" }, 403],
		[{ "sec-fetch-site": "cross-site" }, 403],
		[{ origin }, null],
		[{ origin, "sec-fetch-site": "cross-site" }, null],
		[{ origin: "http://other.example" }, 403],
		[{ origin: "http://other.example", "sec-fetch-site": "same-origin" }, 403],
		[{ origin: "null" }, 403],
	])("with %o: %s", (headers, status) => {
		expect([find("/contact", "POST", headers), find("/contact", "OPTIONS", headers)]).toEqual([status, status]);
		// reading changes nothing
		expect([find("/contact", "GET", headers), find("/contact", "HEAD", headers)]).toEqual([null, null]);
	});

	test("may come from another name of this machine, unless the shop has TLS", () => {
		const fromHere = { origin };
		expect(find("/contact", "POST", fromHere, "http://127.0.0.1:3000")).toBeNull();
		expect(find("/contact", "POST", fromHere, "https://www.shop.example")).toBe(403);
		expect(find("/contact", "POST", { origin: "https://www.shop.example" }, "https://www.shop.example")).toBeNull();
	});
});

test("a body is refused with its reason", () => {
	expect((["seconds", "fields", "bytes"] as const).map((reason) => describeBodyRefusal(new BodyRefused(reason, true)))).toEqual([
		{ status: 408, sentence: "Votre envoi a mis trop de temps à nous parvenir." },
		{ status: 413, sentence: "Votre envoi contient trop de champs ou de fichiers. Envoyez-le en plusieurs fois." },
		{ status: 413, sentence: "Votre envoi est trop volumineux." },
	]);
});
