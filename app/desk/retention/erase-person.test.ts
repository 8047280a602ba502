import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { takeTogether } from "../../../server/rate-limits.ts";
import { insertServedOrder } from "../../../test/fixtures/old-orders.ts";
import { createOrderFixture, type OrderFixture } from "../../../test/orders.ts";
import { recordShareOpening } from "../../customer/sharing/shares.store.server.ts";
import { insertConversation, insertConversationMessage } from "../../emails/messages/conversations.store.server.ts";
import { packContent } from "../../mail/pack-content.server.ts";
import { insertSentEmail, listSentEmails } from "../../mail/sent-emails.store.server.ts";
import { erasePerson } from "./erase-person.server.ts";
import { exportPerson } from "./export-person.server.ts";

// What a person's erasure and export take of the rows around their orders.

let shop: OrderFixture;
beforeAll(async () => {
	shop = await createOrderFixture({ startsAt: "2026-11-20T10:00:00Z" });
});
afterAll(() => shop?.close());

const insertServed = async (order: Parameters<OrderFixture["insertOrder"]>[0], when = shop.now()) => {
	const { id, paths } = await insertServedOrder(shop, when, { order });
	return { ...(await shop.getOrder(id)), paths };
};

async function sendEmail(order_id: string, kind: string, recipient: string): Promise<string> {
	const mailId = crypto.randomUUID();
	const content = await packContent({ subject: `Objet ${kind}`, text: `À ${recipient}`, html: `<p>${recipient}</p>` });
	const attachments = [{ name: "Facture.pdf", bytes: 7, sha256: "0".repeat(64) }];
	const email = { mailId, orderId: order_id, kind, sentAt: shop.now(), recipient, attachments, addresses: [recipient], content };
	await shop.inTransaction((trx) => insertSentEmail(trx, email));
	return mailId;
}

async function converse(email: string, order_id: string | null): Promise<string> {
	const id = crypto.randomUUID();
	const subject = `Sujet ${id}`;
	const unknown = { contact_message_id: null, refund_request_id: null, order_found: null };
	await shop.inTransaction((trx) => insertConversation(trx, { id, email, name: "Ada", subject, order_id, ...unknown, now: shop.now() }));
	return subject;
}

test("an erasure stops at a file that cannot be deleted, and the next one goes on; its lines name the order", async () => {
	const customer_email = "stuck@example.fr";
	const [first, second] = [await insertServed({ customer_email }, shop.after(-1)), await insertServed({ customer_email })];
	const remove = async (path: string) => {
		shop.log.info({ removed: path }, "a file is removed");
		if (path === second.paths[0]) throw new Error("the bucket is unavailable");
		await shop.storage.remove(path);
	};
	const failing = { ...shop, storage: { ...shop.storage, remove } };
	await expect(erasePerson(failing, customer_email)).rejects.toThrow("the bucket is unavailable");
	expect((await shop.getOrder(first.id)).erased_at).toEqual(shop.now());
	expect(await shop.getOrder(second.id)).toMatchObject({ last_name: "Lovelace", erased_at: null });
	for (const { id, paths } of [first, second])
		expect(shop.lines.filter(({ removed }) => removed === paths[0])).toEqual([expect.objectContaining({ order: id })]);
	expect((await erasePerson(shop, customer_email)).orders).toMatchObject({ erased: [second.order_number], unfinished: [] });
});

test("an erasure deletes the counts of its address, in any spelling, and no others", async () => {
	const take = (subject: string) =>
		shop.inTransaction((trx) => takeTogether(shop, trx, [{ name: "emails", subject, most: 5 }], { seconds: 60, now: shop.now() }));
	for (const email of ["counted@example.fr", "other@example.fr"]) await take(email);
	const count = async () => (await sql`select from rate_limits`.execute(shop.db)).rows.length;
	const before = await count();
	await erasePerson(shop, " Counted@Example.fr");
	expect(await count()).toBe(before - 1);
	await erasePerson(shop, "counted@example.fr");
	expect(await count()).toBe(before - 1);
});

test("a recipient's address is removed by the state of the order under its lock; the removal is logged", async () => {
	const delivery_email = "resumed@example.fr";
	const order = await insertServed({ delivery_email });
	const resume = (trx: Parameters<Parameters<OrderFixture["inTransaction"]>[0]>[0]) =>
		trx.updateTable("orders").set({ dispute_status: "open" }).where("id", "=", order.id).execute();
	const { orders } = await shop.whileLocked(order, { after: resume }, () => erasePerson(shop, delivery_email));
	expect(orders).toMatchObject({ delivery: [], unfinished: [order.order_number] });
	expect(await shop.getOrder(order.id)).toMatchObject({ delivery_email });

	await shop.db.updateTable("orders").set({ dispute_status: "won" }).where("id", "=", order.id).execute();
	expect((await erasePerson(shop, delivery_email)).orders).toMatchObject({ delivery: [order.order_number] });
	expect(await shop.getOrder(order.id)).toMatchObject({ delivery_email: null, last_name: "Lovelace" });
	const lines = shop.lines.filter((line) => line.order === order.id && line.event === "address_changed");
	expect(lines).toEqual([expect.objectContaining({ address: "delivery" })]);
});

test("e-mails about unfinished orders stay whole, of the customer and of a recipient; others lose the address", async () => {
	const email = "mailed@example.fr";
	const inProgress = { status: "processing" } as const;
	const [made, received, delivered] = [
		await insertServed({ customer_email: email, ...inProgress }),
		await insertServed({ delivery_email: email, ...inProgress }),
		await insertServed({ delivery_email: email }),
	];
	for (const { id } of [made, received, delivered]) await sendEmail(id, "confirmation", email);
	const erased = await erasePerson(shop, email);
	expect(erased.otherEmails).toBe(1);
	expect(erased.orders).toMatchObject({ unfinished: [made.order_number, received.order_number], delivery: [delivered.order_number] });
	const recipients = [];
	for (const { id } of [made, received, delivered]) recipients.push((await listSentEmails(shop.db, id)).map(({ recipient }) => recipient));
	expect(recipients).toEqual([[email], [email], [null]]);
});

test("conversations are exported without the operator, and erased, except for those about an unfinished order", async () => {
	const email = "talking@example.fr";
	const [open, served] = [
		await insertServed({ customer_email: email, status: "processing" }),
		await insertServed({ customer_email: email }),
	];
	const kept = await converse(email, open.id);
	const gone = [await converse(email, served.id), await converse(email, null)];
	const other = await converse("other@example.fr", null);
	const { id: conversation_id } = await shop.db
		.selectFrom("conversations")
		.select("id")
		.where("subject", "=", kept)
		.executeTakeFirstOrThrow();
	for (const [direction, author] of [
		["in", "Ada Lovelace"],
		["out", "Camille"],
	] as const) {
		const attachments = direction === "in" ? [{ name: "statuts.pdf", bytes: 3 }] : [];
		const created_at = shop.after(direction === "in" ? 0 : 1);
		const message = { id: crypto.randomUUID(), conversation_id, direction, author, message_id: null, text: `de ${author}` };
		await shop.inTransaction((trx) => insertConversationMessage(trx, { ...message, attachments, created_at }));
	}
	const { conversations } = await exportPerson(shop, email);
	expect(conversations.map(({ subject }) => subject).sort()).toEqual([kept, ...gone].sort());
	expect(conversations.find(({ subject }) => subject === kept)?.messages).toEqual([
		{ from: "Ada Lovelace", text: "de Ada Lovelace", attachments: [{ name: "statuts.pdf", bytes: 3 }], created_at: shop.now() },
		{ from: null, text: "de Camille", attachments: [], created_at: shop.after(1) },
	]);
	await erasePerson(shop, email);
	const left = (await shop.db.selectFrom("conversations").select("subject").execute()).map(({ subject }) => subject);
	expect(left.sort()).toEqual([kept, other].sort());
});

test("an export has the e-mails of orders as they left, without alerts to the operator, and those of others only if no order names the address", async () => {
	const email = "exported@example.fr";
	const [made, received] = [await insertServed({ customer_email: email }), await insertServed({ delivery_email: email })];
	const bounced = await sendEmail(made.id, "confirmation", email);
	await shop.db
		.updateTable("sent_emails")
		.set({ bounced_at: shop.after(1) })
		.where("mail_id", "=", bounced)
		.execute();
	await sendEmail(made.id, "alert-refund-request", email);
	await sendEmail(received.id, "document-ready-delivery", email);
	const before = await exportPerson(shop, email);
	expect(before.orders[0]?.sent_emails).toEqual([
		{
			...{ kind: "confirmation", sent_at: shop.now(), bounced_at: shop.after(1), recipient: email },
			...{ subject: "Objet confirmation", text: `À ${email}`, attachments: [{ name: "Facture.pdf", bytes: 7 }] },
		},
	]);
	expect(before.other_emails).toEqual([]);
	await shop.db.updateTable("orders").set({ delivery_email: null }).where("id", "=", received.id).execute();
	expect((await exportPerson(shop, email)).other_emails).toEqual([{ kind: "document-ready-delivery", sent_at: shop.now() }]);
});

test("an export has of an order delivered to the person its company, its address and the e-mails to it", async () => {
	const delivery_email = "delivered@example.fr";
	const { id, order_number } = await insertServed({ delivery_email }, shop.after(-2));
	const mail = { id: crypto.randomUUID(), order_id: id, kind: "document-ready-delivery", created_at: shop.now(), sent_at: shop.after(1) };
	await shop.db.insertInto("mails").values(mail).execute();
	await shop.db.deleteFrom("mails").where("order_id", "=", id).where("kind", "=", "document-ready").execute();
	expect((await exportPerson(shop, delivery_email)).deliveries).toEqual([
		{
			...{ order_number, siren: "552032534", company_name: "DANONE", delivery_email, completed_at: shop.after(-2) },
			mails: [{ kind: mail.kind, created_at: shop.now(), sent_at: shop.after(1), bounced_at: null, bounce_reason: null }],
		},
	]);
});

test("an export has each link to a document with its own openings, and the notices of an e-mail", async () => {
	const customer_email = "sharing@example.fr";
	const { id } = await insertServed({ customer_email });
	const { id: document_id } = await shop.db
		.selectFrom("documents")
		.select("id")
		.where("order_id", "=", id)
		.where("doc_type", "=", "kbis")
		.executeTakeFirstOrThrow();
	for (const [index, label] of ["Banque", "Notaire"].entries()) {
		const share = { id: crypto.randomUUID(), document_id, label, created_at: shop.after(index), expires_at: shop.after(9) };
		await shop.db.insertInto("document_shares").values(share).execute();
		await recordShareOpening(shop.db, share.id, "opened", shop.after(index));
	}
	const notices = { id: crypto.randomUUID(), order_id: id, kind: "extract-notices", created_at: shop.after(1), notices: ["B202601212014"] };
	await shop.db.insertInto("mails").values(notices).execute();
	const [order] = (await exportPerson(shop, customer_email)).orders;
	expect(order?.shares.map(({ label, openings }) => [label, openings.map(({ first_at }) => first_at)]).sort()).toEqual([
		["Banque", [shop.after(0)]],
		["Notaire", [shop.after(1)]],
	]);
	const waiting = { sent_at: null, bounced_at: null, bounce_reason: null };
	expect(order?.mails.find(({ kind }) => kind === "extract-notices")).toEqual({
		...{ kind: "extract-notices", created_at: shop.after(1), ...waiting },
		notices: ["B202601212014"],
	});
	expect(order?.mails.find(({ kind }) => kind === "posted")).toEqual({ kind: "posted", created_at: shop.now(), ...waiting });
});
