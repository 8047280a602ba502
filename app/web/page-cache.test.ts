import { type AddressInfo, createServer } from "node:net";
import { gunzipSync, gzipSync } from "node:zlib";
import { Hono } from "hono";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { type Changes, channel, listenForChanges, publicPages } from "../../server/database/changes.ts";
import { createLog } from "../../server/observability/log.ts";
import { createTestDatabase } from "../../test/database.ts";
import { scaledTimeout } from "../../test/time-limits.ts";
import { encodingFor, pageCache } from "./page-cache.ts";
import { sitemapCache } from "./sitemap-cache.ts";

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let admin: pg.Client;
let changes: Changes;
let heard = 0;
const untilHeard = (times: number) => vi.waitFor(() => expect(heard).toBe(times), { timeout: scaledTimeout(10_000), interval: 10 });

beforeAll(async () => {
	database = await createTestDatabase();
	admin = new pg.Client(database.connection);
	await admin.connect();
	changes = listenForChanges(database.connection, createLog("silent"));
	changes.subscribe(publicPages, () => heard++);
	await untilHeard(1); // its connection stands
});
beforeEach(() => {
	heard = 0;
});
afterAll(async () => {
	await changes.stop();
	await admin.end();
	await database.close();
});

const kept = "public, max-age=0, s-maxage=60, must-revalidate";

/** A site whose pages say how often they were made. */
function site(cacheControl: string, status = 200, more: Record<string, string> = {}, meanwhile = async () => {}) {
	let made = 0;
	const app = new Hono();
	app.use(pageCache(changes));
	app.all("*", async (c) => {
		made += 1;
		await meanwhile();
		return c.body(`${c.req.path} ${made}`, status as 200, {
			"cache-control": cacheControl,
			etag: `W/"${made}"`,
			"content-encoding": encodingFor(c.req.header("accept-encoding")),
			...more,
		});
	});
	const read = async (path: string, init?: RequestInit) => {
		const answer = await app.request(path, init);
		return { status: answer.status, text: await answer.text(), etag: answer.headers.get("etag") };
	};
	return { read, made: () => made };
}

test("a page that may be kept is made once, and is the same for all", async () => {
	const { read } = site(kept);
	expect(await read("/cgv")).toEqual({ status: 200, text: "/cgv 1", etag: 'W/"1"' });
	expect(await read("/cgv")).toEqual({ status: 200, text: "/cgv 1", etag: 'W/"1"' });
	expect(await read("/aide")).toMatchObject({ text: "/aide 2" });
});

test("who has the page already is told so, with its headers and nothing else", async () => {
	const { read } = site(kept);
	await read("/cgv");
	expect(await read("/cgv", { headers: { "if-none-match": 'W/"1"' } })).toEqual({ status: 304, text: "", etag: 'W/"1"' });
	expect(await read("/cgv", { headers: { "if-none-match": 'W/"0"' } })).toMatchObject({ status: 200, text: "/cgv 1" });
});

test("each encoding is kept by itself", async () => {
	const { read, made } = site(kept);
	for (const accepted of ["gzip, br", "gzip", "identity", "br", "gzip"]) await read("/cgv", { headers: { "accept-encoding": accepted } });
	expect(made()).toBe(3);
});

test.each<[string, string, number, Record<string, string>?]>([
	["what one browser alone may keep", "private, max-age=0, must-revalidate", 200],
	["what nobody may keep", "no-store", 200],
	["what only browsers may keep", "public, max-age=60", 200],
	["an error", kept, 404],
	["what comes with a cookie", kept, 200, { "set-cookie": "mine=1" }],
])("%s is made anew", async (_, cacheControl, status, more) => {
	const { read } = site(cacheControl, status, more);
	await read("/");
	expect(await read("/")).toMatchObject({ status, text: "/ 2" });
});

test("an address with a query and a form that is sent are never answered from memory", async () => {
	const { read } = site(kept);
	await read("/contact");
	expect(await read("/contact?envoye=1")).toMatchObject({ text: "/contact 2" });
	expect(await read("/contact?envoye=1")).toMatchObject({ text: "/contact 3" });
	expect(await read("/contact", { method: "POST" })).toMatchObject({ text: "/contact 4" });
	expect(await read("/contact")).toMatchObject({ text: "/contact 1" });
});

test("addresses without end do not fill the memory: the oldest page goes", async () => {
	const { read, made } = site(kept);
	for (let page = 0; page <= 300; page += 1) await read(`/${page}`);
	await read("/300");
	expect(made()).toBe(301);
	await read("/0");
	expect(made()).toBe(302);
});

test("a page is kept for as long as it says, and not longer", async () => {
	vi.useFakeTimers({ toFake: ["performance"] });
	try {
		const { read } = site(kept);
		await read("/cgv");
		vi.advanceTimersByTime(59_999);
		expect(await read("/cgv")).toMatchObject({ text: "/cgv 1" });
		vi.advanceTimersByTime(1);
		expect(await read("/cgv")).toMatchObject({ text: "/cgv 2" });
		vi.advanceTimersByTime(59_999);
		expect(await read("/cgv")).toMatchObject({ text: "/cgv 2" });

		// a page that was made anew is the newest: of three hundred others, one that is out of date goes first
		const many = site(kept);
		for (const page of ["/0", "/1"]) await many.read(page);
		vi.advanceTimersByTime(60_000);
		for (let page = 0; page <= 300; page++) if (page !== 1) await many.read(`/${page}`);
		const before = many.made();
		await many.read("/0");
		expect(many.made()).toBe(before);
	} finally {
		vi.useRealTimers();
	}
});

test("what has no ETag, and the answer to HEAD, are not kept", async () => {
	const app = new Hono();
	let made = 0;
	app.use(pageCache(changes));
	app.all("*", (c) =>
		c.body(c.req.method === "HEAD" ? "" : String(++made), 200, { "cache-control": kept, ...(c.req.path === "/cgv" && { etag: '"1"' }) }),
	);
	const read = async (path: string, method = "GET") => (await app.request(path, { method })).text();
	expect([await read("/cgv", "HEAD"), await read("/cgv"), await read("/cgv")]).toEqual(["", "1", "1"]);
	expect([await read("/aide"), await read("/aide")]).toEqual(["2", "3"]);
});

test("what nobody may keep takes no place in the memory", async () => {
	const app = new Hono();
	let made = 0;
	app.use(pageCache(changes));
	app.all("*", (c) => c.body(String(++made), 200, { etag: '"1"', "cache-control": c.req.path === "/cgv" ? kept : "no-store" }));
	await app.request("/cgv");
	for (let page = 0; page < 300; page++) await app.request(`/suivi/${page}`);
	expect(await (await app.request("/cgv")).text()).toBe("1");
});

const announce = () => admin.query("select pg_notify($1, $2)", [channel, publicPages]);

test("what public pages may no longer show leaves the memory as soon as it is announced", async () => {
	const { read } = site(kept);
	await read("/cgv");
	await announce();
	await untilHeard(1);
	expect(await read("/cgv")).toMatchObject({ text: "/cgv 2" });
	expect(await read("/cgv")).toMatchObject({ text: "/cgv 2" });
});

test("a page that was being made when the change came is not kept", async () => {
	const { read } = site(kept, 200, {}, async () => {
		if (heard > 0) return;
		await announce();
		await untilHeard(1);
	});
	expect(await read("/cgv")).toMatchObject({ text: "/cgv 1" });
	expect(await read("/cgv")).toMatchObject({ text: "/cgv 2" });
	expect(await read("/cgv")).toMatchObject({ text: "/cgv 2" });
});

test("a lost connection may have missed a change: every page is made anew when it is back", async () => {
	const { read } = site(kept);
	await read("/cgv");
	await admin.query(
		"select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'extrait-pro changes' and datname = current_database()",
	);
	await untilHeard(1);
	expect(await read("/cgv")).toMatchObject({ text: "/cgv 2" });
});

describe("sitemaps of companies", () => {
	let now = new Date("2026-11-20T10:00:00Z");
	const path = "/sitemap-entreprises-1.xml";

	interface Site {
		status?: number;
		/** What a sitemap is, compressed; else it says how often one was made. */
		body?: Uint8Array<ArrayBuffer>;
		/** Made in plain text, which is compressed to be kept: a moment after the last reader has it. */
		plain?: boolean;
		meanwhile?: () => Promise<void>;
	}

	function site({ status = 200, body, plain, meanwhile = async () => {} }: Site = {}) {
		let made = 0;
		const app = new Hono();
		app.use(sitemapCache(() => now, changes));
		app.all("*", async () => {
			made += 1;
			const text = `<urlset>${made}</urlset>`;
			await meanwhile();
			if (plain) return new Response(text, { status });
			return new Response(body ?? new Uint8Array(gzipSync(text)), { status, headers: { "content-encoding": "gzip" } });
		});
		const ask = async (asked = path, init: RequestInit = {}) => app.request(asked, init);
		const read = async (asked = path, init: RequestInit = {}) => {
			const answer = await ask(asked, init);
			const bytes = Buffer.from(await answer.arrayBuffer());
			if (body) return "";
			return answer.headers.get("content-encoding") === "gzip" ? gunzipSync(bytes).toString() : bytes.toString();
		};
		return { ask, read, made: () => made };
	}
	const zipped = { headers: { "accept-encoding": "gzip, br" } };
	const pass = (ms: number) => {
		now = new Date(now.getTime() + ms);
	};

	test("are made once, and are the same for who accepts gzip and who does not, for ten minutes", async () => {
		const { ask, read } = site();
		for (const init of [{}, zipped, {}]) expect(await read(path, init)).toBe("<urlset>1</urlset>");
		expect((await ask(path, zipped)).headers.get("content-encoding")).toBe("gzip");
		expect((await ask(path)).headers.get("content-encoding")).toBeNull();
		pass(599_999);
		expect(await read()).toBe("<urlset>1</urlset>");
		pass(1);
		expect(await read()).toBe("<urlset>2</urlset>");
	});

	test("are also kept when the first reader accepts no gzip", async () => {
		const { read, made } = site({ plain: true });
		await vi.waitFor(
			async () => {
				const before = made();
				await read(path, zipped);
				expect(made()).toBe(before);
			},
			{ interval: 5 },
		);
		for (const init of [{}, zipped]) expect(await read(path, init)).toMatch(/^<urlset>\d+<\/urlset>$/);
	});

	test("leave the memory as soon as a company objects, also one that was being made", async () => {
		const { read } = site();
		await read();
		await announce();
		await untilHeard(1);
		expect(await read()).toBe("<urlset>2</urlset>");

		heard = 0;
		const slow = site({
			meanwhile: async () => {
				if (heard > 0) return;
				await announce();
				await untilHeard(1);
			},
		});
		expect(await slow.read()).toBe("<urlset>1</urlset>");
		for (let times = 0; times < 2; times++) expect(await slow.read()).toBe("<urlset>2</urlset>");
	});

	test.each<[string, string, RequestInit, number?]>([
		["another file", "/sitemap-pages.xml", {}],
		["a file without a number", "/sitemap-entreprises-x.xml", {}],
		["the data of one", `${path}.data`, {}],
		["a form", path, { method: "POST" }],
		["a file that does not exist", path, {}, 404],
	])("%s is not kept", async (_what, asked, init, status = 200) => {
		const { read, made } = site({ status });
		for (let times = 0; times < 3; times++) await read(asked, init);
		expect(made()).toBe(3);
	});

	test("take sixteen megabytes at most: the oldest goes", async () => {
		const { read, made } = site({ body: new Uint8Array(6 * 1024 * 1024) });
		const file = (number: number) => `/sitemap-entreprises-${number}.xml`;
		/** Which of these files were made anew. */
		const madeAnew = async (...numbers: number[]) => {
			const anew = [];
			for (const number of numbers) {
				const before = made();
				await read(file(number), zipped);
				if (made() > before) anew.push(number);
			}
			return anew;
		};
		expect(await madeAnew(1, 2, 3)).toEqual([1, 2, 3]);
		expect(await madeAnew(2, 3, 1)).toEqual([1]);
		// which took the place of the second
		expect(await madeAnew(3, 1)).toEqual([]);
		// what was dropped, and what was made anew in its own place, counts no longer
		await announce();
		await untilHeard(1);
		expect(await madeAnew(1)).toEqual([1]);
		for (let times = 0; times < 3; times++) {
			pass(600_000);
			expect(await madeAnew(1)).toEqual([1]);
		}
		expect(await madeAnew(2, 1, 2)).toEqual([2]);
	});
});

test("who stops listening to a subject silences nobody else, and hears nothing more", async () => {
	const calls = { first: 0, second: 0 };
	const stopFirst = changes.subscribe("order 1", () => calls.first++);
	const stopSecond = changes.subscribe("order 1", () => calls.second++);
	const say = async () => {
		await admin.query("select pg_notify($1, 'order 1'), pg_notify($1, 'order 2'), pg_notify($1, $2)", [channel, publicPages]);
		await untilHeard(1);
		heard = 0;
	};
	await say();
	expect(calls).toEqual({ first: 1, second: 1 });
	stopFirst();
	await say();
	expect(calls).toEqual({ first: 1, second: 2 });
	stopSecond();
	await say();
	expect(calls).toEqual({ first: 1, second: 2 });
});

test("a database that is away is told of once, asked again each second, and no longer after the stop", async () => {
	let asked = 0;
	const server = createServer((socket) => {
		asked++;
		socket.destroy();
	});
	await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
	const { port } = server.address() as AddressInfo;
	const lines: string[] = [];
	vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
	try {
		const listening = listenForChanges(
			{ host: "127.0.0.1", port, user: "shop" },
			createLog("warn", { write: (line) => void lines.push(line) }),
		);
		// which moves the clock on while it waits
		await vi.waitFor(() => expect(asked).toBe(3), { timeout: scaledTimeout(10_000), interval: 100 });
		await listening.stop();
		expect(lines.map((line) => JSON.parse(line).msg)).toEqual(["the live updates lost their connection"]);
		expect(vi.getTimerCount()).toBe(0);
	} finally {
		vi.useRealTimers();
		server.close();
	}
	// nor after the stop of one that was connected
	vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
	try {
		let connected = 0;
		const listening = listenForChanges(database.connection, createLog("silent"));
		listening.subscribe("any", () => connected++);
		await vi.waitFor(() => expect(connected).toBe(1), { timeout: scaledTimeout(10_000), interval: 1 });
		await listening.stop();
		expect(vi.getTimerCount()).toBe(0);
	} finally {
		vi.useRealTimers();
	}
});
