import { afterAll, beforeAll, expect, test } from "vitest";
import { createOperator, type TestOperator } from "../../../test/operators.ts";
import { createTestShop, type TestShop } from "../../../test/shop.ts";

let shop: TestShop;
let ada: TestOperator;
beforeAll(async () => {
	shop = await createTestShop();
	ada = await createOperator(shop, "Ada", ["privacy"]);
});
afterAll(() => shop?.close());

const key = () => crypto.randomUUID();
const plain = (html: string) => html.replaceAll(/[\u00a0\u202f]/g, " ").replaceAll("<!-- -->", "");

test("a person is found, exported and erased in two steps, and the trail proves it without the data", async () => {
	const email = "lea.durand@example.fr";
	const order = await shop.placeOrder({ customer: { email, firstName: "Léa", lastName: "Durand" } });
	await shop.payByCard(order.payUrl);
	await shop.untilOrderIs("completed", order.id);
	await shop.getMails(order, "document-ready");
	await shop.postForm("/contact", { nom: "Léa Durand", email, message: "Bonjour" });

	expect(await (await ada.post("/bureau/personnes", { do: "find", email: "léa" })).text()).toContain("n’est pas valable");
	const found = plain(await (await ada.post("/bureau/personnes", { do: "find", email: ` ${email.toUpperCase()}` })).text());
	for (const part of [order.number, 'Commandes : <span class="figures">1', "la loi le fait conserver 10 ans"])
		expect(found).toContain(part);

	const file = await ada.post("/bureau/personnes/export", { email });
	expect(file.headers.get("content-disposition")).toContain("attachment");
	expect(await file.json()).toMatchObject({ orders: [{ first_name: "Léa" }], messages: [{ message: "Bonjour" }], conversations: [{}] });

	const form = { act: "erase-person", email };
	expect(await (await ada.post("/bureau/personnes", { ...form, key: key(), again: "autre@example.fr" })).text()).toContain(
		"rien n’est effacé",
	);
	expect(plain(await (await ada.post("/bureau/personnes", { do: "find", email })).text())).toContain(order.number);
	const erased = await (await ada.post("/bureau/personnes", { ...form, key: key(), again: email })).text();
	expect(erased).toContain(`Le client est effacé de ${order.number}.`);
	const after = plain(await (await ada.post("/bureau/personnes", { do: "find", email })).text());
	expect(after).not.toContain(order.number);

	const log = await shop.shop.db.selectFrom("desk_log").select(["verb", "outcome", "change"]).where("outcome", "=", "done").execute();
	const [proof] = log.filter(({ verb }) => verb === "bureau\u00a0: Effacer une personne");
	expect(proof?.change).toMatchObject({ after: { person: "l…@example.fr", erased: order.number, messages: 1 } });
	expect(log.filter(({ verb }) => verb.includes("exporter une personne"))).toHaveLength(1);
	const rows = JSON.stringify([log, await shop.shop.db.selectFrom("desk_acts").selectAll().execute()]);
	expect(rows).not.toContain("lea.durand");
});

test("nothing of it is for other roles", async () => {
	const eve = await createOperator(shop, "Eve", ["serve", "refund", "accounts", "settings"]);
	for (const path of ["/bureau/personnes", "/bureau/personnes/export"])
		expect((await eve.post(path, { do: "find", email: "lea@example.fr" })).status, path).toBe(403);
});
