import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeEach, describe, expect, test, vi } from "vitest";
import { takeTogether } from "../../../server/rate-limits.ts";
import { startFakeSmtp } from "../../../test/fakes/smtp.ts";
import { grantRefund } from "../../../test/refunds.ts";
import { createTestShop } from "../../../test/shop.ts";
import { scaledTimeout } from "../../../test/time-limits.ts";
import { askForRefund } from "../../customer/tracking/ask-for-refund.server.ts";
import { erasePerson } from "../../desk/retention/erase-person.server.ts";
import { exportPerson } from "../../desk/retention/export-person.server.ts";
import { claim, closeConversation } from "./claim-conversation.server.ts";
import { deleteOldConversations, listAnswered, listWaiting } from "./conversations.store.server.ts";
import { receiveMail } from "./receive-mail.server.ts";
import { reply } from "./reply.server.ts";
import { sendReply } from "./send-reply.server.ts";
import { findThread, listThread } from "./thread.server.ts";

const smtp = await startFakeSmtp();
const test_ = await createTestShop({ variables: { SMTP_URL: smtp.url, LOG_LEVEL: "silent" } });
afterAll(async () => {
	await test_.close();
	await smtp.close();
});
const { shop } = test_;
const ada = { id: randomUUID(), name: "Camille" };
const bob = { id: randomUUID(), name: "Bob" };

beforeEach(async () => {
	await shop.db.deleteFrom("conversations").execute();
});

const write = (email: string, message: string) => test_.postForm("/contact", { nom: "Ada Lovelace", email, message });
const getOnly = async () => {
	const waiting = await listWaiting(shop.db, 10);
	expect(waiting).toHaveLength(1);
	return waiting[0] ?? expect.fail();
};
const answer = async (id: string, text: string, author = ada) => {
	const { last_at } = await shop.db.selectFrom("conversations").select("last_at").where("id", "=", id).executeTakeFirstOrThrow();
	return reply(shop, { conversationId: id, text, author, confirmsOrder: false, readUntil: last_at });
};
const sentTo = (address: string) =>
	vi.waitFor(
		() => {
			const mails = smtp.mails.filter(({ to, content }) => to.includes(address) && /^Re: |: notre réponse$/.test(content.subject ?? ""));
			expect(mails.length).toBeGreaterThan(0);
			return mails;
		},
		{ timeout: scaledTimeout(20_000), interval: 25 },
	);
const mail = (headers: Record<string, string>, body = "Merci.") =>
	new TextEncoder().encode(
		`${Object.entries(headers)
			.map(([name, value]) => `${name}: ${value}`)
			.join("\r\n")}\r\n\r\n${body}\r\n`,
	);

/** A paid order of an address. */
async function paidOrder(email: string) {
	const placed = await test_.placeOrder({ customer: { email } });
	await test_.payByCard(placed.payUrl);
	await test_.untilOrderIs("completed", placed.id);
	return placed;
}

describe("a message of the contact form", () => {
	test("waits beside its order, and the reply continues the receipt in the mailbox", async () => {
		const order = await paidOrder("ada@example.fr");
		await write("ada@example.fr", `Où en est ${order.number.toLowerCase().replace("-", " ")} ?`);
		const waiting = await getOnly();
		expect(waiting).toMatchObject({ order_number: order.number, order_found: "number", kind: "contact", waits: true });
		expect(waiting.excerpt).toContain("Où en est");

		expect(await answer(waiting.id, "Bonjour {prenom},\n\nVotre commande {numero} est livrée.")).toMatchObject({ ok: true });
		const [sent] = await sentTo("ada@example.fr");
		const receipt = `${waiting.contact_message_id}-receipt@`;
		expect(sent?.content.references).toMatch(new RegExp(`^<${receipt}`));
		expect(sent?.content.inReplyTo).toContain(receipt);
		expect(sent?.raw.toString()).not.toContain("Auto-Submitted");
		expect(sent?.content.text).toContain(`Votre commande ${order.number} est livrée.`);
		expect(await listWaiting(shop.db, 10)).toEqual([]);
		await vi.waitFor(async () => {
			const [thread] = await listThread(shop.db, order);
			expect(thread?.messages.map(({ from, state }) => [from, state])).toEqual([
				["customer", null],
				["shop", "sent"],
			]);
		});
	});

	test("whose author is not the order's customer gets nothing of the order", async () => {
		const order = await paidOrder("ada@example.fr");
		await write("mallory@example.fr", `C’est ma commande ${order.number}`);
		const { id, order_number } = await getOnly();
		expect(order_number).toBe(order.number);
		expect(await answer(id, "La société est {societe}.")).toMatchObject({
			code: "unfinished",
			sentence: expect.stringContaining("{societe} est vide"),
		});
		expect((await findThread(shop.db, id))?.messages).toHaveLength(1);
	});
});

describe("two operators", () => {
	test("who reply at once: one reply leaves", async () => {
		await write("deux@example.fr", "Bonjour ?");
		const { id, last_at } = await getOnly();
		const answers = await Promise.all(
			[ada, bob].map((author) => reply(shop, { conversationId: id, text: "Bonjour,", author, confirmsOrder: false, readUntil: last_at })),
		);
		expect(answers.map(({ ok }) => ok).sort()).toEqual([false, true]);
		expect(answers.find(({ ok }) => !ok)).toMatchObject({ code: "changed" });
		expect((await findThread(shop.db, id))?.messages.filter(({ from }) => from === "shop")).toHaveLength(1);
	});

	test("the second one sees who answers, and may take over", async () => {
		await write("deux@example.fr", "Bonjour ?");
		const { id } = await getOnly();
		expect(await claim(shop, id, ada, { takeOver: false })).toMatchObject({ ok: true });
		expect(await claim(shop, id, bob, { takeOver: false })).toEqual({ ok: false, code: "claimed", by: "Camille" });
		expect(await answer(id, "Bonjour,", bob)).toEqual({ ok: false, code: "claimed", by: "Camille" });
		expect(await claim(shop, id, bob, { takeOver: true })).toEqual({ ok: true, before: "Camille" });
		expect(await answer(id, "Bonjour,", bob)).toMatchObject({ ok: true });
	});
});

describe("a mail that comes in", () => {
	test("continues the conversation that it answers, once", async () => {
		await write("lea@example.fr", "Bonjour ?");
		const { id } = await getOnly();
		await answer(id, "Bonjour, que pouvons-nous faire ?");
		const [sent] = await sentTo("lea@example.fr");
		const raw = mail({
			From: "lea@example.fr",
			Subject: "Re: x",
			"Message-ID": "<r1@mx.example>",
			"In-Reply-To": sent?.content.messageId ?? "",
		});
		expect(await receiveMail(shop, raw)).toMatchObject({ ok: true, what: "continued" });
		expect(await receiveMail(shop, raw)).toMatchObject({ ok: true, what: "known" });
		expect(await getOnly()).toMatchObject({ id, excerpt: "Merci." });
		const thread = await findThread(shop.db, id);
		expect(thread?.messages.map(({ from }) => from)).toEqual(["customer", "shop", "customer"]);
		// the next reply answers this mail
		await answer(id, "Avec plaisir.");
		await vi.waitFor(() => expect(smtp.mails.some(({ content }) => content.inReplyTo === "<r1@mx.example>")).toBe(true));
	});

	test("starts a conversation with the order of its sender, or of the e-mail that it answers", async () => {
		const order = await paidOrder("zoe@example.fr");
		await receiveMail(shop, mail({ From: "Zoé <zoe@example.fr>", Subject: "Question", "Message-ID": "<z1@mx.example>" }));
		expect(await getOnly()).toMatchObject({ order_number: order.number, order_found: "address", kind: "mail", subject: "Question" });
		await shop.db.deleteFrom("conversations").execute();
		const { id } = await shop.db.selectFrom("mails").select("id").where("order_id", "=", order.id).limit(1).executeTakeFirstOrThrow();
		await receiveMail(shop, mail({ From: "autre@example.fr", "Message-ID": "<z2@mx.example>", References: `<${id}@boutique.example>` }));
		expect(await getOnly()).toMatchObject({ order_number: order.number, order_found: "request", subject: "(sans objet)" });
	});

	test("with hundreds of nested parts starts a conversation that says what became of it", async () => {
		const open = Array.from({ length: 400 }, (_, i) => `--b${i}\r\nContent-Type: multipart/mixed; boundary="b${i + 1}"\r\n\r\n`);
		const raw = mail(
			{
				From: "imbrique@example.fr",
				Subject: "Question",
				"Content-Type": 'multipart/mixed; boundary="b0"',
				"Message-ID": "<n1@mx.example>",
			},
			open.join(""),
		);
		expect(await receiveMail(shop, raw)).toMatchObject({ ok: true, what: "started" });
		expect(await receiveMail(shop, raw)).toMatchObject({ ok: true, what: "known" });
		expect(await getOnly()).toMatchObject({ subject: "Question", excerpt: expect.stringContaining("n’a pas pu être lu") });
	});

	test("is limited with all others that begin a conversation, also under other senders; answers go on", async () => {
		await sql`delete from rate_limits`.execute(shop.db);
		await write("repond@example.fr", "Bonjour ?");
		const { id } = await getOnly();
		await answer(id, "Bonjour, que pouvons-nous faire ?");
		const [sent] = await sentTo("repond@example.fr");
		const take = (name: string, subject: string, most: number, cost: number) =>
			shop.db.transaction().execute((trx) => takeTogether(shop, trx, [{ name, subject, most, cost }], { seconds: 3600, now: shop.now() }));
		const send = (from: string, n: number, headers: Record<string, string> = {}) =>
			receiveMail(shop, mail({ From: from, Subject: "x", "Message-ID": `<flood${n}@mx.example>`, ...headers }));
		await take("incoming-mail", "all", 200, 198);
		for (let n = 0; n < 2; n++) expect(await send(`a${n}@example.fr`, n)).toMatchObject({ ok: true });
		for (const from of ["a0@example.fr", "repond@example.fr", "new@example.fr"])
			expect(await send(from, 200)).toEqual({ ok: false, code: "limited" });
		// one that was received before is no other one
		expect(await send("a0@example.fr", 0)).toMatchObject({ ok: true, what: "known" });
		const answers = { "In-Reply-To": sent?.content.messageId ?? "" };
		await take("incoming-answers", id, 30, 28);
		for (let n = 300; n < 302; n++) expect(await send("repond@example.fr", n, answers)).toMatchObject({ ok: true, what: "continued" });
		expect(await send("repond@example.fr", 330, answers)).toEqual({ ok: false, code: "limited" });
		await sql`delete from rate_limits`.execute(shop.db);
	});

	test("that the shop sent itself is not kept; one that nobody wrote waits for no answer, and one without a sender waits", async () => {
		const { email } = shop.environment.shop;
		expect(await receiveMail(shop, mail({ From: email, Subject: "[KB-…] alerte" }))).toMatchObject({ what: "own" });
		expect(await receiveMail(shop, mail({ From: "a@example.fr", "Auto-Submitted": "auto-replied" }))).toMatchObject({ what: "automatic" });
		expect(await listWaiting(shop.db, 10)).toEqual([]);
		expect(await receiveMail(shop, mail({ Subject: "x" }))).toMatchObject({ what: "unreadable" });
		const { id } = await getOnly();
		expect(await answer(id, "Bonjour,")).toEqual({ ok: false, code: "no-address" });
	});

	test("is answered where it asks for the answer", async () => {
		await receiveMail(shop, mail({ From: "Léa <lea@example.fr>", "Reply-To": "compta@example.fr", Subject: "Facture" }));
		const { id, email, name } = await getOnly();
		expect([email, name]).toEqual(["compta@example.fr", "Léa"]);
		expect((await findThread(shop.db, id))?.messages.map(({ author }) => author)).toEqual(["lea@example.fr"]);
		await answer(id, "Bonjour,");
		expect((await sentTo("compta@example.fr")).at(-1)?.to).toEqual(["compta@example.fr"]);
		await shop.db.deleteFrom("conversations").execute();
		await receiveMail(shop, mail({ From: "lea@example.fr", "Reply-To": shop.environment.shop.email }));
		expect(await getOnly()).toMatchObject({ email: "lea@example.fr" });
	});

	test("from a quoted address shows it", async () => {
		await receiveMail(shop, mail({ From: '<"jean dupont"@example.fr>', Subject: "Question" }));
		expect(await getOnly()).toMatchObject({ email: '"jean dupont"@example.fr' });
	});

	test("a notice that a reply came back makes its customer wait again", async () => {
		await write("faux@example.fr", "Bonjour ?");
		const { id } = await getOnly();
		await answer(id, "Bonjour,");
		const [sent] = await sentTo("faux@example.fr");
		const notice = mail(
			{ From: "MAILER-DAEMON@mx.example", "Content-Type": 'multipart/report; report-type=delivery-status; boundary="b"' },
			[
				...["--b", "Content-Type: message/delivery-status", "", "Reporting-MTA: dns; mx.example", ""],
				...["Final-Recipient: rfc822; faux@example.fr", "Action: failed", "Status: 5.1.1", "Diagnostic-Code: smtp; 550 unknown user", ""],
				...["--b", "Content-Type: text/rfc822-headers", "", `Message-ID: ${sent?.content.messageId}`, "", "--b--"],
			].join("\r\n"),
		);
		expect(await receiveMail(shop, notice)).toMatchObject({ ok: true, what: "bounce" });
		expect(await getOnly()).toMatchObject({ id });
		expect((await findThread(shop.db, id))?.messages.at(-1)).toMatchObject({ state: "bounced", bounceReason: "550 unknown user" });
	});
});

describe("a refund request", () => {
	test("waits until it is decided, also after a reply", async () => {
		const order = await paidOrder("remb@example.fr");
		expect(await askForRefund(shop, order.id, "purchase", "Mauvaise société")).toEqual({ ok: true });
		const { id } = await getOnly();
		expect(await answer(id, "Bonjour {prenom}, nous vérifions.")).toMatchObject({ ok: true });
		expect(await getOnly()).toMatchObject({ id, kind: "refund" });
		expect(await grantRefund(shop, order.id)).toMatchObject({ ok: true });
		expect(await listWaiting(shop.db, 10)).toEqual([]);
		expect((await findThread(shop.db, id))?.decision).toBe("granted");
	});
});

test("a conversation that was settled elsewhere is closed, and stays in the list of the answered", async () => {
	await write("tel@example.fr", "Rappelez-moi");
	const { id } = await getOnly();
	expect(await closeConversation(shop, id)).toBe(true);
	expect(await listWaiting(shop.db, 10)).toEqual([]);
	expect((await listAnswered(shop.db, { limit: 10, before: null })).map((row) => row.id)).toEqual([id]);
});

describe("personal data", () => {
	test("is exported and erased with its person, and deleted after its time", async () => {
		await receiveMail(shop, mail({ From: "efface@example.fr", Subject: "Moi", "Message-ID": "<e1@mx.example>" }, "Mon histoire"));
		const { id } = await getOnly();
		await answer(id, "Bonjour,");
		const { conversations } = await exportPerson(shop, "Efface@example.fr");
		expect(conversations).toMatchObject([{ subject: "Moi", messages: [{ text: "Mon histoire" }, { from: null, text: "Bonjour," }] }]);
		expect(JSON.stringify(conversations)).not.toContain("Camille");
		expect(await erasePerson(shop, "efface@example.fr")).toMatchObject({ conversations: 1 });
		expect(await shop.db.selectFrom("conversation_messages").selectAll().execute()).toEqual([]);

		await receiveMail(shop, mail({ From: "vieux@example.fr", "Message-ID": "<v1@mx.example>" }));
		expect(await deleteOldConversations(shop.db, new Date(shop.now().getTime() - 1000))).toBe(0);
		expect(await deleteOldConversations(shop.db, new Date(shop.now().getTime() + 1000))).toBe(1);
	});

	test("a reply to an erased person is not sent", async () => {
		await receiveMail(shop, mail({ From: "parti@example.fr", "Message-ID": "<p1@mx.example>" }));
		const { id } = await getOnly();
		await smtp.controls.down();
		await answer(id, "Bonjour,");
		const { id: messageId } = await shop.db
			.selectFrom("conversation_messages")
			.select("id")
			.where("direction", "=", "out")
			.executeTakeFirstOrThrow();
		await erasePerson(shop, "parti@example.fr");
		await smtp.controls.up();
		await sendReply(shop, messageId);
		expect(smtp.mails.filter(({ to }) => to.includes("parti@example.fr"))).toEqual([]);
	});
});
