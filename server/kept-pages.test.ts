import { Hono } from "hono";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { type Changes, channel, listenForChanges, publicPages } from "./changes.ts";
import { encodingFor, keepPages } from "./kept-pages.ts";
import { openLog } from "./log.ts";
import { testDatabase } from "./test-database.ts";

let database: Awaited<ReturnType<typeof testDatabase>>;
let admin: pg.Client;
let changes: Changes;
let heard = 0;
const untilHeard = (times: number) => vi.waitFor(() => expect(heard).toBe(times), { timeout: 10_000, interval: 10 });

beforeAll(async () => {
	database = await testDatabase();
	admin = new pg.Client(database.connection);
	await admin.connect();
	changes = listenForChanges(database.connection, openLog("silent"));
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
	app.use(keepPages(changes));
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
