import { afterAll, beforeAll, expect, test } from "vitest";
import { createOperator, type TestOperator } from "../../../test/operators.ts";
import { insertOrder, type OrderValues } from "../../../test/orders.ts";
import { createTestShop, type TestShop } from "../../../test/shop.ts";
import type { PersonalData } from "../retention/export-person.server.ts";
import { describePerson, readAddress } from "./describe-person.server.ts";

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
	expect(erased).toMatch(
		new RegExp(`>Le client est effacé de ${order.number}\\. Messages, formulaires, inscriptions et alertes supprimés\\u00a0: \\d+\\.<`),
	);
	const after = plain(await (await ada.post("/bureau/personnes", { do: "find", email })).text());
	expect(after).not.toContain(order.number);

	const log = await shop.shop.db.selectFrom("desk_log").select(["verb", "outcome", "change"]).where("outcome", "=", "done").execute();
	const [proof] = log.filter(({ verb }) => verb === "erase-person");
	expect(proof?.change).toMatchObject({ after: { person: "l…@example.fr", erased: order.number, messages: 1 } });
	expect(log.filter(({ verb }) => verb === "export-person")).toHaveLength(1);
	const rows = JSON.stringify([log, await shop.shop.db.selectFrom("desk_acts").selectAll().execute()]);
	expect(rows).not.toContain("lea.durand");
});

test("an erasure says what was erased, deleted, taken out, and what stays until it is finished", async () => {
	const email = "max.petit@example.fr";
	const now = shop.shop.now();
	const buy = async (customer: Record<string, string>) => {
		const order = await shop.completeOrder({ customer });
		await shop.getMails(order, "document-ready");
		return shop.orderRow(order.id);
	};
	const [erased, open, others] = [await buy({ email }), await buy({ email }), await buy({ email: "autre@example.fr" })];
	const set = (id: string, values: OrderValues) => shop.shop.db.updateTable("orders").set(values).where("id", "=", id).execute();
	await set(open.id, { status: "processing" });
	await set(others.id, { delivery_email: email });
	const never = await insertOrder(shop.shop.db, { created_at: now, customer_email: email, status: "failed", failure_reason: "expired" });
	const erase = async () =>
		plain(await (await ada.post("/bureau/personnes", { act: "erase-person", key: key(), email, again: email })).text());
	expect(await erase()).toContain(
		[
			`>Le client est effacé de ${erased.order_number}.`,
			`Jamais payées, supprimées : ${never.order_number}.`,
			`L’adresse est retirée des commandes d’un autre : ${others.order_number}.`,
			`Rien n’est effacé de ${open.order_number} : ces commandes ne sont pas terminées. Terminez-les ou arrêtez-les, puis recommencez.<`,
		].join(" "),
	);
	const { change } = await shop.shop.db
		.selectFrom("desk_log")
		.select("change")
		.where("verb", "=", "erase-person")
		.orderBy("id", "desc")
		.executeTakeFirstOrThrow();
	expect(change).toMatchObject({
		after: {
			...{ person: "m…@example.fr", erased: erased.order_number, deleted: never.order_number, delivery: others.order_number },
			...{ unfinished: open.order_number, messages: 0, conversations: 0 },
		},
	});
	await set(open.id, { status: "completed" });
	expect(await erase()).toContain(`>Le client est effacé de ${open.order_number}.<`);
	expect(await erase()).toContain(">Il n’y avait plus rien à effacer sous cette adresse.<");
});

test("a person's data are counted, each kind with what becomes of it", () => {
	const none = {
		...{ email: "max@example.fr", orders: [], deliveries: [], other_emails: [], order_forms: [], invoices: [], messages: [] },
		...{ conversations: [], interest: [], newsletter: [], company_alerts: [], customer_sessions: [] },
	};
	const describe = (data: object) => describePerson({ ...none, ...data } as unknown as PersonalData);
	expect(describe({})).toEqual({ email: "max@example.fr", stored: [], orders: [] });
	const all = Object.fromEntries(Object.keys(none).map((name, index) => [name, Array.from({ length: index }, () => ({}))]));
	const { stored } = describe({ ...all, email: "max@example.fr" });
	expect(stored.map(({ label, count, after }) => plain(`${count} ${label} : ${after}`))).toEqual([
		"1 Commandes : le nom, les adresses et les messages s’effacent ; la société, les montants et les dates restent pour les comptes",
		"2 Commandes d’un autre, livrées à cette adresse : cette adresse s’efface ; la commande reste à son client",
		"3 E-mails sur la commande d’un autre, qui contiennent cette adresse : cette adresse s’efface ; le reste de l’e-mail est conservé",
		"4 Formulaires de commande du dernier jour : supprimés",
		"6 Messages : supprimés",
		"7 Échanges par e-mail : supprimés, sauf ceux d’une commande en cours",
		"8 Demandes d’être prévenu : supprimées",
		"9 Inscriptions à la lettre d’information : supprimées",
		"10 Alertes sur des entreprises : supprimées",
		"11 Connexions à « Mes commandes » : fermées",
		"5 Factures et avoirs : reste : la loi le fait conserver 10 ans (C. com. art. L123-22)",
	]);
});

test.each<[unknown, string | null]>([
	[" M ax@Example.fr\u00a0", "Max@Example.fr"],
	["max", null],
	[undefined, null],
	[12, null],
])("the typed address %j is %j", (typed, email) => {
	expect(readAddress(typed)).toBe(email);
});

test("nothing of it is for other roles", async () => {
	const eve = await createOperator(shop, "Eve", ["serve", "refund", "accounts", "settings"]);
	for (const path of ["/bureau/personnes", "/bureau/personnes/export"])
		expect((await eve.post(path, { do: "find", email: "lea@example.fr" })).status, path).toBe(403);
});
