import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { replaceTokens } from "../../server/signing.ts";
import { startFakeSmtp } from "../../test/fakes/smtp.ts";
import { createOrderFixture, type OrderFixture } from "../../test/orders.ts";
import { smtpMailer } from "../mail/mailers.server.ts";
import { markMailBounced } from "../mail/mails.store.server.ts";
import { anonymiseAddress, findSentEmail, listEmailsNaming, listSentEmails } from "../mail/sent-emails.store.server.ts";
import type { Order } from "../orders/order.ts";
import { updateOrder } from "../orders/orders.store.server.ts";
import type { OrderEmailKind } from "./order-emails.server.ts";
import { queueOrderEmail } from "./queue-order-email.server.ts";
import { resendEmail } from "./resend-email.server.ts";
import { sendOrderEmail } from "./send-order-email.server.ts";
import { listLeftEmails, removedToken, showOrderEmail } from "./sent-emails.server.ts";

// What is stored of an e-mail that leaves. Each test runs the jobs itself.

let shop: OrderFixture;
let smtp: Awaited<ReturnType<typeof startFakeSmtp>>;
let mailer: ReturnType<typeof smtpMailer>;
beforeAll(async () => {
	[shop, smtp] = await Promise.all([createOrderFixture({ startsAt: "2026-11-23T09:00:00Z" }), startFakeSmtp()]);
	mailer = smtpMailer(smtp.url, { name: "ExtraitPro", address: "bonjour@boutique.example" });
});
afterEach(() => {
	shop.clock.now = shop.start;
});
afterAll(async () => {
	mailer?.close();
	await smtp?.close();
	await shop?.close();
});

const signedToken = /[\w-]+\.[\w-]{43}(?![\w-])/;
const lines = (text: string | undefined) => text?.replaceAll("\r\n", "\n").trimEnd();

async function queueMail(order: Order, kind: OrderEmailKind, documentId: string | null = null): Promise<string> {
	await shop.inTransaction((trx) => queueOrderEmail(shop, trx, { orderId: order.id, kind, documentId }));
	return (await shop.getMails(order)).findLast((row) => row.kind === kind)?.id ?? expect.fail("nothing was queued");
}
const send = (id: string, by = mailer) => sendOrderEmail({ ...shop, mailer: by }, id);
const getReceived = (id: string) => smtp.mails.filter(({ content }) => content.messageId?.startsWith(`<${id}@`));

async function sent(order: Order, kind: OrderEmailKind, documentId: string | null = null) {
	const id = await queueMail(order, kind, documentId);
	await send(id);
	return (await findSentEmail(shop.db, id)) ?? expect.fail("nothing was stored");
}

describe("a sent e-mail", () => {
	test.each<OrderEmailKind>(["document-ready", "document-ready-delivery", "resume", "late", "alert-late"])(
		"%s is stored as it left, and its links open nothing",
		async (kind) => {
			const order =
				kind === "resume" ? await shop.insertOrder() : (await shop.insertPaidOrder({ delivery_email: "banque@example.fr" })).order;
			const document = kind.startsWith("document") ? await shop.insertDocument(order) : null;
			const stored = await sent(order, kind, document?.id);
			const [received] = getReceived(stored.mailId);
			if (!kind.startsWith("alert") && kind !== "document-ready-delivery") expect(received?.content.text).toMatch(signedToken);
			expect(lines(stored.text)).toBe(lines(replaceTokens(received?.content.text ?? "", removedToken)));
			expect(lines(stored.html)).toBe(lines(replaceTokens(received?.content.html ?? "", removedToken)));
			expect([stored.subject, [stored.recipient], stored.sentAt]).toEqual([received?.content.subject, received?.to, shop.start]);
			expect([stored.subject, stored.text, stored.html].join("\n")).not.toMatch(signedToken);
			const files = document ? [{ bytes: document.bytes, sha256: document.sha256, name: received?.content.attachments[0]?.filename }] : [];
			expect(stored.attachments).toEqual(files);
		},
	);

	test("is the one whose sending was recorded, after a process was killed before that", async () => {
		const { order } = await shop.insertPaidOrder();
		const id = await queueMail(order, "late");
		const dying = {
			...mailer,
			send: (mail: Parameters<typeof mailer.send>[0]) => mailer.send(mail).then(() => Promise.reject(new Error("killed"))),
		};
		await expect(send(id, dying)).rejects.toThrow("killed");
		expect(await listSentEmails(shop.db, order.id)).toEqual([]);
		await shop.inTransaction((trx) => updateOrder(trx, order.id, { company_name: "RENOMMÉE" }));
		shop.clock.now = shop.after(60_000);
		await send(id);
		const received = getReceived(id);
		expect(received.map(({ content }) => content.text?.includes("RENOMMÉE"))).toEqual([false, true]);
		const [stored, ...others] = await listSentEmails(shop.db, order.id);
		expect([stored?.sentAt, others]).toEqual([shop.clock.now, []]);
		expect((await findSentEmail(shop.db, id))?.text).toContain("RENOMMÉE");
	});

	test("is stored once by concurrent runs", async () => {
		const { order } = await shop.insertPaidOrder();
		const id = await queueMail(order, "late");
		await shop.whileLocked(order, {}, () => Promise.all([send(id), send(id)]));
		expect(await listSentEmails(shop.db, order.id)).toHaveLength(1);
	});

	test("goes with its order, and with the erasure of its customer, also by a version that does not know it", async () => {
		const [erased, deleted, kept] = [await shop.insertOrder(), await shop.insertOrder(), await shop.insertOrder()];
		for (const order of [erased, deleted, kept]) await sent(order, "resume");
		await shop.db.updateTable("orders").set({ erased_at: shop.start }).where("id", "=", erased.id).execute();
		for (const table of ["mails", "order_events"] as const) await shop.db.deleteFrom(table).where("order_id", "=", deleted.id).execute();
		await shop.db.deleteFrom("orders").where("id", "=", deleted.id).execute();
		const left = [];
		for (const { id } of [erased, deleted, kept]) left.push((await listSentEmails(shop.db, id)).length);
		expect(left).toEqual([0, 0, 1]);
	});

	test("is not stored when it was refused", async () => {
		const { order } = await shop.insertPaidOrder({ customer_email: "nobody@example.fr" });
		smtp.controls.reject("nobody@example.fr", "550 no such user");
		await send(await queueMail(order, "late"));
		expect(await listSentEmails(shop.db, order.id)).toEqual([]);
	});
});

describe("an address", () => {
	test("that an e-mail names is found, and taken out without the rest", async () => {
		const people = { customer_email: "ada.o'neil@example.fr", delivery_email: "Neil@example.fr" };
		const { order } = await shop.insertPaidOrder(people);
		const { order: other } = await shop.insertPaidOrder(people);
		const stored = await sent(order, "confirmation");
		const kept = await sent(other, "confirmation");
		expect(stored.text).toContain("Neil@example.fr");
		expect((await listEmailsNaming(shop.db, " neil@EXAMPLE.fr")).map(({ orderId }) => orderId).sort()).toEqual([order.id, other.id].sort());
		expect(await shop.inTransaction((trx) => anonymiseAddress(trx, "neil@example.fr", [other.id]))).toBe(1);
		const changed = await findSentEmail(shop.db, stored.mailId);
		expect(changed).toEqual({
			...stored,
			text: stored.text.replaceAll("Neil@example.fr", "[adresse effacée]"),
			html: stored.html.replaceAll("Neil@example.fr", "[adresse effacée]"),
		});
		expect(changed?.text).toContain("ada.o'neil@example.fr");
		expect(await findSentEmail(shop.db, kept.mailId)).toEqual(kept);
		expect(await shop.inTransaction((trx) => anonymiseAddress(trx, "ada.o'neil@example.fr", [other.id]))).toBe(1);
		const both = await findSentEmail(shop.db, stored.mailId);
		expect(both?.recipient).toBeNull();
		expect([both?.text, both?.html].join("\n")).not.toContain("neil");
	});

	test("of the operator is not among those of people", async () => {
		const { order } = await shop.insertPaidOrder();
		const { recipient } = await sent(order, "alert-late");
		expect(await listEmailsNaming(shop.db, recipient ?? "")).toEqual([]);
	});
});

describe("an operator", () => {
	test("reads an e-mail of the order as it left, and none that has not left or is another's", async () => {
		const { order } = await shop.insertPaidOrder();
		const { order: other } = await shop.insertPaidOrder();
		const stored = await sent(order, "late");
		const { subject, text, html } = stored;
		expect(await showOrderEmail(shop, order, stored.mailId)).toEqual({ kind: "late", subject, text, html, sent: stored });
		expect(await showOrderEmail(shop, other, stored.mailId)).toBeNull();
		expect(await showOrderEmail(shop, { ...order, erased_at: shop.start }, stored.mailId)).toBeNull();
		for (const id of [await queueMail(order, "failed"), randomUUID()]) expect(await showOrderEmail(shop, order, id)).toBeNull();
	});

	test("reads a refused e-mail as the order is now, without what the links of its customer open", async () => {
		const email = "refuses@example.fr";
		smtp.controls.reject(email, "550 no such user");
		const unpaid = await shop.insertOrder({ customer_email: email });
		const { orders } = await shop.insertPaidPurchase(["standard", "standard"], {
			...{ customer_email: email, status: "completed", completed_at: shop.start },
		});
		const [first] = orders;
		const { order } = await shop.insertPaidOrder({ customer_email: email });
		const document = await shop.insertDocument(order);
		const readLinks = async (of: Order, kind: OrderEmailKind, documentId: string | null = null) => {
			const id = await queueMail(of, kind, documentId);
			await send(id);
			const { order: another } = await shop.insertPaidOrder();
			expect(await showOrderEmail(shop, another, id)).toBeNull();
			const shown = await showOrderEmail(shop, of, id);
			expect([shown?.kind, shown?.sent]).toEqual([kind, null]);
			return [...(shown?.html ?? "").matchAll(/href="[^"]*?:\/\/[^/"]+([^"]*)"/g)].map(([, path]) => path);
		};
		expect(await readLinks(unpaid, "resume")).toEqual([`/paiement/reprendre/${removedToken}`]);
		expect(await readLinks(order, "document-ready", document.id)).toEqual([
			...[`/documents/${removedToken}`, `/suivi/${order.order_number}/acces/${removedToken}`, `/verifier/${document.id}`],
		]);
		expect(await readLinks(first, "document-ready")).toEqual([
			...[`/documents/ensemble/${removedToken}`, `/suivi/${first.order_number}/ensemble/acces/${removedToken}`],
		]);
	});

	test("reads the refused reminder of an order that was paid since", async () => {
		const email = "refuses-reminders@example.fr";
		smtp.controls.reject(email, "550 no such user");
		const order = await shop.insertOrder({ customer_email: email });
		const id = await queueMail(order, "resume");
		await send(id);
		const paid = { ...order, status: "paid", paid_at: shop.start } as const;
		expect((await showOrderEmail(shop, paid, id))?.subject).toBe(`Votre commande ${order.order_number} n’est pas payée`);
	});

	test("finds what left, also what was sent again since, oldest first", async () => {
		const { order } = await shop.insertPaidOrder();
		const replaced = await sent(order, "late");
		await queueMail(order, "failed");
		shop.clock.now = shop.after(1000);
		const kept = await sent(order, "cancelled");
		shop.clock.now = shop.after(1500);
		const last = await sent(order, "posted");
		expect(await resendEmail(shop, { orderId: order.id, kind: "late" })).toEqual({ ok: true });
		shop.clock.now = shop.after(2000);
		await shop.inTransaction((trx) => markMailBounced(trx, kept.mailId, "550", shop.now()));
		expect(await listLeftEmails(shop, order.id)).toEqual([
			{ id: replaced.mailId, kind: "late", sentAt: shop.start, bouncedAt: null },
			{ id: kept.mailId, kind: "cancelled", sentAt: shop.after(1000), bouncedAt: shop.after(2000) },
			{ id: last.mailId, kind: "posted", sentAt: shop.after(1500), bouncedAt: null },
		]);
	});
});
