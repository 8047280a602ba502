import { once } from "node:events";
import { connect } from "node:net";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { waitForLock } from "../../test/orders.ts";
import { createTestShop, type TestShop } from "../../test/shop.ts";
import { scaledTimeout } from "../../test/time-limits.ts";
import { pages } from "../content/pages.ts";

/** Requests that no customer's browser sends. */

let shop: TestShop;
let log: string[] = [];
beforeAll(async () => {
	shop = await createTestShop({ variables: { LOG_LEVEL: "debug" }, onLog: (line) => log.push(line) });
});
beforeEach(() => {
	log = [];
});
afterAll(() => shop?.close());

const listLines = () => log.map((line) => JSON.parse(line) as { level: number; msg: string; route?: string; status?: number });
const listErrors = () => listLines().filter(({ level }) => level >= 50);

/** Opens a connection, sends a text, and disconnects; `read` waits for the first bytes of the response. */
async function sendAndLeave(text: string, { read = false } = {}): Promise<void> {
	const socket = connect(Number(new URL(shop.url).port), "127.0.0.1");
	socket.on("error", () => {});
	await once(socket, "connect");
	await new Promise<void>((sent) => socket.write(text, () => sent()));
	if (read) await once(socket, "data");
	socket.destroy();
}

test.each(["GET / HTTP/1.1", "POST /contact HTTP/1.1", "DELETE /api/suivi HTTP/1.1"])("%s with an invalid host", async (line) => {
	const socket = connect(Number(new URL(shop.url).port), "127.0.0.1");
	socket.write(`${line}\r\nHost: 99999999999999999999\r\nConnection: close\r\n\r\n`);
	const [answer] = (await once(socket, "data")) as [Buffer];
	socket.destroy();
	expect(answer.toString()).toMatch(/^HTTP\/1\.1 40[05] /);
	expect(listErrors()).toEqual([]);
});

test("paying a paid order again redirects to the order, also for the router's data request", async () => {
	const placed = await shop.placeOrder();
	const resume = await shop.getResumePath(placed.payUrl);
	await shop.payByCard(placed.payUrl);
	const paid = await shop.postForm(resume, {});
	expect([paid.status, paid.headers.get("location")]).toEqual([303, `/suivi/${placed.number}`]);
	expect((await shop.postForm(`${resume}.data`, {})).status).toBe(202);
});

describe("methods", () => {
	test.each(["PUT", "PATCH", "DELETE", "PROPFIND"])("%s is refused on every path", async (method) => {
		for (const path of [
			"/",
			"/contact",
			"/contact.data",
			"/suivi-commande",
			"/nulle-part",
			"/favicon.svg",
			"/api/suivi",
			"/api/inconnue",
		]) {
			const answer = await shop.ask(path, { method });
			expect([path, answer.status, answer.headers.get("allow")]).toEqual([path, 405, "GET, HEAD, POST"]);
			const text = await answer.text();
			const sentence = "Ce site n’accepte que les méthodes GET, HEAD et POST.";
			expect(text).toContain(sentence);
			if (path.startsWith("/api/")) expect(JSON.parse(text)).toEqual({ error: sentence });
		}
	});

	test("PUT does not submit a form", async () => {
		const body = new URLSearchParams({ nom: "Ada", email: "ada@example.fr", message: "Bonjour" });
		expect((await shop.ask("/contact", { method: "PUT", body })).status).toBe(405);
		expect(await shop.shop.db.selectFrom("contact_messages").selectAll().execute()).toEqual([]);
	});

	test("405 names the allowed methods", async () => {
		const ask = async (path: string, method: string) => {
			const { status, headers } = await shop.ask(path, { method });
			return [status, headers.get("allow")];
		};
		expect(await ask("/api/suivi", "GET")).toEqual([405, "POST"]);
		expect(await ask("/api/entreprises", "POST")).toEqual([405, "GET, HEAD"]);
		expect(await ask("/cgv", "POST")).toEqual([405, "GET, HEAD"]);
		expect(await ask("/cgv", "OPTIONS")).toEqual([405, "GET, HEAD"]);
	});
});

describe("HEAD", () => {
	test.each(["/api/suivi", "/api/entreprises/x", "/api/entreprises/999999999", "/api/inconnue", "/api", "/api/create-payment"])(
		"%s refuses as GET does",
		async (path) => {
			const [head, get] = [await shop.ask(path, { method: "HEAD" }), await shop.ask(path)];
			expect([head.status, await head.text()]).toEqual([get.status, ""]);
			expect(get.status).toBeGreaterThanOrEqual(400);
			expect(listErrors()).toEqual([]);
		},
	);
});

describe("the data of pages", () => {
	const paths = [
		"/old-commande",
		"/rgpd",
		"/documents/x",
		"/apercu",
		"/sitemap",
		"/sitemap.xml",
		"/healthz",
		"/api/suivi",
		"/confirmation/x/direct",
	];
	const all = [...new Set([...pages.map(({ path }) => path.split("#")[0] ?? ""), ...paths])];

	test.each(["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"])("%s of any page's data is no error", async (method) => {
		for (const path of all) {
			const answer = await shop.ask(`${path === "/" ? "/_root" : path}.data`, { method });
			expect(answer.status, path).toBeLessThan(500);
			await answer.arrayBuffer();
		}
		expect(listErrors()).toEqual([]);
	});
});

describe("long URLs", () => {
	test.each([
		["/", "text/html"],
		["/api/", "application/json"],
	])("%s… is refused with a sentence in %s", async (start, type) => {
		const answer = await shop.ask(start + "a".repeat(2048));
		expect([answer.status, answer.headers.get("content-type")]).toEqual([414, expect.stringContaining(type)]);
		expect(await answer.text()).toContain("L’adresse demandée est trop longue.");
	});

	test("a path of maximum length is matched", async () => {
		expect((await shop.ask(`/${"a".repeat(2047)}`)).status).toBe(404);
	});

	test("many slashes are handled like any other path", async () => {
		expect((await shop.ask(`/a${"/".repeat(2000)}`)).headers.get("location")).toBe("/a");
		expect((await shop.ask(`/a${"/".repeat(2000)}a/`)).status).toBe(301);
		expect((await shop.ask(`/a${"/".repeat(12_000)}a/`)).status).toBe(414);
	});

	test("the router may ask for the routes of sixty links", async () => {
		const ask = async (path: string, links: number) => {
			const paths = Array.from({ length: links }, (_, at) => `/a${at}`).join(",");
			return (await shop.ask(`${path}?version=x&paths=${encodeURIComponent(paths)}`)).status;
		};
		expect([await ask("/__manifest", 60), await ask("/__manifest", 61)]).toEqual([204, 414]);
		expect(await ask("/cgv", 61), "other paths have no such limit").toBe(200);
	});

	test("a long query is accepted", async () => {
		expect((await shop.ask(`/recherche?q=${"a".repeat(5000)}`)).status).toBe(200);
	});
});

describe("clients that disconnect early", () => {
	const head = (line: string, more = "") => `${line} HTTP/1.1\r\nHost: 127.0.0.1\r\n${more}\r\n`;
	const form = "Content-Type: application/x-www-form-urlencoded\r\n";
	const multipart = "Content-Type: multipart/form-data; boundary=x\r\n";
	const part = '--x\r\nContent-Disposition: form-data; name="nom"\r\n\r\nAd';

	test.each([
		["a truncated form", "/contact", `${head("POST /contact", `${form}Content-Length: 500\r\n`)}nom=Ada`],
		["a truncated chunked form", "/contact", `${head("POST /contact", `${form}Transfer-Encoding: chunked\r\n`)}7\r\nnom=Ada`],
		["a truncated multipart form", "/contact", `${head("POST /contact", `${multipart}Content-Length: 500\r\n`)}${part}`],
		["truncated data", "/commande", `${head("POST /commande.data", `${form}Content-Length: 500\r\n`)}nom=Ada`],
		["truncated JSON", "/api/suivi", `${head("POST /api/suivi", "Content-Type: application/json\r\nContent-Length: 500\r\n")}{"em`],
		["truncated chunked JSON", "/api/suivi", `${head("POST /api/suivi", "Transfer-Encoding: chunked\r\n")}4\r\n{"em`],
		["a truncated event", "/api/stripe/webhook", `${head("POST /api/stripe/webhook", "Content-Length: 500\r\n")}{"id`],
	])("%s is logged as 499 and no error", async (_name, route, request) => {
		await sendAndLeave(request);
		await vi.waitFor(() => expect(listLines()).toContainEqual(expect.objectContaining({ route, status: 499, level: 30 })), {
			timeout: scaledTimeout(10_000),
		});
		expect(listErrors()).toEqual([]);
	});

	test.each(["/confirmation/cs_test_x", "/api/entreprises/suggestions?q=danone", "/recherche?q=danone", "/recherche.data?q=danone"])(
		"%s, requested by many clients that leave at once, is no error",
		async (path) => {
			await Promise.all(Array.from({ length: 20 }, () => sendAndLeave(head(`GET ${path}`))));
			await vi.waitFor(() => expect(listLines().filter(({ msg }) => msg === "request")).toHaveLength(20), {
				timeout: scaledTimeout(10_000),
			});
			expect(listErrors()).toEqual([]);
		},
	);

	test("a page whose client leaves is logged as 499", async () => {
		await shop.shop.db.transaction().execute(async (trx) => {
			await sql`lock table payment_sessions in access exclusive mode`.execute(trx);
			const socket = connect(Number(new URL(shop.url).port), "127.0.0.1").on("error", () => {});
			socket.write(head("GET /confirmation/cs_test_x"));
			await waitForLock(shop.shop.db, new Promise(() => {}));
			socket.destroy();
			await shop.ask("/healthz"); // after this request, the shop has noticed that the first client left
		});
		await vi.waitFor(
			() => expect(listLines()).toContainEqual(expect.objectContaining({ route: "/confirmation/:sessionId?", status: 499, level: 30 })),
			{
				timeout: scaledTimeout(10_000),
			},
		);
		expect(listErrors()).toEqual([]);
	});

	test("a multipart body without an end is an empty form", async () => {
		const answer = await shop.ask("/contact", {
			method: "POST",
			body: part,
			headers: { "content-type": "multipart/form-data; boundary=x" },
		});
		expect(answer.status).toBe(400);
		expect(listErrors()).toEqual([]);
	});
});

test("an error of the shop is logged with its stack and without e-mail addresses; the client gets a sentence", async () => {
	const broken = await createTestShop({ variables: { LOG_LEVEL: "debug" }, onLog: (line) => log.push(line) });
	const { now } = broken.shop;
	try {
		const answer = await vi.waitFor(async () => {
			broken.shop.now = now;
			// cached when the shop listens for changes; then reading the clock throws
			await (await broken.ask("/sitemap-entreprises-1.xml")).text();
			broken.shop.now = () => {
				throw new Error("the clock of ada@example.fr is broken");
			};
			const response = await broken.ask("/sitemap-entreprises-1.xml");
			expect(response.status).toBe(500);
			return response;
		}, scaledTimeout(10_000));
		expect([answer.status, answer.headers.get("content-type"), await answer.text()]).toEqual([
			500,
			"text/plain; charset=utf-8",
			"Une erreur est survenue de notre côté. Réessayez dans un instant.",
		]);
		const fault = listLines().find(({ msg }) => msg === "a request failed") as unknown as { error: string };
		expect(fault.error).toMatch(/the clock of …@… is broken\n +at /);
		expect(listLines()).toContainEqual(expect.objectContaining({ msg: "request", status: 500, level: 50 }));
	} finally {
		broken.shop.now = now;
		await broken.close();
	}
});
