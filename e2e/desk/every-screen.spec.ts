import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import { scaledTimeout } from "../../test/time-limits.ts";
import { colourRules, findViolations } from "../accessibility.ts";
import { waitForHydration } from "../customer.ts";
import { startSeparateShop } from "../separate-shop.ts";
import { openDatabase } from "../shared-shop.ts";
import { insertPurchase, listPurchaseStates } from "../states/desk-purchase-states.ts";
import { type DeskState, emptyDesk, listDeskStates, listDoorStates, openDeskState } from "../states/desk-states.ts";
import { insertWaitingWork, listWaitingStates } from "../states/waiting-work.ts";
import { test } from "../test.ts";
import { openDesk, placeOrders } from "./morning.ts";
import { createInvitation } from "./morning-shop.ts";

// Every screen of the desk, empty and at work, with open forms and errors: axe, no sideways scroll, no error in the console.

let shop: Awaited<ReturnType<typeof startSeparateShop>>;
test.describe.configure({ mode: "serial" });
test.beforeAll(async () => {
	shop = await startSeparateShop({ OPENING_HOURS: "Mo-Su 00:00-24:00" });
});
test.afterAll(() => shop?.stop());

/** SCREENSHOTS names a folder for a picture of each state. */
const folder = process.env.SCREENSHOTS;

/** Whether the title and the forms of the bar begin below the name of the desk. The doors have no menu. */
const isAligned = (page: Page): Promise<boolean> =>
	page.evaluate(() => {
		const inDesk = document.querySelector("nav[aria-label=Bureau]") !== null;
		const elements = [...document.querySelectorAll("h1, aside form")];
		const starts = [document.querySelector("header a"), ...elements].map((each) => Math.round(each?.getBoundingClientRect().left ?? 0));
		return !inDesk || new Set(starts).size === 1;
	});

async function checkState(page: Page, state: DeskState, problems: string[]): Promise<void> {
	const { name, status = 200 } = state;
	const note = (text: string) => problems.push(`${name}: ${text}`);
	await page.unrouteAll({ behavior: "ignoreErrors" });
	const answered = await openDeskState(page, state).catch((error: Error) => {
		note(error.message);
		return status;
	});
	if (answered !== status) note(`status ${answered}`);
	if ((await page.locator("h1").count()) !== 1) note("not one h1");
	for (const [colorScheme, width, rules] of [
		["light", 1440, undefined],
		["dark", 360, colourRules],
	] as const) {
		await page.setViewportSize({ width, height: 800 });
		await page.emulateMedia({ colorScheme });
		const wide = await page.evaluate(() => document.documentElement.scrollWidth);
		if (wide > width) note(`${wide} px wide at ${width} px`);
		if (status === 200 && !(await isAligned(page))) note(`not below the menu at ${width} px`);
		const file = `${name.replace(/[^\p{L}\d]+/gu, "-")}-${width}-${colorScheme}.png`;
		if (folder) await page.screenshot({ path: join(folder, file), fullPage: true });
		for (const violation of await findViolations(page, rules)) note(`${width} px, ${colorScheme}: ${violation}`);
	}
	await page.setViewportSize({ width: 1440, height: 900 });
}

/** Checks all states in one signed-in page, so that each costs a second. */
async function checkStates(page: Page, states: readonly DeskState[]): Promise<void> {
	const problems: string[] = [];
	const logged: string[] = [];
	page.on("pageerror", (error) => logged.push(error.message));
	page.on("console", (message) => message.type() === "error" && logged.push(message.text()));
	for (const state of states) await checkState(page, state, problems);
	expect(problems).toEqual([]);
	// the browser logs every answer with an error status
	expect(logged.filter((text) => !/^Failed to load resource: .* status of 4\d\d/.test(text))).toEqual([]);
}

test("every screen without orders or messages", async ({ browser }) => {
	test.slow();
	await checkStates(await openDesk(browser, shop.url), emptyDesk);
});

test("every screen at work, with open forms and errors", async ({ browser }) => {
	test.setTimeout(scaledTimeout(600_000));
	const database = await openDatabase(shop);
	const { rows: companies } = await database.query(
		"select siren, name from companies where status = 'active' and legal_category like '5%' and not masked limit 8",
	);
	const page = await openDesk(browser, shop.url);
	await placeOrders(shop.url, companies.slice(0, 2), 2);
	await expect
		.poll(async () => (await database.query("select from orders where status = 'completed'")).rowCount, { timeout: scaledTimeout(60_000) })
		.toBe(2);
	await fetch(`${shop.url}/test`, { method: "POST", body: new URLSearchParams({ "by-hand": "on" }), redirect: "manual" });
	await placeOrders(shop.url, companies.slice(2), 6);
	const delivered = (await database.query("select order_number as number from orders where status = 'completed' limit 1")).rows[0].number;
	const { rows } = await database.query(
		"select id, order_number as number, siren from orders where status <> 'completed' and product_code = 'express' limit 1",
	);
	const text = `Je n’ai pas reçu l’extrait de ma commande ${delivered}.`;
	await fetch(`${shop.url}/contact`, {
		method: "POST",
		body: new URLSearchParams({ nom: "Léa", email: "lea@example.fr", message: text }),
		redirect: "manual",
	});
	const [message] = (await database.query("select id from conversations limit 1")).rows;
	// the line of held refunds stands on every screen
	await database.query(
		`insert into refunds (id, order_id, payment_id, amount_cents, reason, status, requested_at, held_until)
		select gen_random_uuid(), order_id, id, 100, 'late', 'requested', now(), now() + interval '1 day'
		from payments where role = 'order' limit 3`,
	);
	await page.goto("/bureau/commandes");
	await expect(page.getByRole("status", { name: "Remboursements retenus" })).toContainText("3 remboursements de retard attendent");
	await checkStates(page, listDeskStates({ waiting: rows[0], delivered, message: `messages/${message.id}` }));

	// what waits for a person changes the screens above, so it comes after them
	await placeOrders(shop.url, companies.slice(2), 5, { first: 6, services: ["postal"] });
	const listNumbers = async (where: string) => {
		const found = await database.query(`select order_number as number from orders where ${where} order by created_at`);
		return found.rows.map(({ number }) => number as string);
	};
	const isAsked = "exists (select from extract_requests where order_id = orders.id)";
	const letters = await listNumbers("product_code = 'postal'");
	await expect.poll(() => listNumbers(`product_code = 'postal' and ${isAsked}`)).toEqual(letters);
	const [free = "", disputed = ""] = await listNumbers(`status = 'processing' and product_code <> 'postal' and id <> '${rows[0].id}'`);
	const work = { letters: letters.slice(-4), photographed: letters.at(-5) ?? "", free, disputed, delivered, conversation: message.id };
	await checkStates(page, listWaitingStates(database, work, await insertWaitingWork(database, work)));
	await checkStates(page, listPurchaseStates(await insertPurchase(database)));
	await database.end();
});

test("every door", async ({ browser }) => {
	test.slow();
	const invitation = new URL(createInvitation(shop, "Noé Martin", ["serve"])).pathname.replace("/bureau/", "");
	const page = await (await browser.newContext({ baseURL: shop.url, locale: "fr-FR", timezoneId: "Europe/Paris" })).newPage();
	await checkStates(page, listDoorStates(invitation));
});

test("the keys of the menu work, the list names them, and none works while typing", async ({ browser }) => {
	const page = await openDesk(browser, shop.url);
	await waitForHydration(page);
	await page.keyboard.press("?");
	const dialog = page.getByRole("dialog", { name: "Raccourcis clavier" });
	await expect(dialog).toBeVisible();
	const listed = (await dialog.locator("dt").allTextContents()).flatMap((text) => /^g puis (\w)$/.exec(text)?.[1] ?? []);
	expect(listed.length).toBeGreaterThan(8);
	await page.keyboard.press("Escape");
	await expect(dialog).toBeHidden();
	for (const key of listed) {
		const before = page.url();
		await page.keyboard.press("g");
		await page.keyboard.press(key);
		if (key !== listed[0]) await expect(page, `g ${key}`).not.toHaveURL(before);
		await expect(page.getByRole("navigation", { name: "Bureau" }).locator('[aria-current="page"]'), `g ${key}`).toHaveCount(1);
		// the search takes the focus, and its field the keys
		if (page.url().endsWith("/recherche")) await expect(page.getByRole("searchbox")).toBeFocused();
		await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
	}
	await page.keyboard.press("/");
	await expect(page).toHaveURL("/bureau/recherche");
	await expect(page.getByRole("searchbox")).toBeFocused();
	await page.keyboard.type("?/ngcd");
	await expect(page.getByRole("searchbox")).toHaveValue("?/ngcd");
	await expect(page).toHaveURL("/bureau/recherche");
	await expect(dialog).toBeHidden();
});
