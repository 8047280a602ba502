import { expect } from "@playwright/test";
import { waitForHydration } from "../customer.ts";
import { startSeparateShop } from "../separate-shop.ts";
import { openDatabase } from "../shared-shop.ts";
import { test } from "../test.ts";
import { openDesk } from "./morning.ts";

// A form is refused before the shop reads it: what was typed stays, and can be sent later.

let shop: Awaited<ReturnType<typeof startSeparateShop>>;
let database: Awaited<ReturnType<typeof openDatabase>>;
test.beforeAll(async () => {
	shop = await startSeparateShop({});
	database = await openDatabase(shop);
});
test.afterAll(async () => {
	await database?.end();
	await shop?.stop();
});

const sentence = "Le registre est en panne jusqu’à demain matin.";

test("what is refused as too large, too often or by a fault stays as it was typed, and is sent later", async ({ browser }) => {
	const page = await openDesk(browser, shop.url);
	await page.goto("/bureau/reglages");
	await waitForHydration(page);
	const field = page.getByLabel("Phrase pour le public");
	await field.fill(sentence);
	const answers: [number, string][] = [
		[413, "Cet envoi est trop volumineux."],
		[429, "Trop d’envois en peu de temps. Attendez une minute, puis recommencez."],
		[502, "Le serveur ne répond pas pour le moment. Recommencez dans un instant."],
	];
	for (const [status, text] of answers) {
		await page.route("**/bureau/reglages.data*", (route) => route.fulfill({ status, body: "<h1>Non</h1>" }));
		await field.press("Enter");
		await expect(page.getByText(text)).toBeVisible();
		await expect(page.getByText("Ce que vous avez saisi reste ici, et rien n’est fait deux fois.")).toBeVisible();
		await expect(field).toHaveValue(sentence);
		await page.unrouteAll({ behavior: "ignoreErrors" });
	}
	// the server's own refusal, of a text that is far too long
	const text = "a".repeat(66_000);
	await field.evaluate((input: HTMLInputElement) => input.removeAttribute("maxlength"));
	await field.fill(text);
	await field.press("Enter");
	await expect(page.getByText("Cet envoi est trop volumineux.")).toBeVisible();
	await expect(field).toHaveValue(text);
	await field.fill(sentence);
	await field.press("Enter");
	await expect(page.getByText("Cet envoi est trop volumineux.")).toBeHidden();
	await expect
		.poll(async () => (await database.query("select from shop_settings where value::text like $1", [`%${sentence}%`])).rowCount)
		.toBe(1);
});
