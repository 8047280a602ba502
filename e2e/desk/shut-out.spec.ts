import { expect, type Page } from "@playwright/test";
import { scaledTimeout } from "../../test/time-limits.ts";
import { waitForHydration } from "../customer.ts";
import { startSeparateShop } from "../separate-shop.ts";
import { openDatabase } from "../shared-shop.ts";
import { test } from "../test.ts";
import { openDesk, placeOrders } from "./morning.ts";

// The session or a role ends while somebody types, or the page cannot be read again: what they typed stays, and can be sent later.

let shop: Awaited<ReturnType<typeof startSeparateShop>>;
let database: Awaited<ReturnType<typeof openDatabase>>;
test.describe.configure({ mode: "serial" });
test.beforeAll(async () => {
	shop = await startSeparateShop({});
	database = await openDatabase(shop);
});
test.afterAll(async () => {
	await database?.end();
	await shop?.stop();
});

const sentence = "Le registre est en panne jusqu’à demain matin.";
const notice = "Cette page n’est plus tenue à jour, et ce que vous avez saisi y reste.";

async function typeSentence(page: Page) {
	await page.goto("/bureau/reglages");
	await waitForHydration(page);
	const field = page.getByLabel("Phrase pour le public");
	await field.fill(sentence);
	return field;
}

/** What every change of an order announces. */
const announceChange = () => database.query("select pg_notify('changes', 'desk')");

test("a role that is taken away keeps what was typed", async ({ browser }) => {
	const page = await openDesk(browser, shop.url);
	const field = await typeSentence(page);
	const { rows } = await database.query("select user_id, roles from operators.member");
	await database.query("update operators.member set roles = '{serve}'");
	await announceChange();
	await expect(page.getByText(notice)).toBeVisible();
	await field.press("Enter");
	await expect(page.getByText("Cet envoi n’a pas été lu, et ce que vous avez saisi reste ici.")).toBeVisible();
	await expect(field).toHaveValue(sentence);
	for (const { user_id, roles } of rows)
		await database.query("update operators.member set roles = $2 where user_id = $1", [user_id, roles]);
	await announceChange();
	await expect(page.getByText(notice)).toBeHidden();
	await expect(field).toHaveValue(sentence);
});

test("notes and tracking numbers stay when they are sent after the session has ended", async ({ browser }) => {
	const { rows: companies } = await database.query(
		"select siren, name from companies where status = 'active' and legal_category like '5%' and not masked limit 1",
	);
	await fetch(`${shop.url}/test`, { method: "POST", body: new URLSearchParams({ "by-hand": "on" }), redirect: "manual" });
	await placeOrders(shop.url, companies, 1, { services: ["postal"] });
	const waiting = "select order_number from orders join extract_requests on order_id = orders.id where status = 'processing'";
	await expect.poll(async () => (await database.query(waiting)).rowCount, { timeout: scaledTimeout(30_000) }).toBe(1);
	const [{ order_number: number }] = (await database.query(waiting)).rows;
	await database.query("update extract_requests set uploaded_at = now(), printed_at = now()");
	const page = await openDesk(browser, shop.url);

	await page.goto(`/bureau/commandes/${number}`);
	await waitForHydration(page);
	const note = page.getByLabel("Note interne");
	await note.fill("Appel du client.");
	await page.getByRole("button", { name: "Ajouter", exact: true }).click();
	await expect(note).toHaveValue("");
	await note.fill("Il rappelle demain.");
	const post = await page.context().newPage();
	await post.goto("/bureau/courrier");
	await waitForHydration(post);
	await post.getByLabel(/^Numéro de suivi/).fill("RK123456785FR");
	await post.getByLabel("Ou collez une liste").fill(`${number} RK123456785FR`);

	await database.query("delete from operators.session");
	await page.getByRole("button", { name: "Ajouter", exact: true }).click();
	await expect(page.getByText("Cet envoi n’a pas été lu, et ce que vous avez saisi reste ici.")).toBeVisible();
	await expect(note).toHaveValue("Il rappelle demain.");
	await post.getByRole("button", { name: "Noter les numéros" }).click();
	await expect(post.getByText("Les numéros saisis restent ici")).toBeVisible();
	await expect(post.getByLabel(/^Numéro de suivi/)).toHaveValue("RK123456785FR");
	await expect(post.getByLabel("Ou collez une liste")).toHaveValue(`${number} RK123456785FR`);
	await expect(page.getByText("Panne en cours")).toBeHidden();
	expect((await database.query("select from order_events where event_type = 'posted'")).rowCount).toBe(0);
});

test("a session that ends keeps what was typed, and the form is sent after a new sign-in", async ({ browser }) => {
	const page = await openDesk(browser, shop.url);
	const field = await typeSentence(page);
	await database.query("delete from operators.session");
	await expect(page.getByText(notice)).toBeVisible();
	await field.press("Enter");
	await expect(page.getByText("Cet envoi n’a pas été lu, et ce que vous avez saisi reste ici.")).toBeVisible();
	await expect(field).toHaveValue(sentence);

	const other = page.context().waitForEvent("page");
	await page.getByRole("link", { name: "Se connecter dans un autre onglet" }).first().click();
	await expect((await other).getByRole("heading", { level: 1 })).toHaveText("Se connecter");
	await (await other).goto("/test");
	await (await other).getByRole("button", { name: "Ouvrir le bureau" }).click();
	await (await other).waitForURL("**/bureau/commandes");
	await expect(page.getByText(notice)).toBeHidden({ timeout: scaledTimeout(40_000) });
	await expect(field).toHaveValue(sentence);
	await field.press("Enter");
	await expect(page.getByText("Cet envoi n’a pas été lu")).toBeHidden();
	await expect
		.poll(async () => (await database.query("select from shop_settings where value::text like $1", [`%${sentence}%`])).rowCount)
		.toBe(1);
});

test("a page without typed text gives way to the sign-in", async ({ browser }) => {
	const page = await openDesk(browser, shop.url);
	await page.goto("/bureau/argent");
	await waitForHydration(page);
	await database.query("delete from operators.session");
	await page.waitForURL("**/bureau/connexion?*");
});

test("a page that could not be read again stays as it was, and is read later", async ({ browser }) => {
	const page = await openDesk(browser, shop.url);
	await page.goto("/bureau/reglages");
	await waitForHydration(page);
	const field = page.getByLabel("Nombre par heure");
	await field.fill("12");
	let failures = 0;
	await page.route("**/bureau/reglages.data*", (route) => {
		failures++;
		return failures % 2 === 0 ? route.fulfill({ status: 503, body: "Panne" }) : route.abort();
	});
	await announceChange();
	await expect(page.getByText("Cette page n’a pas pu être mise à jour")).toBeVisible();
	await announceChange();
	await expect.poll(() => failures).toBeGreaterThan(1);
	await expect(page.getByText("Cette page n’a pas pu être mise à jour")).toBeVisible();
	await page.unrouteAll({ behavior: "ignoreErrors" });
	await announceChange();
	await expect(page.getByText("Cette page n’a pas pu être mise à jour")).toBeHidden();
	await expect(field).toHaveValue("12");
});

test("the results of a search stay when something changes; « back » never shows a page with the data of another", async ({ browser }) => {
	const page = await openDesk(browser, shop.url);
	await page.goto("/bureau/recherche");
	await waitForHydration(page);
	await page.getByRole("searchbox").fill("lovelace");
	await page.getByRole("main").getByRole("button", { name: "Rechercher" }).click();
	await expect(page.getByText("1 commande.")).toBeVisible();
	const reading = page.waitForResponse("**/bureau/recherche.data*");
	await announceChange();
	await reading;
	await page.waitForTimeout(500);
	await expect(page.getByText("1 commande.")).toBeVisible();

	await page.goto("/bureau/commandes");
	await waitForHydration(page);
	await page
		.getByRole("main")
		.getByRole("link", { name: /^À poster/ })
		.click();
	await page.waitForURL("**/bureau/commandes?liste=a-poster");
	await page.route("**/bureau/commandes.data*", (route) => route.fulfill({ status: 503, body: "Panne" }));
	await page.goBack();
	await expect(page.getByRole("heading", { level: 1 })).not.toHaveText("Commandes");
	expect(new URL(page.url()).search).toBe("");
});
