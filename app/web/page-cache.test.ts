import { gunzipSync, gzipSync } from "node:zlib";
import { Hono } from "hono";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { type Changes, changesChannel, listenForChanges, publicPagesSubject } from "../../server/database/changes.ts";
import { createLog } from "../../server/observability/log.ts";
import { createTestDatabase } from "../../test/database.ts";
import { scaledTimeout } from "../../test/time-limits.ts";
import { encodingFor, pageCache } from "./page-cache.ts";
import { sitemapCache } from "./sitemap-cache.ts";

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let admin: pg.Client;
let changes: Changes;
let notifications = 0;
const waitForNotifications = (times: number) =>
	vi.waitFor(() => expect(notifications).toBe(times), { timeout: scaledTimeout(10_000), interval: 10 });

beforeAll(async () => {
	database = await createTestDatabase();
	admin = new pg.Client(database.connection);
	await admin.connect();
	changes = listenForChanges(database.connection, createLog("silent"));
	changes.subscribe(publicPagesSubject, () => notifications++);
	await waitForNotifications(1); // it is connected
});
beforeEach(() => {
	notifications = 0;
});
afterAll(async () => {
	await changes.stop();
	await admin.end();
	await database.close();
});

const cacheable = "public, max-age=0, s-maxage=60, must-revalidate";

/** A site whose pages contain the number of renderings. */
function site(cacheControl: string, status = 200, more: Record<string, string> = {}, meanwhile = async () => {}) {
	let renders = 0;
	const app = new Hono();
	app.use(pageCache(changes));
	app.all("*", async (c) => {
		renders += 1;
		await meanwhile();
		return c.body(`${c.req.path} ${renders}`, status as 200, {
			"cache-control": cacheControl,
			etag: `W/"${renders}"`,
			"content-encoding": encodingFor(c.req.header("accept-encoding")),
			...more,
		});
	});
	const read = async (path: string, init?: RequestInit) => {
		const answer = await app.request(path, init);
		return { status: answer.status, text: await answer.text(), etag: answer.headers.get("etag") };
	};
	return { read, renders: () => renders };
}

test("a cacheable page is rendered once for all", async () => {
	const { read } = site(cacheable);
	expect(await read("/cgv")).toEqual({ status: 200, text: "/cgv 1", etag: 'W/"1"' });
	expect(await read("/cgv")).toEqual({ status: 200, text: "/cgv 1", etag: 'W/"1"' });
	expect(await read("/aide")).toMatchObject({ text: "/aide 2" });
});

test("a matching If-None-Match gets 304 with headers and no body", async () => {
	const { read } = site(cacheable);
	await read("/cgv");
	expect(await read("/cgv", { headers: { "if-none-match": 'W/"1"' } })).toEqual({ status: 304, text: "", etag: 'W/"1"' });
	expect(await read("/cgv", { headers: { "if-none-match": 'W/"0"' } })).toMatchObject({ status: 200, text: "/cgv 1" });
});

test("each encoding has an entry", async () => {
	const { read, renders } = site(cacheable);
	for (const accepted of ["gzip, br", "gzip", "identity", "br", "gzip"]) await read("/cgv", { headers: { "accept-encoding": accepted } });
	expect(renders()).toBe(3);
});

test.each<[string, string, number, Record<string, string>?]>([
	["a page for a private cache", "private, max-age=0, must-revalidate", 200],
	["a page that must not be cached", "no-store", 200],
	["a page without s-maxage", "public, max-age=60", 200],
	["an error", cacheable, 404],
	["a page with a cookie", cacheable, 200, { "set-cookie": "mine=1" }],
])("%s is rendered each time", async (_, cacheControl, status, more) => {
	const { read } = site(cacheControl, status, more);
	await read("/");
	expect(await read("/")).toMatchObject({ status, text: "/ 2" });
});

test("requests with a query or a form are never answered from the cache", async () => {
	const { read } = site(cacheable);
	await read("/contact");
	expect(await read("/contact?envoye=1")).toMatchObject({ text: "/contact 2" });
	expect(await read("/contact?envoye=1")).toMatchObject({ text: "/contact 3" });
	expect(await read("/contact", { method: "POST" })).toMatchObject({ text: "/contact 4" });
	expect(await read("/contact")).toMatchObject({ text: "/contact 1" });
});

test("a full cache drops its oldest page", async () => {
	const { read, renders } = site(cacheable);
	for (let page = 0; page <= 300; page += 1) await read(`/${page}`);
	await read("/300");
	expect(renders()).toBe(301);
	await read("/0");
	expect(renders()).toBe(302);
});

test("a page expires after s-maxage", async () => {
	vi.useFakeTimers({ toFake: ["performance"] });
	try {
		const { read } = site(cacheable);
		await read("/cgv");
		vi.advanceTimersByTime(59_999);
		expect(await read("/cgv")).toMatchObject({ text: "/cgv 1" });
		vi.advanceTimersByTime(1);
		expect(await read("/cgv")).toMatchObject({ text: "/cgv 2" });
		vi.advanceTimersByTime(59_999);
		expect(await read("/cgv")).toMatchObject({ text: "/cgv 2" });

		// a page that was rendered again counts as the newest: older ones are dropped first
		const many = site(cacheable);
		for (const page of ["/0", "/1"]) await many.read(page);
		vi.advanceTimersByTime(60_000);
		for (let page = 0; page <= 300; page++) if (page !== 1) await many.read(`/${page}`);
		const before = many.renders();
		await many.read("/0");
		expect(many.renders()).toBe(before);
	} finally {
		vi.useRealTimers();
	}
});

test("responses without an ETag or to HEAD are not cached", async () => {
	const app = new Hono();
	let renders = 0;
	app.use(pageCache(changes));
	app.all("*", (c) =>
		c.body(c.req.method === "HEAD" ? "" : String(++renders), 200, {
			"cache-control": cacheable,
			...(c.req.path === "/cgv" && { etag: '"1"' }),
		}),
	);
	const read = async (path: string, method = "GET") => (await app.request(path, { method })).text();
	expect([await read("/cgv", "HEAD"), await read("/cgv"), await read("/cgv")]).toEqual(["", "1", "1"]);
	expect([await read("/aide"), await read("/aide")]).toEqual(["2", "3"]);
});

test("pages that must not be cached use no space", async () => {
	const app = new Hono();
	let renders = 0;
	app.use(pageCache(changes));
	app.all("*", (c) => c.body(String(++renders), 200, { etag: '"1"', "cache-control": c.req.path === "/cgv" ? cacheable : "no-store" }));
	await app.request("/cgv");
	for (let page = 0; page < 300; page++) await app.request(`/suivi/${page}`);
	expect(await (await app.request("/cgv")).text()).toBe("1");
});

const notifyChange = () => admin.query("select pg_notify($1, $2)", [changesChannel, publicPagesSubject]);

test("a change of public pages clears the cache", async () => {
	const { read } = site(cacheable);
	await read("/cgv");
	await notifyChange();
	await waitForNotifications(1);
	expect(await read("/cgv")).toMatchObject({ text: "/cgv 2" });
	expect(await read("/cgv")).toMatchObject({ text: "/cgv 2" });
});

test("a page rendered during a change is not cached", async () => {
	const { read } = site(cacheable, 200, {}, async () => {
		if (notifications > 0) return;
		await notifyChange();
		await waitForNotifications(1);
	});
	expect(await read("/cgv")).toMatchObject({ text: "/cgv 1" });
	expect(await read("/cgv")).toMatchObject({ text: "/cgv 2" });
	expect(await read("/cgv")).toMatchObject({ text: "/cgv 2" });
});

test("a reconnection clears the cache, because a change may have been missed", async () => {
	const { read } = site(cacheable);
	await read("/cgv");
	await admin.query(
		"select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'extrait-pro changes' and datname = current_database()",
	);
	await waitForNotifications(1);
	expect(await read("/cgv")).toMatchObject({ text: "/cgv 2" });
});

describe("sitemaps of companies", () => {
	let now = new Date("2026-11-20T10:00:00Z");
	const path = "/sitemap-entreprises-1.xml";

	interface Site {
		status?: number;
		/** The compressed sitemap; the default contains the number of renderings. */
		body?: Uint8Array<ArrayBuffer>;
		/** Sends plain text, which the cache compresses a moment after the response. */
		plain?: boolean;
		meanwhile?: () => Promise<void>;
	}

	function site({ status = 200, body, plain, meanwhile = async () => {} }: Site = {}) {
		let renders = 0;
		const app = new Hono();
		app.use(sitemapCache(() => now, changes));
		app.all("*", async () => {
			renders += 1;
			const text = `<urlset>${renders}</urlset>`;
			await meanwhile();
			if (plain) return new Response(text, { status });
			return new Response(body ?? new Uint8Array(gzipSync(text)), { status, headers: { "content-encoding": "gzip" } });
		});
		const ask = async (url = path, init: RequestInit = {}) => app.request(url, init);
		const read = async (url = path, init: RequestInit = {}) => {
			const answer = await ask(url, init);
			const bytes = Buffer.from(await answer.arrayBuffer());
			if (body) return "";
			return answer.headers.get("content-encoding") === "gzip" ? gunzipSync(bytes).toString() : bytes.toString();
		};
		return { ask, read, renders: () => renders };
	}
	const acceptGzip = { headers: { "accept-encoding": "gzip, br" } };
	const advance = (ms: number) => {
		now = new Date(now.getTime() + ms);
	};

	test("are cached for ten minutes, for clients with and without gzip", async () => {
		const { ask, read } = site();
		for (const init of [{}, acceptGzip, {}]) expect(await read(path, init)).toBe("<urlset>1</urlset>");
		expect((await ask(path, acceptGzip)).headers.get("content-encoding")).toBe("gzip");
		expect((await ask(path)).headers.get("content-encoding")).toBeNull();
		advance(599_999);
		expect(await read()).toBe("<urlset>1</urlset>");
		advance(1);
		expect(await read()).toBe("<urlset>2</urlset>");
	});

	test("are cached even if the first client does not accept gzip", async () => {
		const { read, renders } = site({ plain: true });
		await vi.waitFor(
			async () => {
				const before = renders();
				await read(path, acceptGzip);
				expect(renders()).toBe(before);
			},
			{ timeout: scaledTimeout(10_000), interval: 5 },
		);
		for (const init of [{}, acceptGzip]) expect(await read(path, init)).toMatch(/^<urlset>\d+<\/urlset>$/);
	});

	test("are removed when a company objects, even one that is being sent", async () => {
		const { read } = site();
		await read();
		await notifyChange();
		await waitForNotifications(1);
		expect(await read()).toBe("<urlset>2</urlset>");

		notifications = 0;
		const slow = site({
			meanwhile: async () => {
				if (notifications > 0) return;
				await notifyChange();
				await waitForNotifications(1);
			},
		});
		expect(await slow.read()).toBe("<urlset>1</urlset>");
		for (let times = 0; times < 2; times++) expect(await slow.read()).toBe("<urlset>2</urlset>");
	});

	test.each<[string, string, RequestInit, number?]>([
		["another file", "/sitemap-pages.xml", {}],
		["a file without a number", "/sitemap-entreprises-x.xml", {}],
		["the framework's data of a sitemap", `${path}.data`, {}],
		["a form", path, { method: "POST" }],
		["a file that does not exist", path, {}, 404],
	])("%s is not cached", async (_name, url, init, status = 200) => {
		const { read, renders } = site({ status });
		for (let times = 0; times < 3; times++) await read(url, init);
		expect(renders()).toBe(3);
	});

	test("use sixteen megabytes at most: the oldest is dropped", async () => {
		const { read, renders } = site({ body: new Uint8Array(6 * 1024 * 1024) });
		const file = (number: number) => `/sitemap-entreprises-${number}.xml`;
		/** Reads files. @returns the numbers of those that were rendered. */
		const listRendered = async (...numbers: number[]) => {
			const rendered = [];
			for (const number of numbers) {
				const before = renders();
				await read(file(number), acceptGzip);
				if (renders() > before) rendered.push(number);
			}
			return rendered;
		};
		expect(await listRendered(1, 2, 3)).toEqual([1, 2, 3]);
		expect(await listRendered(2, 3, 1)).toEqual([1]);
		// the first file replaced the second
		expect(await listRendered(3, 1)).toEqual([]);
		// dropped and replaced entries no longer count
		await notifyChange();
		await waitForNotifications(1);
		expect(await listRendered(1)).toEqual([1]);
		for (let times = 0; times < 3; times++) {
			advance(600_000);
			expect(await listRendered(1)).toEqual([1]);
		}
		expect(await listRendered(2, 1, 2)).toEqual([2]);
	});
});

test("an unsubscribed callback is not called any more; others still are", async () => {
	const calls = { first: 0, second: 0 };
	const stopFirst = changes.subscribe("order 1", () => calls.first++);
	const stopSecond = changes.subscribe("order 1", () => calls.second++);
	const notifyAll = async () => {
		await admin.query("select pg_notify($1, 'order 1'), pg_notify($1, 'order 2'), pg_notify($1, $2)", [changesChannel, publicPagesSubject]);
		await waitForNotifications(1);
		notifications = 0;
	};
	await notifyAll();
	expect(calls).toEqual({ first: 1, second: 1 });
	stopFirst();
	await notifyAll();
	expect(calls).toEqual({ first: 1, second: 2 });
	stopSecond();
	await notifyAll();
	expect(calls).toEqual({ first: 1, second: 2 });
});
