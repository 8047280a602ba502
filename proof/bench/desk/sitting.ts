import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Page, chromium as playwright } from "@playwright/test";
import type pg from "pg";
import { hasValidKey, type Siren } from "../../../app/companies/siren.ts";
import { chromium } from "../../../e2e/chromium.ts";
import { extractLines, generatePdf } from "../../../test/fixtures/pdf.ts";
import { withClient } from "../../../test/postgres.ts";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { scaledTimeout } from "../../../test/time-limits.ts";
import type { Figure } from "../bench.ts";
import { formatSpread, measureMs } from "../percentiles.ts";
import type { DeskShop } from "./desk-shop.ts";

/** A key, a click or a dropped file. */
const actsPerOrder = ["n", "the file", "d"].length;

/** Gives the open orders SIRENs with a valid key: an extract names its company by it. @returns the SIREN of each order. */
export async function giveValidSirens(connection: pg.ClientConfig): Promise<Map<string, string>> {
	const sirens = new Map<string, string>();
	await withClient(connection, async (client) => {
		const { rows } = await client.query("select id, order_number, siren from orders where status = 'processing'");
		for (const { id, order_number, siren } of rows) {
			const valid = Array.from({ length: 10 }, (_, key) => `${siren.slice(0, 8)}${key}`).find((number) => hasValidKey(number as Siren));
			await client.query("update orders set siren = $1, product_code = 'express' where id = $2", [valid, id]);
			sirens.set(order_number, valid ?? "");
		}
	});
	return sirens;
}

const newExtract = (siren: string, order: string) =>
	Buffer.from(
		generatePdf({
			lines: [
				...extractLines({
					siren,
					dated: `à jour au ${new Intl.DateTimeFormat("fr-FR", { dateStyle: "long", timeZone: "Europe/Paris" }).format(new Date())}`,
				}),
				`Exemplaire ${order}`,
			],
		}),
	);

/**
 * Serves orders in one sitting in a real browser: claims the next one by a key, drops its extract, delivers it by a key, without loading a
 * page anew; the registry's time is zero. Then a few in the terminal.
 */
export async function measureSitting(
	undo: AsyncDisposableStack,
	shop: DeskShop,
	connection: pg.ClientConfig,
	{ cookie, orders, inTerminal, sirens }: { cookie: string; orders: number; inTerminal: number; sirens: ReadonlyMap<string, string> },
): Promise<{ figures: Figure[]; broken: string[] }> {
	const { executablePath, args, env } = await chromium(process.env.CHROMIUM);
	const handles = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false };
	const browser = await playwright.launch({ executablePath, args, env: { ...process.env, ...env }, ...handles });
	undo.defer(() => browser.close());
	const context = await browser.newContext({ viewport: { width: 1366, height: 900 } });
	await context.addCookies(
		cookie.split("; ").map((pair) => {
			const [name = "", ...value] = pair.split("=");
			return { name, value: value.join("="), url: shop.url };
		}),
	);
	const page = await context.newPage();
	page.setDefaultTimeout(scaledTimeout(20_000));
	// the page opens its live stream once its keys work
	const live = page.waitForRequest(/\/bureau\/direct/);
	await page.goto(`${shop.url}/bureau/commandes`);
	await live;
	await page.evaluate(() => Object.assign(window, { sameSitting: true }));
	const served: number[] = [];
	for (let count = 0; count < orders; count++) served.push(await measureMs(() => serveNext(page, sirens)));
	const isSame = await page.evaluate(() => "sameSitting" in window);
	const delivered = await untilDelivered(connection, orders);

	const folder = temporaryFolder(undo);
	const left = await withClient(connection, async (client) => {
		const waiting = await client.query(
			`select order_number, siren from orders where status = 'processing' and product_code = 'express'
			and not exists (select from documents where order_id = orders.id and doc_type = 'kbis') order by promised_at limit $1`,
			[inTerminal],
		);
		return waiting.rows as { order_number: string; siren: string }[];
	});
	const typed: number[] = [];
	const terminal: number[] = [];
	for (const { order_number: number, siren } of left) {
		const file = join(folder, "extrait.pdf");
		writeFileSync(file, newExtract(siren, number));
		const commands = [["list"], ["upload", number, file]];
		// « npm run orders -- … » and Enter
		typed.push(
			commands.reduce((sum, command) => sum + `npm run orders -- ${command.join(" ").replace(folder, "~/Documents")}\n`.length, 0),
		);
		terminal.push(
			await measureMs(() => {
				for (const command of commands)
					execFileSync(process.execPath, ["main.ts", "orders", ...command], { env: { ...process.env, ...shop.environment } });
			}),
		);
	}
	const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
	return {
		figures: [
			{
				label: `Seconds per order, ${orders} in one sitting`,
				unit: "s",
				value: mean(served) / 1000,
				goal: 15,
				details: [`from « Prendre la suivante » to the delivery asked for: ${formatSpread(served, "ms")}`],
				baseline: { value: mean(terminal) / 1000, label: "list and upload in the terminal, without the time to type", maxRatio: 100 },
			},
			{
				label: "Keys, clicks and dropped files per order",
				unit: "",
				value: actsPerOrder,
				goal: 5,
				baseline: { value: mean(typed), label: "characters typed in the terminal", maxRatio: 1 },
			},
		],
		broken: [
			...(isSame ? [] : ["the page was loaded anew during the sitting"]),
			...(delivered === orders ? [] : [`${delivered} of ${orders} orders were delivered`]),
		],
	};
}

/** One order: claim, drop, deliver. */
async function serveNext(page: Page, sirens: ReadonlyMap<string, string>): Promise<void> {
	const before = page.url();
	await page.keyboard.press("n");
	await page.waitForURL((url) => /\/bureau\/commandes\/KB-/.test(url.href) && url.href !== before, { waitUntil: "commit" });
	const number = /KB-\w{4}-\w{4}/.exec(page.url())?.[0] ?? "";
	await page.getByRole("heading", { level: 1, name: number }).waitFor();
	const buffer = newExtract(sirens.get(number) ?? "", number);
	await page
		.locator('input[type="file"]')
		.first()
		.setInputFiles({ name: `${number}.pdf`, mimeType: "application/pdf", buffer });
	await page.locator("form#livrer").waitFor();
	await page.keyboard.press("d");
	// the delivery is asked for: it can be undone, and the next order taken
	await page.locator("form#livrer").waitFor({ state: "detached" });
}

/** Waits for the deliveries that could be undone. @returns how many extracts were delivered. */
async function untilDelivered(connection: pg.ClientConfig, orders: number): Promise<number> {
	const started = performance.now();
	return withClient(connection, async (client) => {
		for (;;) {
			const { rows } = await client.query(`
				select count(*)::integer as count from documents join orders on orders.id = order_id
				where doc_type = 'kbis' and orders.product_code = 'express' and documents.created_at > orders.created_at`);
			if (rows[0].count >= orders || performance.now() - started > scaledTimeout(120_000)) return rows[0].count;
			await new Promise((resolve) => setTimeout(resolve, 500));
		}
	});
}
