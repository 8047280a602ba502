import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { toJson } from "../../../server/database/column-types.ts";
import { takeTogether } from "../../../server/rate-limits.ts";
import { insertConversation, insertMessage, insertRefundRequest } from "../../../test/conversations.ts";
import { createOrderFixture, type OrderFixture } from "../../../test/orders.ts";
import { packContent } from "../../mail/pack-content.server.ts";
import { insertSentEmail } from "../../mail/sent-emails.store.server.ts";
import {
	deleteConversationsByEmail,
	deleteConversationsOfOrders,
	deleteOldConversations,
	insertConversationMessage,
	listAnswered,
	listAutomatic,
	listConversationsByEmail,
	listRecentReplies,
	listWaiting,
} from "./conversations.store.server.ts";
import { findOrderOfMessage } from "./find-order.server.ts";
import { receiveMail } from "./receive-mail.server.ts";
import { findThread, listThread } from "./thread.server.ts";

let shop: OrderFixture;
beforeAll(async () => {
	shop = await createOrderFixture({ startsAt: "2026-11-23T10:00:00Z", variables: { MAIL_FROM: "Extrait <envoi@boutique.example>" } });
});
afterAll(() => shop?.close());
beforeEach(async () => {
	shop.clock.now = shop.start;
	for (const table of ["conversations", "contact_messages"] as const) await shop.db.deleteFrom(table).execute();
});

const minutes = (count: number) => shop.after(count * 60_000);
const begin = (values: Partial<Parameters<typeof insertConversation>[1]> = {}) =>
	insertConversation(shop.db, { last_at: shop.start, ...values });
const add = (conversation: string, values: Partial<Parameters<typeof insertMessage>[2]> = {}) =>
	insertMessage(shop.db, conversation, { created_at: shop.start, ...values });
const left = async () => (await shop.db.selectFrom("conversations").select("id").execute()).map(({ id }) => id).sort();

const askForRefund = (order_id: string, values: Partial<Parameters<typeof insertRefundRequest>[1]> = {}) =>
	insertRefundRequest(shop.db, { order_id, created_at: shop.start, ...values });
async function write(values: { subject?: string; phone?: string; siren?: string } = {}): Promise<string> {
	const id = randomUUID();
	const message = { id, created_at: shop.start, email: "lea@example.fr", message: "Bonjour ?", name: "Léa" };
	await shop.db
		.insertInto("contact_messages")
		.values({ ...message, ...values })
		.execute();
	return id;
}

describe("the lists", () => {
	test("have the longest waiting first, and the latest answered first, at most so many, older than an instant", async () => {
		const waiting = [await begin({ waiting_since: minutes(2) }), await begin({ waiting_since: minutes(1), last_at: minutes(9) })];
		const answered = [];
		for (const n of [1, 3, 2]) answered.push(await begin({ waiting_since: null, last_at: minutes(n) }));
		const ids = (rows: { id: string }[]) => rows.map(({ id }) => id);
		expect(ids(await listWaiting(shop.db, 9))).toEqual([waiting[1], waiting[0]]);
		expect(ids(await listWaiting(shop.db, 1))).toEqual([waiting[1]]);
		expect(ids(await listAnswered(shop.db, { limit: 9, before: null }))).toEqual([answered[1], answered[2], answered[0]]);
		expect(ids(await listAnswered(shop.db, { limit: 2, before: null }))).toEqual([answered[1], answered[2]]);
		expect(ids(await listAnswered(shop.db, { limit: 9, before: minutes(3) }))).toEqual([answered[2], answered[0]]);
	});

	test("have conversations of one instant in the order of their ids", async () => {
		const ids = ["b", "a", "c"].map((end) => `00000000-0000-4000-8000-00000000000${end}`);
		for (const waiting_since of [shop.start, null]) {
			await shop.db.deleteFrom("conversations").execute();
			for (const id of ids) await begin({ id, waiting_since });
			const rows = waiting_since ? await listWaiting(shop.db, 9) : await listAnswered(shop.db, { limit: 9, before: null });
			expect(rows.map(({ id }) => id)).toEqual(ids.toSorted());
		}
	});

	test("take a refund request as answered from its decision, until its customer writes again", async () => {
		const order = await shop.insertOrder();
		for (const [since, waits] of [
			[-1, false],
			[0, false],
			[1, true],
		] as const) {
			const refund_request_id = await askForRefund(order.id, { decided_at: shop.start, granted: true });
			const id = await begin({ refund_request_id, order_id: order.id, waiting_since: shop.after(since) });
			expect((await findThread(shop.db, id))?.waitingSince).toEqual(waits ? shop.after(since) : null);
			expect((await listWaiting(shop.db, 9)).map((row) => row.id)).toEqual(waits ? [id] : []);
			expect((await listAnswered(shop.db, { limit: 9, before: null })).map((row) => row.id)).toEqual(waits ? [] : [id]);
			await shop.db.deleteFrom("conversations").execute();
		}
	});

	test("tell the kind, the order and the beginning of the last message", async () => {
		const order = await shop.insertOrder();
		const ids = [
			await begin({ contact_message_id: await write() }),
			await begin({ contact_message_id: await write({ subject: "Autre" }), order_id: order.id }),
			await begin({ refund_request_id: await askForRefund(order.id), order_id: order.id }),
			await begin(),
			await begin(),
		];
		await add(ids[3] ?? "", { text: "Dernier".padEnd(201, "."), created_at: minutes(2) });
		await add(ids[3] ?? "", { text: "Premier", created_at: minutes(1) });
		await add(ids[1] ?? "", { text: "Ma réponse" });
		const rows = new Map((await listWaiting(shop.db, 9)).map((row) => [row.id, row]));
		expect(ids.map((id) => [rows.get(id)?.kind, rows.get(id)?.order_number, rows.get(id)?.excerpt])).toEqual([
			["contact", null, "Bonjour ?"],
			["support", order.order_number, "Ma réponse"],
			["refund", order.order_number, "Remboursez-moi"],
			["mail", null, "Dernier".padEnd(200, ".")],
			["mail", null, ""],
		]);
	});
});

describe("a thread", () => {
	test("has what a form gave, the decision and the mails of both sides in the order of their times, with their state", async () => {
		const order = await shop.insertOrder();
		const request = await askForRefund(order.id, { decided_at: minutes(3), granted: false });
		const claimed = { claimed_by: randomUUID(), claimed_name: "Ada", claimed_until: minutes(20) };
		const id = await begin({ refund_request_id: request, order_id: order.id, order_found: "request", ...claimed });
		const attachments = [{ name: "extrait.pdf", bytes: 12 }];
		await add(id, { created_at: minutes(5), direction: "out", author: "Ada", text: "e" });
		await add(id, { created_at: minutes(4), direction: "out", author: "Ada", text: "d", sent_at: minutes(4) });
		await add(id, { created_at: minutes(1), text: "b", attachments: toJson(attachments) });
		const bounced = { sent_at: minutes(2), bounced_at: minutes(3), bounce_reason: "550" };
		await add(id, { created_at: minutes(2), direction: "out", author: "Ada", text: "c", ...bounced });
		await add(await begin(), { text: "autre" });
		const thread = await findThread(shop.db, id);
		expect(thread).toMatchObject({
			...{ id, kind: "refund", subject: "Question", email: "lea@example.fr", name: "Léa", phone: null, siren: null },
			...{ orderId: order.id, orderFound: "request", waitingSince: null, lastAt: shop.start, decision: "refused" },
			claim: { id: claimed.claimed_by, name: "Ada", until: minutes(20) },
		});
		expect(thread?.messages.map((each) => [each.from, each.author, each.text, each.state, each.bounceReason])).toEqual([
			["customer", "lea@example.fr", "Remboursez-moi", null, null],
			["customer", "lea@example.fr", "b", null, null],
			["shop", "Ada", "c", "bounced", "550"],
			["shop", "", "Le remboursement est refusé.", null, null],
			["shop", "Ada", "d", "sent", null],
			["shop", "Ada", "e", "queued", null],
		]);
		expect(thread?.messages.map(({ at }) => at)).toEqual([0, 1, 2, 3, 4, 5].map(minutes));
		expect(thread?.messages[1]?.attachments).toEqual(attachments);
		expect([thread?.messages[0]?.id, thread?.messages[3]?.id]).toEqual([`${id}-first`, `${id}-decision`]);
		expect(await findThread(shop.db, randomUUID())).toBeNull();
	});

	test.each([
		[{ granted: true, answer: "Voici." }, "granted", "Le remboursement est accordé."],
		[{ granted: false, answer: "Déjà livré." }, "refused", "Déjà livré."],
	])("tells a decision: %j", async (decided, decision, text) => {
		const order = await shop.insertOrder();
		const refund_request_id = await askForRefund(order.id, { decided_at: minutes(1), ...decided });
		const thread = await findThread(shop.db, await begin({ refund_request_id }));
		expect([thread?.decision, thread?.messages.at(-1)?.text]).toEqual([decision, text]);
	});

	test("of a form has its telephone and company, and of a mail only the mails; nobody has decided anything", async () => {
		const order = await shop.insertOrder();
		const rows = [
			[{ contact_message_id: await write({ phone: "0612345678", siren: "552032534" }) }, "contact", "0612345678", "552032534", null, 1],
			[{ contact_message_id: await write({ subject: "Autre" }) }, "support", null, null, null, 1],
			[{ refund_request_id: await askForRefund(order.id) }, "refund", null, null, "open", 1],
			[{}, "mail", null, null, null, 0],
		] as const;
		for (const [values, kind, phone, siren, decision, count] of rows) {
			const thread = await findThread(shop.db, await begin(values));
			expect(thread).toMatchObject({ kind, phone, siren, decision, claim: null, waitingSince: shop.start });
			expect(thread?.messages).toHaveLength(count);
		}
	});

	test("of an order has its conversations alone, the oldest first, each with its own messages", async () => {
		const [order, other] = [await shop.insertOrder(), await shop.insertOrder()];
		const newer = await begin({ order_id: order.id, last_at: minutes(2) });
		const older = await begin({ order_id: order.id, last_at: minutes(1) });
		await begin({ order_id: other.id });
		await begin();
		await add(newer, { text: "neuf" });
		await add(older, { text: "vieux" });
		const threads = await listThread(shop.db, order);
		expect(threads.map(({ id, messages }) => [id, messages.map(({ text }) => text)])).toEqual([
			[older, ["vieux"]],
			[newer, ["neuf"]],
		]);
	});
});

describe("the conversations of a person", () => {
	test("are those of the address, and those to which it wrote; they are deleted except those of some orders", async () => {
		const [kept, order] = [await shop.insertOrder(), await shop.insertOrder()];
		const own = await begin({ email: "Max@example.fr" });
		const wrote = await begin();
		await add(wrote, { author: "MAX@example.fr" });
		const ofOrder = await begin({ email: "max@example.fr", order_id: order.id });
		const ofKept = await begin({ email: "max@example.fr", order_id: kept.id });
		const foreign = await begin();
		await add(foreign, { direction: "out", author: "max@example.fr" });
		const listed = (await listConversationsByEmail(shop.db, "max@example.fr")).map(({ id }) => id);
		expect(listed.sort()).toEqual([own, wrote, ofOrder, ofKept].sort());
		expect(await deleteConversationsByEmail(shop.db, "max@example.fr", [kept.id])).toBe(3);
		expect(await left()).toEqual([ofKept, foreign].sort());
		await shop.inTransaction((trx) => deleteConversationsOfOrders(trx, [kept.id, order.id]));
		expect(await left()).toEqual([foreign]);
	});

	test("are deleted after their last message, to the instant", async () => {
		await begin({ last_at: shop.after(-1) });
		const young = await begin();
		expect(await deleteOldConversations(shop.db, shop.start)).toBe(1);
		expect(await left()).toEqual([young]);
	});
});

test("the newest replies to an address that left since an instant and did not come back", async () => {
	const id = await begin({ email: "Max@example.fr" });
	const sent = (minute: number, values = {}) => add(id, { direction: "out", sent_at: minutes(minute), ...values });
	const [first, third, second] = [await sent(0), await sent(2), await sent(1)];
	await sent(-1);
	await sent(3, { bounced_at: minutes(4) });
	await add(id, { direction: "out" });
	await add(await begin(), { direction: "out", sent_at: minutes(2) });
	const list = (limit: number) =>
		shop.inTransaction((trx) => listRecentReplies(trx, { email: "max@example.fr", since: shop.start, limit }));
	const rows = [
		{ id: third, sentAt: minutes(2) },
		{ id: second, sentAt: minutes(1) },
		{ id: first, sentAt: shop.start },
	];
	expect(await list(9)).toEqual(rows);
	expect(await list(1)).toEqual(rows.slice(0, 1));
});

test("a mail is inserted once", async () => {
	const id = await begin();
	const insert = (message_id: string | null) =>
		shop.inTransaction((trx) =>
			insertConversationMessage(trx, {
				...{ id: randomUUID(), conversation_id: id, direction: "in", author: "lea@example.fr", text: "Bonjour" },
				...{ message_id, attachments: [], created_at: shop.start },
			}),
		);
	const inserted = [];
	for (const messageId of ["a@mx.example", "b@mx.example", "a@mx.example", null, null]) inserted.push(await insert(messageId));
	expect(inserted).toEqual([true, true, false, true, true]);
});

describe("the order of a message", () => {
	const find = (text: string, email = "nobody@example.fr") => findOrderOfMessage(shop.db, { text, email, now: shop.now() });

	test("is the first number in it that exists, however it is typed, of the first ten", async () => {
		const [order, other] = [await shop.insertOrder(), await shop.insertOrder()];
		const number = order.order_number;
		const found = { order_id: order.id, order_found: "number" };
		for (const typed of [number, number.toLowerCase(), number.replaceAll("-", " "), number.replaceAll("-", "")])
			expect(await find(`Où est ${typed}, et ${other.order_number} ?`)).toEqual(found);
		const unknown = Array.from({ length: 10 }, () => "KB-2222-2222").join(" ");
		expect(await find(`${unknown.slice(13)} ${number}`)).toEqual(found);
		for (const text of [`${unknown} ${number}`, `x${number}`, `${number}x`, "KB-0000-0000"])
			expect(await find(text)).toEqual({ order_id: null, order_found: null });
	});

	test("is otherwise the sender's latest of the last 180 days, to the instant", async () => {
		const email = "zoe@example.fr";
		const old = await shop.insertOrder({ customer_email: email, created_at: shop.after(-180 * 86_400_000) });
		expect(await find("Bonjour", email)).toEqual({ order_id: old.id, order_found: "address" });
		shop.clock.now = shop.after(1);
		expect(await find("Bonjour", email)).toEqual({ order_id: null, order_found: null });
		await shop.insertOrder({ customer_email: email, created_at: shop.after(-2) });
		const latest = await shop.insertOrder({ customer_email: email, created_at: shop.after(-1) });
		expect(await find("KB-2222-2222", email)).toEqual({ order_id: latest.id, order_found: "address" });
	});
});

let count = 0;
const receive = (headers: Record<string, string>, body = "Merci.") => {
	const all = { From: "Léa <lea@example.fr>", "Message-ID": `<in${++count}@mx.example>`, ...headers };
	const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
	return receiveMail(shop, new TextEncoder().encode(`${lines.join("\r\n")}\r\n\r\n${body}\r\n`));
};
const readAll = () => shop.db.selectFrom("conversations").selectAll().orderBy("last_at").execute();
const readMessages = () => shop.db.selectFrom("conversation_messages").selectAll().orderBy("created_at").execute();

describe("a mail that comes in", () => {
	test("starts a conversation with what it says, also when it answers e-mails of others", async () => {
		const answers = { References: "<abc@mx.example> <x-receipt@mx.example>", "In-Reply-To": `<${randomUUID()}@mx.example>` };
		expect(await receive({ Subject: "Mon extrait", "Message-ID": "<s1@mx.example>", ...answers })).toEqual({
			...{ ok: true, what: "started", orderNumber: null },
		});
		const [row, ...others] = await readAll();
		expect(others).toEqual([]);
		expect(row).toMatchObject({
			...{ email: "lea@example.fr", name: "Léa", subject: "Mon extrait", waiting_since: shop.start, last_at: shop.start },
			...{ order_id: null, order_found: null, contact_message_id: null, refund_request_id: null, claimed_by: null },
		});
		expect(await readMessages()).toMatchObject([
			{ conversation_id: row?.id, direction: "in", author: "lea@example.fr", text: "Merci.", message_id: "s1@mx.example", attachments: [] },
		]);
	});

	test("keeps the names and sizes of its files", async () => {
		const body = ["--b", "", "Voici.", "--b", 'Content-Disposition: attachment; filename="a.txt"', "", "abc", "--b--"].join("\r\n");
		await receive({ "Content-Type": 'multipart/mixed; boundary="b"' }, body);
		const [message] = await readMessages();
		expect(message?.attachments).toEqual([{ name: "a.txt", bytes: expect.any(Number) }]);
	});

	test("names the order that its subject, then its text, names", async () => {
		const [order, other] = [await shop.insertOrder(), await shop.insertOrder()];
		expect(await receive({ Subject: `Commande ${order.order_number}` }, other.order_number)).toMatchObject({
			...{ what: "started", orderNumber: order.order_number },
		});
		expect(await readAll()).toMatchObject([{ order_id: order.id, order_found: "number" }]);
	});

	test("continues the latest conversation that it answers, by a reply or by another mail, and the order stays", async () => {
		const order = await shop.insertOrder();
		const [older, newer] = [await begin({ order_id: order.id }), await begin({ waiting_since: null, order_id: order.id })];
		await add(older, { message_id: "mail@mx.example", created_at: minutes(1) });
		const reply = await add(newer, { direction: "out", created_at: minutes(2) });
		const references = `<mail@mx.example> <${reply.toUpperCase()}@boutique.example>`;
		shop.clock.now = minutes(3);
		const typed = (await shop.insertOrder()).order_number;
		for (const References of [references, references.split(" ").reverse().join(" ")])
			expect(await receive({ References }, typed)).toEqual({ ok: true, what: "continued", orderNumber: order.order_number });
		expect((await readMessages()).slice(2).map(({ conversation_id }) => conversation_id)).toEqual([newer, newer]);
		shop.clock.now = minutes(4);
		await receive({ References: "<mail@mx.example>" });
		const rows = await readAll();
		expect(rows.map(({ id, last_at, waiting_since }) => [id, last_at, waiting_since])).toEqual([
			[newer, minutes(3), minutes(3)],
			[older, minutes(4), shop.start],
		]);
	});

	test("continues the conversation of the form whose receipt it answers", async () => {
		const contact = await write();
		await begin({ contact_message_id: await write() });
		const id = await begin({ contact_message_id: contact });
		expect(await receive({ "In-Reply-To": `<${contact}-receipt@boutique.example>` })).toMatchObject({
			what: "continued",
			orderNumber: null,
		});
		expect((await readMessages()).map(({ conversation_id }) => conversation_id)).toEqual([id]);
	});

	test("that answers e-mails about two orders is about the order of the latest", async () => {
		const orders = [await shop.insertOrder(), await shop.insertOrder()];
		const mails = [randomUUID(), randomUUID()];
		for (const [n, order] of orders.entries())
			await shop.db
				.insertInto("mails")
				.values({ id: mails[n] ?? "", order_id: order.id, kind: "confirmation", created_at: shop.start })
				.execute();
		const References = mails.map((id) => `<${id}@boutique.example>`).join(" ");
		expect(await receive({ References }, orders[0]?.order_number)).toEqual({
			...{ ok: true, what: "started", orderNumber: orders[1]?.order_number },
		});
		expect(await readAll()).toMatchObject([{ order_id: orders[1]?.id, order_found: "request" }]);
	});

	test("from either address of the shop, in any case, is not kept", async () => {
		const { shop: identity, mailFrom } = shop.environment;
		expect(identity.email).not.toBe(mailFrom.address);
		for (const From of [identity.email, mailFrom.address.toUpperCase()])
			expect(await receive({ From })).toEqual({ ok: true, what: "own", orderNumber: null });
		expect(await readAll()).toEqual([]);
	});

	test("without a text says where it is", async () => {
		const body = ["--b", "Content-Type: text/calendar", "", "BEGIN:VCALENDAR", "--b--"].join("\r\n");
		await receive({ "Content-Type": 'multipart/mixed; boundary="b"' }, body);
		await receive({}, "");
		const texts = (await readMessages()).map(({ text, attachments }) => [text.slice(0, 32), attachments.length]);
		expect(texts.sort()).toEqual([
			["", 0],
			["[Cet e-mail n’a pas de texte\u00a0: c", 1],
		]);
	});
});

describe("an e-mail that nobody wrote", () => {
	test("is listed apart and waits for nobody; a person's makes the conversation one like the others", async () => {
		await receive({ "Auto-Submitted": "auto-replied", "Message-ID": "<auto@mx.example>", Subject: "Absente" });
		await begin({ waiting_since: null });
		const list = async () => (await listAutomatic(shop.db, { limit: 9, before: null })).map(({ subject }) => subject);
		expect([await list(), await listWaiting(shop.db, 9)]).toEqual([["Absente"], []]);
		expect((await listAnswered(shop.db, { limit: 9, before: null })).map(({ subject }) => subject)).toEqual(["Question"]);
		expect(await receive({ "In-Reply-To": "<auto@mx.example>" })).toMatchObject({ what: "continued" });
		expect([await list(), (await listWaiting(shop.db, 9)).map(({ subject }) => subject)]).toEqual([[], ["Absente"]]);
	});

	test("stays in the conversation that it answers, whose state does not change", async () => {
		const [waiting, answered] = [await begin({ last_at: minutes(1) }), await begin({ waiting_since: null, last_at: minutes(2) })];
		const replies = [await add(waiting, { direction: "out" }), await add(answered, { direction: "out" })];
		shop.clock.now = minutes(9);
		for (const id of replies)
			expect(await receive({ "Auto-Submitted": "auto-replied", "In-Reply-To": `<${id}@boutique.example>` })).toMatchObject({
				what: "automatic",
			});
		expect((await readAll()).map((row) => [row.id, row.waiting_since, row.last_at, row.is_automatic])).toEqual([
			[waiting, minutes(1), minutes(1), false],
			[answered, null, minutes(2), false],
		]);
		expect((await readMessages()).filter(({ direction }) => direction === "in")).toHaveLength(2);
	});

	test("is limited apart from those that persons write", async () => {
		const take = (cost: number) =>
			shop.inTransaction((trx) =>
				takeTogether(shop, trx, [{ name: "incoming-automatic", subject: "all", most: 200, cost }], { seconds: 3600, now: shop.now() }),
			);
		await sql`delete from rate_limits`.execute(shop.db);
		await take(199);
		expect(await receive({ Precedence: "bulk" })).toMatchObject({ ok: true });
		expect(await receive({ Precedence: "bulk" })).toEqual({ ok: false, code: "limited" });
		expect(await receive({})).toMatchObject({ ok: true, what: "started" });
		await sql`delete from rate_limits`.execute(shop.db);
	});
});

describe("a notice", () => {
	const notify = ({
		messageId = null as string | null,
		to = ["ada@example.fr"],
		action = "failed",
		more = "",
		subject = "Commande",
	} = {}) =>
		receive(
			{ From: "MAILER-DAEMON@mx.example", "Content-Type": 'multipart/report; report-type=delivery-status; boundary="b"' },
			[
				...["--b", "Content-Type: message/delivery-status", "", "Reporting-MTA: dns; mx.example", ""],
				...to.flatMap((address) => [`Final-Recipient: rfc822; ${address}`, `Action: ${action}`, "Status: 5.1.1", ""]),
				...["--b", "Content-Type: text/rfc822-headers", ""],
				...(messageId === null ? [] : [`Message-ID: <${messageId}>`]),
				...[`Subject: ${subject}${more}`, "", "--b--"],
			].join("\r\n"),
		);
	const bounce = (order: { order_number: string } | null) => ({ ok: true, what: "bounce", orderNumber: order?.order_number ?? null });
	const automatic = { ok: true, what: "automatic", orderNumber: null };

	/** An e-mail about an order as it left. */
	async function send(
		order: { id: string },
		recipient: string,
		{ kind = "confirmation", subject = "Votre commande", sentAt = shop.now() } = {},
	) {
		const id = randomUUID();
		await shop.db.insertInto("mails").values({ id, order_id: order.id, kind, created_at: sentAt, sent_at: sentAt }).execute();
		const content = await packContent({ subject, text: "", html: "" });
		const sent = { mailId: id, orderId: order.id, kind, sentAt, recipient, attachments: [], addresses: [recipient], content };
		await shop.inTransaction((trx) => insertSentEmail(trx, sent));
		return id;
	}
	const listBounced = async () =>
		(await shop.db.selectFrom("mails").select(["id", "bounce_reason"]).where("bounced_at", "is not", null).execute()).map(({ id }) => id);

	beforeEach(async () => {
		for (const table of ["sent_emails", "mails"] as const) await shop.db.deleteFrom(table).execute();
	});

	test("is recorded at the e-mail that it names, in any case, and once", async () => {
		const order = await shop.insertOrder();
		const id = await send(order, "autre@example.fr");
		for (const messageId of [`${id.toUpperCase()}@BOUTIQUE.EXAMPLE`, `${id}@boutique.example`, `${id}@relais.example`])
			expect(await notify({ messageId })).toEqual(bounce(order));
		expect(await shop.db.selectFrom("mails").select(["id", "bounce_reason"]).where("id", "=", id).execute()).toEqual([
			{ id, bounce_reason: "5.1.1" },
		]);
		expect(await readAll()).toEqual([]);
	});

	test("about an e-mail of the shop that is none of an order, or of nobody, is kept as automatic", async () => {
		const order = await shop.insertOrder();
		await send(order, "ada@example.fr");
		for (const messageId of [`${randomUUID()}@boutique.example`, "newsletter-7@BOUTIQUE.example"])
			expect(await notify({ messageId })).toEqual(automatic);
		expect(await notify({ messageId: "x@mx.example", more: "\r\nList-Unsubscribe: <https://boutique.example/fin>" })).toEqual(automatic);
		expect(await notify({ to: ["inconnue@example.fr"] })).toEqual(automatic);
		expect(await listBounced()).toEqual([]);
		expect((await readAll()).map(({ is_automatic, waiting_since }) => [is_automatic, waiting_since])).toEqual(Array(4).fill([true, null]));
	});

	test("whose Message-ID a relay has changed, or that has none, is recorded at the latest e-mail to the address", async () => {
		const order = await shop.insertOrder();
		await send(order, "ada@example.fr", { kind: "late", sentAt: minutes(-9) });
		const latest = await send(order, "Ada@Example.fr", { sentAt: minutes(-8) });
		await send(order, "autre@example.fr", { kind: "delivered" });
		expect(await notify({ messageId: "0102019a-000000@eu-west-1.amazonses.com" })).toEqual(bounce(order));
		expect(await listBounced()).toEqual([latest]);
		expect(await notify()).toEqual(bounce(order));
		expect(await listBounced()).toHaveLength(2);
		expect(await notify()).toEqual(automatic);
	});

	test("is recorded at the e-mail with the subject that it quotes, of the last seven days", async () => {
		const order = await shop.insertOrder();
		const meant = await send(order, "ada@example.fr", { subject: "Votre extrait", kind: "late", sentAt: minutes(-7 * 24 * 60) });
		await send(order, "ada@example.fr", { sentAt: minutes(-8) });
		await send(order, "vieux@example.fr", { kind: "delivered", sentAt: new Date(minutes(-7 * 24 * 60).getTime() - 1) });
		expect(await notify({ subject: "Votre extrait" })).toEqual(bounce(order));
		expect(await listBounced()).toEqual([meant]);
		expect(await notify({ to: ["vieux@example.fr"] })).toEqual(automatic);
	});

	test("of several recipients is recorded at the e-mail of each", async () => {
		const order = await shop.insertOrder();
		const ids = [await send(order, "a@example.fr"), await send(order, "b@example.fr", { kind: "late" })];
		expect(await notify({ to: ["a@example.fr", "b@example.fr", "c@example.fr"] })).toEqual(bounce(order));
		expect((await listBounced()).sort()).toEqual(ids.sort());
	});

	test("is recorded at a reply, when that was the latest to the address", async () => {
		const order = await shop.insertOrder();
		await send(order, "ada@example.fr", { sentAt: minutes(-9) });
		const id = await begin({ email: "Ada@example.fr", waiting_since: null });
		await add(id, { direction: "out", sent_at: minutes(-3) });
		const reply = await add(id, { direction: "out", sent_at: minutes(-1) });
		await add(id, { direction: "out", sent_at: minutes(-2) });
		await add(await begin({ email: "autre@example.fr", waiting_since: null }), { direction: "out", sent_at: minutes(0) });
		expect(await notify()).toEqual(bounce(null));
		const bounced = (await readMessages()).filter(({ bounced_at }) => bounced_at !== null);
		expect(bounced).toMatchObject([{ id: reply, bounced_at: shop.start, bounce_reason: "5.1.1" }]);
		expect((await listWaiting(shop.db, 9)).map((row) => row.id)).toEqual([id]);
		expect(await listBounced()).toEqual([]);
	});

	test.each(["delayed", "relayed", "delivered"])("that an e-mail is %s marks nothing", async (action) => {
		const order = await shop.insertOrder();
		const id = await send(order, "ada@example.fr");
		expect(await notify({ messageId: `${id}@boutique.example`, action })).toMatchObject({ what: "automatic" });
		expect(await listBounced()).toEqual([]);
	});

	test("that says nothing waits for the operator, and so does a complaint, with its order", async () => {
		const order = await shop.insertOrder();
		const id = await send(order, "ada@example.fr");
		expect(await receive({ From: "MAILER-DAEMON@mx.example", Subject: "failure notice" }, "Message removed")).toMatchObject({
			what: "notice",
		});
		const report = [
			"--b",
			"Content-Type: message/feedback-report",
			"",
			"Feedback-Type: abuse",
			"",
			"--b",
			"Content-Type: message/rfc822",
			"",
		];
		const complaint = { "Content-Type": "multipart/report; report-type=feedback-report; boundary=b", Subject: "FW: Votre commande" };
		expect(await receive(complaint, [...report, `Message-ID: <${id}@boutique.example>`, "", "x", "--b--"].join("\r\n"))).toEqual({
			...{ ok: true, what: "complaint", orderNumber: order.order_number },
		});
		expect((await listWaiting(shop.db, 9)).map((row) => [row.subject, row.order_number]).sort()).toEqual([
			["Plainte : FW: Votre commande", order.order_number],
			["failure notice", null],
		]);
		expect(await listBounced()).toEqual([]);
	});
});
