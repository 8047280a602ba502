import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { takeTogether } from "../../../../server/rate-limits.ts";
import { startFakeSmtp } from "../../../../test/fakes/smtp.ts";
import { createOrderFixture, type OrderFixture, type OrderValues, waitForLock } from "../../../../test/orders.ts";
import { listKindsTo } from "../../../emails/order-emails.server.ts";
import { queueOrderEmail } from "../../../emails/queue-order-email.server.ts";
import { queueReadyEmails } from "../../../emails/queue-purchase-emails.server.ts";
import { resendEmail } from "../../../emails/resend-email.server.ts";
import { sendOrderEmail } from "../../../emails/send-order-email.server.ts";
import type { Mailer } from "../../../mail/mailer.ts";
import { smtpMailer } from "../../../mail/mailers.server.ts";
import { listExtracts } from "../../../orders/documents/documents.store.server.ts";
import type { Order } from "../../../orders/order.ts";
import { trackOrder } from "../track-order.server.ts";
import { correctAddresses } from "./correct-addresses.server.ts";
import { describeAddresses } from "./describe-addresses.server.ts";

const alertKinds: readonly string[] = listKindsTo("operator");

let shop: OrderFixture;
let smtp: Awaited<ReturnType<typeof startFakeSmtp>>;
let mailer: ReturnType<typeof smtpMailer>;
beforeAll(async () => {
	[shop, smtp] = await Promise.all([createOrderFixture({ startsAt: "2026-11-23T09:00:00Z" }), startFakeSmtp()]);
	mailer = smtpMailer(smtp.url, { name: "ExtraitPro", address: "bonjour@boutique.example" });
});
beforeEach(() => sql`delete from rate_limits`.execute(shop.db));
afterAll(async () => {
	mailer?.close();
	await smtp?.close();
	await shop?.close();
});

const wrong = "ada@exmaple.fr";
const right = "ada@example.fr";

async function placed(values: OrderValues = {}): Promise<Order> {
	return (await shop.insertPaidOrder({ customer_email: wrong, ...values })).order;
}
const correct = (order: Order, email: string, recipient = "", own = false) =>
	correctAddresses(shop, order.id, "purchase", { email, recipient, own });

async function queue(order: Order, kind: "confirmation" | "late" | "document-ready" | "document-ready-delivery", documentId?: string) {
	await shop.inTransaction((trx) => queueOrderEmail(shop, trx, { orderId: order.id, kind, ...(documentId && { documentId }) }));
	return (await shop.getMails(order)).findLast((mail) => mail.kind === kind)?.id ?? "";
}

test("a correction is of all orders of a purchase: its e-mails go to one address", async () => {
	const { orders } = await shop.insertPaidPurchase(["standard", "express", "postal"], { customer_email: wrong });
	await queue(orders[0], "confirmation");
	await shop.db.updateTable("mails").set({ sent_at: shop.now() }).where("order_id", "=", orders[0].id).execute();
	expect(await correct(orders[1] ?? orders[0], right)).toMatchObject({ ok: true, corrected: "email" });
	for (const { id } of orders) expect((await shop.getOrder(id)).customer_email).toBe(right);
	const kinds = await Promise.all(orders.map((order) => shop.getMailKinds(order)));
	expect(kinds).toEqual([["confirmation"], ["address-corrected"], []]);
	expect(await shop.getMails(orders[0])).toMatchObject([{ kind: "confirmation", sent_at: null }]);
});

test("the addresses of a purchase stay open to correction until its last order has ended, from each of its orders", async () => {
	const { orders } = await shop.insertPaidPurchase(["express", "standard"], { customer_email: wrong });
	const [ended, open = ended] = orders;
	const end = ({ id }: Order) =>
		shop.db.updateTable("orders").set({ status: "completed", completed_at: shop.now() }).where("id", "=", id).execute();
	await end(ended);
	expect(await correct(ended, right)).toMatchObject({ ok: true, corrected: "email" });
	expect(await getAddresses(open)).toEqual([right, null]);
	await end(open);
	for (const order of orders) expect(await correct(order, wrong)).toEqual({ ok: false, code: "too-late" });
});

test("a purchase that begins with a letter gets a second address for its files, which the next correction keeps", async () => {
	const { orders } = await shop.insertPaidPurchase(["postal", "express"], { customer_email: wrong });
	const [letter, file = letter] = orders;
	expect(await correct(letter, wrong, "banque@example.fr")).toMatchObject({ ok: true, corrected: "recipient" });
	expect(await correct(letter, right, "banque@example.fr")).toMatchObject({ ok: true, corrected: "email" });
	expect(await getAddresses(file)).toEqual([right, "banque@example.fr"]);
});

test("a recipient who is added after a service ended gets its extracts too", async () => {
	const { orders } = await shop.insertPaidPurchase(["express", "standard"], { customer_email: right });
	const [ended, other] = orders;
	await shop.db.updateTable("orders").set({ status: "completed", completed_at: shop.now() }).where("id", "=", ended.id).execute();
	await queueReadyEmails(shop, ended.id);
	expect(await shop.getMailKinds(ended)).toEqual(["document-ready"]);
	// in the transaction of the correction: the queue ignores a job beside one that is still running and has read the previous addresses
	expect(await correct(other ?? ended, right, "banque@example.fr")).toMatchObject({ ok: true, corrected: "recipient" });
	expect((await shop.getMailKinds(ended)).toSorted()).toEqual(["document-ready", "document-ready-delivery"]);
	expect(await shop.getMailKinds(other ?? ended)).toEqual([]);
	for (const { id } of orders) expect(await shop.getJobs("queue-ready-mails", id)).toEqual([]);
});

test.each([
	["added", null, "banque@example.fr", 1],
	["removed", "banque@example.fr", "", 0],
])("a recipient who is %s while the e-mails of a service are being queued counts", async (_what, before, after, count) => {
	const { orders } = await shop.insertPaidPurchase(["express", "standard"], { customer_email: right, delivery_email: before });
	const [ended, other] = orders;
	await shop.db.updateTable("orders").set({ status: "completed", completed_at: shop.now() }).where("id", "=", ended.id).execute();
	let queueing: Promise<void> | undefined;
	// the correction ends while the job, which has read the previous addresses, waits for its lock
	await shop.inTransaction(async (trx) => {
		await trx.selectFrom("orders").select("id").where("id", "=", ended.id).forUpdate().execute();
		queueing = queueReadyEmails(shop, ended.id);
		await waitForLock(shop.db, queueing);
		await trx
			.updateTable("orders")
			.set({ delivery_email: after || null })
			.where("purchase_id", "=", ended.id)
			.execute();
	});
	await queueing;
	expect((await shop.getMailKinds(ended)).filter((kind) => kind === "document-ready-delivery")).toHaveLength(count);
	expect(await shop.getMailKinds(other ?? ended)).toEqual([]);
});

const send = (id: string, by: Mailer = mailer) => sendOrderEmail({ ...shop, mailer: by }, id);

/** Sends all unsent e-mails to customer and recipient. @returns the kinds and addresses of those that were sent. */
async function sendAll(order: Order): Promise<string[]> {
	const unsent = (await shop.getMails(order)).filter(({ sent_at, bounced_at }) => sent_at === null && bounced_at === null);
	for (const { id } of unsent) await send(id);
	return unsent
		.filter(({ kind }) => !alertKinds.includes(kind))
		.map(({ id, kind }) => `${kind}: ${smtp.mails.find(({ content }) => content.messageId?.startsWith(`<${id}@`))?.to}`)
		.sort();
}

const getAddresses = async (order: Order) => {
	const { customer_email, delivery_email } = await shop.getOrder(order.id);
	return [customer_email, delivery_email];
};

describe("a corrected address", () => {
	test("gets the confirmation again; the previous one is told, and finds the order no more", async () => {
		const order = await placed();
		// what it was told besides is not told again
		for (const kind of ["confirmation", "late"] as const) await send(await queue(order, kind));
		expect(await correct(order, right)).toMatchObject({ ok: true, order: { customer_email: right } });
		expect(await sendAll(order)).toEqual([`address-corrected: ${wrong}`, `confirmation: ${right}`]);
		expect(await shop.getEventTypes(order)).toEqual(["mail_sent", "mail_sent", "address_corrected", "mail_sent", "mail_sent"]);
		const find = (email: string) => trackOrder(shop, { email, reference: order.order_number, client: "one" });
		expect([(await find(wrong)).ok, (await find(right)).ok]).toEqual([false, true]);
	});

	test("corrected a second time, each previous address is told", async () => {
		const order = await placed();
		await correct(order, right);
		await sendAll(order);
		await correct(order, "grace@example.fr");
		expect(await sendAll(order)).toEqual([`address-corrected: ${right}`]);
	});

	test("corrected again while another e-mail waits, or the notice of another order, tells each previous address", async () => {
		const { orders } = await shop.insertPaidPurchase(["express", "express"], { customer_email: wrong });
		const [first, second] = orders;
		const told = async (order: Order | undefined) => {
			const notice = (await shop.getMails(order ?? first)).find(({ kind }) => kind === "address-corrected");
			return notice?.recipient ?? null;
		};
		await queue(first, "confirmation");
		await correct(first, right);
		const [notice] = (await shop.getMails(first)).filter(({ kind }) => kind === "address-corrected");
		await send(notice?.id ?? "");
		await correct(first, "grace@example.fr");
		expect(await told(first)).toBe(right);
		await send((await shop.getMails(first)).find(({ kind }) => kind === "address-corrected")?.id ?? "");
		await correct(second ?? first, "rose@example.fr");
		expect([await told(first), await told(second)]).toEqual([null, "grace@example.fr"]);
		await correct(first, right);
		expect([await told(first), await told(second)]).toEqual(["rose@example.fr", "grace@example.fr"]);
	});

	test("is stored nowhere else: not in the events, and not in the sent e-mail", async () => {
		const order = await placed();
		await correct(order, right);
		const [told] = (await shop.getMails(order)).filter(({ kind }) => kind === "address-corrected");
		expect(told?.recipient).toBe(wrong);
		await sendAll(order);
		expect(JSON.stringify([await shop.getMails(order), await shop.getEvents(order)])).not.toMatch(/exmaple|example\.fr/);
	});

	test("gets what the previous one refused, without a new alert for the farewell", async () => {
		const order = await placed();
		const extract = await shop.insertDocument(order);
		smtp.controls.reject(wrong);
		try {
			await send(await queue(order, "document-ready", extract.id));
			expect(await shop.getMailKinds(order)).toEqual(expect.arrayContaining(["alert-bounce", "document-ready"]));
			await correct(order, right);
			expect(await sendAll(order)).toEqual(["address-corrected: undefined", `document-ready: ${right}`]);
		} finally {
			smtp.controls.accept(wrong);
		}
		expect((await shop.getOrder(order.id)).status).toBe("completed");
		expect((await shop.getEventTypes(order)).filter((type) => type === "mail_bounced")).toHaveLength(1);
	});

	test("of the customer is no reason to write to the recipient again, whose mailbox refused", async () => {
		const order = await placed({ delivery_email: "banque@example.fr" });
		const mail = await queue(order, "document-ready-delivery", (await shop.insertDocument(order)).id);
		await shop.db.updateTable("mails").set({ sent_at: shop.now(), bounced_at: shop.now() }).where("id", "=", mail).execute();
		expect(await correct(order, right, "banque@example.fr")).toMatchObject({ ok: true, corrected: "email" });
		expect(await sendAll(order)).toEqual([`address-corrected: ${wrong}`]);
	});

	test("during the sending of the document gets it once, and the order completes by that one", async () => {
		const order = await placed();
		const extract = await shop.insertDocument(order);
		const id = await queue(order, "document-ready", extract.id);
		const correcting: Mailer = {
			...mailer,
			send: async (mail) => {
				const outcome = await mailer.send(mail);
				expect(await correct(order, right)).toMatchObject({ ok: true });
				return outcome;
			},
		};
		await send(id, correcting);
		expect((await shop.getOrder(order.id)).status).toBe("processing");
		expect(await sendAll(order)).toEqual([`address-corrected: ${wrong}`, `document-ready: ${right}`]);
		expect(await sendAll(order)).toEqual([]);
		expect((await shop.getEventTypes(order)).filter((type) => type === "completed")).toHaveLength(1);
	});

	test("of the recipient gets the e-mail", async () => {
		const order = await placed({ customer_email: right, delivery_email: "bnaque@example.fr" });
		const extract = await shop.insertDocument(order);
		await queue(order, "document-ready", extract.id);
		await queue(order, "document-ready-delivery", extract.id);
		expect(await correct(order, right, "banque@example.fr")).toMatchObject({ ok: true });
		expect(await sendAll(order)).toEqual([`document-ready-delivery: banque@example.fr`, `document-ready: ${right}`]);
	});

	test("of a recipient that is new, or whose mailbox refused the e-mail, gets it too", async () => {
		const order = await placed({ customer_email: right });
		const extract = await shop.insertDocument(order);
		await queue(order, "document-ready", extract.id);
		await correct(order, right, "bnaque@example.fr");
		expect(await shop.getJobs("queue-ready-mails", order.id)).toEqual([]);
		const email = (await shop.getMails(order)).find(({ kind }) => kind === "document-ready-delivery");
		smtp.controls.reject("bnaque@example.fr");
		await send(email?.id ?? "");
		await correct(order, right, "banque@example.fr");
		expect(await sendAll(order)).toEqual([`document-ready-delivery: banque@example.fr`, `document-ready: ${right}`]);
	});

	test.each<[string, Mailer["send"]]>([
		["accepted", (mail) => mailer.send(mail)],
		["refused", async () => ({ ok: false, code: "refused", reply: "550 unknown" })],
	])("of a recipient who is removed while the e-mail is %s does not count: a new one gets the e-mail", async (_what, answer) => {
		const order = await placed({ customer_email: right, delivery_email: "bnaque@example.fr" });
		const extract = await shop.insertDocument(order);
		await queue(order, "document-ready", extract.id);
		const removing: Mailer = {
			...mailer,
			send: async (mail) => {
				expect(await correct(order, right)).toMatchObject({ ok: true });
				return answer(mail);
			},
		};
		await send(await queue(order, "document-ready-delivery", extract.id), removing);
		expect([await shop.getMailKinds(order), await shop.getEventTypes(order)]).toEqual([["document-ready"], ["address_corrected"]]);
		await correct(order, right, "banque@example.fr");
		expect(await sendAll(order)).toEqual([`document-ready-delivery: banque@example.fr`, `document-ready: ${right}`]);
	});

	test("of a recipient who has the e-mail stays; an empty one is removed", async () => {
		const order = await placed({ customer_email: right, delivery_email: "banque@example.fr" });
		expect(await correct(order, right)).toMatchObject({ ok: true });
		expect(await getAddresses(order)).toEqual([right, null]);
		const served = await placed({ customer_email: right, delivery_email: "banque@example.fr" });
		await send(await queue(served, "document-ready-delivery", (await shop.insertDocument(served)).id));
		expect(await correct(served, right, "eve@example.fr")).toEqual({ ok: false, code: "unchanged" });
	});
});

describe("an extract that was sent", () => {
	/** An order whose extract was sent to its customer. */
	async function delivered(values: OrderValues = {}) {
		const order = await placed({ customer_email: right, status: "completed", completed_at: shop.start, ...values });
		const extract = await shop.insertDocument(order);
		await send(await queue(order, "document-ready", extract.id));
		return order;
	}

	test("is sent to a second address, with which nothing else changes", async () => {
		const order = await delivered();
		expect(await correct(order, right, "bureau@example.fr")).toMatchObject({ ok: true, corrected: "resent" });
		expect(await getAddresses(order)).toEqual([right, "bureau@example.fr"]);
		expect(await sendAll(order)).toEqual(["document-ready-delivery: bureau@example.fr"]);
		expect((await shop.getOrder(order.id)).status).toBe("completed");
	});

	test.each([
		["another person's", false, "document-ready-delivery", []],
		["the customer's own", true, "document-ready", [right, "1@example.fr", "2@example.fr"]],
	])(
		"is sent to %s address three times at most, each time in place of the one before, and each is recorded",
		async (_whose, own, kind, told) => {
			const order = await delivered();
			for (const [index, recipient] of ["1@example.fr", "2@example.fr", "3@example.fr"].entries()) {
				expect(await correct(order, right, recipient, own)).toMatchObject({ ok: true, corrected: own ? "own" : "resent" });
				expect(await getAddresses(order)).toEqual([right, recipient]);
				expect(await sendAll(order)).toEqual([
					...told.slice(index, index + 1).map((email) => `address-corrected: ${email}`),
					`${kind}: ${recipient}`,
				]);
				expect((await correct(order, right, recipient, own)).ok).toBe(false);
			}
			expect(await correct(order, right, "4@example.fr", own)).toEqual({ ok: false, code: "too-late" });
			const corrections = (await shop.getEvents(order)).filter(({ event_type }) => event_type === "address_corrected");
			expect(corrections.map(({ payload }) => payload)).toEqual(Array(3).fill({ resent: true, own }));
		},
	);

	test("is said to have been sent when it was the last time, and as often as it was", async () => {
		const order = await delivered();
		const sent = { extracts: await listExtracts(shop.db, [order.id]), access: "purchase", orders: [order] } as const;
		const tell = (...hours: number[]) =>
			describeAddresses(
				{ ...order, delivery_email: "bureau@example.fr" },
				{
					...sent,
					events: hours.map((hour) => ({
						...{ event_type: "address_corrected", payload: { resent: true, own: hour > 10 } },
						created_at: new Date(Date.UTC(2026, 10, 24, hour)),
					})),
				},
			)?.resent;
		expect(tell()).toBeNull();
		expect(tell(9)).toEqual({ at: "2026-11-24T09:00:00.000Z", left: 2, own: false });
		expect(tell(9, 11)).toEqual({ at: "2026-11-24T11:00:00.000Z", left: 1, own: true });
		expect(tell(9, 11, 12)).toEqual({ at: "2026-11-24T12:00:00.000Z", left: 0, own: true });
	});

	test("reaches the customer's own address in the words of a delivery, and every later e-mail follows it there", async () => {
		const order = await delivered();
		const read = (to: string) => smtp.mails.findLast((mail) => mail.to.includes(to))?.content.text?.replaceAll("\u00a0", " ");
		await correct(order, right, "ada@bureau.example", true);
		await sendAll(order);
		const brought = read("ada@bureau.example");
		for (const part of [`Bonjour ${order.first_name} ${order.last_name},`, "Destination : ada@bureau.example"])
			expect(brought).toContain(part);
		expect(brought).not.toMatch(/vous envoie|Adressez-vous à|Nous l’envoyons aussi|Vos données/);
		expect(read(right)).toContain("vous ne recevrez plus de message pour cette commande. Si vous");
		// once it was theirs, the next correction is too, whatever the button
		await correct(order, right, "ada@etude.example");
		expect(await sendAll(order)).toEqual(["address-corrected: ada@bureau.example", "document-ready: ada@etude.example"]);
		const id = (await shop.getMails(order)).find(({ document_id }) => document_id !== null)?.document_id ?? null;
		for (const kind of ["extract-replaced", "extract-replaced-delivery", "refund-request-received"] as const)
			await shop.inTransaction((trx) =>
				queueOrderEmail(shop, trx, { orderId: order.id, kind, documentId: kind.startsWith("e") ? id : null }),
			);
		expect(await sendAll(order)).toEqual([
			...["extract-replaced-delivery: undefined", "extract-replaced: ada@etude.example", "refund-request-received: ada@etude.example"],
		]);
		// until an operator corrects the address of the order
		await resendEmail(shop, { orderId: order.id, kind: "document-ready", to: "ada@example.org", by: "Grace" });
		expect(await sendAll(order)).toEqual(["document-ready: ada@example.org"]);
	});

	test("is sent to the address of the order again, if that is typed", async () => {
		const order = await delivered();
		expect(await correct(order, right, right)).toMatchObject({ ok: true, corrected: "own" });
		expect(await sendAll(order)).toEqual([`document-ready: ${right}`]);
	});

	test.each<[string, OrderValues, string, string]>([
		["to an address in place of the order's", {}, "eve@example.fr", "bureau@example.fr"],
		["to nobody", {}, right, ""],
		["where a second address has it", { delivery_email: "banque@example.fr" }, right, "bureau@example.fr"],
		["while the payment is disputed", { disputed_at: new Date("2026-11-23T09:00:00Z") }, right, "bureau@example.fr"],
		["of a letter", { product_code: "postal" }, right, "bureau@example.fr"],
	])("is not sent %s", async (_what, values, email, recipient) => {
		const order = await delivered(values);
		expect(await correct(order, email, recipient)).toEqual({ ok: false, code: "too-late" });
		expect(await getAddresses(order)).toEqual([right, values.delivery_email ?? null]);
	});

	/** A purchase of two services and a letter that was wholly delivered; its first extract is of the express service. */
	async function deliveredPurchase(values: OrderValues = {}) {
		const services = ["express", "standard", "postal", "express"] as const;
		const ended = { customer_email: right, status: "completed", completed_at: shop.start } as const;
		const { orders } = await shop.insertPaidPurchase(services, { ...ended, ...values });
		for (const order of orders) await shop.insertDocument(order);
		for (const order of orders) await queueReadyEmails(shop, order.id);
		for (const order of orders) await sendAll(order);
		return orders;
	}

	test.each(["the purchase", "its last line"])(
		"is sent with all others of its purchase, an e-mail for each service, from the page of %s",
		async (page) => {
			const orders = await deliveredPurchase();
			const [first] = orders;
			const asked = page === "the purchase" ? first : (orders.at(-1) ?? first);
			expect(await correct(asked, right, "bureau@example.fr")).toMatchObject({ ok: true, corrected: "resent" });
			for (const order of orders) expect(await getAddresses(order)).toEqual([right, "bureau@example.fr"]);
			const sent = await Promise.all(orders.map(sendAll));
			const toRecipient = ["document-ready-delivery: bureau@example.fr"];
			expect(sent).toEqual([toRecipient, toRecipient, [], []]);
			expect(await correct(asked, right, "autre@example.fr")).toMatchObject({ ok: true });
			expect(await Promise.all(orders.map(sendAll))).toEqual([
				...[["document-ready-delivery: autre@example.fr"], ["document-ready-delivery: autre@example.fr"], [], []],
			]);
		},
	);

	test("is sent with its purchase to the customer's own address: one e-mail for each service with an extract", async () => {
		const orders = await deliveredPurchase();
		for (const order of orders.slice(0, 2)) await send(await queue(order, "document-ready"));
		await shop.db
			.updateTable("documents")
			.set({ purged_at: shop.now() })
			.where("order_id", "=", orders[1]?.id ?? "")
			.execute();
		expect(await correct(orders[3] as Order, right, "ada@bureau.example", true)).toMatchObject({ ok: true, corrected: "own" });
		expect(await Promise.all(orders.map(sendAll))).toEqual([
			...[["document-ready: ada@bureau.example"], [], [], [`address-corrected: ${right}`]],
		]);
	});

	const disputed = { disputed_at: new Date("2026-11-23T09:00:00Z") };
	test.each<[string, OrderValues, string, string]>([
		["to an address in place of the orders'", {}, "eve@example.fr", "bureau@example.fr"],
		["to nobody", {}, right, ""],
		["where a second address has them", { delivery_email: "banque@example.fr" }, right, "bureau@example.fr"],
		["while the payment is disputed", disputed, right, "bureau@example.fr"],
		["of an erased customer", { erased_at: new Date("2026-11-23T09:00:00Z") }, right, "bureau@example.fr"],
	])("is not sent with its purchase %s", async (_what, values, email, recipient) => {
		const [first] = await deliveredPurchase(values);
		expect(await correct(first, email, recipient)).toEqual({ ok: false, code: "too-late" });
		expect(await getAddresses(first)).toEqual([right, values.delivery_email ?? null]);
	});

	test("is not sent from a purchase of letters, nor once all are deleted", async () => {
		const { orders: letters } = await shop.insertPaidPurchase(["postal", "postal"], { customer_email: right, status: "completed" });
		for (const order of letters) await shop.insertDocument(order);
		expect(await correct(letters[0], right, "bureau@example.fr")).toEqual({ ok: false, code: "too-late" });
		for (const orders of [[await delivered()], await deliveredPurchase()]) {
			for (const { id } of orders)
				await shop.db.updateTable("documents").set({ purged_at: shop.now() }).where("order_id", "=", id).execute();
			expect(await correct(orders[0] as Order, right, "bureau@example.fr")).toEqual({ ok: false, code: "too-late" });
		}
	});
});

describe("a correction is refused", () => {
	test.each<[string, OrderValues, string]>([
		["of an unpaid order", { status: "pending", paid_at: null }, "too-late"],
		["of a delivered order", { status: "completed" }, "too-late"],
		["of a failed order", { status: "failed" }, "too-late"],
		["of an erased customer", { erased_at: new Date("2026-11-23T09:00:00Z") }, "too-late"],
	])("%s", async (_what, values, code) => {
		const order = await placed(values);
		expect(await correct(order, right)).toEqual({ ok: false, code });
		expect(await getAddresses(order)).toEqual([wrong, null]);
		expect(await shop.getMails(order)).toEqual([]);
	});

	test("to an address that is none, or the same", async () => {
		const order = await placed();
		expect(await correct(order, "ada")).toEqual({ ok: false, code: "invalid-email" });
		expect(await correct(order, right, "banque")).toEqual({ ok: false, code: "invalid-recipient" });
		expect(await correct(order, wrong.toUpperCase())).toEqual({ ok: false, code: "unchanged" });
		expect(await shop.getEventTypes(order)).toEqual([]);
	});

	test("when the order is delivered while it waits for the lock", async () => {
		const order = await placed();
		const deliver = (trx: Parameters<Parameters<typeof shop.inTransaction>[0]>[0]) =>
			trx.updateTable("orders").set({ status: "completed" }).where("id", "=", order.id).execute();
		const refused = await shop.whileLocked(order, { after: deliver }, () => correct(order, right));
		expect(refused).toEqual({ ok: false, code: "too-late" });
		expect(await getAddresses(order)).toEqual([wrong, null]);
	});

	const limited = { ok: false, code: "limited", retryAfter: 86_400 };

	test("after five a day, of all orders of a purchase together; what changes nothing does not count", async () => {
		const { orders } = await shop.insertPaidPurchase(["express", "standard"], { customer_email: wrong });
		const [first, second = first] = orders;
		for (let i = 0; i < 5; i++) {
			expect(await correct(i % 2 ? second : first, `ada${i}@example.org`)).toMatchObject({ ok: true });
			expect(await correct(first, `ADA${i}@example.org`)).toEqual({ ok: false, code: "unchanged" });
		}
		expect(await correct(second, right)).toEqual(limited);
		expect(await getAddresses(first)).toEqual(["ada4@example.org", null]);
		expect(await correct(await placed(), right)).toMatchObject({ ok: true });
	});

	test.each<[string, (order: Order, mailbox: string) => ReturnType<typeof correct>]>([
		["address", (order, mailbox) => correct(order, mailbox)],
		["second address", (order, mailbox) => correct(order, wrong, mailbox)],
	])("after five a day that make one mailbox the %s of an order", async (_what, bring) => {
		for (let i = 0; i < 5; i++) expect(await bring(await placed(), "victim@example.org")).toMatchObject({ ok: true });
		expect(await bring(await placed(), "VICTIM@example.org")).toEqual(limited);
		// the mailbox that an order has does not count again
		const own = await placed({ customer_email: "victim@example.org" });
		expect(await correct(own, "victim@example.org", "banque@example.fr")).toMatchObject({ ok: true });
	});

	test("no other form uses up the corrections of a mailbox, nor a correction what others may send it", async () => {
		const ask = () =>
			shop.inTransaction((trx) =>
				takeTogether(shop, trx, [{ name: "asked-emails", subject: right, most: 5 }], { seconds: 86_400, now: shop.now() }),
			);
		for (let i = 0; i < 5; i++) expect(await ask()).toEqual({ ok: true });
		expect((await ask()).ok).toBe(false);
		expect(await correct(await placed(), right)).toMatchObject({ ok: true });
	});
});

test("two corrections with the same mailboxes, the other way round, wait for each other and both succeed", async () => {
	const [one, other] = [await placed(), await placed()];
	const [first, second] = ["a@example.org", "b@example.org"] as const;
	await shop.inTransaction((trx) =>
		takeTogether(shop, trx, [{ name: "correct-mailbox", subject: second, most: 5 }], { seconds: 86_400, now: shop.now() }),
	);
	const corrections: ReturnType<typeof correct>[] = [];
	await shop.inTransaction(async (trx) => {
		await sql`select from rate_limits for update`.execute(trx);
		for (const [order, email, recipient] of [
			[one, second, first],
			[other, first, second],
		] as const) {
			corrections.push(correct(order, email, recipient));
			await waitForLock(shop.db, Promise.race(corrections), corrections.length);
		}
	});
	expect(await Promise.all(corrections)).toMatchObject([{ ok: true }, { ok: true }]);
});

test("two corrections at once leave one address, which gets one confirmation", async () => {
	const order = await placed();
	await send(await queue(order, "confirmation"));
	const addresses = ["first@example.org", "second@example.org"];
	await Promise.all(addresses.map((email) => correct(order, email)));
	const [email] = await getAddresses(order);
	expect(addresses).toContain(email);
	expect((await sendAll(order)).filter((sent) => sent.startsWith("confirmation"))).toEqual([`confirmation: ${email}`]);
});
