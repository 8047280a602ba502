import { expect, type Page } from "@playwright/test";
import { getMonth } from "../../app/books/month.ts";
import { deskPages } from "../../app/desk/shell/desk-pages.ts";
import { scaledTimeout } from "../../test/time-limits.ts";
import { waitForHydration } from "../customer.ts";
import { measureWeight } from "../measure-weight.ts";
import { startSeparateShop } from "../separate-shop.ts";
import { openDatabase } from "../shared-shop.ts";
import { test } from "../test.ts";
import { openDesk, placeOrders } from "./morning.ts";

/** Each screen of the desk, in compressed bytes of JavaScript. The reader of bar codes has 91 kB more, when its button is pressed. */
const mostScripts = 150_000;

let shop: Awaited<ReturnType<typeof startSeparateShop>>;
/** The pages of an order, of its money and of a conversation. */
let pagesOfOne: string[];
test.describe.configure({ mode: "serial" });
test.beforeAll(async () => {
	shop = await startSeparateShop({ ISSUER: "manual" });
	await placeOrders(shop.url, [{ siren: "552032534", name: "DANONE" }], 1, { services: ["postal"] });
	await fetch(`${shop.url}/contact`, {
		method: "POST",
		body: new URLSearchParams({ nom: "Léa", email: "lea@example.fr", message: "Bonjour, où en est ma commande ?" }),
		redirect: "manual",
	});
	const database = await openDatabase(shop);
	const { number } = (await database.query("select order_number as number from orders")).rows[0];
	const { id } = (await database.query("select id from conversations")).rows[0];
	await database.end();
	pagesOfOne = [`commandes/${number}`, `argent/${number}`, `messages/${id}`].map((path) => `/bureau/${path}`);
});
test.afterAll(() => shop?.stop());

/** A new browser with an empty cache, signed in. */
async function openEmpty(page: Page): Promise<Page> {
	const context = await (page.context().browser() ?? raise()).newContext({
		baseURL: shop.url,
		locale: "fr-FR",
		storageState: await page.context().storageState(),
	});
	return context.newPage();
}

const raise = (): never => {
	throw new Error("no browser");
};

test("each screen loads at most 150 kB of JavaScript", async ({ browser }) => {
	test.setTimeout(scaledTimeout(180_000));
	const signedIn = await openDesk(browser, shop.url);
	const month = `/bureau/comptes/${getMonth(new Date())}`;
	const more = ["/bureau/messages/refus", "/bureau/messages/modeles", "/bureau/mon-acces", month, ...pagesOfOne];
	for (const path of [...deskPages.filter(({ inMenu }) => inMenu).map(({ path }) => path), ...more]) {
		const page = await openEmpty(signedIn);
		const { scripts, styleSheets, deskScripts } = await measureWeight(page, path, () => waitForHydration(page));
		expect(page.url(), path).toBe(shop.url + path);
		// what the test of public pages looks for
		expect(deskScripts.length, path).toBeGreaterThan(0);
		expect(scripts, path).toBeLessThanOrEqual(mostScripts);
		expect(styleSheets.size, path).toBe(2);
		await page.context().close();
	}
	for (const path of ["connexion", "connexion/code"]) {
		const page = await (await browser.newContext({ baseURL: shop.url })).newPage();
		expect((await measureWeight(page, `/bureau/${path}`, () => waitForHydration(page))).scripts, path).toBeLessThanOrEqual(mostScripts);
		await page.context().close();
	}
});
