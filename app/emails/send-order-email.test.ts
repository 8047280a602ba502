import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Trx } from "../../server/database/database.ts";
import { startFakeSmtp } from "../../test/fakes/smtp.ts";
import { insertCompanies } from "../../test/fixtures/companies.ts";
import { createOrderFixture, type OrderFixture, type OrderValues } from "../../test/orders.ts";
import { maxAttachedBytes } from "../catalogue/link-lifetimes.ts";
import { cents } from "../catalogue/money.ts";
import { openKey } from "../customer/tracking/open-key.server.ts";
import type { Mailer, MailOutcome, OutgoingMail } from "../mail/mailer.ts";
import { smtpMailer } from "../mail/mailers.server.ts";
import {
	anonymiseMails,
	deleteMails,
	insertMail,
	listMails,
	markMailBounced,
	markMailSent,
	type QueuedMail,
} from "../mail/mails.store.server.ts";
import { copyChangedOrders } from "../orders/copies/copy-changed-orders.server.ts";
import { readCopy } from "../orders/copies/read-copy.server.ts";
import { answerRefundRequest, insertRefundRequest, insertWithdrawal } from "../orders/customer-requests.store.server.ts";
import type { StoredDocument } from "../orders/documents/documents.store.server.ts";
import { LostFile } from "../orders/documents/storage.ts";
import { createResumePath, readKey } from "../orders/keys.server.ts";
import type { Order } from "../orders/order.ts";
import { listEvents, updateOrder } from "../orders/orders.store.server.ts";
import { insertRefund } from "../orders/refunds/refunds.store.server.ts";
import { alertOperator } from "./alert-operator.server.ts";
import { correctBounced, receiveBounce } from "./bounces.server.ts";
import { announceEndInPurchase } from "./complete-after.server.ts";
import { getDocumentFileName, getExtractNameInPurchase } from "./name-document.server.ts";
import { type OrderEmailKind, orderEmails } from "./order-emails.server.ts";
import { queueOrderEmail } from "./queue-order-email.server.ts";
import { queueProblemEmail, queueReadyEmails } from "./queue-purchase-emails.server.ts";
import { resendEmail } from "./resend-email.server.ts";
import { sendOrderEmail } from "./send-order-email.server.ts";

// A mail of an order from its row until it is sent or refused. Each test runs the jobs itself.

const start = "2026-11-23T09:00:00Z"; // 10 h in Paris
const second = 1000;
const day = 86_400 * second;

let shop: OrderFixture;
let smtp: Awaited<ReturnType<typeof startFakeSmtp>>;
let mailer: ReturnType<typeof smtpMailer>;
beforeAll(async () => {
	[shop, smtp] = await Promise.all([createOrderFixture({ startsAt: start }), startFakeSmtp()]);
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

const later = (milliseconds: number) => {
	shop.clock.now = shop.after(milliseconds);
};

/** Queues a mail. @returns its id. */
async function queueMail(order: Order, kind: OrderEmailKind, about: { documentId?: string; refundId?: string } = {}): Promise<string> {
	await shop.inTransaction((trx) => queueOrderEmail(shop, trx, { orderId: order.id, kind, ...about }));
	const mail = (await shop.getMails(order)).findLast((row) => row.kind === kind);
	return mail?.id ?? expect.fail("nothing was written down");
}

const send = (mailId: string, by: Mailer = mailer) => sendOrderEmail({ ...shop, mailer: by }, mailId);

/** The copies of a mail that the mail server received, found by its Message-ID. */
const getReceivedMails = (mailId: string) => smtp.mails.filter(({ content }) => content.messageId?.startsWith(`<${mailId}@`));

/** Queues a mail and sends it. @returns the received mail. */
async function sent(order: Order, kind: OrderEmailKind, about: { documentId?: string; refundId?: string } = {}) {
	const id = await queueMail(order, kind, about);
	await send(id);
	const [received] = getReceivedMails(id);
	const text = received?.content.text?.replaceAll("\u00a0", " ") ?? "";
	return { id, to: received?.to, text, files: received?.content.attachments.map(({ filename }) => filename) };
}

const getMailRow = async (order: Order, id: string) => (await shop.getMails(order)).find((row) => row.id === id);

describe("a queued mail", () => {
	test("is recorded once per order, kind, document and refund, with one job", async () => {
		const { order } = await shop.insertPaidOrder();
		const first = await queueMail(order, "confirmation");
		expect(await queueMail(order, "confirmation")).toBe(first);
		const { id: documentId } = await shop.insertDocument(order, "invoice");
		const second = await queueMail(order, "confirmation", { documentId });
		expect((await shop.getMails(order)).map(({ id }) => id).sort()).toEqual([first, second].sort());
		for (const mailId of [first, second]) expect(await shop.getJobs("send-order-mail", mailId)).toHaveLength(1);
		expect(await shop.getJobs("send-order-mail", "null")).toEqual([]);
		expect((await shop.getMails(order)).map(({ created_at }) => created_at)).toEqual([new Date(start), new Date(start)]);
	});

	test("to remind of a payment waits ten minutes: a customer who pays meanwhile gets none", async () => {
		const order = await shop.insertOrder();
		await shop.inTransaction((trx) => queueOrderEmail(shop, trx, { orderId: order.id, kind: "resume" }));
		const [mail] = await shop.getMails(order);
		expect(mail?.kind).toBe("resume");
		const [job] = await shop.getJobs("send-order-mail", mail?.id ?? "");
		expect(job?.start_after).toEqual(new Date("2026-11-23T09:10:00Z"));
	});
});

describe("recipient and attachment", () => {
	const attached = (mailId: string) => getReceivedMails(mailId)[0]?.content.attachments[0]?.content as ArrayBuffer;

	test("of the confirmation: the customer, with the invoice byte for byte", async () => {
		const { order } = await shop.insertPaidOrder({ customer_email: "ada@example.fr", delivery_email: "banque@example.fr" });
		const invoice = await shop.insertDocument(order, "invoice");
		const confirmation = await sent(order, "confirmation", { documentId: invoice.id });
		expect([confirmation.to, confirmation.files]).toEqual([["ada@example.fr"], ["Facture.pdf"]]);
		expect(Buffer.from(attached(confirmation.id)).equals(await shop.storage.get(invoice.storage_path))).toBe(true);
	});

	test("of the document: the customer and the recipient, each with the extract byte for byte", async () => {
		const { order } = await shop.insertPaidOrder({ customer_email: "ada@example.fr", delivery_email: "banque@example.fr" });
		const extract = await shop.insertDocument(order);
		const mails = [
			await sent(order, "document-ready", { documentId: extract.id }),
			await sent(order, "document-ready-delivery", { documentId: extract.id }),
		];
		expect(mails.map(({ to }) => to)).toEqual([["ada@example.fr"], ["banque@example.fr"]]);
		for (const { id, files } of mails) {
			expect(files).toEqual(["Kbis_DANONE_552032534_2026-11-23.pdf"]);
			expect(Buffer.from(attached(id)).equals(await shop.storage.get(extract.storage_path))).toBe(true);
		}
	});

	test.each<[string, OrderValues]>([
		["of a posted order", { product_code: "postal" }],
		["of a disputed payment", { disputed_at: new Date(start) }],
	])("an extract %s is not attached", async (_what, values) => {
		const { order } = await shop.insertPaidOrder(values);
		const extract = await shop.insertDocument(order);
		const { files, text } = await sent(order, "extract-replaced", { documentId: extract.id });
		expect([files, /joint à ce message/.test(text)]).toEqual([[], false]);
	});

	test("an extract beyond 5 MB is behind its link only, and the e-mail says so", async () => {
		const { order } = await shop.insertPaidOrder();
		const extract = await shop.insertDocument(order);
		const resize = (bytes: number) => shop.db.updateTable("documents").set({ bytes }).where("id", "=", extract.id).execute();
		await resize(maxAttachedBytes + 1);
		const large = await sent(order, "document-ready", { documentId: extract.id });
		expect([large.files, /dépasse 5 Mo/.test(large.text), large.text.includes("/documents/")]).toEqual([[], true, true]);
		await resize(maxAttachedBytes);
		expect((await sent(order, "extract-replaced", { documentId: extract.id })).files).toHaveLength(1);
	});

	test("a file that the storage cannot give keeps the mail queued; the next try has the same bytes", async () => {
		const { order } = await shop.insertPaidOrder();
		const extract = await shop.insertDocument(order);
		const id = await queueMail(order, "document-ready", { documentId: extract.id });
		const storage = { ...shop.storage, get: () => Promise.reject(new Error("no answer")) };
		await expect(sendOrderEmail({ ...shop, mailer, storage }, id)).rejects.toThrow(/cannot be attached: it is unavailable/);
		const logged = { level: 50, order: order.id, document: extract.id, reason: "unavailable", error: expect.stringContaining("no answer") };
		expect(shop.lines.filter((line) => line.order === order.id)).toMatchObject([logged]);
		expect(await shop.getMailKinds(order)).toEqual(["document-ready"]);
		// the mail server accepts it, and the process dies before the commit
		const dying: Mailer = { ...mailer, send: (mail) => mailer.send(mail).then(() => Promise.reject(new Error("killed"))) };
		await expect(send(id, dying)).rejects.toThrow("killed");
		await send(id);
		const [first, second] = getReceivedMails(id).map(({ content }) => Buffer.from(content.attachments[0]?.content as ArrayBuffer));
		expect([first?.equals(await shop.storage.get(extract.storage_path)), second?.equals(first as Buffer)]).toEqual([true, true]);
	});

	test("a lost file keeps the mail queued, and alerts the operator once for each document", async () => {
		const { order, payment } = await shop.insertPaidOrder();
		const { id: refundId } = await shop.insertRefund(payment);
		const lost = [await shop.insertDocument(order), await shop.insertDocument(order, "credit_note")];
		const storage = { ...shop.storage, get: () => Promise.reject(new LostFile("it is gone")) };
		for (const [index, kind] of (["document-ready", "refunded", "refunded"] as const).entries()) {
			const id = await queueMail(order, kind, { documentId: lost[Math.min(index, 1)]?.id ?? "", refundId });
			await expect(sendOrderEmail({ ...shop, mailer, storage }, id)).rejects.toThrow(/cannot be attached: it is lost/);
			expect((await getMailRow(order, id))?.sent_at).toBeNull();
		}
		const alerts = (await shop.getMails(order)).filter(({ kind }) => kind === "alert-document-lost");
		expect(alerts.map(({ document_id }) => document_id).sort()).toEqual(lost.map(({ id }) => id).sort());
		expect(shop.lines).toContainEqual(
			expect.objectContaining({ level: 50, order: order.id, alert: "alert-document-lost", document: lost[0]?.id }),
		);
	});

	test("an e-mail to a recipient whom the order no longer has is dropped", async () => {
		const { order } = await shop.insertPaidOrder();
		const { id, to } = await sent(order, "document-ready-delivery");
		expect([to, await getMailRow(order, id)]).toEqual([undefined, undefined]);
	});

	test("a recipient who was added after the e-mail was queued gets theirs with the completion", async () => {
		const { order } = await shop.insertPaidOrder({ delivery_email: "banque@example.fr" });
		const extract = await shop.insertDocument(order);
		const id = await queueMail(order, "document-ready", { documentId: extract.id });
		let ticks = 0;
		await sendOrderEmail({ ...shop, mailer, now: () => shop.after(++ticks) }, id);
		const emails = (await shop.getMails(order)).filter(({ kind }) => kind === "document-ready-delivery");
		expect(emails).toMatchObject([{ document_id: extract.id, sent_at: null, created_at: (await shop.getOrder(order.id)).completed_at }]);
	});

	test("of an alert: the shop, without an event on the order", async () => {
		const { order } = await shop.insertPaidOrder();
		const alert = await sent(order, "alert-extract-needed");
		expect(alert.to).toEqual([shop.environment.shop.email]);
		expect((await getMailRow(order, alert.id))?.sent_at).toEqual(new Date(start));
		expect(await shop.getEventTypes(order)).toEqual([]);
		expect(shop.lines).toContainEqual(
			expect.objectContaining({ level: 30, order: order.id, event: "mail_sent", kind: "alert-extract-needed" }),
		);
	});

	test("of a refund: the customer, with its own amount and reason, and the credit note", async () => {
		const { order, payment } = await shop.insertPaidOrder();
		const refund = (amount: number, reason: "operator" | "guarantee") =>
			shop.inTransaction((trx) =>
				insertRefund(trx, {
					...{ orderId: order.id, payment, amount, reason, status: "succeeded", providerId: null, now: shop.now() },
				}),
			);
		const [first, second] = [await refund(1234, "operator"), await refund(200, "guarantee")];
		const note = await shop.insertDocument(order, "credit_note");
		const mail = await sent(order, "refunded", { documentId: note.id, refundId: second?.id });
		expect(mail.files).toEqual(["Avoir.pdf"]);
		expect(mail.text).toContain("2,00 €");
		expect(mail.text).toContain("erroné ou inutilisable");
		expect((await sent(order, "refunded", { refundId: first?.id })).text).toContain("12,34 €");
	});

	test("of a withdrawal: the customer, with the hour of the declaration, and for a refusal the reason", async () => {
		const { order } = await shop.insertPaidOrder({ status: "completed" });
		const declaredAt = new Date("2026-11-22T13:20:00Z");
		await shop.inTransaction((trx) =>
			insertWithdrawal(trx, {
				declarationId: crypto.randomUUID(),
				refund: cents(0),
				orderId: order.id,
				declaredAt,
				outcome: "refused",
				reason: "Le délai est écoulé.",
			}),
		);
		const { text } = await sent(order, "withdrawal-receipt");
		expect(text).toContain("dimanche 22 novembre 2026 à 14 h 20");
		expect(text).toContain("Le délai est écoulé.");

		await shop.inTransaction((trx) => insertRefundRequest(trx, order.id, "Illisible", shop.now()));
		await shop.inTransaction((trx) => answerRefundRequest(trx, order.id, { granted: false, answer: "Il est lisible.", now: shop.now() }));
		expect((await sent(order, "refund-request-refused")).text).toContain("> Il est lisible.");
	});

	test("of a withdrawal from two lines: each of them, and the other declaration's line not", async () => {
		const { orders } = await shop.insertPaidPurchase(["standard", "standard", "standard"]);
		const [first, second, third] = orders;
		if (!second || !third) throw new Error("three orders");
		const declare = (order: Order, declarationId: string) =>
			shop.inTransaction((trx) =>
				insertWithdrawal(trx, {
					...{ declarationId, orderId: order.id, declaredAt: shop.start, outcome: "refunded", reason: null },
					refund: cents(order.price_cents),
				}),
			);
		const both = crypto.randomUUID();
		for (const order of [first, second]) await declare(order, both);
		await declare(third, crypto.randomUUID());
		const { text } = await sent(first, "withdrawal-receipt");
		for (const { order_number } of [first, second]) expect(text).toContain(`${order_number} :`);
		expect(text).not.toContain(`${third.order_number} :`);
		expect((await sent(third, "withdrawal-receipt")).text).toContain("Votre rétractation est acceptée.");
	});

	test("of a delayed mail: the date of its event, and a link that is valid from its sending", async () => {
		const { order } = await shop.insertPaidOrder();
		const extract = await shop.insertDocument(order);
		const unpaid = await shop.insertOrder();
		const ids = [
			await queueMail(order, "cancelled"),
			await queueMail(order, "document-ready", { documentId: extract.id }),
			await queueMail(unpaid, "resume"),
		];
		later(3 * day);
		for (const id of ids) await send(id);
		const [cancelled, ready, resume] = ids.map((id) => getReceivedMails(id)[0]?.content.text?.replaceAll("\u00a0", " ") ?? "");
		expect(cancelled).toContain("lundi 23 novembre 2026 à 10 h");
		const tokenIn = (text: string | undefined, path: string) => new RegExp(`${path}/(\\S+)`).exec(text ?? "")?.[1] ?? "";
		later(4 * day - second);
		const link = readKey(shop, "document", tokenIn(ready, "/documents"));
		expect(link).toMatchObject({ ok: true, key: { id: extract.id } });
		// the link that the provider's page has too, until the order is deleted
		expect(createResumePath(shop, unpaid)).toBe(`/paiement/reprendre/${tokenIn(resume, "/paiement/reprendre")}`);
	});
});

describe("a mail is sent once", () => {
	test("a sent or refused mail is not sent again", async () => {
		const { order } = await shop.insertPaidOrder();
		const { id } = await sent(order, "late");
		await send(id);
		expect(getReceivedMails(id)).toHaveLength(1);
		const bounced = await queueMail(order, "failed");
		await shop.inTransaction((trx) => markMailBounced(trx, bounced, "550 no", shop.now()));
		await send(bounced);
		expect(getReceivedMails(bounced)).toEqual([]);
		expect(await shop.getEventTypes(order)).toEqual(["mail_sent"]);
	});

	test("of two concurrent runs one records the sending, and the order is completed once", async () => {
		const { order } = await shop.insertPaidOrder();
		const extract = await shop.insertDocument(order);
		const id = await queueMail(order, "document-ready", { documentId: extract.id });
		// the other run ends while this one talks to the mail server
		const slowMailer: Mailer = { ...mailer, send: async (mail) => send(id).then(() => mailer.send(mail)) };
		await send(id, slowMailer);
		expect(await shop.getEventTypes(order)).toEqual(["mail_sent", "document_sent", "completed"]);
		expect(await shop.getOrder(order.id)).toMatchObject({ status: "completed", completed_at: new Date(start) });
		const payloads = (await listEvents(shop.db, order.id)).map(({ payload }) => payload);
		expect(payloads).toEqual([{ kind: "document-ready" }, { document_id: extract.id }, {}]);
	});

	test("the history names the extract that was sent, even if it replaced the queued one", async () => {
		const { order } = await shop.insertPaidOrder();
		const old = await shop.insertDocument(order);
		const id = await queueMail(order, "document-ready", { documentId: old.id });
		await shop.db.updateTable("documents").set({ replaced_at: shop.now() }).where("id", "=", old.id).execute();
		const extract = await shop.insertDocument(order);
		await send(id);
		const sent = (await listEvents(shop.db, order.id)).find(({ event_type }) => event_type === "document_sent");
		expect(sent?.payload).toEqual({ document_id: extract.id });
	});

	test("an order that has ended is not completed again, and its recipient gets nothing", async () => {
		const { order } = await shop.insertPaidOrder({ status: "failed", failure_reason: "cancelled", delivery_email: "banque@example.fr" });
		const extract = await shop.insertDocument(order);
		await sent(order, "document-ready", { documentId: extract.id });
		expect(await shop.getOrder(order.id)).toMatchObject({ status: "failed", completed_at: null });
		const events = (await shop.getEvents(order)).map(({ event_type, payload }) => [event_type, payload]);
		expect(events).toEqual([
			["mail_sent", { kind: "document-ready" }],
			["document_sent", { document_id: extract.id }],
		]);
		expect(await shop.getMailKinds(order)).toEqual(["document-ready"]);
	});

	test("only the mail with the document completes an order", async () => {
		const { order } = await shop.insertPaidOrder();
		await sent(order, "confirmation");
		expect([(await shop.getOrder(order.id)).status, await shop.getEventTypes(order)]).toEqual(["processing", ["mail_sent"]]);
	});

	test("a busy mail server leaves the mail queued, and it is tried again", async () => {
		const { order } = await shop.insertPaidOrder();
		const id = await queueMail(order, "confirmation");
		smtp.controls.greylist();
		await expect(send(id)).rejects.toThrow(/450/);
		expect([(await getMailRow(order, id))?.sent_at, await shop.getEventTypes(order)]).toEqual([null, []]);
		await send(id);
		expect(getReceivedMails(id)).toHaveLength(1);
	});
});

describe("an address that is corrected while its mail is being sent", () => {
	/** Corrects the address once the mail server has the mail, before it answers. */
	const correcting = (
		order: Order,
		columns: Partial<Order>,
		answer: (mail: OutgoingMail) => Promise<MailOutcome> = mailer.send,
	): Mailer => ({
		...mailer,
		async send(mail) {
			const outcome = await answer(mail);
			await shop.inTransaction((trx) => updateOrder(trx, order.id, columns));
			return outcome;
		},
	});
	const addressed = async (order: Order) => {
		const rows = await shop.getMails(order);
		for (const { id, sent_at } of rows) if (sent_at === null) await send(id);
		return rows.map(({ id }) => getReceivedMails(id).map(({ to }) => to)).flat(2);
	};
	const refusing = async (): Promise<MailOutcome> => ({ ok: false, code: "refused", reply: "550 no such user" });

	test("gets the mail once, and the order completes by that one", async () => {
		const { order } = await shop.insertPaidOrder({ customer_email: "ada@exmaple.fr" });
		const extract = await shop.insertDocument(order);
		const id = await queueMail(order, "document-ready", { documentId: extract.id });
		await send(id, correcting(order, { customer_email: "ada@example.fr" }));
		expect([(await shop.getOrder(order.id)).status, await shop.getEventTypes(order)]).toEqual(["processing", []]);
		expect(await addressed(order)).toEqual(["ada@example.fr"]);
		expect(await shop.getEventTypes(order)).toEqual(["mail_sent", "document_sent", "completed"]);
	});

	test("gets it also when the previous one was refused, without an alert", async () => {
		const { order } = await shop.insertPaidOrder({ customer_email: "ada@exmaple.fr" });
		const id = await queueMail(order, "late");
		await send(id, correcting(order, { customer_email: "ada@example.fr" }, refusing));
		expect(await shop.getEventTypes(order)).toEqual([]);
		expect(await addressed(order)).toEqual(["ada@example.fr"]);
	});

	test("of a recipient gets the e-mail; the row of a removed one is deleted", async () => {
		const { order } = await shop.insertPaidOrder({ delivery_email: "bnaque@example.fr" });
		const extract = await shop.insertDocument(order);
		const id = await queueMail(order, "document-ready-delivery", { documentId: extract.id });
		await send(id, correcting(order, { delivery_email: "banque@example.fr" }));
		expect(await addressed(order)).toEqual(["banque@example.fr"]);
		const again = await shop.insertPaidOrder({ delivery_email: "bnaque@example.fr" });
		const toRemoved = { documentId: (await shop.insertDocument(again.order)).id };
		const email = await queueMail(again.order, "document-ready-delivery", toRemoved);
		await send(email, correcting(again.order, { delivery_email: null }));
		expect([await shop.getMails(again.order), await shop.getEventTypes(again.order)]).toEqual([[], []]);
		// another run has sent it meanwhile: its row stays
		const twice = await shop.insertPaidOrder({ delivery_email: "bnaque@example.fr" });
		const sentOnce = { documentId: (await shop.insertDocument(twice.order)).id };
		const once = await queueMail(twice.order, "document-ready-delivery", sentOnce);
		const sentMeanwhile = async (mail: OutgoingMail) => {
			await send(once);
			return mailer.send(mail);
		};
		await send(once, correcting(twice.order, { delivery_email: null }, sentMeanwhile));
		expect((await getMailRow(twice.order, once))?.sent_at).toEqual(new Date(start));
	});

	test("in another spelling is the same address", async () => {
		const { order } = await shop.insertPaidOrder({ customer_email: "ada@example.fr" });
		const id = await queueMail(order, "late");
		await send(id, correcting(order, { customer_email: "ADA@example.fr" }));
		expect((await getMailRow(order, id))?.sent_at).toEqual(new Date(start));
	});
});

describe("an outdated mail is deleted unsent", () => {
	const outcomes: [string, Partial<Order>, boolean][] = [
		["is pending", { status: "pending" }, true],
		["has expired", { status: "failed", failure_reason: "expired" }, true],
		["was paid meanwhile", { status: "paid", paid_at: new Date(start) }, false],
		["is delivered", { status: "completed", paid_at: new Date(start) }, false],
		["was cancelled", { status: "failed", failure_reason: "cancelled", paid_at: null }, false],
	];
	test.each(outcomes)("the reminder of an order that %s: %o, sent: %s", async (_what, state, isSent) => {
		const order = await shop.insertOrder(state);
		const { id, to } = await sent(order, "resume");
		expect(to !== undefined).toBe(isSent);
		expect((await getMailRow(order, id)) !== undefined).toBe(isSent);
	});

	test("a mail to an erased customer is deleted; the operator's is sent", async () => {
		const { order } = await shop.insertPaidOrder({ erased_at: new Date(start) });
		for (const kind of ["late", "refunded", "document-ready"] as const) {
			const { id, to } = await sent(order, kind);
			expect([to, await getMailRow(order, id)]).toEqual([undefined, undefined]);
		}
		expect((await sent(order, "alert-late")).to).toEqual([shop.environment.shop.email]);
	});
});

describe("the mailbox of an unpaid order", () => {
	const of = (email: string, more: Partial<Order> = {}) => shop.insertOrder({ customer_email: email, ...more });
	const isSent = async (order: Order, kind: OrderEmailKind) => (await sent(order, kind)).to !== undefined;
	const withdraw = ({ id: orderId }: Order) =>
		shop.inTransaction((trx) =>
			insertWithdrawal(trx, {
				...{ orderId, declarationId: crypto.randomUUID(), refund: cents(0), declaredAt: shop.start, outcome: "cancelled", reason: null },
			}),
		);

	test("gets one reminder a day, however it is written, and another one the next day", async () => {
		expect(await isSent(await of("eve@example.fr"), "resume")).toBe(true);
		const again = await of(" EVE@Example.fr");
		const { id, to } = await sent(again, "resume");
		expect([to, await getMailRow(again, id)]).toEqual([undefined, undefined]);
		expect(shop.lines.filter((logged) => logged.order === again.id)).toMatchObject([
			{ kind: "resume", msg: "an e-mail about an unpaid order is dropped: its mailbox had those of a day" },
		]);
		later(day - second);
		expect(await isSent(await of("eve@example.fr"), "resume")).toBe(false);
		later(day);
		expect(await isSent(await of("eve@example.fr"), "resume")).toBe(true);
		expect(await isSent(await of("other@example.fr"), "resume")).toBe(true);
	});

	test("gets three receipts a day, of cancellations and withdrawals together; the reminder counts apart", async () => {
		expect(await isSent(await of("mallory@example.fr"), "resume")).toBe(true);
		const kinds = ["cancelled", "withdrawal-receipt", "cancelled", "cancelled", "withdrawal-receipt"] as const;
		const left: boolean[] = [];
		for (const kind of kinds) {
			const order = await of("mallory@example.fr");
			if (kind === "withdrawal-receipt") await withdraw(order);
			left.push(await isSent(order, kind));
		}
		expect(left).toEqual([true, true, true, false, false]);
	});

	test.each<[string, Partial<Order>]>([
		["was paid", { status: "failed", paid_at: new Date(start) }],
		["has a mismatched payment", { set_aside_at: new Date(start) }],
	])("of an order that %s has no limit", async (what, state) => {
		for (let i = 0; i < 5; i++) expect(await isSent(await of(`${what.length}@example.fr`, state), "cancelled")).toBe(true);
	});

	test("does not lose a point by a mail that could not be sent", async () => {
		const order = await of("patient@example.fr");
		const id = await queueMail(order, "resume");
		smtp.controls.greylist();
		await expect(send(id)).rejects.toThrow(/450/);
		await send(id);
		expect(getReceivedMails(id)).toHaveLength(1);
	});
});

describe("a refused mail", () => {
	test("is recorded on the order, which stays uncompleted, and the operator receives an alert", async () => {
		const { order } = await shop.insertPaidOrder({ customer_email: "nobody@example.fr" });
		const extract = await shop.insertDocument(order);
		const id = await queueMail(order, "document-ready", { documentId: extract.id });
		smtp.controls.reject("nobody@example.fr", "550 5.1.1 <nobody@example.fr>: no such user");
		await send(id);
		expect(await getMailRow(order, id)).toMatchObject({
			...{ sent_at: null, bounced_at: new Date(start) },
			bounce_reason: expect.stringContaining("550 5.1.1 <…@…>: no such user"),
		});
		expect([(await shop.getOrder(order.id)).status, await shop.getEventTypes(order)]).toEqual(["processing", ["mail_bounced"]]);
		expect((await shop.getMails(order)).map(({ kind }) => kind).sort()).toEqual(["alert-bounce", "document-ready"]);
	});

	test("to the operator sends no mail about itself, and is logged", async () => {
		const { order } = await shop.insertPaidOrder();
		const id = await queueMail(order, "alert-late");
		smtp.controls.reject(shop.environment.shop.email);
		try {
			await send(id);
		} finally {
			smtp.controls.accept(shop.environment.shop.email);
		}
		expect((await shop.getMails(order)).map(({ kind }) => kind)).toEqual(["alert-late"]);
		expect(await shop.getEventTypes(order)).toEqual([]);
		expect(shop.lines).toContainEqual(expect.objectContaining({ level: 50, order: order.id, alert: "alert-late" }));
	});

	test("to the previous address of an order is only marked: no event and no alert", async () => {
		const { order } = await shop.insertPaidOrder();
		const recipient = "faux@example.fr";
		await shop.inTransaction((trx) => queueOrderEmail(shop, trx, { orderId: order.id, kind: "address-corrected", recipient }));
		const [mail] = await shop.getMails(order);
		smtp.controls.reject(recipient);
		await send(mail?.id ?? "");
		expect(await shop.getMails(order)).toMatchObject([{ kind: "address-corrected", bounced_at: new Date(start), recipient: null }]);
		expect([await shop.getEventTypes(order), shop.lines.filter((line) => line.order === order.id)]).toEqual([[], []]);
	});

	const receive = (id: string) => receiveBounce(shop, id, "5.1.1");

	test("that bounces days later is recorded once", async () => {
		const { order } = await shop.insertPaidOrder();
		const { id } = await sent(order, "late");
		const noted = { ok: true, orderNumber: order.order_number, kind: "late", reason: "5.1.1" };
		expect(await receive(id)).toEqual({ ...noted, known: false });
		expect(await receive(id)).toEqual({ ...noted, known: true });
		expect(await shop.getEventTypes(order)).toEqual(["mail_sent", "mail_bounced"]);
		expect(await receive(crypto.randomUUID())).toEqual({ ok: false, code: "unknown-mail" });
	});

	test("to the operator or to a previous address that bounces later is new once", async () => {
		const { order } = await shop.insertPaidOrder();
		await shop.inTransaction((trx) =>
			queueOrderEmail(shop, trx, { orderId: order.id, kind: "address-corrected", recipient: "avant@example.fr" }),
		);
		const previous = (await shop.getMails(order))[0]?.id ?? "";
		await send(previous);
		const alert = await sent(order, "alert-late");
		for (const known of [false, true]) for (const id of [previous, alert.id]) expect(await receive(id)).toMatchObject({ ok: true, known });
		expect((await shop.getMailKinds(order)).sort()).toEqual(["address-corrected", "alert-late"]);
	});

	test("that was sent again before it bounced is marked as returned, without an alert", async () => {
		const { order } = await shop.insertPaidOrder();
		const { id } = await sent(order, "late");
		expect(await resendEmail(shop, { orderId: order.id, kind: "late" })).toEqual({ ok: true });
		for (const known of [false, true])
			expect(await receive(id)).toEqual({
				ok: true,
				orderNumber: order.order_number,
				kind: "late",
				reason: "5.1.1",
				known,
			});
		const rows = await shop.db.selectFrom("sent_emails").select("bounced_at").where("mail_id", "=", id).execute();
		expect(rows).toEqual([{ bounced_at: shop.now() }]);
		expect(await shop.getEventTypes(order)).not.toContain("mail_bounced");
		expect(await shop.getMailKinds(order)).not.toContain("alert-bounce");
	});
});

test("the operator receives one mail for each kind of alert, and a log line each time", async () => {
	const { order } = await shop.insertPaidOrder();
	for (let i = 0; i < 2; i++)
		await shop.inTransaction((trx) => alertOperator(shop, trx, { orderId: order.id, kind: "alert-dispute", details: { payment: "pi_1" } }));
	expect((await shop.getMails(order)).map(({ kind }) => kind)).toEqual(["alert-dispute"]);
	const alarms = shop.lines.filter((line) => line.order === order.id);
	const alarm = { level: 50, alert: "alert-dispute", payment: "pi_1", msg: "an order needs the operator" };
	expect(alarms).toMatchObject([alarm, alarm]);
});

test("the operator receives a mail for each refund and each document, on the order that it is about", async () => {
	const { orders, payment } = await shop.insertPaidPurchase(["express", "express"]);
	const [first, second] = orders as [Order, Order];
	const refunds = [await shop.insertRefund(payment, { amount_cents: 100 }), await shop.insertRefund(payment, { amount_cents: 200 })];
	const document = await shop.insertDocument(second);
	const about = [...refunds.map(({ id }) => ({ refund: id })), { document: document.id }];
	for (const details of about)
		await shop.inTransaction((trx) =>
			alertOperator(shop, trx, { orderId: second.id, mailedFor: first.id, kind: "alert-refund-guessed", details }),
		);
	expect((await shop.getMails(first)).map(({ kind, refund_id, document_id }) => [kind, refund_id ?? document_id]).sort()).toEqual(
		[...refunds, document].map(({ id }) => ["alert-refund-guessed", id]).sort(),
	);
	expect(await shop.getMails(second)).toEqual([]);
	expect(shop.lines.filter((line) => line.order === second.id)).toMatchObject(about);
});

describe("the e-mails of a purchase", () => {
	/** The kinds of the e-mails of each order. */
	const listKinds = async (orders: readonly Order[]) => {
		const kinds: string[][] = [];
		for (const { id } of orders) kinds.push((await shop.getMails({ id })).map(({ kind }) => kind).sort());
		return kinds;
	};
	const change = ({ id }: Order, values: OrderValues) => shop.db.updateTable("orders").set(values).where("id", "=", id).execute();
	const completed = { status: "completed", completed_at: new Date(start) } as const;

	test("at the end of a service leave once, when all its orders have ended, and to each second address once", async () => {
		const { orders } = await shop.insertPaidPurchase(["standard", "express", "standard", "standard", "standard"]);
		const [first, express, second, third, last] = orders as [Order, Order, Order, Order, Order];
		await change(first, { status: "failed", failure_reason: "not-found", delivery_email: "notaire@example.fr" });
		await change(second, { ...completed, delivery_email: "banque@example.fr" });
		await change(third, { ...completed, delivery_email: "Banque@example.fr" });
		await queueReadyEmails(shop, third.id);
		expect(await listKinds(orders)).toEqual([[], [], [], [], []]);
		await change(last, { ...completed, delivery_email: "autre@example.fr" });
		for (const { id } of [last, second]) await queueReadyEmails(shop, id);
		expect(await listKinds(orders)).toEqual([["document-ready"], [], ["document-ready-delivery"], [], ["document-ready-delivery"]]);
		await change(express, { status: "failed", failure_reason: "cancelled" });
		await queueReadyEmails(shop, express.id);
		expect(await listKinds([express])).toEqual([[]]);
	});

	test("that an earlier version queued under another name leave once", async () => {
		const { orders } = await shop.insertPaidPurchase(["standard", "standard"], completed);
		const [first] = orders;
		const row = { orderId: first.id, kind: "purchase-ready", documentId: null, refundId: null, now: shop.now() };
		const id = await shop.inTransaction((trx) => insertMail(trx, row));
		await queueReadyEmails(shop, first.id);
		expect(await listKinds(orders)).toEqual([["purchase-ready"], []]);
		await send(id ?? "");
		expect(getReceivedMails(id ?? "")).toHaveLength(1);
		expect(await resendEmail(shop, { orderId: first.id, kind: "document-ready" })).toEqual({ ok: true });
		expect(await listKinds(orders)).toEqual([["document-ready"], []]);
	});

	test.each<[string, OrderValues[], string[]]>([
		["are of letters where one was posted", [completed, { status: "failed", failure_reason: "not-found" }], ["posted"]],
		["are not of letters where none was", [{ status: "failed", failure_reason: "operator" }], ["document-ready"]],
		["do not leave for an erased customer", [{ ...completed, erased_at: new Date(start) }], []],
		["do not leave when all was cancelled", [{ status: "failed", failure_reason: "cancelled" }], []],
		["leave when only a part was", [{ status: "failed", failure_reason: "cancelled" }, completed], ["posted"]],
	])("at the end of a service %s", async (_, [ofFirst = {}, ofSecond = ofFirst], kinds) => {
		const { orders } = await shop.insertPaidPurchase(["postal", "postal"]);
		const [first, second] = orders as [Order, Order];
		await change(first, ofFirst);
		await change(second, ofSecond);
		await queueReadyEmails(shop, second.id);
		expect(await listKinds(orders)).toEqual([kinds, []]);
	});

	test.each<[string, OrderValues, OrderValues, boolean]>([
		["is late and another one failed", { late_at: new Date(start) }, { status: "failed", failure_reason: "not-found" }, true],
		["is late", { late_at: new Date(start) }, {}, true],
		["was late and is cancelled", { late_at: new Date(start), status: "failed", failure_reason: "cancelled" }, {}, false],
		["failed and the other one goes on", { status: "failed", failure_reason: "not-found" }, {}, true],
		["failed as the last one of its service", { status: "failed", failure_reason: "not-found" }, completed, false],
		["is late and one of another service failed", { product_code: "express", late_at: new Date(start) }, { status: "failed" }, true],
		["goes on and the only one of another service failed", { product_code: "express", promised_at: null }, { status: "failed" }, false],
	])("about a problem leave while there is one: an order %s", async (_, ofFirst, ofSecond, isSent) => {
		const { orders } = await shop.insertPaidPurchase(["standard", "standard"]);
		const [first, second] = orders as [Order, Order];
		const id = await queueMail(first, "purchase-problem");
		await change(first, ofFirst);
		await change(second, { promised_at: null, ...ofSecond });
		await send(id);
		expect([getReceivedMails(id).length > 0, (await getMailRow(first, id)) !== undefined]).toEqual([isSent, isSent]);
	});

	test("are about one order where it was bought alone", async () => {
		const { order } = await shop.insertPaidOrder(completed);
		const { orders } = await shop.insertPaidPurchase(["express", "express"]);
		const [first, second] = orders as [Order, Order];
		for (const { id } of [order, { id: crypto.randomUUID() }]) await queueReadyEmails(shop, id);
		for (const each of [order, second]) {
			await shop.inTransaction((trx) => announceEndInPurchase(shop, trx, each));
			for (const kind of ["late", "failed"] as const) await shop.inTransaction((trx) => queueProblemEmail(shop, trx, each, kind));
		}
		expect(await listKinds([order, first, second])).toEqual([["failed", "late"], ["purchase-problem"], []]);
		expect(await shop.getJobs("queue-ready-mails", order.id)).toEqual([]);
		expect((await shop.getJobs("queue-ready-mails", second.id)).map(({ data }) => data)).toEqual([{ orderId: second.id }]);
	});
});

test("an e-mail about a purchase has the links of its reader, and none to what is not there", async () => {
	const { baseUrl } = shop.environment;
	type Loaded = {
		orders: readonly Order[];
		trackingUrl?: string;
		filesUrl?: string | null;
		extract?: { url: string; file: string | null } | null;
	} | null;
	const loadEmail = (kind: "document-ready" | "document-ready-delivery" | "confirmation" | "cancelled", order: Order): Promise<Loaded> => {
		const mail = { kind, document_id: null } as QueuedMail;
		return orderEmails[kind].load(shop, { mail, order });
	};
	type Values = OrderValues & { hasExtract?: true };
	const listLinks = async (
		services: Parameters<typeof shop.insertPaidPurchase>[0],
		kind: Parameters<typeof loadEmail>[0],
		[ofFirst, ofSecond = ofFirst]: [Values, Values?],
	) => {
		const { orders } = await shop.insertPaidPurchase(services);
		for (const [index, order] of orders.entries()) {
			const { hasExtract, ...values } = index === 0 ? ofFirst : ofSecond;
			if (hasExtract) await shop.insertDocument(order);
			await shop.db.updateTable("orders").set(values).where("id", "=", order.id).execute();
		}
		const loaded = await loadEmail(kind, await shop.getOrder(orders[0].id));
		const shorten = (url: string | null | undefined) =>
			url
				?.replace(baseUrl, "")
				.replace(orders[0].order_number, "KB")
				.replace(/[\w-]+\.[\w.-]+$/, "token") ?? null;
		return [loaded?.orders.length, shorten(loaded?.trackingUrl), loaded?.extract?.file ?? shorten(loaded?.filesUrl)];
	};
	const [page, files] = ["/suivi/KB/ensemble/acces/token", "/documents/ensemble/token"];
	const completed = { status: "completed", delivery_email: "banque@example.fr" } as const;
	const undelivered = { delivery_email: null } as const;
	const two = ["express", "standard"] as const;
	expect(await listLinks(two, "document-ready", [completed])).toEqual([2, page, files]);
	expect(await listLinks(two, "document-ready", [undelivered, completed])).toEqual([2, page, files]);
	expect(await listLinks(two, "document-ready", [undelivered])).toEqual([2, page, null]);
	expect(await listLinks(two, "document-ready", [completed, { disputed_at: new Date(start) }])).toEqual([2, page, null]);
	// the only extract of its service is attached
	const issued = { ...completed, hasExtract: true } as const;
	expect(await listLinks(two, "document-ready", [issued])).toEqual([2, page, "attached"]);
	expect(await listLinks(two, "document-ready-delivery", [issued])).toEqual([2, null, "attached"]);
	expect(await listLinks(two, "document-ready-delivery", [{ ...issued, disputed_at: new Date(start) }])).toEqual([2, null, null]);
	expect(await listLinks(two, "document-ready", [{ ...issued, disputed_at: new Date(start) }])).toEqual([2, page, null]);
	expect(await listLinks(["express", "express"], "document-ready", [issued])).toEqual([2, page, files]);
	expect(await listLinks(["postal", "postal"], "document-ready", [completed])).toEqual([2, page, null]);
	expect(await listLinks(two, "document-ready-delivery", [completed])).toEqual([2, null, files]);
	expect(await listLinks(two, "document-ready-delivery", [{ status: "completed" }])).toEqual([2, null, null]);
	expect(await listLinks(two, "confirmation", [completed])).toEqual([2, page, null]);
	expect(await listLinks(two, "cancelled", [{ paid_at: null }])).toEqual([2, "/suivi/KB/ensemble", null]);
	expect(await listLinks(["express"], "confirmation", [completed])).toEqual([1, "/suivi/KB/acces/token", null]);

	const { orders } = await shop.insertPaidPurchase(two, completed);
	const readToken = async (kind: Parameters<typeof loadEmail>[0], order: Order) =>
		(await loadEmail(kind, order))?.filesUrl?.split("/").at(-1) ?? "";
	const [first, second] = orders as [Order, Order];
	const ofPurchase = await openKey(shop, "files", await readToken("document-ready", second));
	expect(ofPurchase).toMatchObject({ ok: true, order: { id: first.id }, access: "purchase-link" });
	const ofRecipient = await openKey(shop, "recipient-files", await readToken("document-ready-delivery", second));
	expect(ofRecipient).toMatchObject({ ok: true, order: { id: second.id }, access: "link" });
});

test("the last refund of a late purchase that waits for a person is the one that is named", async () => {
	const { orders, payment } = await shop.insertPaidPurchase(["express", "express", "standard", "express"]);
	const afterHours = (count: number) => shop.after(count * 3600 * second);
	for (const [index, hour] of [7, 5, 9, 8].entries()) {
		const { id: order_id } = orders[index] as Order;
		const held = { reason: "operator", status: "requested", settled_at: null, held_until: afterHours(hour), amount_cents: 100 } as const;
		await shop.insertRefund(payment, { order_id, ...held });
		if (index < 3) await shop.db.updateTable("orders").set({ late_at: shop.start }).where("id", "=", order_id).execute();
	}
	const load = async (kind: "purchase-problem" | "late", { id }: Order) =>
		orderEmails[kind].load(shop, { mail: { created_at: shop.now() } as QueuedMail, order: await shop.getOrder(id) });
	expect((await load("purchase-problem", orders[0]))?.refundDueBy).toEqual(afterHours(7));
	for (const values of [{}, { late_at: shop.start }])
		expect((await load("late", (await shop.insertPaidOrder(values)).order))?.refundDueBy).toBeNull();
});

test("an order without a second address queues nothing for one when it is completed", async () => {
	const { order } = await shop.insertPaidOrder();
	const extract = await shop.insertDocument(order);
	await sent(order, "document-ready", { documentId: extract.id });
	expect([(await shop.getOrder(order.id)).status, await shop.getMailKinds(order)]).toEqual(["completed", ["document-ready"]]);
});

describe("an address that refused e-mails", () => {
	const correct = (orderId: string, reader: "customer" | "delivery" = "customer") =>
		correctBounced(shop, { orderId, reader, to: "juste@example.fr", by: "Ada" });

	test("is corrected in the whole purchase, and gets again what it refused and is still stored", async () => {
		const { orders } = await shop.insertPaidPurchase(["express", "express"], {
			...{ customer_email: "faux@example.fr", delivery_email: "faute@example.fr" },
		});
		const [first, other] = orders as [Order, Order];
		const [purged, kept] = [await shop.insertDocument(first), await shop.insertDocument(other)];
		const bounced = [
			await queueMail(first, "document-ready", { documentId: purged.id }),
			await queueMail(other, "document-ready", { documentId: kept.id }),
			await queueMail(other, "late"),
			await queueMail(other, "document-ready-delivery", { documentId: kept.id }),
		];
		const sentWell = await queueMail(first, "late");
		await shop.db.updateTable("documents").set({ purged_at: shop.now() }).where("id", "=", purged.id).execute();
		expect(await correct(first.id)).toEqual({ ok: false, code: "nothing-bounced" });
		for (const id of bounced) await shop.inTransaction((trx) => markMailBounced(trx, id, "550 unknown", shop.now()));
		later(second);
		expect(await correct(first.id)).toEqual({ ok: true, before: "faux@example.fr", resent: 2 });
		expect(await correct(first.id, "delivery")).toEqual({ ok: true, before: "faute@example.fr", resent: 1 });
		for (const { id } of orders) {
			expect(await shop.getOrder(id)).toMatchObject({ customer_email: "juste@example.fr", delivery_email: "juste@example.fr" });
			expect((await shop.getEvents({ id })).filter(({ event_type }) => event_type === "address_corrected")).toEqual(
				[
					{ address: "customer", by: "Ada", before: "faux@example.fr" },
					{ address: "delivery", by: "Ada", before: "faute@example.fr" },
				].map((payload) => ({ event_type: "address_corrected", payload, created_at: shop.now() })),
			);
		}
		const rows = [...(await shop.getMails(first)), ...(await shop.getMails(other))];
		expect(
			rows
				.map(({ id }) => id)
				.filter((id) => [...bounced, sentWell].includes(id))
				.sort(),
		).toEqual([bounced[0], sentWell].sort());
		expect(rows).toHaveLength(5);
		// what is left of its refused e-mails is not stored any more
		expect(await correct(first.id)).toEqual({ ok: false, code: "purged" });
	});

	test("is corrected of a recipient who was removed since", async () => {
		const { order } = await shop.insertPaidOrder({ delivery_email: null });
		const id = await queueMail(order, "document-ready-delivery");
		await shop.inTransaction((trx) => markMailBounced(trx, id, "550 unknown", shop.now()));
		expect(await correct(order.id, "delivery")).toEqual({ ok: true, before: "", resent: 1 });
	});

	test("is not corrected of an unknown order, nor of an erased customer", async () => {
		const { order } = await shop.insertPaidOrder();
		const id = await queueMail(order, "late");
		await shop.inTransaction((trx) => markMailBounced(trx, id, "550 unknown", shop.now()));
		await shop.db.updateTable("orders").set({ erased_at: shop.now() }).where("id", "=", order.id).execute();
		expect(await correct(order.id)).toEqual({ ok: false, code: "erased" });
		expect(await correct(crypto.randomUUID())).toEqual({ ok: false, code: "unknown" });
	});
});

describe("the name of a file", () => {
	test("has no company that is masked, at the order or since", async () => {
		const document = { id: crypto.randomUUID(), doc_type: "kbis", issued_at: new Date(start) } as StoredDocument;
		const name = async (values: OrderValues) => {
			const { order } = await shop.insertPaidOrder({ siren: "900000104", company_name: "ALPHA", reference: "dossier 1", ...values });
			return [
				await getDocumentFileName(shop.db, order, document),
				(await getExtractNameInPurchase(shop.db, order)).replace(order.order_number, "KB"),
			];
		};
		expect(await name({})).toEqual(["Kbis_ALPHA_900000104_2026-11-23.pdf", "Kbis_ALPHA_dossier-1_KB.pdf"]);
		expect(await name({ company_name: "Entreprise" })).toEqual(["Kbis_900000104_2026-11-23.pdf", "Kbis_dossier-1_KB.pdf"]);
		const company = { id: 900000104, siren: "900000104", name: "ALPHA" };
		await insertCompanies(shop.db, [{ ...company, masked: true, name: null }]);
		expect(await name({})).toEqual(["Kbis_900000104_2026-11-23.pdf", "Kbis_dossier-1_KB.pdf"]);
		await insertCompanies(shop.db, [{ ...company, legal_category: "1000" }]);
		expect(await name({})).toEqual(["Extrait-K_ALPHA_900000104_2026-11-23.pdf", "Extrait-K_ALPHA_dossier-1_KB.pdf"]);
	});
});

describe("resending mails", () => {
	const refusal = (code: string) => ({ ok: false, code });

	test("queues them as new ones, each with its own document and refund, and the first date", async () => {
		const { order } = await shop.insertPaidOrder();
		const [one, other] = [await shop.insertDocument(order, "credit_note"), await shop.insertDocument(order, "credit_note")];
		const old = [await queueMail(order, "refunded", { documentId: one.id }), await queueMail(order, "refunded", { documentId: other.id })];
		await queueMail(order, "late");
		later(day);
		expect(await resendEmail(shop, { orderId: order.id, kind: "refunded" })).toEqual({ ok: true });
		const rows = (await shop.getMails(order)).filter(({ kind }) => kind === "refunded");
		expect(rows.map(({ document_id }) => document_id).sort()).toEqual([one.id, other.id].sort());
		for (const { id, created_at, sent_at } of rows) {
			expect([old.includes(id), created_at, sent_at]).toEqual([false, new Date(start), null]);
			expect(await shop.getJobs("send-order-mail", id)).toHaveLength(1);
		}
		expect(await shop.getMails(order)).toHaveLength(3);
	});

	test("to another address corrects the second address for the recipient's e-mail, otherwise the customer's", async () => {
		const { order } = await shop.insertPaidOrder({ customer_email: "ada@example.fr", delivery_email: "banque@example.fr" });
		await queueMail(order, "confirmation");
		await queueMail(order, "document-ready-delivery");
		const addresses = async () => {
			const { customer_email, delivery_email } = await shop.getOrder(order.id);
			return [customer_email, delivery_email];
		};
		expect(await resendEmail(shop, { orderId: order.id, kind: "confirmation" })).toEqual({ ok: true });
		expect(await addresses()).toEqual(["ada@example.fr", "banque@example.fr"]);
		expect(await resendEmail(shop, { orderId: order.id, kind: "confirmation", to: "grace@example.fr" })).toEqual({ ok: true });
		expect(await addresses()).toEqual(["grace@example.fr", "banque@example.fr"]);
		expect(await resendEmail(shop, { orderId: order.id, kind: "document-ready-delivery", to: "notaire@example.fr", by: "Eve" })).toEqual({
			ok: true,
		});
		expect(await addresses()).toEqual(["grace@example.fr", "notaire@example.fr"]);
		expect((await shop.getEvents(order)).map(({ event_type, payload, created_at }) => [event_type, payload, created_at])).toEqual([
			["address_corrected", { address: "customer" }, shop.now()],
			["address_corrected", { address: "delivery", by: "Eve" }, shop.now()],
		]);
	});

	test("about a purchase sends those of all its services to a corrected address, and otherwise only the one that was asked for", async () => {
		const { orders } = await shop.insertPaidPurchase(["express", "postal"]);
		const [first, second] = orders as [Order, Order];
		const old = [
			...[await queueMail(first, "document-ready"), await queueMail(second, "posted")],
			...[await queueMail(first, "late"), await queueMail(second, "late")],
		];
		await shop.inTransaction((trx) =>
			queueOrderEmail(shop, trx, { orderId: first.id, kind: "address-corrected", recipient: "avant@example.fr" }),
		);
		/** Which of the e-mails were replaced by new ones. */
		const resend = async (kind: OrderEmailKind, to?: string) => {
			expect(await resendEmail(shop, { orderId: first.id, kind, to })).toEqual({ ok: true });
			const rows = [...(await shop.getMails(first)), ...(await shop.getMails(second))];
			const replaced = old.map((id) => rows.every((row) => row.id !== id));
			for (const [index, [order, of]] of (
				[
					[first, "document-ready"],
					[second, "posted"],
					[first, "late"],
					[second, "late"],
				] as const
			).entries())
				old[index] = rows.find(({ kind, order_id }) => kind === of && order_id === order.id)?.id ?? "";
			return replaced;
		};
		expect(await resend("document-ready")).toEqual([true, false, false, false]);
		expect(await resend("document-ready", "juste@example.fr")).toEqual([true, true, false, false]);
		expect(await resend("late", "juste@example.fr")).toEqual([false, false, true, true]);
		expect(await resend("late")).toEqual([false, false, true, false]);
		for (const { id } of orders) expect((await shop.getOrder(id)).customer_email).toBe("juste@example.fr");
		expect(await resendEmail(shop, { orderId: first.id, kind: "address-corrected" })).toEqual(refusal("never-written"));
	});

	test("is refused for a mail that the order never had, and for the operator's own to another address", async () => {
		const { order } = await shop.insertPaidOrder();
		await queueMail(order, "confirmation");
		later(second);
		await queueMail(order, "alert-late");
		expect(await resendEmail(shop, { orderId: order.id, kind: "late" })).toEqual(refusal("never-written"));
		for (const unknown of [{ kind: "late" }, { kind: "late", to: "eve@example.fr" }, { kind: "document-ready-delivery" }] as const)
			expect(await resendEmail(shop, { orderId: crypto.randomUUID(), ...unknown })).toEqual(refusal("never-written"));
		expect(await resendEmail(shop, { orderId: order.id, kind: "alert-late", to: "eve@example.fr" })).toMatchObject({
			ok: false,
			code: "operators-own",
		});
		expect(await resendEmail(shop, { orderId: order.id, kind: "alert-late" })).toEqual({ ok: true });
		expect((await shop.getOrder(order.id)).customer_email).toBe(order.customer_email);
	});

	test("is refused when the document is purged", async () => {
		const { order } = await shop.insertPaidOrder({ status: "completed" });
		const extract = await shop.insertDocument(order);
		const id = await queueMail(order, "document-ready", { documentId: extract.id });
		await shop.db.updateTable("documents").set({ purged_at: shop.now() }).where("id", "=", extract.id).execute();
		expect(await resendEmail(shop, { orderId: order.id, kind: "document-ready", to: "eve@example.fr" })).toMatchObject({
			ok: false,
			code: "purged",
		});
		expect([(await getMailRow(order, id)) !== undefined, (await shop.getOrder(order.id)).customer_email]).toEqual([
			true,
			order.customer_email,
		]);
	});

	test("is refused for an erased customer, even during the erasure: no address is restored", async () => {
		const { order } = await shop.insertPaidOrder({ status: "completed" });
		await queueMail(order, "confirmation");
		const erase = (trx: Trx) =>
			trx.updateTable("orders").set({ erased_at: shop.now(), customer_email: "" }).where("id", "=", order.id).execute();
		const again = await shop.whileLocked(order, { after: erase }, () =>
			resendEmail(shop, { orderId: order.id, kind: "confirmation", to: "ada@example.fr" }),
		);
		expect(again).toMatchObject({ ok: false, code: "erased" });
		expect((await shop.getOrder(order.id)).customer_email).toBe("");
	});
});

describe("the rows of mails", () => {
	const insert = (order: Order, kind: string, now: Date) =>
		shop.inTransaction((trx) => insertMail(trx, { orderId: order.id, kind, documentId: null, refundId: null, now })) as Promise<string>;

	test("are listed oldest first, for one order", async () => {
		const { order } = await shop.insertPaidOrder();
		await insert(await shop.insertOrder(), "late", new Date(start));
		const last = await insert(order, "late", new Date("2026-11-23T10:00:00Z"));
		const first = await insert(order, "confirmation", new Date(start));
		expect((await listMails(shop.db, order.id)).map(({ id }) => id)).toEqual([first, last]);
	});

	test("are marked once as sent and once as refused, with at most 500 characters of the reason", async () => {
		const { order } = await shop.insertPaidOrder();
		const [one, other] = [await insert(order, "late", new Date(start)), await insert(order, "failed", new Date(start))];
		const marked = [];
		for (let i = 0; i < 2; i++) marked.push(await shop.inTransaction((trx) => markMailSent(trx, one, new Date(Date.parse(start) + i))));
		for (let i = 0; i < 2; i++)
			marked.push(await shop.inTransaction((trx) => markMailBounced(trx, one, "x".repeat(501 + i), new Date(start))));
		expect(marked).toEqual([true, false, true, false]);
		expect(await getMailRow(order, one)).toMatchObject({
			sent_at: new Date(start),
			bounced_at: new Date(start),
			bounce_reason: "x".repeat(500),
		});
		expect(await getMailRow(order, other)).toMatchObject({ sent_at: null, bounced_at: null });
	});

	test("of an erased order are deleted if unsent, and otherwise blanked except for their outcome", async () => {
		const [order, other] = [await shop.insertOrder(), await shop.insertOrder()];
		const kinds = ["late", "failed", "cancelled"];
		const ids: string[][] = [];
		for (const of of [order, other]) ids.push(await Promise.all(kinds.map((kind) => insert(of, kind, new Date(start)))));
		for (const [left = "", refused = ""] of ids)
			await shop.inTransaction(async (trx) => {
				await markMailSent(trx, left, new Date(start));
				await markMailBounced(trx, refused, "550 Ada Lovelace is unknown", new Date(start));
			});
		await shop.inTransaction((trx) => anonymiseMails(trx, [order.id]));
		expect((await shop.getMails(order)).map(({ kind, bounce_reason }) => [kind, bounce_reason])).toEqual([
			["failed", null],
			["late", null],
		]);
		const untouched = await shop.getMails(other);
		expect(untouched.map(({ bounce_reason }) => bounce_reason)).toEqual([null, "550 Ada Lovelace is unknown", null]);
		await shop.inTransaction((trx) => deleteMails(trx, [order.id]));
		expect([await shop.getMails(order), await shop.getMails(other)]).toEqual([[], untouched]);
	});
});

describe("the copy of an order", () => {
	const copied = async ({ id }: Order) => {
		const found = await readCopy(shop, id);
		return found.ok ? found.copy.mails.map(({ kind, sent_at }) => [kind, sent_at !== null]) : null;
	};

	/** A paid order whose confirmation was sent. */
	async function confirmed(): Promise<Order> {
		const { order } = await shop.insertPaidOrder();
		const id = await queueMail(order, "confirmation");
		await shop.inTransaction((trx) => markMailSent(trx, id, shop.now()));
		return order;
	}

	test("is made after each mail to the customer: a recreated order sends none twice", async () => {
		const order = await confirmed();
		await send(await queueMail(order, "late"));
		expect(await copied(order)).toEqual(expect.arrayContaining([["late", true]]));
	});

	test("is made after the last of the mails that are about to leave; one of the operator, or that waits for hours, does not count", async () => {
		const order = await confirmed();
		const [first, last] = [await queueMail(order, "late"), await queueMail(order, "failed")];
		for (const kind of ["alert-late", "resume"] as const) await queueMail(order, kind);
		await send(first);
		expect(await copied(order)).toBeNull();
		await send(last);
		expect(await copied(order)).toEqual(
			expect.arrayContaining([
				["late", true],
				["failed", true],
			]),
		);
	});

	test("is left to the confirmation of its purchase, also while that is not queued yet", async () => {
		const { orders } = await shop.insertPaidPurchase(["express", "express"]);
		const [first, second] = orders as [Order, Order];
		await send(await queueMail(second, "late"));
		expect(await copied(second)).toBeNull();
		await queueMail(first, "confirmation");
		await send(await queueMail(second, "failed"));
		expect(await copied(second)).toHaveLength(2);
	});

	test("does not wait for a mail that was refused", async () => {
		const order = await confirmed();
		const refused = await queueMail(order, "late");
		await shop.inTransaction((trx) => markMailBounced(trx, refused, "550", shop.now()));
		await send(await queueMail(order, "failed"));
		expect(await copied(order)).toHaveLength(3);
	});

	test("is made later if it fails, without another mail", async () => {
		const order = await confirmed();
		const id = await queueMail(order, "late");
		const storage = { ...shop.storage, putObject: () => Promise.reject(new Error("no space")) };
		await sendOrderEmail({ ...shop, mailer, storage }, id);
		expect(getReceivedMails(id)).toHaveLength(1);
		expect(await copied(order)).toBeNull();
		const logged = { level: 40, order: order.id, error: expect.stringContaining("no space"), msg: "an order could not be copied at once" };
		expect(shop.lines.at(-1)).toMatchObject(logged);
		await copyChangedOrders(shop);
		expect(await copied(order)).toEqual(expect.arrayContaining([["late", true]]));
	});
});
