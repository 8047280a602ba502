import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestShop, testShop } from "../../server/test-shop.ts";

let shop: TestShop;
beforeAll(async () => {
	shop = await testShop();
});
afterAll(() => shop?.close());

test.each(["/CGV", "/%63gv", "/Services/KBIS-Express"])("%s is the page, however its address is typed", async (typed) => {
	const answer = await shop.ask(typed);
	expect(answer.status).toBe(200);
	const heading = /<h1[^>]*>[^<]+/;
	const usual = await (await shop.ask(decodeURIComponent(typed).toLowerCase())).text();
	expect(heading.exec(await answer.text())?.[0]).toBe(heading.exec(usual)?.[0]);
});
