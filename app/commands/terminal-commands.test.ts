import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { startPostgres } from "../../server/database/embedded-postgres.ts";
import { extractLines, generatePdf } from "../../test/fixtures/pdf.ts";
import { untilReadyzAnswers } from "../../test/readiness.ts";
import { paymentRequest } from "../../test/shop.ts";
import { scaledTimeout } from "../../test/time-limits.ts";
import { formatDay } from "../catalogue/instants.ts";

/** The shop as its owner starts it, and the operator's command beside it, in separate processes. */

const folder = mkdtempSync(join(tmpdir(), "extrait-pro-command-"));
let url = "";
let shop: ChildProcess;
let environment: Record<string, string> = {};

beforeAll(async () => {
	const port = await freePort();
	url = `http://127.0.0.1:${port}`;
	environment = { DATA_DIR: folder, PORT: String(port), BASE_URL: url, ISSUER: "manual", LOG_LEVEL: "error" };
	environment.NODE_COMPILE_CACHE = resolve("build/compile-cache"); // the same cache as in run.mjs: this file starts many commands
	shop = spawn(process.execPath, ["main.ts"], { env: environment });
	let said = "";
	for (const stream of [shop.stdout, shop.stderr])
		stream?.on("data", (text) => {
			said += text;
		});
	await vi.waitFor(() => expect(said).toContain("The shop is open"), { timeout: scaledTimeout(180_000), interval: 100 });
}, scaledTimeout(200_000));

afterAll(async () => {
	const ended = new Promise((end) => shop?.once("exit", end));
	shop?.kill("SIGTERM");
	await ended;
	const { folder: data, stop } = await startPostgres(folder); // its files may be elsewhere
	await stop();
	for (const left of [data, folder]) rmSync(left, { recursive: true, force: true });
});

function freePort(): Promise<number> {
	return new Promise((found) => {
		const socket = createServer().listen(0, "127.0.0.1", () => {
			const { port } = socket.address() as AddressInfo;
			socket.close(() => found(port));
		});
	});
}

/** Runs `main.ts orders …` to its end. */
const orders = (args: string[], input = "") => run(["orders", ...args], input);

function run(args: string[], input = "", more: Record<string, string> = {}): Promise<{ code: number | null; out: string; err: string }> {
	const child = spawn(process.execPath, ["main.ts", ...args], { env: { ...environment, ...more } });
	const said = { out: "", err: "" };
	child.stdout.on("data", (text) => {
		said.out += text;
	});
	child.stderr.on("data", (text) => {
		said.err += text;
	});
	child.stdin.on("error", () => {}); // it may end before it has read all
	child.stdin.end(input);
	return new Promise((end) => child.once("close", (code) => end({ code, ...said })));
}

const json = { "content-type": "application/json" };
const post = (path: string, body: BodyInit, headers: Record<string, string>) =>
	fetch(new URL(path, url), { method: "POST", body, headers, redirect: "manual" });

test(
	"the operator's command works while the shop runs, prints French, and exits with 0 or 1",
	async () => {
		expect(await orders(["list"])).toEqual({ code: 0, out: "Aucune commande.\n", err: "" });

		const answer = await post("/api/create-payment", JSON.stringify(paymentRequest()), json);
		const { url: payUrl } = (await answer.json()) as { url: string };
		expect((await post(payUrl, new URLSearchParams({ intent: "pay", card: "4242 4242 4242 4242" }), { origin: url })).status).toBe(303);
		const listed = await vi.waitFor(
			async () => {
				const told = await orders(["list"]);
				expect(told.out).toContain("DANONE");
				return told;
			},
			{ timeout: scaledTimeout(60_000), interval: 250 },
		);
		expect(listed).toMatchObject({ code: 0, err: "" });
		const number = /KB-[0-9A-Z]{4}-[0-9A-Z]{4}/.exec(listed.out)?.[0] ?? "";

		expect(await orders(["post", "KB-2222-2222", "1A23456789012"])).toEqual({
			code: 1,
			out: "",
			err: "La commande KB-2222-2222 n’existe pas.\n",
		});
		expect(await orders([])).toMatchObject({ code: 1, err: expect.stringContaining("Usage : npm run orders") });
		expect(await orders(["receive", "-"], "From: Ada <ada@example.fr>\nSubject: Bonjour\n\nBonjour")).toEqual({
			code: 0,
			out: "Le message est dans la liste du bureau.\n",
			err: "",
		});

		// a job that the command sends is done by the shop
		const file = join(folder, "extrait.pdf");
		writeFileSync(file, generatePdf({ lines: extractLines({ dated: `à jour au ${formatDay(new Date())}` }) }));
		expect(await orders(["upload", number, file])).toMatchObject({ code: 0, err: "" });
		const track = JSON.stringify({ email: paymentRequest().customerData.email, orderId: number });
		await vi.waitFor(
			async () => expect(await (await post("/api/suivi", track, json)).json()).toMatchObject({ order: { status: "completed" } }),
			{ timeout: scaledTimeout(60_000), interval: 250 },
		);
		await untilReadyzAnswers((path) => fetch(new URL(path, url)), 200);

		// a company is hidden in the running shop, and who did it is known
		const companyPage = async () => (await fetch(new URL("/entreprise/552032534", url))).text();
		expect(await companyPage()).toContain("DANONE");
		const hidden = await run(["companies:hide", "552032534", "--reason", "essai", "--as", "Camille"], "", { LOG_LEVEL: "info" });
		expect(hidden).toMatchObject({ code: 0, out: expect.stringContaining("552032534 is hidden everywhere") });
		expect(
			hidden.err
				.trim()
				.split("\n")
				.map((line) => JSON.parse(line)),
		).toMatchObject([
			{ command: "companies:hide", who: "Camille", outcome: "begun" },
			{ command: "companies:hide", who: "Camille", subject: "552032534", outcome: "done" },
		]);
		expect(await companyPage()).not.toContain("DANONE");
	},
	scaledTimeout(180_000),
);
