import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import { getBounds, getMonth } from "../../app/books/month.ts";
import { roles } from "../../app/desk/operators/roles.ts";
import { knownCompanies } from "../../test/known-companies.ts";
import { scaledTimeout } from "../../test/time-limits.ts";
import { openDatabase } from "../shared-shop.ts";
import { test } from "../test.ts";
import { type Operator, openDesk, placeOrders, type Served, serveOrders } from "./morning.ts";
import { closeMonths, sumInvoices } from "./morning-accounts.ts";
import * as chores from "./morning-chores.ts";
import { breakPromises, type MorningShop, startMorningShop } from "./morning-shop.ts";

// A morning at the desk: late orders, letters, refusals, refunds, a pause, a message, a lost network; then the month is closed.
//
// DESK_ORDERS=120     how many orders; the default of 12 has one of everything
// DESK_PICTURES=path  a folder for pictures of the main states and for the figures of the morning

const orders = Number(process.env.DESK_ORDERS ?? 12);
const pictures = process.env.DESK_PICTURES;
const late = Math.max(1, Math.floor(orders / 12));
/** Orders that each operator serves before anything else happens. */
const undisturbed = Math.floor(orders / 12);
/** Above it, a second person approves a refund: every whole one, and no half. */
const approvalCents = 3000;

test.use({ actionTimeout: scaledTimeout(10_000) });

test("two operators serve a morning side by side, one at a desk and one on a phone, and its month is closed", async ({ browser }) => {
	test.setTimeout(scaledTimeout(300_000 + orders * 10_000));
	const shop = await startMorningShop({ approvalCents });
	const database = await openDatabase(shop);
	const databaseOfPhone = await openDatabase(shop);
	const count = async (sql: string) => Number((await database.query(`select count(*) from ${sql}`)).rows[0].count);
	try {
		const companies = await knownCompanies(shop.connection);
		await placeOrders(shop.url, companies.slice(0, 40), late, { services: ["express"] });
		await expect.poll(() => count("orders where status = 'processing'"), { timeout: scaledTimeout(30_000) }).toBe(late);
		await breakPromises(database);
		await placeOrders(shop.url, companies.slice(0, 40), orders - late, { first: late });
		await expect.poll(() => count("orders where status = 'processing'"), { timeout: scaledTimeout(60_000) }).toBe(orders);
		await expect.poll(() => count("orders where late_at is not null"), { timeout: scaledTimeout(30_000) }).toBe(late);
		const visitor = await (await browser.newContext({ baseURL: shop.url, locale: "fr-FR", timezoneId: "Europe/Paris" })).newPage();
		await chores.writeMessage(visitor, "client0@example.fr");

		const wide = await openDesk(browser, shop.url, { viewport: { width: 1440, height: 900 }, colorScheme: "light" });
		const small = { viewport: { width: 360, height: 740 }, colorScheme: "dark", hasTouch: true } as const;
		const narrow = await shop.invite(browser, "Noé Martin", roles, small);
		const work = watchWork(shop, [wide, narrow]);
		const desk: Operator = { page: wide, database, hasKeys: true };
		const phone: Operator = { page: narrow, database: databaseOfPhone, hasKeys: false };
		await takePicture("desk", wide, "queue");
		await takePicture("phone", narrow, "queue");
		const ofDesk: Picture = (name, page = wide) => takePicture("desk", page, name);
		const stopped = await chores.setAside(desk);
		// each chore finds an order, however slow the other operator is
		const [interrupted, answered] = await Promise.all([
			workAtDesk(desk, { visitor, stopped, otherSiren: companies[60]?.siren ?? "" }, ofDesk),
			workOnPhone(phone, (name) => takePicture("phone", narrow, name)),
		]);
		const [rest, restOfPhone] = await Promise.all([finishAtDesk(desk, interrupted, ofDesk), serveOrders(phone)]);
		expect(Math.min(rest.length + restOfPhone.length, answered.length)).toBeGreaterThan(0);
		const figures = await work.end([...interrupted.served, ...rest, ...answered, ...restOfPhone]);

		// everything that was asked for is done
		await expect.poll(() => count("orders where status in ('paid', 'processing')"), { timeout: scaledTimeout(120_000) }).toBe(0);
		await expect.poll(() => count("desk_acts where ended_at is null"), { timeout: scaledTimeout(60_000) }).toBe(0);
		// nothing is left for the last « Prendre la suivante »
		expect(await count("desk_acts where ok is not true and act <> 'claim-next'")).toBe(0);
		await expect.poll(() => count("refunds where status <> 'succeeded'"), { timeout: scaledTimeout(60_000) }).toBe(0);
		expect(await count("orders where status = 'failed'")).toBe(2);
		expect(await count("orders where status = 'completed'")).toBe(orders - 2);
		// nothing was served twice
		const made = "(select count(*) from";
		const isMailed = "status = 'completed' and product_code <> 'postal'";
		expect(
			await count(`orders where status = 'completed' and ${made} documents where order_id = orders.id and doc_type = 'kbis') <> 1
				or status = 'failed' and ${made} documents where order_id = orders.id and doc_type = 'kbis') <> 0
				or (${isMailed})::integer <> ${made} mails where order_id = orders.id and kind = 'document-ready')
				or ${made} mails where order_id = orders.id and kind = 'confirmation') <> 1
				or ${made} invoices where order_id = orders.id and kind = 'invoice' and replaces is null) <> 1`),
		).toBe(0);
		// late ones, the one that was not found, the stopped one, and half of another
		const refunded = late + 3;
		await expect
			.poll(() => count("invoices where kind = 'credit_note' and refund_id is not null and document_id is not null"), {
				timeout: scaledTimeout(60_000),
			})
			.toBe(refunded);
		await expect.poll(() => count("invoices where document_id is null"), { timeout: scaledTimeout(60_000) }).toBe(0);
		for (const page of [wide, narrow]) await page.goto("/bureau/commandes");
		await takePicture("desk", wide, "queue-done");
		await takePicture("phone", narrow, "queue-done");
		for (const screen of ["chiffres", "journal", "argent", "equipe"]) {
			await wide.goto(`/bureau/${screen}`);
			await takePicture("desk", wide, screen);
		}

		// on the fifth of the next month
		const monthEnd = getBounds(getMonth(new Date())).until.getTime();
		await shop.moveClock(monthEnd + 4.5 * 86_400_000 - Date.now());
		const books = await openDesk(browser, shop.url, { viewport: { width: 1440, height: 900 } });
		const sums = await closeMonths(books, database, (name) => takePicture("desk", books, name));
		const invoices = await sumInvoices(database);
		expect(sums).toEqual({ journal: invoices, fec: invoices, vat: invoices, zip: invoices });
		report({ ...figures, ...invoices });
	} finally {
		await databaseOfPhone.end();
		await database.end();
		await shop.stop();
	}
});

type Picture = (name: string, page?: Page) => Promise<void>;

interface Interruptions {
	visitor: Page;
	/** The order that is set aside, to be refunded. */
	stopped: string;
	otherSiren: string;
}

async function workAtDesk(desk: Operator, { visitor, stopped, otherSiren }: Interruptions, picture: Picture) {
	const letters = await chores.obtainLetters(desk, picture);
	const served = [...letters, ...(await serveOrders(desk, undisturbed))];
	await chores.askToRefundAll(desk, stopped, picture);
	await chores.openMenu(desk, "Commandes");
	const changed = await chores.changeCompany(desk, otherSiren, picture);
	await chores.reportNotFound(desk, picture);
	await chores.pauseExpress(desk, visitor, picture);
	await chores.openMenu(desk, "Commandes");
	return { served, letters, changed };
}

async function finishAtDesk(
	desk: Operator,
	{ letters, changed }: Awaited<ReturnType<typeof workAtDesk>>,
	picture: Picture,
): Promise<Served[]> {
	const served = await serveOrders(desk);
	await chores.postLetters(desk, letters.length, picture);
	await chores.serveChanged(desk, changed);
	await picture("delivery-asked");
	await chores.refundHalf(desk, letters[0]?.number ?? "", picture);
	return served;
}

async function workOnPhone(phone: Operator, picture: Picture): Promise<Served[]> {
	const served = await serveOrders(phone, undisturbed);
	await picture("delivery-asked");
	await chores.dropWrongExtract(phone, picture);
	await chores.serveThroughLostNetwork(phone, picture);
	await chores.answerMessage(phone, picture);
	await chores.approveRefund(phone, picture);
	await chores.openMenu(phone, "Commandes");
	return served;
}

let taken = 0;

async function takePicture(who: string, page: Page, name: string): Promise<void> {
	if (!pictures) return;
	mkdirSync(pictures, { recursive: true });
	await page.screenshot({ path: join(pictures, `${String(++taken).padStart(2, "0")}-${who}-${name}.png`), fullPage: true });
}

/** Counts what the morning costs the shop until `end`. */
function watchWork(shop: MorningShop, pages: readonly Page[]) {
	const requests: Record<string, number> = {};
	for (const page of pages)
		page.on("request", (request) => {
			const kind = new URL(request.url()).pathname.replace(/KB-\w{4}-\w{4}/, "…").replace(/[0-9a-f-]{36}/, "…");
			const name = `${request.method()} ${kind.startsWith("/desk-assets") || kind.startsWith("/assets") ? "/assets" : kind}`;
			requests[name] = (requests[name] ?? 0) + 1;
		});
	const begunAt = performance.now();
	const before = shop.readUsage();
	return {
		async end(served: readonly Served[]) {
			const [start, after] = [await before, await shop.readUsage()];
			const seconds = (performance.now() - begunAt) / 1000;
			const times = served.map(({ ms }) => ms / 1000).sort((a, b) => a - b);
			const at = (share: number) => Number((times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0).toFixed(2));
			return {
				...{ seconds: Math.round(seconds), served: served.length, medianSeconds: at(0.5), p95Seconds: at(0.95), worstSeconds: at(1) },
				actsPerOrder: Math.max(...served.map(({ acts }) => acts)),
				cpuPercent: Math.round((after.cpu - start.cpu) / seconds / 10),
				memoryMegabytes: Math.round(after.resident / 2 ** 20),
				peakMegabytes: Math.round(after.peak / 2 ** 20),
				requests,
			};
		},
	};
}

function report(figures: object): void {
	if (pictures) writeFileSync(join(pictures, "figures.json"), `${JSON.stringify({ orders, ...figures }, null, "\t")}\n`);
}
