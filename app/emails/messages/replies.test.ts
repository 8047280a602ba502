import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { insertConversation, insertMessage, insertRefundRequest } from "../../../test/conversations.ts";
import { createOrderFixture, type OrderFixture, waitForLock } from "../../../test/orders.ts";
import { formatInstant } from "../../catalogue/instants.ts";
import type { MailOutcome, OutgoingMail } from "../../mail/mailer.ts";
import { claim, closeConversation } from "./claim-conversation.server.ts";
import { lockConversation, markReply, updateConversation } from "./conversations.store.server.ts";
import { recordReplyBounce, reply } from "./reply.server.ts";
import { listReplyTemplates, upsertReplyTemplate } from "./reply-templates.store.server.ts";
import { replyTemplates } from "./reply-templates.ts";
import { getReplyValues } from "./reply-values.server.ts";
import { composeReply, sendReply } from "./send-reply.server.ts";

let shop: OrderFixture;
beforeAll(async () => {
	shop = await createOrderFixture({ startsAt: "2026-11-23T10:00:00Z" });
});
afterAll(() => shop?.close());
beforeEach(async () => {
	shop.clock.now = shop.start;
	for (const table of ["conversations", "contact_messages", "reply_templates"] as const) await shop.db.deleteFrom(table).execute();
});

const ada = { id: randomUUID(), name: "Ada" };
const bob = { id: randomUUID(), name: "Bob" };
const minutes = (count: number) => shop.after(count * 60_000);
const begin = (values: Partial<Parameters<typeof insertConversation>[1]> = {}) =>
	insertConversation(shop.db, { last_at: shop.start, ...values });
const add = (conversation: string, values: Partial<Parameters<typeof insertMessage>[2]> = {}) =>
	insertMessage(shop.db, conversation, { created_at: shop.start, ...values });
const readRow = (id: string) => shop.db.selectFrom("conversations").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
const readMessages = (id: string) =>
	shop.db.selectFrom("conversation_messages").selectAll().where("conversation_id", "=", id).orderBy("created_at").execute();
const answer = (conversationId: string, text = "Bonjour,", author = ada, readUntil = shop.start, confirmsOrder = false) =>
	reply(shop, { conversationId, text, author, confirmsOrder, readUntil });

const askForRefund = (order_id: string, values: Partial<Parameters<typeof insertRefundRequest>[1]> = {}) =>
	insertRefundRequest(shop.db, { order_id, created_at: shop.start, ...values });

describe("a claim", () => {
	const take = (id: string, operator = bob, takeOver = false) => claim(shop, id, operator, { takeOver });

	test("keeps the others out for twenty minutes, to the instant, of its conversation alone", async () => {
		const [id, other] = [await begin(), await begin()];
		expect(await take(id, ada)).toEqual({ ok: true, before: null });
		expect(await readRow(id)).toMatchObject({ claimed_by: ada.id, claimed_name: "Ada", claimed_until: minutes(20) });
		expect(await readRow(other)).toMatchObject({ claimed_by: null, claimed_name: null, claimed_until: null });
		shop.clock.now = new Date(minutes(20).getTime() - 1);
		expect(await take(id)).toEqual({ ok: false, code: "claimed", by: "Ada" });
		expect(await answer(id, "Bonjour,", bob)).toEqual({ ok: false, code: "claimed", by: "Ada" });
		expect(await readRow(id)).toMatchObject({ claimed_by: ada.id });
		expect(await take(other)).toEqual({ ok: true, before: null });
		shop.clock.now = minutes(20);
		expect(await take(id)).toEqual({ ok: true, before: null });
		expect(await readRow(id)).toMatchObject({ claimed_by: bob.id, claimed_name: "Bob", claimed_until: minutes(40) });
	});

	test("is renewed by its holder and taken over from another operator, who is named while the claim lasts", async () => {
		const [id, other] = [await begin(), await begin()];
		await take(id, ada);
		shop.clock.now = minutes(10);
		expect(await take(id, ada)).toEqual({ ok: true, before: "Ada" });
		expect(await take(id, bob, true)).toEqual({ ok: true, before: "Ada" });
		expect(await readRow(id)).toMatchObject({ claimed_by: bob.id, claimed_name: "Bob", claimed_until: minutes(30) });
		expect(await readRow(other)).toMatchObject({ claimed_by: null });
		shop.clock.now = minutes(30);
		expect(await take(id, ada, true)).toEqual({ ok: true, before: null });
	});

	test("that begins at the same moment as another one is refused with the name of its holder", async () => {
		const id = await begin();
		let waiting: ReturnType<typeof take> | undefined;
		await shop.inTransaction(async (trx) => {
			await lockConversation(trx, id);
			waiting = take(id);
			await waitForLock(shop.db, waiting);
			await updateConversation(trx, id, { claimed_by: ada.id, claimed_name: "Ada", claimed_until: minutes(20) });
		});
		expect(await waiting).toEqual({ ok: false, code: "claimed", by: "Ada" });
	});

	test("that has ended lets another operator reply, at its instant", async () => {
		const id = await begin({ claimed_by: ada.id, claimed_name: "Ada", claimed_until: minutes(20) });
		shop.clock.now = minutes(20);
		expect(await answer(id, "Bonjour,", bob)).toMatchObject({ ok: true });
	});

	test("ends with the conversation, which nobody waits for any more; what does not exist is neither claimed nor closed", async () => {
		const values = { claimed_by: ada.id, claimed_name: "Ada", claimed_until: minutes(20) };
		const [id, other] = [await begin(values), await begin(values)];
		expect(await closeConversation(shop, id)).toBe(true);
		expect(await readRow(id)).toMatchObject({ waiting_since: null, claimed_by: null, claimed_name: null, claimed_until: null });
		expect(await readRow(other)).toMatchObject({ waiting_since: shop.start, ...values });
		for (const takeOver of [false, true]) expect(await take(randomUUID(), ada, takeOver)).toEqual({ ok: false, code: "unknown" });
		expect(await closeConversation(shop, randomUUID())).toBe(false);
	});
});

describe("a reply", () => {
	test("is recorded with its values filled in, ends the claim and the waiting of its conversation alone, and has one job", async () => {
		const { order } = await shop.insertPaidOrder({ customer_email: "lea@example.fr", first_name: "Léa" });
		const values = { claimed_by: ada.id, claimed_name: "Ada", claimed_until: minutes(20) };
		const [id, other] = [await begin({ order_id: order.id, order_found: "number", ...values }), await begin()];
		shop.clock.now = minutes(1);
		const outcome = await answer(id, "Bonjour {prenom}, {numero}");
		expect(outcome).toMatchObject({ ok: true, orderNumber: order.order_number, conversation: { id, waiting_since: shop.start } });
		const [message, ...more] = await readMessages(id);
		expect(more).toEqual([]);
		expect(message).toMatchObject({
			...{ direction: "out", author: "Ada", text: `Bonjour Léa, ${order.order_number}`, created_at: minutes(1) },
			...{ message_id: null, attachments: [], sent_at: null, bounced_at: null },
		});
		expect(await readRow(id)).toMatchObject({
			...{ waiting_since: null, last_at: minutes(1), claimed_by: null, claimed_name: null, claimed_until: null },
		});
		expect(await readRow(other)).toMatchObject({ waiting_since: shop.start, last_at: shop.start });
		expect(await shop.getJobs("send-reply", message?.id ?? "")).toMatchObject([{ data: { messageId: message?.id } }]);
	});

	test("without an order names none; to what does not exist, or has changed since it was read, it is refused", async () => {
		const id = await begin();
		for (const readUntil of [shop.after(-1), shop.after(1)])
			expect(await answer(id, "Bonjour,", ada, readUntil)).toEqual({ ok: false, code: "changed" });
		expect(await answer(randomUUID())).toEqual({ ok: false, code: "unknown" });
		expect(await answer(id, "{prenom}")).toMatchObject({ ok: false, code: "unfinished" });
		expect(await readMessages(id)).toEqual([]);
		expect(await answer(id)).toMatchObject({ ok: true, orderNumber: null });
	});

	test("waits for somebody who writes to its conversation at the same moment, and is refused then", async () => {
		const id = await begin();
		let waiting: ReturnType<typeof answer> | undefined;
		await shop.inTransaction(async (trx) => {
			await lockConversation(trx, id);
			waiting = answer(id);
			await waitForLock(shop.db, waiting);
			await updateConversation(trx, id, { last_at: minutes(1) });
		});
		expect(await waiting).toEqual({ ok: false, code: "changed" });
	});

	test("ends the waiting of a refund request only when that request is decided", async () => {
		const order = await shop.insertOrder();
		const values = { order_id: order.id, order_found: "request" } as const;
		const decided = { decided_at: shop.start, granted: true };
		const open = await begin({ ...values, refund_request_id: await askForRefund(order.id) });
		const settled = await begin({ ...values, refund_request_id: await askForRefund(order.id, decided) });
		const plain = await begin(values);
		for (const id of [open, settled, plain]) expect(await answer(id)).toMatchObject({ ok: true });
		const waits = await Promise.all([open, settled, plain].map(async (id) => (await readRow(id)).waiting_since));
		expect(waits).toEqual([shop.start, null, null]);
	});
});

describe("a reply that came back", () => {
	test("is recorded once with the beginning of its reason, and its customer waits from now", async () => {
		const [id, other] = [await begin({ waiting_since: null }), await begin({ waiting_since: null })];
		const [sent, received] = [await add(id, { direction: "out", sent_at: shop.start }), await add(id)];
		shop.clock.now = minutes(5);
		for (const unknown of [randomUUID(), received]) expect(await recordReplyBounce(shop, unknown, "550")).toBe(false);
		expect(await readRow(id)).toMatchObject({ waiting_since: null });
		expect(await recordReplyBounce(shop, sent, "x".repeat(501))).toBe(true);
		expect((await readMessages(id)).map(({ bounced_at, bounce_reason }) => [bounced_at, bounce_reason?.length])).toEqual(
			expect.arrayContaining([
				[minutes(5), 500],
				[null, undefined],
			]),
		);
		expect([(await readRow(id)).waiting_since, (await readRow(other)).waiting_since]).toEqual([minutes(5), null]);
		shop.clock.now = minutes(6);
		expect(await recordReplyBounce(shop, sent, "551")).toBe(false);
		expect(await recordReplyBounce(shop, await add(id, { direction: "out" }), "552")).toBe(true);
		expect((await readRow(id)).waiting_since).toEqual(minutes(5));
	});

	test("is not marked as sent, and one that was sent is not marked again", async () => {
		const id = await begin();
		const reply = await add(id, { direction: "out" });
		expect(await markReply(shop.db, reply, { sent_at: minutes(1) })).toBe(id);
		expect(await markReply(shop.db, reply, { sent_at: minutes(2) })).toBeNull();
		expect((await readMessages(id))[0]?.sent_at).toEqual(minutes(1));
		expect(await markReply(shop.db, reply, { bounced_at: minutes(3), bounce_reason: "550" })).toBe(id);
		const refused = await add(id, { direction: "out", bounced_at: shop.start });
		expect(await markReply(shop.db, refused, { sent_at: minutes(2) })).toBeNull();
	});
});

describe("the e-mail of a reply", () => {
	const bare = { text: "", author: "", subject: "Question", order: null, question: null };
	const outgoing: OutgoingMail[] = [];
	beforeEach(() => void outgoing.splice(0));
	const send = (id: string, outcome: MailOutcome = { ok: true }) => {
		const deliver = async (mail: OutgoingMail) => {
			outgoing.push(mail);
			return outcome;
		};
		return sendReply({ ...shop, mailer: { name: "memory", send: deliver, ready: async () => true } }, id);
	};

	test("leaves once, as a personal one, and continues the receipt of the form and the mails before it", async () => {
		const contact = { id: randomUUID(), created_at: shop.start, email: "lea@example.fr", message: "Bonjour ?", name: "Léa" };
		await shop.db.insertInto("contact_messages").values(contact).execute();
		const id = await begin({ contact_message_id: contact.id });
		await add(id, { created_at: minutes(2), message_id: "second@mx.example" });
		await add(id, { created_at: minutes(1), message_id: "first@mx.example" });
		await add(id, { created_at: minutes(3) });
		const earlier = await add(id, { created_at: minutes(4), direction: "out", sent_at: minutes(4) });
		const text = "Bonjour Léa,\n\nIl est parti.";
		const now = await add(id, { created_at: minutes(5), direction: "out", text });
		await add(id, { created_at: minutes(6), message_id: "later@mx.example" });
		shop.clock.now = minutes(7);
		await send(now);
		const references = [`${contact.id}-receipt`, "first@mx.example", "second@mx.example", earlier];
		expect(outgoing).toMatchObject([
			{
				...{ id: now, to: "lea@example.fr", references, isPersonal: true, text: expect.stringContaining("Il est parti.") },
				subject: `Votre message ${contact.id.slice(0, 8).toUpperCase()}\u00a0: notre réponse`,
			},
		]);
		expect((await readMessages(id)).find((message) => message.id === now)).toMatchObject({ sent_at: minutes(7), bounced_at: null });
		for (const again of [now, earlier, randomUUID()]) await send(again);
		for (const refused of ["in", "out"] as const) await send(await add(id, { direction: refused, bounced_at: shop.start }));
		await send(await add(id));
		expect(outgoing).toHaveLength(1);
	});

	test.each([
		["number", false, true],
		["request", false, true],
		["address", false, false],
		["address", true, true],
	] as const)("to a message whose order is known by its %s, confirmed: %s, names the order: %s", async (found, confirms, isNamed) => {
		const { order } = await shop.insertPaidOrder({ customer_email: "lea@example.fr", first_name: "Léa" });
		const id = await begin({ order_id: order.id, order_found: found, subject: "Question" });
		const outcome = await answer(id, "Bonjour {prenom},", ada, shop.start, confirms);
		expect(outcome).toMatchObject({ ok: true, orderNumber: isNamed ? order.order_number : null });
		const [message] = await readMessages(id);
		await send(message?.id ?? "");
		const { subject = "", text = "", html = "" } = outgoing[0] ?? {};
		expect([subject, text, html].map((part) => part.includes(order.order_number))).toEqual([isNamed, isNamed, isNamed]);
		expect(text.includes("/suivi/")).toBe(isNamed);
		// the next reply needs no second confirmation
		shop.clock.now = minutes(1);
		const next = await answer(id, "{numero}", ada, shop.start);
		expect(next).toMatchObject(isNamed ? { ok: true } : { ok: false, code: "unfinished" });
	});

	test("about a refund request continues its receipt and names its order; one about no order of the reader has the subject of its mail", async () => {
		const order = await shop.insertOrder({ customer_email: "lea@example.fr" });
		const mails = [randomUUID(), randomUUID(), randomUUID()] as const;
		for (const [n, kind] of ["confirmation", "refund-request-received", "late"].entries())
			await shop.db
				.insertInto("mails")
				.values({ id: mails[n] ?? "", order_id: order.id, kind, created_at: minutes(n) })
				.execute();
		const refund_request_id = await askForRefund(order.id);
		const about = await begin({ order_id: order.id, order_found: "request", refund_request_id });
		const plain = await begin({ order_id: order.id, order_found: "number", email: "noe@example.fr", subject: "Mon extrait" });
		const again = await begin({ subject: "RE : Mon extrait" });
		const without = await shop.insertOrder({ customer_email: "lea@example.fr" });
		const bare = await begin({ order_id: without.id, order_found: "request", refund_request_id: await askForRefund(without.id) });
		for (const id of [about, plain, again, bare]) await send(await add(id, { direction: "out" }));
		expect(outgoing.map(({ subject, references }) => [subject, references])).toEqual([
			[`Votre commande ${order.order_number}\u00a0: notre réponse`, [mails[1]]],
			["Re: Mon extrait", []],
			["RE\u00a0: Mon extrait", []],
			[`Votre commande ${without.order_number}\u00a0: notre réponse`, []],
		]);
	});

	test("names the latest twenty e-mails before it", async () => {
		const id = await begin();
		for (let n = 1; n <= 21; n++) await add(id, { created_at: minutes(n), message_id: `m${n}@mx.example` });
		await send(await add(id, { created_at: minutes(22), direction: "out" }));
		expect(outgoing[0]?.references).toEqual(Array.from({ length: 20 }, (_, n) => `m${n + 2}@mx.example`));
	});

	test("that is refused is recorded with the words of the mail server, and its customer waits", async () => {
		const id = await begin({ waiting_since: null });
		const refused = await add(id, { direction: "out" });
		await send(refused, { ok: false, code: "refused", reply: "550 unknown user" });
		expect(await readMessages(id)).toMatchObject([{ sent_at: null, bounced_at: shop.start, bounce_reason: "550 unknown user" }]);
		expect((await readRow(id)).waiting_since).toEqual(shop.start);
		expect(shop.lines).toContainEqual(expect.objectContaining({ reply: refused, reason: "550 unknown user" }));
	});

	test.each<[text: string, preheader: string]>([
		["Bonjour Léa,\n  \nIl est parti.\nMerci.", "Il est parti."],
		["BONJOUR,\nOui.", "Oui."],
		["Bonjournal\nOui.", "Bonjournal"],
		["Oui, bonjour.\nNon.", "Oui, bonjour."],
		["x".repeat(121), "x".repeat(120)],
		["Bonjour,", ""],
	])("of « %s » begins with « %s » in the list of a mailbox", (text, preheader) => {
		expect(composeReply({ ...bare, text }, { name: "Extrait" }).preheader).toBe(preheader);
	});

	test.each([
		["its last line is the first name", "Un\nDeux\n\nCamille", "Camille Roux"],
		["its last line is the whole name", "Un\nDeux\ncamille roux.", "Camille Roux"],
		["it has no signature of its own", "Un\nDeux", "Camille"],
	])("is signed once, by the operator's first name and the shop, when %s", (_, text, author) => {
		expect(composeReply({ ...bare, text, author }, { name: "Extrait" }).blocks).toEqual(["Un", "Deux", "Camille, Extrait"]);
	});

	test("keeps a text that is a name alone, or ends with another word", () => {
		expect(composeReply({ ...bare, text: "Camille", author: "Camille" }, { name: "Extrait" }).blocks).toEqual([
			"Camille",
			"Camille, Extrait",
		]);
		expect(composeReply({ ...bare, text: "Un\nCam", author: "Camille" }, { name: "Extrait" }).blocks).toEqual([
			"Un",
			"Cam",
			"Camille, Extrait",
		]);
	});

	test("has the order with its link, then the beginning of the question, as plain text", () => {
		const order = { number: "KB-7F3K-92QD", company: "DANONE (SIREN 552032534)", url: "https://shop.example/suivi/x" };
		const question = { text: "<b>Où</b> est-il ?\n\nLéa\n", at: new Date("2026-11-22T23:30:00Z") };
		const read = (values: object) => composeReply({ ...bare, text: "Parti.", ...values }, { name: "Extrait" }).blocks.slice(2);
		const rows = [
			["Commande", "KB-7F3K-92QD"],
			["Entreprise", "DANONE (SIREN 552032534)"],
		];
		const quoted = { quote: ["<b>Où</b> est-il ?", "", "Léa"] };
		const heading = { heading: "Votre message du 23 novembre 2026" };
		expect(read({ order, question })).toEqual([
			{ descriptionList: rows },
			{ link: "Suivre votre commande", url: order.url },
			heading,
			quoted,
		]);
		expect(read({ question })).toEqual([heading, quoted]);
		const quote = (text: string) => read({ question: { ...question, text } }).at(-1);
		expect(quote("x".repeat(1500))).toEqual({ quote: ["x".repeat(1500)] });
		expect(quote("x".repeat(1501))).toEqual({ quote: ["x".repeat(1500), "[…]"] });
		const lines = Array.from({ length: 31 }, (_, n) => `${n}`);
		expect(quote(lines.slice(0, 30).join("\n"))).toEqual({ quote: lines.slice(0, 30) });
		expect(quote(lines.join("\n"))).toEqual({ quote: [...lines.slice(0, 30), "[…]"] });
	});

	test("quotes what the customer wrote last before it, and links to their paid order by its key", async () => {
		const { order } = await shop.insertPaidOrder({ customer_email: "lea@example.fr" });
		const id = await begin({ order_id: order.id, order_found: "number" });
		await add(id, { created_at: minutes(1), text: "Première question" });
		await add(id, { created_at: minutes(2), text: "Seconde question" });
		await add(id, { created_at: minutes(3), text: " " });
		const reply = await add(id, { created_at: minutes(4), direction: "out", author: "Ada", text: "Réponse" });
		await add(id, { created_at: minutes(5), text: "Plus tard" });
		await send(reply);
		const text = (outgoing[0]?.text ?? "").replaceAll("\u00a0", " ");
		for (const part of [
			`\n\nRéponse\n\nAda, ${shop.environment.shop.name}\n\nCommande : ${order.order_number}\nEntreprise : DANONE (SIREN 552032534)\n\n`,
			`/suivi/${order.order_number}/acces/`,
			"\n\n> Seconde question\n\n-- \n",
		])
			expect(text).toContain(part);
		for (const hidden of ["Première", "Plus tard"]) expect(text).not.toContain(hidden);
	});
});

test("the values of a reply are of a paid order of its reader, and of nobody else's", async () => {
	const { order } = await shop.insertPaidOrder({
		customer_email: "lea@example.fr",
		first_name: "Léa",
		last_name: "Roux",
		price_cents: 5900,
	});
	const { environment } = shop;
	const named = { isNamed: true };
	// a guess says who has the address, and nothing of the order
	const { prenom, nom, ...others } = getReplyValues(environment, order, "lea@example.fr", { isNamed: false });
	expect([prenom, nom, ...new Set(Object.values(others))]).toEqual(["Léa", "Roux", ""]);
	expect(getReplyValues(environment, order, "LEA@example.fr", named)).toEqual({
		...{ prenom: "Léa", nom: "Roux", numero: order.order_number, societe: "DANONE", siren: "552032534", service: "KBIS Express" },
		echeance: order.promised_at && formatInstant(order.promised_at),
		...{ montant: "59,00\u00a0€", suivi: `${environment.baseUrl}/suivi/${order.order_number}` },
	});
	expect(getReplyValues(environment, { ...order, promised_at: null }, "lea@example.fr", named).echeance).toBe("");
	for (const [other, email] of [
		[order, "noe@example.fr"],
		[{ ...order, paid_at: null }, "lea@example.fr"],
		[{ ...order, erased_at: shop.start }, "lea@example.fr"],
		[null, "lea@example.fr"],
	] as const)
		expect(new Set(Object.values(getReplyValues(environment, other, email, named)))).toEqual(new Set([""]));
});

test("the templates are the shop's own, as they were changed, then those that were added, by title", async () => {
	const [first, second, ...others] = replyTemplates;
	const save = (id: string, title: string, text: string | null, by = "Ada") =>
		upsertReplyTemplate(shop.db, { id, title, text, by, now: shop.now() });
	await save("b", "Zèle", "Deux");
	await save("a", "Avis", "Un");
	await save("c", "Retiré", null);
	await save(first?.id ?? "", "Retiré", null);
	await save(second?.id ?? "", "Titre", "Avant");
	shop.clock.now = minutes(1);
	await save(second?.id ?? "", "Nouveau titre", "Après", "Bob");
	expect(await listReplyTemplates(shop.db)).toEqual([
		{ id: second?.id, title: "Nouveau titre", text: "Après" },
		...others,
		{ id: "a", title: "Avis", text: "Un" },
		{ id: "b", title: "Zèle", text: "Deux" },
	]);
	const row = await shop.db.selectFrom("reply_templates").selectAll().where("title", "=", "Nouveau titre").executeTakeFirstOrThrow();
	expect(row).toMatchObject({ changed_at: minutes(1), changed_by: "Bob" });
});
