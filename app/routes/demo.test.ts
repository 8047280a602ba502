import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestShop, testShop } from "../../server/test-shop.ts";

let shop: TestShop;
beforeAll(async () => {
	shop = await testShop();
	await shop.completeOrder({ customer: { email: "ada@example.fr" } });
});
afterAll(() => shop?.close());

test("mails are shown to this machine, and to nobody who comes through a proxy", async () => {
	const read = async (headers: Record<string, string> = {}) => (await shop.ask("/test", { headers })).text();
	expect(await read()).toContain("ada@example.fr");
	for (const forwarded of ["203.0.113.5", "127.0.0.1", ""])
		expect(await read({ "x-forwarded-for": forwarded }), forwarded).not.toContain("ada@");
});
