import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestShop, type TestShop } from "../../../test/shop.ts";
import { findCompany } from "../../companies/find-company.server.ts";
import { parseSiren } from "../../companies/siren.ts";
import { sampleList } from "./demo-page.tsx";

let shop: TestShop;
beforeAll(async () => {
	shop = await createTestShop();
});
afterAll(() => shop?.close());

test("the list to paste has twenty different companies whose Kbis can be ordered", async () => {
	const sirens = sampleList.split("\n").map((line) => parseSiren(line.split(";")[0] ?? ""));
	expect(new Set(sirens).size).toBe(20);
	for (const siren of sirens)
		expect(siren && (await findCompany(shop.shop.db, siren))).toMatchObject({ eligibility: "kbis", status: "active" });
});
