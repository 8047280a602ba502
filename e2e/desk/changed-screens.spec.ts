import { expectKept, hasLiveFields } from "../changed-page.ts";
import { startSeparateShop } from "../separate-shop.ts";
import { openDatabase } from "../shared-shop.ts";
import { listDeskStates, listDoorStates } from "../states/desk-states.ts";
import { test } from "../test.ts";
import { openDesk, placeOrders } from "./morning.ts";
import { createInvitation } from "./morning-shop.ts";

// Nothing typed is lost at the desk, whatever others change in its pages.

let shop: Awaited<ReturnType<typeof startSeparateShop>>;
test.describe.configure({ mode: "serial" });
test.beforeAll(async () => {
	shop = await startSeparateShop({ OPENING_HOURS: "Mo-Su 00:00-24:00" });
});
test.afterAll(() => shop?.stop());

test("the fields of every screen keep what they hold in a page that others change", async ({ browser }) => {
	test.slow();
	const database = await openDatabase(shop);
	const { rows: companies } = await database.query(
		"select siren, name from companies where status = 'active' and legal_category like '5%' and not masked limit 2",
	);
	const page = await openDesk(browser, shop.url);
	await placeOrders(shop.url, companies, 1);
	await fetch(`${shop.url}/test`, { method: "POST", body: new URLSearchParams({ "by-hand": "on" }), redirect: "manual" });
	await placeOrders(shop.url, companies, 1, { first: 1 });
	const body = new URLSearchParams({ nom: "Léa", email: "lea@example.fr", message: "Je n’ai pas reçu mon extrait." });
	await fetch(`${shop.url}/contact`, { method: "POST", body, redirect: "manual" });
	const { rows: orders } = await database.query("select id, order_number as number, siren from orders order by created_at desc");
	const [message] = (await database.query("select id from conversations")).rows;
	const states = listDeskStates({ waiting: orders[0], delivered: orders[1].number, message: `messages/${message.id}` });
	for (const path of new Set(states.map((state) => state.path))) {
		await page.goto(`/bureau/${path}`);
		if (await hasLiveFields(page)) await test.step(path, () => expectKept(page, `/bureau/${path}`));
	}
	await database.end();
});

test("the fields of every door keep what they hold in a page that others change", async ({ browser }) => {
	const invitation = new URL(createInvitation(shop, "Noé Martin", ["serve"])).pathname.replace("/bureau/", "");
	const page = await (await browser.newContext({ baseURL: shop.url, locale: "fr-FR" })).newPage();
	for (const path of new Set(listDoorStates(invitation).map((state) => state.path))) {
		await page.goto(`/bureau/${path}`);
		if (await hasLiveFields(page)) await test.step(path, () => expectKept(page, `/bureau/${path}`));
	}
});
