import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestShop, type TestShop } from "../../test/shop.ts";
import { redirects } from "./redirect-table.ts";

let shop: TestShop;
beforeAll(async () => {
	shop = await createTestShop();
});
afterAll(() => shop?.close());

const leadsTo = async (address: string) => {
	const { status, headers } = await shop.ask(address);
	return [status, headers.get("location")];
};

test.each(Object.entries(redirects))("%s redirects permanently to %s", async (from, to) => {
	expect(await leadsTo(from)).toEqual([301, to]);
	// a link that the browser's router follows asks for data: it gets the new address in them
	const asked = await shop.ask(`${from}.data`);
	expect(asked.status).toBe(202);
	expect(await asked.text()).toContain(`"${to}"`);
});

test("the redirect keeps the query; capitals and a trailing slash are corrected first", async () => {
	expect(await leadsTo("/old-commande?service=express&siren=552032534")).toEqual([301, "/commande?service=express&siren=552032534"]);
	expect(await leadsTo("/RGPD/?x=1")).toEqual([301, "/rgpd?x=1"]);
	expect((await shop.ask("/RGPD.data")).status).toBe(202);
});
