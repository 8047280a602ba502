import { once } from "node:events";
import { globSync, readFileSync } from "node:fs";
import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import { Hono } from "hono";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startHttpServer } from "../../server/http-server.ts";
import { createOperator, type TestOperator } from "../../test/operators.ts";
import { createTestShop, type TestShop } from "../../test/shop.ts";
import type { BodyLimits } from "./body-limits.ts";
import { boundBodies } from "./bounded-body.ts";
import { readForm } from "./http.ts";
import { describeBodyRefusal } from "./refusals.ts";

/** What the shop reads of the bodies that it is sent: docs/rules.md, R175. */

let shop: TestShop;
let operator: TestOperator;
let log: string[] = [];
beforeAll(async () => {
	shop = await createTestShop({ variables: { LOG_LEVEL: "info" }, onLog: (line) => log.push(line) });
	operator = await createOperator(shop, "Ada", ["serve", "refund", "privacy", "accounts", "settings"]);
});
beforeEach(() => {
	log = [];
});
afterAll(() => shop?.close());

const form = { "content-type": "application/x-www-form-urlencoded" };
const boundary = "----formulaire";
const multipart = { "content-type": `multipart/form-data; boundary=${boundary}` };
const part = (name: string, value = "x", more = "") =>
	`--${boundary}\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;
const parts = (count: number) => `${Array.from({ length: count }, (_, at) => part(`f${at}`)).join("")}--${boundary}--\r\n`;
const send = (path: string, headers: Record<string, string>, body: BodyInit) => shop.ask(path, { method: "POST", headers, body });

const sentences = {
	bytes: "Votre envoi est trop volumineux.",
	fields: "Votre envoi contient trop de champs ou de fichiers. Envoyez-le en plusieurs fois.",
};

describe("a usual form", () => {
	test.each([
		["fields", form, (count: number) => Array.from({ length: count }, (_, at) => `f${at}=1`).join("&"), 100],
		["parts", multipart, parts, 100],
		["bytes", form, (count: number) => `nom=${"a".repeat(count - 4)}`, 64 * 1024],
		["bytes of text", { "content-type": "text/plain" }, (count: number) => "a&".repeat(count / 2), 64 * 1024],
	] as const)("of as many %s as are accepted is read, and one more is refused", async (what, headers, write, most) => {
		const accepted = await send("/contact", headers, write(most));
		expect([accepted.status, await accepted.text()]).toEqual([400, expect.not.stringContaining("trop")]);
		const refused = await send("/contact", headers, write(most + 2));
		expect(refused.status).toBe(413);
		expect(await refused.text()).toContain(what.startsWith("bytes") ? sentences.bytes : sentences.fields);
		if (!what.startsWith("bytes of")) expect((await send("/contact", headers, write(most + 1))).status).toBe(413);
	});

	test("is counted without a declared length too", async () => {
		const stream = (body: string) =>
			new ReadableStream({
				pull(controller) {
					controller.enqueue(new TextEncoder().encode(body));
					controller.close();
				},
			});
		const sendStream = (body: string) =>
			shop.ask("/contact", { method: "POST", headers: form, body: stream(body), duplex: "half" } as RequestInit);
		expect((await sendStream("a=1&".repeat(99))).status).toBe(400);
		expect((await sendStream("a=1&".repeat(101))).status).toBe(413);
		expect((await sendStream("a".repeat(65 * 1024))).status).toBe(413);
	});
});

test("the form of lines has a thousand fields and half a megabyte", async () => {
	const fields = (count: number) => ["lignes=1", ...Array.from({ length: count - 1 }, (_, at) => `x-${at}=`)].join("&");
	expect((await send("/commande/plusieurs", form, fields(1000))).status).not.toBe(413);
	expect((await send("/commande/plusieurs", form, fields(1001))).status).toBe(413);
	const bytes = (count: number) => `lignes=1&message=${"a".repeat(count - 17)}`;
	expect((await send("/commande/plusieurs", form, bytes(512 * 1024))).status).not.toBe(413);
	expect((await send("/commande/plusieurs", form, bytes(512 * 1024 + 1))).status).toBe(413);
});

test("a list whose file is too large keeps what was typed", async () => {
	const file = (bytes: number) =>
		`${part("entreprises", "552032534 ; dossier 7")}${part("fichier", "x".repeat(bytes), '; filename="liste.csv"')}--${boundary}--\r\n`;
	const kept = await send("/commande/plusieurs", multipart, file(1.4 * 1024 * 1024));
	expect(kept.status).toBe(413);
	const page = await kept.text();
	expect(page).toContain("Ce fichier est trop volumineux");
	expect(page).toContain("552032534 ; dossier 7");
	// too many fields are no list
	expect(await (await send("/commande/plusieurs", multipart, parts(1001))).text()).toContain(sentences.fields);
});

describe("the API", () => {
	test.each(["/api/suivi", "/api/create-payment", "/API/suivi"])("%s refuses in JSON what has more than 64 kB", async (path) => {
		const body = (bytes: number) => JSON.stringify({ email: "a".repeat(bytes - 12) });
		const json = { "content-type": "application/json" };
		expect(body(64 * 1024)).toHaveLength(64 * 1024);
		expect((await send(path, json, body(64 * 1024))).status).toBe(400);
		const refused = await send(path, json, body(64 * 1024 + 1));
		expect([refused.status, await refused.json()]).toEqual([413, { error: sentences.bytes }]);
	});

	test("an event of the payment provider has up to 256 kB", async () => {
		const body = (bytes: number) => "a".repeat(bytes);
		expect((await send("/api/stripe/webhook", {}, body(256 * 1024))).status).toBe(400);
		expect((await send("/api/stripe/webhook", {}, body(256 * 1024 + 1))).status).toBe(413);
	});
});

describe("pages of refusals", () => {
	test("a form that is too large gets a page that leads back to it", async () => {
		const answer = await send("/contact?sujet=x", form, "a&".repeat(200));
		const page = await answer.text();
		expect(page).toContain("<h1");
		expect(page).toContain("Votre envoi n’a pas été lu");
		expect(page).toContain(sentences.fields);
		expect(page).toContain("la page précédente de votre navigateur garde ce que vous avez saisi");
		expect(page).toMatch(/<a href="\/contact"[^>]*>Revenir à la page<\/a>/);
		expect(page).toContain("<footer");
	});

	test("in the browser, the framework gets the sentence as text", async () => {
		const answer = await send("/commande.data", form, "a&".repeat(200));
		expect([answer.status, answer.headers.get("content-type"), await answer.text()]).toEqual([
			413,
			"text/plain; charset=utf-8",
			sentences.fields,
		]);
	});

	test("a form of another site gets a page that leads back to ours", async () => {
		const page = await (await send("/contact", { ...form, origin: "https://elsewhere.example" }, "nom=Ada")).text();
		expect(page).toContain("Demande refusée");
		expect(page).toMatch(/<a href="\/contact"[^>]*>Revenir à la page<\/a>/);
	});

	test("too many files of an operator are refused by the pages of the desk", async () => {
		const { number } = await shop.placeOrder();
		for (const path of ["/bureau/fichiers", `/bureau/commandes/${number}`, `/bureau/commandes/${number}/extrait`]) {
			const upload = (count: number) => operator.ask(path, { method: "POST", headers: multipart, body: parts(count) });
			const answer = await upload(101);
			expect([path, answer.status]).toEqual([path, 413]);
			const page = await answer.text();
			expect(page).toContain(sentences.fields);
			expect(page).toMatch(/<a href="\/bureau"[^>]*>Revenir au bureau<\/a>/);
			expect([path, (await upload(100)).status]).not.toEqual([path, 413]);
		}
	});
});

describe("a body that arrives slowly", () => {
	/** A server whose only route reads its body itself or not, within these limits. */
	async function listen(limits: BodyLimits) {
		const app = new Hono();
		app.use(
			boundBodies(
				() => "/",
				async (c, refused) => {
					const { status, sentence } = describeBodyRefusal(refused);
					return c.text(sentence, status, { connection: "close" });
				},
				() => limits,
			),
		);
		app.post("/", async (c) => {
			const fields = await readForm(c.req.raw).catch((refusal: { data: string; init: { status: 408 } }) => refusal);
			if (!(fields instanceof FormData)) return c.text(fields.data, fields.init.status, { connection: "close" });
			return c.json([...fields]);
		});
		const server = await startHttpServer({ host: "127.0.0.1", port: 0 }, (request, env) => app.fetch(request, env as object));
		const { port } = server.address() as AddressInfo;
		return { port, url: `http://127.0.0.1:${port}/`, close: () => new Promise((done) => server.close(done)) };
	}

	test.each([{}, { isReadByRoute: true }] as const)("is ended with 408 when its time is over: %o", async (reader) => {
		const server = await listen({ bytes: 1000, fields: 10, seconds: 0.2, ...reader });
		const socket = connect(server.port, "127.0.0.1");
		await once(socket, "connect");
		socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Type: ${form["content-type"]}\r\nContent-Length: 100\r\n\r\na=1`);
		// nothing more is sent: the server answers and closes the connection
		const answer = await text(socket);
		expect(answer).toMatch(/^HTTP\/1\.1 408 /);
		expect(answer).toContain("Votre envoi a mis trop de temps à nous parvenir.");
		await server.close();
	});

	test.each([{}, { isReadByRoute: true }] as const)("is read when it arrives in time: %o", async (reader) => {
		const server = await listen({ bytes: 1000, fields: 10, seconds: 60, ...reader });
		const answer = await fetch(server.url, { method: "POST", headers: form, body: "a=1&b=2" });
		expect(await answer.json()).toEqual([
			["a", "1"],
			["b", "2"],
		]);
		await server.close();
	});
});

test("no code of the server reads a body but the one reader", () => {
	const reading = /\b(?:request|raw|req)(?:\.clone\(\))?\.(?:formData|json|text|arrayBuffer|bytes|blob)\b/;
	const readers = globSync("app/**/*.{ts,tsx}")
		.filter((file) => !file.endsWith(".test.ts") && reading.test(readFileSync(file, "utf8")))
		.sort();
	expect(readers).toEqual([
		"app/desk/shell/keep-page.ts", // in the browser
		"app/web/http.ts",
	]);
});
