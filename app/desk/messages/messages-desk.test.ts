import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { toJson } from "../../../server/database/column-types.ts";
import { createOperator, type TestOperator } from "../../../test/operators.ts";
import { insertOrder, type OrderValues } from "../../../test/orders.ts";
import { createTestShop, type TestShop } from "../../../test/shop.ts";
import { scaledTimeout } from "../../../test/time-limits.ts";
import { markMailBounced } from "../../mail/mails.store.server.ts";
import { recordEvent } from "../../orders/orders.store.server.ts";
import { listBouncedMails, listBouncedReplies } from "./bounces.store.server.ts";
import { describeMessage } from "./describe-message.server.ts";
import { listBounces } from "./list-bounces.server.ts";
import { listMessages } from "./list-messages.server.ts";
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
		const log = await shop.shop.db.selectFrom("desk_log").selectAll().where("verb", "=", "reply").execute();
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
			.where("verb", "in", ["claim-conversation", "take-over-conversation", "close-conversation"])
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

	test("names the latest order of its address only once the operator ticks it, also without JavaScript", async () => {
		const { number } = await shop.completeOrder({ customer: { email: "ines@example.fr" } });
		const { path, ...fields } = await write("ines@example.fr", "Où en est mon extrait ?");
		const readBox = (html: string) => /<input type="checkbox"[^>]*name="about"[^>]*>/.exec(html)?.[0] ?? expect.fail("no box");
		const page = await (await ada.ask(path)).text();
		expect(page).toContain(`À propos de la commande ${number}`);
		expect(readBox(page)).not.toContain("checked");
		const send = async (sent: Record<string, string>) =>
			plain(await (await ada.post(path, { act: "reply", key: key(), text: "Votre commande {numero}", ...fields, ...sent })).text());
		expect(await send({})).toContain("{numero} est vide pour ce message");
		const preview = await send({ about: "1", do: "preview" });
		expect(readBox(preview)).toContain("checked");
		expect(preview).toContain(`Votre commande ${number}</p>`);
		expect(await send({ about: "1" })).toContain("Votre réponse est en cours d’envoi.");
		// confirmed: the box is gone
		expect(await (await ada.ask(path)).text()).not.toContain('name="about"');
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
	const again = await ada.post("/bureau/messages/refus", { ...form, key: key(), email: "ada@gmail.com" });
	expect(await again.text()).toContain("Ces e-mails sont déjà partis de nouveau.");
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

test("the second address is corrected by its own form, of all its e-mails; not of an erased customer", async () => {
	const { db } = shop.shop;
	const now = shop.shop.now();
	const order = await insertOrder(db, { created_at: now, delivery_email: "banque@gmial.com" });
	for (const kind of ["document-ready-delivery", "extract-replaced-delivery"])
		await db
			.insertInto("mails")
			.values({ id: key(), order_id: order.id, kind, created_at: now, bounced_at: now, bounce_reason: "550" })
			.execute();
	const send = async (reader: string) => {
		const form = { act: "correct-bounced-address", order: order.id, reader, key: key(), email: "banque@gmail.com" };
		return plain(await (await ada.post("/bureau/messages/refus", form)).text());
	};
	expect(await send("customer")).toContain("Ces e-mails sont déjà partis de nouveau.");
	expect(await send("delivery")).toContain("L’adresse est corrigée, et 2 e-mails partent de nouveau.");
	expect(await shop.orderRow(order.id)).toMatchObject({ delivery_email: "banque@gmail.com", customer_email: order.customer_email });
	await db.updateTable("orders").set({ erased_at: now }).where("id", "=", order.id).execute();
	expect(await send("delivery")).toContain("Le client de cette commande a été effacé : il n’y a plus à qui écrire.");
	await db.deleteFrom("mails").where("order_id", "=", order.id).execute();
});

test("the page of a message has its order, whether it is the writer's, and who answers until when", async () => {
	const order = await shop.completeOrder({ customer: { email: "own@example.fr" } });
	const [own, foreign, without] = [
		await write("own@example.fr", `Bonjour, ${order.number}`),
		await write("foreign@example.fr", `Bonjour, ${order.number}`),
		await write("nobody@example.fr", "Bonjour"),
	];
	const read = async ({ conversation }: { conversation: string }, now = shop.shop.now()) =>
		describeMessage({ ...shop.shop, now: () => now }, conversation);
	expect(await read(own)).toMatchObject({
		...{ lacksRefund: true, claim: null, wait: { kind: "waiting" }, values: { numero: order.number }, lastAt: own.read },
		order: {
			id: order.id,
			number: order.number,
			company: "DANONE",
			siren: "552032534",
			service: "KBIS Express",
			status: "Terminé",
			isOwn: true,
		},
	});
	expect(await read(foreign)).toMatchObject({ order: { isOwn: false }, values: { numero: "" } });
	expect(await read(without)).toMatchObject({ order: null, lacksRefund: false });
	expect((await read(without))?.templates.map(({ id }) => id)).not.toContain("refund");
	const until = new Date("2026-11-23T10:30:00Z");
	const claim = { claimed_by: key(), claimed_name: "Ada", claimed_until: until };
	await shop.shop.db.updateTable("conversations").set(claim).where("id", "=", own.conversation).execute();
	expect((await read(own, new Date(until.getTime() - 1)))?.claim).toEqual({
		id: claim.claimed_by,
		name: "Ada",
		until: "11\u00a0h\u00a030",
	});
	expect((await read(own, until))?.claim).toBeNull();
	await shop.shop.db.updateTable("conversations").set({ waiting_since: null }).where("id", "=", own.conversation).execute();
	expect((await read(own))?.wait).toBeNull();
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
	const log = shop.shop.db
		.selectFrom("desk_log")
		.select("change")
		.where("verb", "in", ["save-reply-template", "delete-reply-template"])
		.orderBy("id");
	const [changed, deleted] = (await log.where("outcome", "=", "done").execute()).map(({ change }) => change);
	expect(changed).toMatchObject({ before: { text: expect.stringContaining("Bonjour") }, after: { title: "Retard", text: form.text } });
	expect(deleted).toMatchObject({ before: { title: "Retard", text: form.text } });
});

test("a template is added and withdrawn, and one that is unknown is neither changed nor withdrawn", async () => {
	const send = async (fields: Record<string, string>) =>
		plain(await (await boss.post("/bureau/messages/modeles", { key: key(), ...fields })).text());
	const list = () =>
		shop.shop.db.selectFrom("reply_templates").select(["id", "title", "text", "changed_by"]).where("title", "=", "Nouveau").execute();
	const form = { act: "save-reply-template", title: "Nouveau", text: "Bonjour," };
	expect(await send({ ...form, template: "unknown" })).toContain("Ce modèle n’existe plus.");
	expect(await send({ act: "delete-reply-template", template: "unknown" })).toContain("Ce modèle n’existe plus.");
	expect(await list()).toEqual([]);
	expect(await send(form)).toContain("Le modèle est enregistré.");
	const [added] = await list();
	expect(added).toMatchObject({ id: expect.stringMatching(/^[\da-f-]{36}$/), text: "Bonjour,", changed_by: "Boss" });
	expect(await send({ act: "delete-reply-template", template: added?.id ?? "" })).toContain("Le modèle n’est plus proposé.");
	expect(await list()).toMatchObject([{ text: null }]);
	const log = shop.shop.db.selectFrom("desk_log").select("change").where("outcome", "=", "done").orderBy("id", "desc").limit(2);
	expect((await log.execute()).map(({ change }) => change)).toEqual([
		{ before: { title: "Nouveau", text: "Bonjour," }, after: { title: "Nouveau" } },
		{ after: { title: "Nouveau", text: "Bonjour," } },
	]);
});

test.each<[minutes: number, text: string, kind: string]>([
	[0, "à répondre sous 1 j 0 h", "waiting"],
	[60, "à répondre sous 23 h 00", "waiting"],
	[60 + 1 / 60, "à répondre sous 22 h 59", "waiting"],
	[20 * 60, "à répondre sous 4 h 00", "waiting"],
	[20 * 60 + 1, "à répondre sous 3 h 59", "warning"],
	[23 * 60, "à répondre sous 1 h 00", "warning"],
	[23 * 60 + 1, "à répondre sous 59 min", "warning"],
	[24 * 60, "à répondre sous 0 min", "warning"],
	[24 * 60 + 1, "en retard de 1 min", "failed"],
	[24 * 60 + 1.5, "en retard de 1 min", "failed"],
	[60 * 60, "en retard de 1 j 12 h", "failed"],
	[60 * 60 + 59, "en retard de 1 j 12 h", "failed"],
])("after %d minutes a message is « %s »", (minutes, text, kind) => {
	const now = new Date("2026-11-23T10:00:00Z");
	const time = describeTimeToAnswer(new Date(now.getTime() - minutes * 60_000), now);
	expect([plain(time.text), time.kind]).toEqual([text, kind]);
});

describe("the lists", () => {
	const at = (minutes: number) => new Date(Date.parse("2026-11-23T10:00:00Z") + minutes * 60_000);

	test("of refused e-mails have each address once with its e-mails, the newest first, without those to the shop and of erased customers", async () => {
		const { db } = shop.shop;
		const order = (company_name: string, values: OrderValues = {}) =>
			insertOrder(db, { created_at: at(0), company_name, customer_email: `${company_name.toLowerCase()}@gmial.com`, ...values });
		const bounce = (order_id: string, kind: string, minutes: number, id: string = key(), bounce_reason: string | null = "550") =>
			db
				.insertInto("mails")
				.values({ id, order_id, kind, created_at: at(0), bounced_at: at(minutes), bounce_reason })
				.execute();
		const [first, second] = [await order("PREMIERE", { phone: "0612345678", delivery_email: "banque@exemple.fr" }), await order("SECONDE")];
		const erased = await order("EFFACEE", { erased_at: at(0) });
		// its second address was removed since
		const third = await order("TROISIEME", { delivery_email: null });
		const ids = ["00000000-0000-4000-8000-00000000000a", "00000000-0000-4000-8000-00000000000b"] as const;
		await bounce(first.id, "late", 2, ids[1]);
		await bounce(first.id, "confirmation", 2, ids[0], null);
		await bounce(first.id, "document-ready-delivery", 1);
		await bounce(second.id, "confirmation", 3);
		for (const kind of ["alert-bounce", "address-corrected"]) await bounce(second.id, kind, 4);
		await bounce(erased.id, "confirmation", 5);
		await bounce(third.id, "document-ready-delivery", 0);
		await db
			.insertInto("mails")
			.values({ id: key(), order_id: second.id, kind: "late", created_at: at(0) })
			.execute();
		const { addresses } = await listBounces({ db });
		expect(addresses.map(({ orderId, reader, email, suggestion, mails }) => [orderId, reader, email, suggestion, mails.length])).toEqual([
			[second.id, "customer", "seconde@gmial.com", "seconde@gmail.com", 1],
			[first.id, "customer", "premiere@gmial.com", "premiere@gmail.com", 2],
			[first.id, "delivery", "banque@exemple.fr", null, 1],
			[third.id, "delivery", "", null, 1],
		]);
		expect(addresses[1]).toMatchObject({
			...{ orderNumber: first.order_number, company: "PREMIERE", customer: "Ada Lovelace", phone: "0612345678" },
			mails: [
				{ id: ids[0], label: "Confirmation et facture", at: "lundi 23 novembre 2026 à 11\u00a0h\u00a002", reason: "" },
				{ id: ids[1], label: "Commande en retard", reason: "550" },
			],
		});
		expect((await listBouncedMails(db, 1)).map(({ order_id }) => order_id)).toEqual([second.id]);
		// the customer's own second address gets what was for the first
		await db.updateTable("orders").set({ delivery_email: "seconde@etude.example" }).where("id", "=", second.id).execute();
		const payload = { resent: true, own: true };
		await db.transaction().execute((trx) => recordEvent(trx, { orderId: second.id, type: "address_corrected", payload, now: at(1) }));
		expect((await listBounces({ db })).addresses[0]?.email).toBe("seconde@etude.example");
		await db.deleteFrom("mails").where("order_id", "in", [first.id, second.id, third.id, erased.id]).execute();
	});

	test("of refused replies have those that nobody has answered again, the newest first", async () => {
		const { db } = shop.shop;
		const reply = async (subject: string, minutes: number | null, waits: boolean) => {
			const id = key();
			await db
				.insertInto("conversations")
				.values({ id, email: "lea@example.fr", name: "Léa", subject, last_at: at(0), waiting_since: waits ? at(0) : null })
				.execute();
			const bounced_at = minutes === null ? null : at(minutes);
			await db
				.insertInto("conversation_messages")
				.values({
					id: key(),
					conversation_id: id,
					direction: "out",
					author: "Ada",
					text: "",
					attachments: toJson([]),
					created_at: at(0),
					bounced_at,
				})
				.execute();
			return id;
		};
		const older = await reply("Ancienne", 1, true);
		const newer = await reply("Nouvelle", 2, true);
		await reply("Close", 3, false);
		await reply("Partie", null, true);
		const { replies } = await listBounces({ db });
		expect(replies).toEqual([
			{ id: newer, subject: "Nouvelle", email: "lea@example.fr", at: "lundi 23 novembre 2026 à 11\u00a0h\u00a002", reason: "" },
			expect.objectContaining({ id: older }),
		]);
		expect((await listBouncedReplies(db, 1)).map(({ id }) => id)).toEqual([newer]);
		await db.deleteFrom("conversations").where("email", "=", "lea@example.fr").execute();
	});

	test("of answered messages are paged by fifty, and of waiting ones name who answers now", async () => {
		const { db } = shop.shop;
		await db.deleteFrom("conversations").execute();
		const insert = (subject: string, last: number, values: object = {}) =>
			db
				.insertInto("conversations")
				.values({ id: key(), email: "lea@example.fr", name: "Léa", subject, last_at: at(last), waiting_since: null, ...values })
				.execute();
		for (let n = 0; n < 50; n++) await insert(`Objet ${n}`, n);
		const read = (query: string) => listMessages({ db, now: () => at(60) }, new URLSearchParams(query));
		const subjects = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, n) => `Objet ${from - n}`);
		const whole = await read("vue=repondus");
		expect([whole.rows.map(({ subject }) => subject), whole.next]).toEqual([subjects(49, 0), null]);
		await insert("Objet 50", 50);
		const first = await read("vue=repondus");
		expect([first.view, first.rows.map(({ subject }) => subject)]).toEqual(["answered", subjects(50, 1)]);
		expect((await read(first.next ?? "")).rows.map(({ subject }) => subject)).toEqual(["Objet 0"]);
		expect((await read("vue=repondus&avant=hier")).rows[0]).toMatchObject({ subject: "Objet 50", wait: null, claimedBy: null });
		const claimed = (minutes: number) => ({ waiting_since: at(0), claimed_by: key(), claimed_name: "Ada", claimed_until: at(minutes) });
		await insert("Pris", 0, claimed(61));
		await insert("Plus pris", 0, { ...claimed(60), waiting_since: at(1) });
		const waiting = await read("");
		expect([waiting.view, waiting.next]).toEqual(["waiting", null]);
		expect(waiting.rows.map(({ subject, claimedBy, wait, lastAt }) => [subject, claimedBy, wait?.kind, lastAt])).toEqual([
			["Pris", "Ada", "waiting", "lun.\u00a023 à 11\u00a0h"],
			["Plus pris", null, "waiting", "lun.\u00a023 à 11\u00a0h"],
		]);
		await db.deleteFrom("conversations").execute();
	});
});
