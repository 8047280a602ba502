import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestShop, type TestShop } from "../../../test/shop.ts";

let shop: TestShop;
beforeAll(async () => {
	shop = await createTestShop();
});
afterAll(() => shop?.close());

test("answers a company with its days as dd/mm/yyyy", async () => {
	expect(await (await shop.ask("/api/entreprises/552032534")).json()).toMatchObject({
		name: "DANONE",
		creationDate: "01/01/1955",
		registrationDate: "01/03/1955",
		removalDate: null,
		duration: "99\u00a0ans",
		durationEnd: 2112,
		financialYearEnd: "31/12",
		purpose: expect.stringMatching(/^Industrie et commerce de tous produits alimentaires/),
	});
});
