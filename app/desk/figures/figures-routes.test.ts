import { afterAll, beforeAll, expect, test } from "vitest";
import { createOperator, type TestOperator } from "../../../test/operators.ts";
import { createTestShop, type TestShop } from "../../../test/shop.ts";

let shop: TestShop;
let luca: TestOperator;
let ada: TestOperator;
beforeAll(async () => {
	shop = await createTestShop();
	luca = await createOperator(shop, "Luca", ["accounts"]);
	ada = await createOperator(shop, "Ada", ["serve"]);
});
afterAll(() => shop?.close());

test("the page and the file are for the accounts and the settings, and an export is in the trail", async () => {
	await shop.completeOrder();
	expect(await (await luca.ask("/bureau/chiffres")).text()).toContain("Par service");
	expect(await (await luca.ask("/bureau/chiffres?du=2020-01-01&au=2020-01-31")).text()).toContain("Aucune commande n’a été payée");
	const file = await luca.ask("/bureau/chiffres/fichier?du=2026-11-01&au=2026-11-30");
	expect(file.headers.get("content-disposition")).toBe('attachment; filename="Chiffres_2026-11-01_2026-11-30.csv"');
	expect(file.headers.get("cache-control")).toBe("no-store");
	const line = await shop.shop.db.selectFrom("desk_log").selectAll().orderBy("id", "desc").limit(1).executeTakeFirstOrThrow();
	expect(line).toMatchObject({ who: "Luca", verb: "export-figures", outcome: "done" });
	for (const path of ["/bureau/chiffres", "/bureau/chiffres/fichier"]) expect((await ada.ask(path)).status, path).toBe(403);
});
