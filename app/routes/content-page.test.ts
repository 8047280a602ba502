import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestShop, type TestShop } from "../../test/shop.ts";

let shop: TestShop;
beforeAll(async () => {
	shop = await createTestShop();
});
afterAll(() => shop?.close());

test.each([
	["/CGV", "/cgv"],
	["/%63gv?x=1", "/cgv?x=1"],
	["/Services//KBIS-Express/", "/services/kbis-express"],
	["//cgv", "/cgv"],
	["/API/Entreprises?q=danone", "/api/entreprises?q=danone"],
])("%s redirects to the page's canonical URL, %s", async (typed, address) => {
	const answer = await shop.ask(shop.url + typed);
	expect([answer.status, answer.headers.get("location")]).toEqual([301, address]);
	expect((await shop.ask(address)).status).toBe(200);
});
