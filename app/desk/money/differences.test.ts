import { afterAll, beforeAll, expect, test } from "vitest";
import { createOperator, type TestOperator } from "../../../test/operators.ts";
import { createTestShop, type TestShop } from "../../../test/shop.ts";

let shop: TestShop;
let ada: TestOperator;
beforeAll(async () => {
	shop = await createTestShop();
	ada = await createOperator(shop, "Ada", ["refund"]);
});
afterAll(() => shop?.close());

const key = () => crypto.randomUUID();

test("the comparison with the provider runs on demand", async () => {
	const answer = await ada.post("/bureau/argent", { act: "reconcile", key: key() });
	expect(await answer.text()).toContain("Paiements comparés");
	const adopted = await ada.post("/bureau/argent", { act: "adopt-payment", key: key(), lost: key() });
	expect(await adopted.text()).toContain("Cette commande n’est pas ici");
});
