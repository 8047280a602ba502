import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "@playwright/test";
import { startPostgres } from "../server/database/embedded-postgres.ts";
import { freePort } from "../test/free-port.ts";
import { scaledTimeout } from "../test/time-limits.ts";
import { cards, newCustomer } from "./customer.ts";

import { blockExtracts, openDatabase } from "./shared-shop.ts";
import { test } from "./test.ts";

// the tests share one data folder, and each continues where the previous one ended
test.describe.configure({ mode: "serial" });

let folder = "";
let port = 0;
const started: ChildProcess[] = [];

test.beforeAll(async () => {
	folder = mkdtempSync(join(tmpdir(), "extrait-pro-starting-"));
	port = await freePort();
});

test.afterAll(async () => {
	for (const process of started) process.kill("SIGKILL");
	const { folder: database, stop } = await startPostgres(folder);
	await stop();
	for (const left of [folder, database]) rmSync(left, { recursive: true, force: true });
});

/** Starts the shop and collects its output. */
function start(variables: Record<string, string> = {}) {
	const child = spawn(process.execPath, ["main.ts"], {
		env: { ...process.env, DATA_DIR: folder, PORT: String(port), LOG_LEVEL: "error", READ_LIMITS: "off", ...variables },
	});
	started.push(child);
	const shop = { child, output: "", ended: new Promise<number | null>((end) => child.once("exit", (code) => end(code))) };
	for (const stream of [child.stdout, child.stderr])
		stream.on("data", (text) => {
			shop.output += text;
		});
	return shop;
}

async function startAndWait() {
	const shop = start();
	await expect.poll(() => shop.output, { timeout: scaledTimeout(60_000) }).toContain(`The shop is open: http://localhost:${port}`);
	return shop;
}

/** Orders an extract and pays, without a browser. @returns the URL of the confirmation. */
async function orderAndPay(email: string): Promise<string> {
	const answer = await fetch(`http://127.0.0.1:${port}/api/create-payment`, {
		method: "POST",
		headers: { "content-type": "application/json" },
		body: JSON.stringify({
			orderData: { siren: "552032534", companyName: "DANONE", serviceType: "express", amount: 5900, deliveryMethod: "email" },
			customerData: { ...newCustomer(), email },
		}),
	});
	const { url } = (await answer.json()) as { url: string };
	const paid = await fetch(url, { method: "POST", body: new URLSearchParams({ intent: "pay", card: cards.accepted }), redirect: "manual" });
	expect(paid.status).toBe(303);
	return paid.headers.get("location") ?? "";
}

/** Reads the only order of a customer from the database. */
async function readOrder(email: string) {
	const client = await openDatabase(await startPostgres(folder));
	const { rows: orders } = await client.query("select id, status from orders where customer_email = $1", [email]);
	expect(orders).toHaveLength(1);
	const count = async (table: string) =>
		Number((await client.query(`select count(*) from ${table} where order_id = $1`, [orders[0].id])).rows[0].count);
	const state = { status: orders[0].status as string, documents: await count("documents"), mails: await count("mails") };
	await client.end();
	return state;
}

async function countBlockedStatements(): Promise<number | null> {
	const client = await openDatabase(await startPostgres(folder));
	const { rowCount } = await client.query("select from pg_stat_activity where wait_event_type = 'Lock'");
	await client.end();
	return rowCount;
}

test("a second start on the same data folder ends with an explanation", async () => {
	await startAndWait();
	const second = start({ PORT: String(await freePort()) });
	expect(await second.ended).toBe(1);
	expect(second.output).toContain(`The shop already runs on the data folder ${folder}. Stop it first, or set DATA_DIR to another folder.`);
	await expect.poll(async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);
});

test("delivers a paid order once after it was killed during the delivery", async () => {
	const email = newCustomer().email;
	const [shop] = started;
	const deliver = await blockExtracts(await startPostgres(folder));
	await orderAndPay(email);
	// the extract, and often the invoice at the same moment
	await expect.poll(countBlockedStatements, { timeout: scaledTimeout(20_000) }).toBeGreaterThan(0);
	shop?.kill("SIGKILL");
	await deliver();

	await startAndWait();
	await expect.poll(() => readOrder(email), { timeout: scaledTimeout(45_000) }).toEqual({ status: "completed", documents: 2, mails: 2 });
});

test("delivers a paid order after it was killed right after the payment", async () => {
	const email = newCustomer().email;
	const shop = started.at(-1);
	await orderAndPay(email);
	shop?.kill("SIGKILL");
	await startAndWait();
	await expect.poll(() => readOrder(email), { timeout: scaledTimeout(45_000) }).toEqual({ status: "completed", documents: 2, mails: 2 });
});

test("stops on SIGTERM, also with an open live page, and starts again", async () => {
	const shop = started.at(-1);
	const confirmation = await orderAndPay(newCustomer().email);
	const listening = await fetch(`${confirmation}/direct`);
	expect(listening.headers.get("content-type")).toBe("text/event-stream");
	const ended = new Promise((end) => shop?.once("exit", (code) => end(code)));
	shop?.kill("SIGTERM");
	expect(await ended).toBe(0);
	expect(await listening.text()).toContain("event: change"); // the client is told to reconnect

	const next = await startAndWait();
	next.child.kill("SIGTERM");
	expect(await next.ended).toBe(0);
});

test("names a port that another program uses", async () => {
	const other = createServer().listen(port, "127.0.0.1");
	const shop = start();
	expect(await shop.ended).toBe(1);
	expect(shop.output).toContain(`Port ${port} on 127.0.0.1 is taken by another program. Stop it, or set PORT to a free one.`);
	await new Promise((closed) => other.close(closed));
});

test("names each wrong setting, and creates nothing", async () => {
	const untouched = join(folder, "untouched");
	const shop = start({ DATA_DIR: untouched, PORT: "http", OPENING_HOURS: "toujours" });
	expect(await shop.ended).toBe(2);
	expect(shop.output).toContain("PORT");
	expect(shop.output).toContain("OPENING_HOURS");
	expect(existsSync(untouched)).toBe(false);
});
