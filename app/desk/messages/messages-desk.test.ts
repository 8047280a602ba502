import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createOperator, type TestOperator } from "../../../test/operators.ts";
import { createTestShop, type TestShop } from "../../../test/shop.ts";
import { scaledTimeout } from "../../../test/time-limits.ts";
import { markMailBounced } from "../../mail/mails.store.server.ts";
import { describeTimeToAnswer } from "./time-to-answer.ts";

let shop: TestShop;
let ada: TestOperator;
let boss: TestOperator;
beforeAll(async () => {
	shop = await createTestShop();
	ada = await createOperator(shop, "Ada", ["serve"]);
	boss = await createOperator(shop, "Boss", ["serve", "settings"]);
});
afterAll(() => shop?.close());

const key = () => crypto.randomUUID();
const plain = (html: string) =>
	html
		.replaceAll(/[\u00a0\u202f]/g, " ")
		.replaceAll("<!-- -->", "")
		.replaceAll("&quot;", '"');

async function write(email: string, message: string) {
	await shop.postForm("/contact", { nom: "Léa", email, message });
	const { id, last_at } = await shop.shop.db
		.selectFrom("conversations")
		.select(["id", "last_at"])
		.where("email", "=", email)
		.executeTakeFirstOrThrow();
	return { path: `/bureau/messages/${id}`, conversation: id, read: last_at.toISOString() };
}

describe("a message", () => {
	test("is listed with the time left, answered from its page, and then listed as answered", async () => {
		const { path, ...fields } = await write("lea@example.fr", "Mon extrait ?");
		expect(plain(await (await ada.ask("/bureau/messages")).text())).toContain("à répondre sous 23 h 59");
		expect(await (await ada.ask(path)).text()).toContain("Mon extrait ?");
		const answer = await ada.post(path, { act: "reply", key: key(), text: "Bonjour, il est parti.", ...fields });
		expect(await answer.text()).toContain("Votre réponse est en cours d’envoi.");
		expect(await (await ada.ask("/bureau/messages")).text()).not.toContain(path);
		expect(await (await ada.ask("/bureau/messages?vue=repondus")).text()).toContain(path);
		const log = await shop.shop.db.selectFrom("desk_log").selectAll().where("verb", "like", "%Répondre%").execute();
		expect(log.map(({ outcome }) => outcome)).toEqual(["begun", "done"]);
		expect(JSON.stringify(log)).not.toContain("lea@example.fr");
	});

	test("is taken, taken over and closed by forms of its page, each with its line in the trail", async () => {
		const { path, conversation } = await write("noe@example.fr", "Bonjour");
		const send = async (who: TestOperator, name: string) =>
			plain(await (await who.post(path, { act: name, key: key(), conversation })).text());
		const readClaim = async () => plain(await (await boss.ask(path)).text());
		expect(await send(ada, "claim-conversation")).toContain("Vos collègues voient que vous répondez.");
		expect(await readClaim()).toMatch(/Ada répond/);
		expect(await send(boss, "claim-conversation")).toContain("Ada répond déjà.");
		expect(await send(boss, "take-over-conversation")).toContain("Vos collègues voient que vous répondez.");
		expect(await send(ada, "claim-conversation")).toContain("Boss répond déjà.");
		expect(await send(boss, "close-conversation")).toContain("Le message est classé.");
		expect(await (await ada.ask("/bureau/messages")).text()).not.toContain(path);
		expect(await (await ada.ask("/bureau/messages?vue=repondus")).text()).toContain(path);
		const log = await shop.shop.db
			.selectFrom("desk_log")
			.select(["who", "verb", "outcome"])
			.where("verb", "in", [
				"bureau\u00a0: Prendre un message",
				"bureau\u00a0: Reprendre le message d’un collègue",
				"bureau\u00a0: Classer un message sans répondre",
			])
			.where("outcome", "<>", "begun")
			.orderBy("id")
			.execute();
		expect(log.map(({ who, outcome }) => `${who} ${outcome}`)).toEqual([
			"Ada done",
			"Boss refused",
			"Boss done",
			"Ada refused",
			"Boss done",
		]);
	});

	test("without JavaScript: a template, a preview, and a refusal keep what was typed", async () => {
		const { path, ...fields } = await write("max@example.fr", "Bonjour");
		expect(await (await ada.ask(`${path}?modele=monidenum`)).text()).toContain("https://monidenum.fr\n\n");
		const preview = plain(
			await (await ada.post(path, { act: "reply", key: key(), do: "preview", text: "Bonjour Max,", ...fields })).text(),
		);
		expect(preview).toContain("Aperçu");
		expect(preview).toMatch(/<textarea[^>]*>\s*Bonjour Max,<\/textarea>/);
		const refused = plain(await (await ada.post(path, { act: "reply", key: key(), text: "Bonjour {prenom},", ...fields })).text());
		expect(refused).toContain("{prenom} est vide pour ce message");
		expect(refused).toMatch(/<textarea[^>]*>\s*Bonjour {prenom},<\/textarea>/);
		expect(
			await shop.shop.db.selectFrom("conversation_messages").selectAll().where("conversation_id", "=", fields.conversation).execute(),
		).toEqual([]);
	});

	test("sent twice with the same key leaves once", async () => {
		const { path, ...fields } = await write("nora@example.fr", "Bonjour");
		const form = { act: "reply", key: key(), text: "Bonjour,", ...fields };
		await Promise.all([ada.post(path, form), ada.post(path, form)]);
		const replies = await shop.shop.db
			.selectFrom("conversation_messages")
			.selectAll()
			.where("conversation_id", "=", fields.conversation)
			.execute();
		expect(replies).toHaveLength(1);
	});

	test("that does not exist has no page", async () => {
		expect((await ada.ask(`/bureau/messages/${key()}`)).status).toBe(404);
		expect((await ada.ask("/bureau/messages/abc")).status).toBe(404);
	});
});

test("a template that announces a refund is offered once the refund was asked for", async () => {
	const order = await shop.placeOrder({ customer: { email: "lou@example.fr" } });
	await shop.payByCard(order.payUrl);
	await shop.untilOrderIs("completed", order.id);
	const { path } = await write("lou@example.fr", `Je voudrais être remboursé de ${order.number}.`);
	const readTemplates = async () => plain(await (await ada.ask(path)).text());
	const before = await readTemplates();
	expect(before).toContain("Document demandé de nouveau");
	expect(before).toContain("sont proposés une fois le remboursement demandé");
	for (const title of ["Remboursement expliqué", "Remboursement pas encore reçu", "Aucun extrait au registre"])
		expect(before).not.toContain(title);
	expect(plain(await (await ada.ask(`${path}?modele=refund`)).text())).not.toContain("Nous remboursons votre commande");
	const payment = await shop.shop.db.selectFrom("payments").selectAll().where("order_id", "=", order.id).executeTakeFirstOrThrow();
	await shop.shop.db
		.insertInto("refunds")
		.values({
			...{ id: crypto.randomUUID(), order_id: order.id, payment_id: payment.id, amount_cents: 500, reason: "operator" },
			...{ status: "requested", requested_at: shop.shop.now() },
		})
		.execute();
	const after = await readTemplates();
	expect(after).toContain("Remboursement expliqué");
	expect(after).not.toContain("sont proposés une fois");
});

test("a refused address is corrected with one field, and the e-mails leave again", async () => {
	const order = await shop.placeOrder({ customer: { email: "ada@gmial.com" } });
	await shop.payByCard(order.payUrl);
	await shop.untilOrderIs("completed", order.id);
	const { id } = await shop.shop.db
		.selectFrom("mails")
		.select("id")
		.where("order_id", "=", order.id)
		.where("kind", "=", "document-ready")
		.executeTakeFirstOrThrow();
	await shop.shop.db.transaction().execute((trx) => markMailBounced(trx, id, "550 unknown user", shop.shop.now()));
	const page = await (await ada.ask("/bureau/messages/refus")).text();
	expect(page).toContain("550 unknown user");
	expect(page).toContain('value="ada@gmail.com"');
	const form = { act: "correct-bounced-address", order: order.id, reader: "customer" };
	expect(await (await ada.post("/bureau/messages/refus", { ...form, key: key(), email: "ada" })).text()).toContain("n’est pas valable");
	const answer = await ada.post("/bureau/messages/refus", { ...form, key: key(), email: "ada@gmail.com" });
	expect(await answer.text()).toContain("l’e-mail part de nouveau");
	await vi.waitFor(
		async () => {
			const sent = await shop.getMails(order, "document-ready");
			expect(sent.at(-1)?.to).toBe("ada@gmail.com");
		},
		{ timeout: scaledTimeout(20_000), interval: 50 },
	);
	expect(await (await ada.ask("/bureau/messages/refus")).text()).toContain("Aucun e-mail n’a été refusé.");
	const events = await shop.shop.db
		.selectFrom("order_events")
		.select("payload")
		.where("order_id", "=", order.id)
		.where("event_type", "=", "address_corrected")
		.execute();
	expect(events).toEqual([{ payload: { address: "customer", by: "Ada", before: "ada@gmial.com" } }]);
	const log = await shop.shop.db
		.selectFrom("desk_log")
		.select("change")
		.where("subject", "=", order.number)
		.where("outcome", "=", "done")
		.execute();
	expect(log).toEqual([{ change: { before: { email: "a…@gmial.com" }, after: { email: "a…@gmail.com" } } }]);
});

test("a template is changed by who has the settings, with known fields only", async () => {
	const form = { act: "save-reply-template", template: "delay", title: "Retard", text: "Bonjour {prenom}, c’est {echeance}." };
	expect(await (await ada.post("/bureau/messages/modeles", { ...form, key: key() })).text()).toContain("Il vous faut le rôle");
	const wrong = await boss.post("/bureau/messages/modeles", { ...form, key: key(), text: "Bonjour {prénom}" });
	expect(await wrong.text()).toContain("n’est pas un champ");
	expect(await (await boss.post("/bureau/messages/modeles", { ...form, key: key() })).text()).toContain("Le modèle est enregistré.");
	expect(await (await ada.ask("/bureau/messages/modeles")).text()).toContain("c’est {echeance}.");
	await boss.post("/bureau/messages/modeles", { act: "delete-reply-template", template: "delay", key: key() });
	expect(await (await ada.ask("/bureau/messages/modeles")).text()).not.toContain("c’est {echeance}.");
	const log = shop.shop.db.selectFrom("desk_log").select("change").where("verb", "like", "%un modèle de réponse").orderBy("id");
	const [changed, deleted] = (await log.where("outcome", "=", "done").execute()).map(({ change }) => change);
	expect(changed).toMatchObject({ before: { text: expect.stringContaining("Bonjour") }, after: { title: "Retard", text: form.text } });
	expect(deleted).toMatchObject({ before: { title: "Retard", text: form.text } });
});

test("the time left is in words", () => {
	const now = new Date("2026-11-23T10:00:00Z");
	const texts = [now.getTime() - 3_600_000, now.getTime() - 21 * 3_600_000, now.getTime() - 60 * 3_600_000].map((since) => {
		const { text, kind } = describeTimeToAnswer(new Date(since), now);
		return [plain(text), kind];
	});
	expect(texts).toEqual([
		["à répondre sous 23 h 00", "waiting"],
		["à répondre sous 3 h 00", "warning"],
		["en retard de 1 j 12 h", "failed"],
	]);
});
