import { globSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestShop, type TestShop } from "../../test/shop.ts";
import { pages } from "../content/pages.ts";
import routes from "../routes.ts";

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

test("each text has an address, each content page has its text, and the menus lead to it", () => {
	const texts = globSync("**/*.md", { cwd: "app/content/texts" }).map((file) => file.replace(/\.md$/, ""));
	const addresses = routes.flatMap(({ path = [] }) => path);
	expect(texts.filter((text) => !addresses.includes(text))).toEqual([]);
	const contentPages = routes.flatMap(({ file, path = [] }) => (file === "routes/content-page.tsx" ? path : []));
	expect(contentPages.filter((address) => !texts.includes(address))).toEqual([]);
	expect(contentPages.filter((address) => !pages.some(({ path }) => path === `/${address}`))).toEqual([]);
	expect(contentPages.length).toBeGreaterThan(15);
});
