import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Trx } from "../../../server/database/database.ts";
import { createOrderFixture, type OrderFixture, type OrderValues } from "../../../test/orders.ts";
import { grantRefund, refundPayment } from "../../../test/refunds.ts";
import { maxAttachedBytes, maxAttachedSize } from "../../catalogue/link-lifetimes.ts";
import { type Cents, cents } from "../../catalogue/money.ts";
import { withdrawalEndsAt } from "../../catalogue/withdrawal.ts";
import { alertOperator } from "../../emails/alert-operator.server.ts";
import { orderEmails } from "../../emails/order-emails.server.ts";
import { creditRefund, invoiceOrder } from "../../fulfilment/invoice-order.server.ts";
import { requeueStalledOrders } from "../../fulfilment/requeue-stalled-orders.server.ts";
import type { QueuedMail } from "../../mail/mails.store.server.ts";
import {
	answerRefundRequest,
	findRefundRequest,
	findWithdrawal,
	insertRefundRequest,
	insertWithdrawal,
	listRefundRequests,
	type Withdrawal,
} from "../../orders/customer-requests.store.server.ts";
import { findDocument } from "../../orders/documents/documents.store.server.ts";
import { deleteOrders } from "../../orders/erased-orders.store.server.ts";
import { deleteInvoices, type IssuedInvoice, listInvoices, listInvoicesOfPurchase } from "../../orders/invoices/invoices.store.server.ts";
import type { OrderStatus } from "../../orders/lifecycle.ts";
import type { Order } from "../../orders/order.ts";
import { listRefundablePayments } from "../../orders/refunds/list-refundable-payments.server.ts";
import {
	deletePayments,
	findPayment,
	findRefund,
	getRefundableAmount,
	incrementRefundAttempt,
	insertRefund,
	listPaymentsBetween,
	listPaymentsOfPurchase,
	listRefunds,
	type RecordedPayment,
	type Refund,
	type RefundReason,
	type RefundStatus,
	updateDispute,
	updateRefundAmount,
	updateRefundStatus,
} from "../../orders/refunds/refunds.store.server.ts";
import { requestRefund } from "../../orders/refunds/request-refund.server.ts";
import { askForRefund, mayAskForRefund } from "./ask-for-refund.server.ts";
import { cancelLocked, cancelOrder, isCancellable } from "./cancel-order.server.ts";
import { refuseRefund } from "./refuse-refund.server.ts";
import { findLatestDeclaration, withdraw } from "./withdraw.server.ts";

const day = 86_400_000;
let shop: OrderFixture;
beforeAll(async () => {
	shop = await createOrderFixture({ startsAt: "2026-11-20T10:00:00Z" }); // a Friday, in opening hours
});
beforeEach(() => {
	shop.clock.now = shop.start;
});
afterAll(() => shop?.close());

/** Inserts an order that was delivered an hour after its payment, without the waiver, with some columns changed. */
const delivered = (set: Partial<Order> = {}) => shop.insertPaidOrder({ status: "completed", completed_at: shop.after(3_600_000), ...set });
const getRefunds = async (order: Order) =>
	(await shop.getRefunds(order)).map(({ reason, amount_cents, status }) => [reason, amount_cents, status]);
const nothingLeft = { ok: false, code: "nothing-left" };

describe("a cancellation", () => {
	const tooLate = { ok: false, code: "too-late" };
	test.each<[OrderStatus, boolean]>([
		["pending", true],
		["paid", true],
		["processing", true],
		["completed", false],
		["failed", false],
	])("of an order that is %s is accepted: %s", async (status, may) => {
		const order = await shop.insertOrder({ status, paid_at: status === "pending" ? null : shop.start });
		const payment = status === "pending" ? null : await shop.insertPayment(order);
		expect(await isCancellable(shop.db, order)).toBe(may);
		expect(await cancelOrder(shop, order.id, "purchase")).toEqual(may ? { ok: true } : tooLate);
		expect(await shop.getOrder(order.id)).toEqual(may ? { ...order, status: "failed", failure_reason: "cancelled" } : order);
		expect(await getRefunds(order)).toEqual(may && payment ? [["cancelled", 5900, "requested"]] : []);
		expect(await shop.getMailKinds(order)).toEqual(may ? ["cancelled"] : []);
	});

	test("is refused once the document is ready, and for a letter once it is posted", async () => {
		const [byMail, letter] = [(await shop.insertPaidOrder()).order, (await shop.insertPaidOrder({ product_code: "postal" })).order];
		for (const order of [byMail, letter]) await shop.insertDocument(order, "kbis");
		expect([await cancelOrder(shop, byMail.id, "purchase"), await cancelOrder(shop, letter.id, "purchase")]).toEqual([
			tooLate,
			{ ok: true },
		]);
		expect(await cancelOrder(shop, crypto.randomUUID(), "purchase")).toEqual(tooLate);
	});

	test("is refused while the document is just being stored", async () => {
		const { order } = await shop.insertPaidOrder();
		const ready = (trx: Trx) =>
			trx
				.insertInto("documents")
				.values({
					...{ id: crypto.randomUUID(), order_id: order.id, doc_type: "kbis", issued_at: shop.start, created_at: shop.start },
					...{ storage_path: "00/ready.pdf", sha256: "ready", bytes: 1 },
				})
				.execute();
		expect(await shop.whileLocked(order, { before: ready }, () => cancelOrder(shop, order.id, "purchase"))).toEqual(tooLate);
		expect(await getRefunds(order)).toEqual([]);
	});

	test("of an unpaid purchase needs the key of all of it; once it is paid, each line has its own", async () => {
		const insertPurchase = async (values: OrderValues) => {
			const id = crypto.randomUUID();
			const first = await shop.insertOrder({ ...values, id, purchase_id: id, purchase_line: 1 });
			return [first, await shop.insertOrder({ ...values, purchase_id: id, purchase_line: 2 })] as const;
		};
		const getStates = (orders: readonly Order[]) => Promise.all(orders.map(async ({ id }) => (await shop.getOrder(id)).status));
		const unpaid = await insertPurchase({ status: "pending", paid_at: null });
		expect(await cancelOrder(shop, unpaid[1].id, "line")).toEqual({ ok: false, code: "no-access" });
		expect([await getStates(unpaid), await shop.getMailKinds(unpaid[1])]).toEqual([["pending", "pending"], []]);
		expect(await cancelOrder(shop, unpaid[1].id, "purchase")).toEqual({ ok: true });
		expect(await getStates(unpaid)).toEqual(["failed", "failed"]);
		const paid = await insertPurchase({ status: "paid", paid_at: shop.start });
		expect(await cancelOrder(shop, paid[1].id, "line")).toEqual({ ok: true });
		expect(await cancelOrder(shop, paid[1].id, "line")).toEqual(tooLate);
		expect(await getStates(paid)).toEqual(["paid", "failed"]);
	});

	test("refunds nothing when the order's state has changed since it was read", async () => {
		const { order } = await delivered();
		const before = { ...order, status: "processing" } as const;
		expect(await shop.inTransaction((trx) => cancelLocked(shop, trx, { order: before, purchase: [before] }))).toBeNull();
		expect(await getRefunds(order)).toEqual([]);
	});
});

describe("a withdrawal", () => {
	const waived = { withdrawal_waived_at: new Date("2026-11-20T10:00:00Z") };
	const paidLater = new Date("2026-11-24T10:00:00Z");
	const postedLater = new Date("2026-11-27T10:00:00Z");
	const closed = "Le délai de rétractation de quatorze jours est écoulé (article L221-18 du code de la consommation).";

	test.each<[string, Partial<Order>, { at?: Date; ready?: true }, "cancelled" | "refunded" | "refused", string | null]>([
		["from an unpaid order cancels it", { status: "pending", paid_at: null }, {}, "cancelled", null],
		["from an order in progress cancels it, even with the waiver", waived, {}, "cancelled", null],
		["from an order whose document is ready is refunded", {}, { ready: true }, "refunded", null],
		[
			"from an order whose document is ready is refused with the waiver",
			waived,
			{ ready: true },
			"refused",
			"Or votre extrait est prêt, sur la page de suivi, depuis le ",
		],
		[
			"from an order whose document is sent is refused with the waiver",
			{ ...waived, status: "completed", completed_at: postedLater },
			{ ready: true },
			"refused",
			"Or votre extrait est prêt, sur la page de suivi, depuis le vendredi 20 novembre 2026 à ",
		],
		[
			"from a posted letter is refused with the waiver",
			{ ...waived, status: "completed", product_code: "postal", completed_at: postedLater },
			{},
			"refused",
			"Or votre courrier a été posté le vendredi 27 novembre 2026 à 11\u00a0h\u00a0: notre service est pleinement exécuté (article L221-28, 1°",
		],
		["from a paid order that failed is refused: it is refunded", { status: "failed" }, {}, "refused", "n’a pas abouti"],
		["from a cancelled order is refused", { status: "failed", failure_reason: "cancelled" }, {}, "refused", "déjà annulée"],
		[
			"from a fully refunded order is refused",
			{ status: "completed", refunded_cents: 5900 },
			{},
			"refused",
			"déjà été remboursée en totalité",
		],
		["from a partly refunded order refunds the rest", { status: "completed", refunded_cents: 5899 }, {}, "refunded", null],
		[
			"is accepted until the last moment of the fourteen days after the payment",
			{ status: "completed", paid_at: paidLater, completed_at: postedLater },
			{ at: new Date(withdrawalEndsAt("express", paidLater).getTime() - 1) },
			"refunded",
			null,
		],
		[
			"is refused after the fourteen days",
			{ status: "completed", paid_at: paidLater, completed_at: postedLater },
			{ at: withdrawalEndsAt("express", paidLater) },
			"refused",
			closed,
		],
		[
			"from a letter is accepted until the last moment of its days after the posting",
			{ status: "completed", product_code: "postal", paid_at: paidLater, completed_at: postedLater },
			{ at: new Date(withdrawalEndsAt("postal", postedLater).getTime() - 1) },
			"refunded",
			null,
		],
		[
			"from a letter is refused after its days",
			{ status: "completed", product_code: "postal", paid_at: paidLater, completed_at: postedLater },
			{ at: withdrawalEndsAt("postal", postedLater) },
			"refused",
			closed,
		],
	])("%s", async (_what, set, { at, ready }, outcome, reason) => {
		const order = await shop.insertOrder({ status: "processing", paid_at: shop.start, ...set });
		if (order.paid_at) await shop.insertPayment(order);
		if (ready) await shop.insertDocument(order, "kbis");
		if (at) shop.clock.now = at;
		const declared = await withdraw(shop, order.id, "purchase");
		const withdrawal = await findWithdrawal(shop.db, order.id);
		const why = reason === null ? null : expect.stringContaining(reason);
		expect(declared).toEqual({ ok: true, declarationId: withdrawal?.declaration_id });
		expect(withdrawal).toMatchObject({ order_id: order.id, outcome, reason: why, declared_at: shop.clock.now });
		const back = outcome === "refused" ? null : "withdrawal";
		expect(await getRefunds(order)).toEqual(back && order.paid_at ? [[back, order.price_cents, "requested"]] : []);
		expect(await shop.getMailKinds(order)).toEqual(["withdrawal-receipt"]);
		expect((await shop.getOrder(order.id)).status).toBe(outcome === "cancelled" ? "failed" : order.status);

		shop.clock.now = new Date(shop.clock.now.getTime() + day);
		expect(await withdraw(shop, order.id, "purchase")).toEqual(declared);
		expect(await getRefunds(order)).toHaveLength(back && order.paid_at ? 1 : 0);
	});

	test("from several orders of a purchase has a receipt, and one e-mail with all credit notes once the last refund has ended", async () => {
		const { orders } = await shop.insertPaidPurchase(["express", "express", "standard", "standard"]);
		const [first, second, third, alone] = orders as [Order, Order, Order, Order];
		const context = { ...shop, makePdf: async () => new TextEncoder().encode(`%PDF-1.7 ${crypto.randomUUID()}`) };
		const end = async (order: Order, status: "succeeded" | "failed") => {
			const [refund] = await shop.getRefunds(order);
			const id = refund?.id ?? "";
			await shop.db.updateTable("refunds").set({ status, settled_at: shop.now() }).where("id", "=", id).execute();
			await creditRefund(context, id);
			return id;
		};
		const listMails = async () => Promise.all(orders.map(async (order) => (await shop.getMailKinds(order)).toSorted()));
		await withdraw(shop, first.id, "purchase", [1, 2, 3]);
		await withdraw(shop, first.id, "purchase", [4]);
		const credited = [await end(first, "succeeded"), await end(second, "succeeded"), await end(alone, "succeeded")];
		expect(await listMails()).toEqual([["withdrawal-receipt"], [], [], ["refunded", "withdrawal-receipt"]]);
		// its turn comes once the third has ended, even in failure, which credits nothing
		const requeue = async () => {
			shop.clock.now = shop.after(day);
			await requeueStalledOrders(shop);
			return Promise.all(credited.map(async (id) => (await shop.getJobs("credit-refund", id)).length));
		};
		expect(await requeue()).toEqual([0, 0, 0]);
		await end(third, "failed");
		expect(await requeue()).toEqual([1, 1, 0]);
		for (const id of credited) await creditRefund(context, id);
		expect(await listMails()).toEqual([["withdrawal-receipt", "withdrawal-refunded"], [], [], ["refunded", "withdrawal-receipt"]]);
		const mail = (await shop.getMails(first)).find(({ kind }) => kind === "withdrawal-refunded") as QueuedMail;
		const write = async () => {
			const written = await orderEmails["withdrawal-refunded"].write(shop, { mail, order: first });
			return { files: written?.files.map((file) => ("id" in file ? file.id : null)), content: JSON.stringify(written?.content) };
		};
		const notes = [...(await shop.getDocuments(first)), ...(await shop.getDocuments(second))];
		const { files, content } = await write();
		expect(files).toEqual(notes.map(({ id }) => id));
		expect(content).toMatch(/"Total remboursé","118,00.€ TTC"/);
		expect(content).not.toContain(maxAttachedSize);
		// what one e-mail cannot bring is on the page of its order
		const [note] = notes;
		const bytes = maxAttachedBytes - (notes[1]?.bytes ?? 0);
		for (const [more, attached] of [
			[0, 2],
			[1, 1],
		] as const) {
			await shop.db
				.updateTable("documents")
				.set({ bytes: bytes + more })
				.where("id", "=", note?.id ?? "")
				.execute();
			const large = await write();
			expect([large.files?.length, large.content.includes(maxAttachedSize)]).toEqual([attached, attached === 1]);
		}
	});

	test("from an order that expired unpaid records nothing: once it is paid, its customer withdraws", async () => {
		const order = await shop.insertOrder({ status: "failed", failure_reason: "expired", paid_at: null });
		expect(await withdraw(shop, order.id, "purchase")).toEqual({ ok: false, code: "never-paid" });
		expect([await findWithdrawal(shop.db, order.id), await shop.getMailKinds(order)]).toEqual([null, []]);
		await shop.db
			.updateTable("orders")
			.set({ status: "paid", failure_reason: null, paid_at: shop.start })
			.where("id", "=", order.id)
			.execute();
		await shop.insertPayment(order);
		expect(await withdraw(shop, order.id, "purchase")).toMatchObject({ ok: true });
		expect(await getRefunds(order)).toEqual([["withdrawal", order.price_cents, "requested"]]);
	});

	test("from an unknown order is refused, and each declaration belongs to one order", async () => {
		expect(await withdraw(shop, crypto.randomUUID(), "purchase")).toEqual({ ok: false, code: "unknown" });
		for (const access of ["link", "purchase-link", "url"] as const)
			expect(await withdraw(shop, (await shop.insertOrder()).id, access)).toEqual({ ok: false, code: "no-access" });
		expect(await findWithdrawal(shop.db, (await shop.insertOrder()).id)).toBeNull();
	});

	test("of one of two lines leaves the other as it is", async () => {
		const { orders } = await shop.insertPaidPurchase(["express", "standard"], { status: "completed", completed_at: shop.start });
		const [first, second] = orders;
		expect(await withdraw(shop, first.id, "purchase", [2])).toMatchObject({ ok: true });
		expect(await findWithdrawal(shop.db, first.id)).toBeNull();
		expect(await findWithdrawal(shop.db, second?.id ?? "")).toMatchObject({ outcome: "refunded", refund_cents: 3900 });
	});

	test("is shown by the receipt of the last declaration, in whatever order they are read", () => {
		const [one, two, three] = [1, 2, 3].map((hours) => ({
			...{ id: `row ${hours}`, declaration_id: `declaration ${hours}`, declared_at: shop.after(hours * 3_600_000) },
		})) as [Withdrawal, Withdrawal, Withdrawal];
		for (const declared of [
			[one, two, three],
			[two, three, one],
			[three, one, two],
			[three, two, one],
		])
			expect(findLatestDeclaration(declared)).toBe("declaration 3");
		expect(findLatestDeclaration([])).toBeNull();
	});

	test("is recorded once per order: the table refuses a second one", async () => {
		const order = await shop.insertOrder();
		const declare = () =>
			shop.inTransaction((trx) =>
				insertWithdrawal(trx, {
					...{ declarationId: crypto.randomUUID(), refund: cents(0), orderId: order.id, declaredAt: shop.start },
					...{ outcome: "refused", reason: null },
				}),
			);
		await declare();
		await expect(declare()).rejects.toThrow("withdrawals_order_id_key");
	});

	test("that is declared twice at once is recorded once", async () => {
		const { order } = await delivered();
		const id = crypto.randomUUID();
		const ids = { id: crypto.randomUUID(), declaration_id: id, order_id: order.id };
		const first = (trx: Trx) =>
			trx
				.insertInto("withdrawals")
				.values({ ...ids, declared_at: shop.start, outcome: "refused", refund_cents: 0 })
				.execute();
		expect(await shop.whileLocked(order, { before: first }, () => withdraw(shop, order.id, "purchase"))).toEqual({
			ok: true,
			declarationId: id,
		});
		expect(await getRefunds(order)).toEqual([]);
	});
});

describe("a request for the refund of a wrong extract", () => {
	const ask = (order: Order, message = "Le capital est faux.") => askForRefund(shop, order.id, "purchase", message);
	const tooLate = { ok: false, code: "too-late" };
	const completed_at = new Date("2026-11-20T11:00:00Z");
	const daysLater = (days: number, milliseconds = 0) => new Date(completed_at.getTime() + days * day + milliseconds);

	// docs/rules.md, R29: within thirty days; for a letter from its receipt, a week after it was posted
	test.each<[string, Partial<Order>, Date, boolean]>([
		["is accepted for thirty days from the delivery", {}, daysLater(30), true],
		["is refused after thirty days", {}, daysLater(30, 1), false],
		["is accepted for a letter for thirty-seven days", { product_code: "postal" }, daysLater(37), true],
		["is refused for a letter after thirty-seven days", { product_code: "postal" }, daysLater(37, 1), false],
		["is accepted for the rest after a partial refund", { refunded_cents: 5899 }, daysLater(1), true],
		["is refused after a full refund", { refunded_cents: 5900 }, daysLater(1), false],
		["is refused during a dispute", { disputed_at: completed_at }, daysLater(1), false],
		["is refused before the delivery", { status: "processing", completed_at: null }, daysLater(1), false],
		["is refused without a delivery date", { completed_at: null }, daysLater(1), false],
		["is refused for a failed order", { status: "failed" }, daysLater(1), false],
	])("%s", async (_what, set, now, may) => {
		const { order } = await delivered(set);
		expect(mayAskForRefund(order, now)).toBe(may);
		shop.clock.now = now;
		expect(await ask(order)).toEqual(may ? { ok: true } : tooLate);
		expect(await shop.getMailKinds(order)).toEqual(may ? ["alert-refund-request", "refund-request-received"] : []);
		expect((await shop.getEvents(order)).map(({ event_type }) => event_type)).toEqual(may ? ["refund_requested"] : []);
		expect(await getRefunds(order)).toEqual([]);
	});

	test("has a message of at most two thousand characters", async () => {
		const { order } = await delivered();
		expect(await ask(order, "")).toEqual({ ok: false, code: "invalid-message" });
		expect(await ask(order, "e".repeat(2001))).toMatchObject({ ok: false });
		expect(await findRefundRequest(shop.db, order.id)).toBeNull();
		expect(await ask(order, `${"e".repeat(1998)}\ne`)).toEqual({ ok: true });
		expect(await askForRefund(shop, crypto.randomUUID(), "purchase", "Faux.")).toEqual(tooLate);
	});

	test("can be made again only after the first one is answered; the newest counts", async () => {
		const { order } = await delivered();
		for (const message of ["first", "twice"]) expect(await ask(order, message)).toEqual({ ok: true });
		shop.clock.now = shop.after(day);
		expect(await refuseRefund(shop, order.id, "Non.")).toBe(true);
		expect(await ask(order, "second")).toEqual({ ok: true });
		const requests = await listRefundRequests(shop.db, order.id);
		expect(requests.map(({ message, answer, granted, decided_at }) => [message, answer, granted, decided_at])).toEqual([
			["first", "Non.", false, shop.after(day)],
			["second", null, null, null],
		]);
		expect(await findRefundRequest(shop.db, order.id)).toEqual(requests[1]);
	});

	test("made last is the newest, and the list is in the order of insertion", async () => {
		const [{ order }, { order: other }] = [await delivered(), await delivered()];
		const insert = (message: string, now: Date) => shop.inTransaction((trx) => insertRefundRequest(trx, order.id, message, now));
		await insert("later", shop.after(2));
		await refuseRefund(shop, order.id, "Non.");
		await insert("sooner", shop.after(1));
		await ask(other);
		expect((await findRefundRequest(shop.db, order.id))?.message).toBe("later");
		expect((await listRefundRequests(shop.db, order.id)).map(({ message }) => message)).toEqual(["sooner", "later"]);
	});

	test("is open once per order: the table refuses a second one", async () => {
		const { order } = await delivered();
		const insert = () => shop.inTransaction((trx) => insertRefundRequest(trx, order.id, "Faux.", shop.start));
		await insert();
		await expect(insert()).rejects.toThrow("refund_requests_one_open");
	});

	test("made twice at once is recorded once", async () => {
		const { order } = await delivered();
		expect(
			await shop.whileLocked(order, { before: (trx) => insertRefundRequest(trx, order.id, "first", shop.start) }, () =>
				ask(order, "second"),
			),
		).toEqual({ ok: true });
		expect(await listRefundRequests(shop.db, order.id)).toMatchObject([{ message: "first" }]);
	});

	test("is refused once, with the operator's answer, and only if it was made", async () => {
		const [{ order }, { order: other }] = [await delivered(), await delivered()];
		for (const each of [order, other]) await ask(each);
		expect(await refuseRefund(shop, order.id, "Non.")).toBe(true);
		expect(await refuseRefund(shop, order.id, "Toujours non.")).toBe(false);
		expect(await findRefundRequest(shop.db, order.id)).toMatchObject({ granted: false, answer: "Non.", decided_at: shop.start });
		expect(await findRefundRequest(shop.db, other.id)).toMatchObject({ granted: null, answer: null, decided_at: null });
		expect(await shop.getMailKinds(order)).toContain("refund-request-refused");
		expect(await refuseRefund(shop, (await delivered()).order.id, "Non.")).toBe(false);
	});

	test("is granted by the operator's refund, which otherwise has its own reason", async () => {
		const [{ order }, { order: unasked }] = [await delivered(), await delivered()];
		await ask(order);
		shop.clock.now = shop.after(day);
		expect(await grantRefund(shop, order.id, cents(900))).toMatchObject({ ok: true, amount: 900 });
		expect(await findRefundRequest(shop.db, order.id)).toMatchObject({ granted: true, answer: null, decided_at: shop.after(day) });
		expect(await grantRefund(shop, order.id)).toMatchObject({ ok: true, amount: 5000 });
		expect(await getRefunds(order)).toEqual([
			["guarantee", 900, "requested"],
			["operator", 5000, "requested"],
		]);
		await grantRefund(shop, unasked.id);
		expect(await getRefunds(unasked)).toEqual([["operator", 5900, "requested"]]);
		expect(await grantRefund(shop, crypto.randomUUID())).toEqual(nothingLeft);
	});

	test("stays open when the operator types more than is left", async () => {
		const { order } = await delivered();
		await ask(order);
		expect(await grantRefund(shop, order.id, cents(5901))).toEqual({ ok: false, code: "too-much" });
		expect(await findRefundRequest(shop.db, order.id)).toMatchObject({ granted: null, decided_at: null });
	});

	test("is granted by a refund that was requested just before", async () => {
		const { order, payment } = await delivered();
		await ask(order);
		await shop.insertRefund(payment, { status: "requested" });
		expect(await grantRefund(shop, order.id)).toEqual(nothingLeft);
		expect(await findRefundRequest(shop.db, order.id)).toMatchObject({ granted: true, decided_at: shop.start });
	});

	test("is answered only while it is open", async () => {
		const { order } = await delivered();
		const answer = (granted: boolean) =>
			shop.inTransaction((trx) => answerRefundRequest(trx, order.id, { granted, answer: null, now: shop.start }));
		expect(await answer(true)).toBe(false);
		await ask(order);
		expect([await answer(true), await answer(false)]).toEqual([true, false]);
		expect(await findRefundRequest(shop.db, order.id)).toMatchObject({ granted: true });
	});
});

describe("a refund", () => {
	const request = (order: Order, wanted: Parameters<typeof requestRefund>[3]) =>
		shop.inTransaction((trx) => requestRefund(shop, trx, order, wanted));

	test("is of what is left of the payment that pays the order, and has a job", async () => {
		const order = await shop.insertOrder({ status: "completed", paid_at: shop.start });
		const surplus = await shop.insertPayment(order, { role: "surplus", created_at: shop.after(-1) });
		const payment = await shop.insertPayment(order);
		shop.clock.now = shop.after(5);
		const first = await request(order, { reason: "operator", amount: cents(1900) });
		expect(first).toMatchObject({ ok: true, amount: 1900 });
		const refundId = first.ok ? first.refundId : "";
		expect(await findRefund(shop.db, refundId)).toMatchObject({
			...{ payment_id: payment.id, order_id: order.id, amount_cents: 1900, status: "requested", provider_id: null, replaces: null },
			...{ requested_at: shop.after(5), settled_at: null, attempt: 1 },
		});
		expect(await shop.getJobs("carry-out-refund", refundId)).toMatchObject([{ data: { refundId } }]);
		expect(await request(order, { reason: "operator", amount: cents(4001) })).toEqual({ ok: false, code: "too-much" });
		expect(await request(order, { reason: "operator", amount: cents(4000 - 1) })).toMatchObject({ ok: true, amount: 3999 });
		expect(await request(order, { reason: "operator", amount: cents(1) })).toMatchObject({ ok: true, amount: 1 });
		expect(await request(order, { reason: "late" })).toEqual(nothingLeft);
		expect(await request(order, { reason: "surplus", payment: surplus })).toMatchObject({ ok: true, amount: 5900 });
		expect(await shop.getRefunds(order)).toHaveLength(4);
	});

	test("is refused when no payment pays the order", async () => {
		const order = await shop.insertOrder();
		await shop.insertPayment(order, { role: "mismatch" });
		expect(await request(order, { reason: "operator" })).toEqual(nothingLeft);
		expect(await getRefunds(order)).toEqual([]);
	});

	// pending cents are not left; returned ones are
	test.each<[RefundStatus, number]>([
		["requested", 4000],
		["pending", 4000],
		["succeeded", 4000],
		["failed", 5900],
		["refused", 5900],
	])("that is %s leaves %i of 5900 cents", async (status, left) => {
		const { order, payment } = await delivered();
		const { order: otherOrder, payment: other } = await delivered();
		await shop.insertRefund(payment, { status, amount_cents: 1900 });
		expect(await shop.inTransaction((trx) => getRefundableAmount(trx, payment, order))).toBe(left);
		expect(await shop.inTransaction((trx) => getRefundableAmount(trx, other, otherOrder))).toBe(5900);
		expect((await listRefundablePayments(shop.db, order)).map(({ id, left }) => [id, left])).toEqual([[payment.id, left]]);
	});

	test("of the whole payment removes it from the operator's list; the oldest payment is first", async () => {
		const order = await shop.insertOrder();
		const later = await shop.insertPayment(order, { role: "surplus", created_at: shop.after(2) });
		const sooner = await shop.insertPayment(order, { role: "mismatch", created_at: shop.after(1) });
		await shop.insertRefund(await shop.insertPayment(order));
		await shop.insertRefund(later, { amount_cents: 5899 });
		expect((await listRefundablePayments(shop.db, order)).map(({ id }) => id)).toEqual([sooner.id, later.id]);
		expect((await listPaymentsOfPurchase(shop.db, order.id)).map(({ role }) => role)).toEqual(["order", "mismatch", "surplus"]);
	});

	// the database's own net under the use cases: an automatic refund is made once
	test.each<[RefundReason, boolean]>([
		["failed", true],
		["cancelled", true],
		["late", true],
		["withdrawal", true],
		["surplus", true],
		["guarantee", false],
		["operator", false],
		["dashboard", false],
	])("for the reason « %s » is made only once: %s", async (reason, once) => {
		const { order, payment } = await delivered();
		await shop.insertRefund(payment, { reason, status: "failed" });
		const again = await request(order, { reason });
		expect(again).toMatchObject(once ? nothingLeft : { ok: true, amount: 5900 });
		expect(await shop.getRefunds(order)).toHaveLength(once ? 1 : 2);
		for (const { id } of await shop.getRefunds(order))
			expect(await shop.getJobs("carry-out-refund", id)).toHaveLength(again.ok && id === again.refundId ? 1 : 0);
	});

	test("that was returned is replaced for the same reason, once each", async () => {
		const { order, payment } = await delivered();
		const [one, other] = [
			await shop.insertRefund(payment, { status: "failed", amount_cents: 1900 }),
			await shop.insertRefund(payment, { status: "failed", amount_cents: 1000 }),
		];
		await shop.insertRefund(payment, { status: "refused", reason: "cancelled" });
		const again = (replaces: string) => request(order, { reason: "cancelled", amount: cents(100), replaces });
		expect([await again(one.id), await again(other.id)]).toMatchObject([{ ok: true }, { ok: true }]);
		expect(await again(one.id)).toEqual(nothingLeft);
	});

	test("of one payment can be made by the operator, whole or in part; an unknown payment is refused", async () => {
		const order = await shop.insertOrder();
		await shop.insertPayment(order);
		const mismatch = await shop.insertPayment(order, { role: "mismatch", amount_cents: 4200 });
		expect(await refundPayment(shop, mismatch.id, { amount: cents(200) })).toMatchObject({ ok: true, amount: 200 });
		expect(await refundPayment(shop, mismatch.id)).toMatchObject({ ok: true, amount: 4000 });
		expect(await refundPayment(shop, "pi_unknown")).toEqual(nothingLeft);
		expect(await shop.getRefunds(order)).toMatchObject([
			{ payment_id: mismatch.id, reason: "operator" },
			{ payment_id: mismatch.id, reason: "operator" },
		]);
	});

	test("of a payment that is being purged is refused", async () => {
		const { order, payment } = await shop.insertPaidOrder();
		const purge = async (trx: Trx) => {
			await deletePayments(trx, [order.id]);
			await deleteOrders(trx, [order.id]);
		};
		expect(await shop.whileLocked(order, { before: purge }, () => refundPayment(shop, payment.id))).toEqual(nothingLeft);
	});

	test.each<[string, (order: Order, payment: RecordedPayment) => Promise<unknown>]>([
		["of the order", (order) => grantRefund(shop, order.id)],
		["of the payment", (_, payment) => refundPayment(shop, payment.id)],
	])("requested twice at once, %s, is made once: no more than the captured amount is refunded", async (_what, ask) => {
		const { order, payment } = await delivered();
		const first = (trx: Trx) =>
			insertRefund(trx, {
				orderId: order.id,
				payment,
				amount: 5900,
				reason: "operator",
				status: "requested",
				providerId: null,
				now: shop.start,
			});
		expect(await shop.whileLocked(order, { before: first }, () => ask(order, payment))).toEqual(nothingLeft);
		expect(await shop.getRefunds(order)).toHaveLength(1);
	});

	test("does not change other rows when it is updated", async () => {
		const { payment } = await delivered();
		const [one, other] = [
			await shop.insertRefund(payment, { status: "requested", amount_cents: 100 }),
			await shop.insertRefund(payment, { amount_cents: 200 }),
		];
		await shop.inTransaction((trx) => updateRefundAmount(trx, one.id, 90));
		for (const refund of [one, { ...one, attempt: 2 }, one]) await incrementRefundAttempt(shop.db, refund); // the last one has an outdated attempt
		await shop.inTransaction((trx) => updateRefundStatus(trx, one.id, "pending", { providerId: "re_1", now: shop.after(1) }));
		const noted = { ...one, amount_cents: 90, attempt: 3, status: "pending", provider_id: "re_1" };
		expect(await findRefund(shop.db, one.id)).toEqual(noted);
		expect(await findRefund(shop.db, other.id)).toEqual(other);
	});

	test("is listed with the refunds of its order, oldest first; one made on the provider's pages has the provider's id", async () => {
		const [{ payment }, { payment: other }] = [await delivered(), await delivered()];
		const [later, sooner] = [
			await shop.insertRefund(payment, { requested_at: shop.after(2) }),
			await shop.insertRefund(payment, { requested_at: shop.after(1) }),
		];
		await shop.insertRefund(other);
		const external = {
			orderId: payment.order_id,
			payment,
			amount: 100,
			reason: "dashboard",
			status: "pending",
			providerId: "re_elsewhere",
		} as const;
		const inserted = await shop.inTransaction((trx) => insertRefund(trx, { ...external, now: shop.after(3) }));
		expect(inserted).toMatchObject({ provider_id: "re_elsewhere", reason: "dashboard", status: "pending" });
		expect((await listRefunds(shop.db, payment.order_id)).map(({ id }) => id)).toEqual([sooner.id, later.id, inserted?.id]);
	});

	test.each<[RefundStatus, boolean]>([
		["pending", false],
		["succeeded", true],
		["failed", true],
		["refused", true],
	])("that becomes %s is final and dated: %s", async (status, over) => {
		const { payment } = await delivered();
		const { id } = await shop.insertRefund(payment, { status: "requested", settled_at: null, provider_id: `re_${crypto.randomUUID()}` });
		const before = await findRefund(shop.db, id);
		await shop.inTransaction((trx) => updateRefundStatus(trx, id, status, { now: shop.after(1) }));
		expect(await findRefund(shop.db, id)).toEqual({ ...before, status, settled_at: over ? shop.after(1) : null });
	});

	test("a dispute's status is recorded on its own payment", async () => {
		const [{ payment }, { payment: other }] = [await delivered(), await delivered()];
		await shop.inTransaction((trx) => updateDispute(trx, payment.id, { status: "open" }));
		expect([(await findPayment(shop.db, payment.id))?.dispute_status, (await findPayment(shop.db, other.id))?.dispute_status]).toEqual([
			...["open", null],
		]);
	});

	test("the payments of a day are listed with their refunds that are completed or pending at the provider", async () => {
		const [from, until] = [shop.after(100 * day), shop.after(101 * day)];
		const orders = await Promise.all([1, 2, 3, 4].map(() => shop.insertOrder()));
		const at = [new Date(from.getTime() - 1), from, new Date(until.getTime() - 1), until];
		const payments = await Promise.all(orders.map((order, index) => shop.insertPayment(order, { created_at: at[index] })));
		const [, first, last] = payments as [RecordedPayment, RecordedPayment, RecordedPayment];
		for (const [index, status] of (["requested", "pending", "succeeded", "failed", "refused"] as const).entries())
			await shop.insertRefund(first, { status, amount_cents: 10 ** index });
		const compared = await listPaymentsBetween(shop.db, from, until);
		expect(compared.sort((a, b) => a.created_at.getTime() - b.created_at.getTime())).toEqual([
			{ id: first.id, order_id: first.order_id, amount_cents: 5900, created_at: from, refunded_cents: 110 },
			{ id: last.id, order_id: last.order_id, amount_cents: 5900, created_at: at[2], refunded_cents: 0 },
		]);
	});
});

describe("invoices and credit notes", () => {
	const shopInfo = {
		...{ name: "ExtraitPro", legalEntity: "EXTRAIT PRO SAS", address: "1 rue du Greffe, 75001 Paris", siren: "123 456 789" },
		...{ vat: "FR 12 123456789", email: "bonjour@extrait.example", phone: "01 99 00 11 22" },
	};
	const made: object[] = [];
	type InvoiceContext = Parameters<typeof invoiceOrder>[0];
	const getContext = () =>
		({
			...shop,
			environment: {
				...shop.environment,
				shop: shopInfo,
				invoices: { vatOnDebits: true, latePenalty: "trois fois le taux d’intérêt légal" },
			},
			makePdf: async (data: object) => {
				made.push(data);
				return new TextEncoder().encode(`%PDF-1.7 ${crypto.randomUUID()}`);
			},
		}) as unknown as InvoiceContext;
	const getMailsAbout = async (order: Order) =>
		(await shop.db.selectFrom("mails").selectAll().where("order_id", "=", order.id).orderBy("created_at").execute()).map(
			({ kind, document_id, refund_id }) => [kind, document_id, refund_id],
		);
	const invoice = async (order: Order) => {
		await invoiceOrder(getContext(), order.id);
		return (await listInvoices(shop.db, order))[0] as IssuedInvoice;
	};

	test("an invoice names seller, buyer, service and payment date; its PDF is stored, and the confirmation is queued with it once", async () => {
		const { order } = await shop.insertPaidOrder({
			paid_at: shop.after(-1000),
			address: "1 rue de la Paix",
			postal_code: "75002",
			city: "Paris",
		});
		shop.clock.now = shop.after(1000);
		const issued = await invoice(order);
		expect(issued).toMatchObject({ kind: "invoice", order_id: order.id, refund_id: null, total_cents: 5900, issued_at: shop.after(1000) });
		expect(issued.data).toMatchObject({
			...{ suppliedAt: shop.after(-1000).toISOString(), paidAt: shop.after(-1000).toISOString(), orderNumber: order.order_number },
			seller: { ...shopInfo, siren: "123456789", vat: "FR12123456789" },
			buyer: { name: "Ada Lovelace", contact: null, address: "1 rue de la Paix", postalCode: "75002", city: "Paris", siren: null },
			lines: [{ description: "KBIS Express : extrait de DANONE (SIREN 552032534)", total: 5900 }],
			...{ vatOnDebits: true, latePenalty: "trois fois le taux d’intérêt légal" },
		});
		expect(issued.data.buyer).not.toHaveProperty("email");
		expect(made.at(-1)).toEqual(issued.data);
		const document = await findDocument(shop.db, issued.document_id ?? "");
		expect(document).toMatchObject({ order_id: order.id, doc_type: "invoice", issued_at: shop.after(1000), created_at: shop.after(1000) });
		await shop.storage.get(document?.storage_path ?? "");
		const count = made.length;
		expect(await invoice(order)).toEqual(issued);
		expect([made.length, await getMailsAbout(order)]).toEqual([count, [["confirmation", issued.document_id, null]]]);
	});

	test.each([
		["DANONE", null],
		["ANALYSE SAS", null],
		["DANONE", "552032534" as Order["siren"]],
	])(
		"« %s » with the SIREN %s is billed for the extract of DANONE: no SIREN is guessed from its name",
		async (billing_company, billing_siren) => {
			const { order } = await shop.insertPaidOrder({ billing_company, billing_siren, company_name: "DANONE", product_code: "postal" });
			const { data } = await invoice(order);
			expect(data.buyer).toMatchObject({ name: billing_company, contact: "Ada Lovelace", siren: billing_siren });
			expect(data.buyer).not.toHaveProperty("vat");
			expect(data.lines[0]?.total).toBe(4400);
		},
	);

	test("a company has the numbers that it gave, and its letter the address", async () => {
		const numbers = { billing_company: "ANALYSE SAS", billing_siren: "356000000", billing_vat: "FR39356000000" };
		const elsewhere = {
			...{ delivery_name: "Grace", delivery_address: "4 quai de l’Horloge", delivery_postal_code: "75001", delivery_city: "Paris" },
		};
		const { order } = await shop.insertPaidOrder({ ...numbers, ...elsewhere, product_code: "postal" });
		const { data } = await invoice(order);
		expect(data.buyer).toMatchObject({ name: "ANALYSE SAS", contact: "Ada Lovelace", siren: "356000000", vat: "FR39356000000" });
		expect(data.delivery).toEqual({
			...{ name: "Grace", complement: null, address: "4 quai de l’Horloge", postalCode: "75001", city: "Paris" },
		});
		// a company that orders its own extract may be billed under another number
		const own = await shop.insertPaidOrder({ ...numbers, ...elsewhere, billing_company: "DANONE", billing_vat: null });
		const { data: ofPdf } = await invoice(own.order);
		expect(ofPdf.buyer.siren).toBe("356000000");
		expect([Object.keys(ofPdf.buyer).includes("vat"), Object.keys(ofPdf).includes("delivery")]).toEqual([false, false]);
	});

	test("an unpaid order has no invoice and no confirmation", async () => {
		const order = await shop.insertOrder();
		expect(await invoice(order)).toBeUndefined();
		expect(await getMailsAbout(order)).toEqual([]);
	});

	test("a failed PDF is made at the next try, from the same invoice", async () => {
		const { order } = await shop.insertPaidOrder();
		const broken = { ...getContext(), makePdf: () => Promise.reject(new Error("no fonts")) };
		await expect(invoiceOrder(broken, order.id)).rejects.toThrow("no fonts");
		const [{ number }] = (await listInvoices(shop.db, order)) as [IssuedInvoice];
		expect(await getMailsAbout(order)).toEqual([]);
		shop.clock.now = shop.after(day);
		const issued = await invoice(order);
		const document = await findDocument(shop.db, issued.document_id ?? "");
		expect(document).toMatchObject({ issued_at: issued.issued_at, created_at: shop.after(day) });
		expect(issued).toMatchObject({ number, document_id: expect.any(String) });
		expect(await getMailsAbout(order)).toEqual([["confirmation", issued.document_id, null]]);
	});

	test.each<[string, (order: Order, payment: RecordedPayment) => Promise<unknown>]>([
		["an invoice", (order) => invoiceOrder(getContext(), order.id)],
		["a credit note, with its invoice,", async (_, payment) => creditRefund(getContext(), (await shop.insertRefund(payment)).id)],
	])("%s is issued from the order's present data: a concurrent change is waited for", async (_what, issue) => {
		const { order, payment } = await delivered();
		const rename = (trx: Trx) => trx.updateTable("orders").set({ first_name: "Grace" }).where("id", "=", order.id).execute();
		await shop.whileLocked(order, { before: rename }, () => issue(order, payment));
		for (const { data } of await listInvoices(shop.db, order)) expect(data.buyer.name).toBe("Grace Lovelace");
	});

	test("two concurrent jobs issue one invoice with one PDF", async () => {
		const { order } = await shop.insertPaidOrder();
		await shop.whileLocked(order, {}, () =>
			Promise.allSettled([invoiceOrder(getContext(), order.id), invoiceOrder(getContext(), order.id)]),
		);
		const issued = await listInvoices(shop.db, order);
		expect(issued).toHaveLength(1);
		const documents = await shop.db.selectFrom("documents").select("id").where("order_id", "=", order.id).execute();
		expect(documents).toEqual([{ id: issued[0]?.document_id }]);
		expect(await getMailsAbout(order)).toEqual([["confirmation", issued[0]?.document_id, null]]);
	});

	test("an order that is deleted while its PDF is made leaves no document", async () => {
		const { order } = await shop.insertPaidOrder();
		const gone = {
			...getContext(),
			db: shop.db,
			makePdf: async () => {
				await shop.inTransaction(async (trx) => {
					await trx.deleteFrom("payments").where("order_id", "=", order.id).execute();
					await deleteInvoices(trx, [order.id]);
					await trx.deleteFrom("orders").where("id", "=", order.id).execute();
				});
				return new Uint8Array();
			},
		};
		await invoiceOrder(gone, order.id);
	});

	const credited = async (refund: Refund) => {
		await creditRefund(getContext(), refund.id);
		return (await listInvoicesOfPurchase(shop.db, refund.order_id)).filter(({ refund_id }) => refund_id === refund.id);
	};

	test("a credit note names its invoice, the amount and the day of the refund; the customer receives one e-mail", async () => {
		const { order, payment } = await delivered({ billing_company: "DANONE" });
		const issued = await invoice(order);
		const refund = await shop.insertRefund(payment, { amount_cents: 1900 as Cents, settled_at: shop.after(2000) });
		shop.clock.now = shop.after(3000);
		const [note, ...more] = await credited(refund);
		expect(more).toEqual([]);
		expect(note).toMatchObject({ kind: "credit_note", corrects: issued.id, total_cents: 1900, issued_at: shop.after(3000) });
		expect(note?.data).toEqual({
			...issued.data,
			...{ kind: "credit_note", number: note?.number, issuedAt: shop.after(3000).toISOString(), paidAt: shop.after(2000).toISOString() },
			corrects: { number: issued.number, issuedAt: issued.data.issuedAt },
			lines: [{ ...issued.data.lines[0], total: 1900 }],
		});
		expect(await findDocument(shop.db, note?.document_id ?? "")).toMatchObject({ doc_type: "credit_note", order_id: order.id });
		expect(await credited(refund)).toEqual([note]);
		expect(await getMailsAbout(order)).toEqual([
			["confirmation", issued.document_id, null],
			["refunded", note?.document_id, refund.id],
		]);
	});

	test("a credit note without an invoice issues both", async () => {
		const { order, payment } = await delivered();
		expect(await credited(await shop.insertRefund(payment))).toHaveLength(1);
		expect((await listInvoices(shop.db, order)).map(({ kind }) => kind).sort()).toEqual(["credit_note", "invoice"]);
	});

	test.each<RefundStatus>(["requested", "pending", "failed", "refused"])(
		"a refund that is %s gets no credit note and no e-mail",
		async (status) => {
			const { order, payment } = await delivered();
			expect(await credited(await shop.insertRefund(payment, { status }))).toEqual([]);
			expect(await getMailsAbout(order)).toEqual([]);
		},
	);

	test("a refund of an order without a payment date has no credit note and no e-mail", async () => {
		const { order, payment } = await delivered({ paid_at: null });
		expect(await credited(await shop.insertRefund(payment))).toEqual([]);
		expect(await getMailsAbout(order)).toEqual([]);
	});

	test("a refund that is deleted before its job runs is ignored", async () => {
		await creditRefund(getContext(), crypto.randomUUID());
	});

	test.each(["surplus", "mismatch"] as const)(
		"a duplicate or mismatched payment (%s) has no credit note: an e-mail announces its refund",
		async (role) => {
			const { order } = await delivered();
			const refund = await shop.insertRefund(await shop.insertPayment(order, { role }));
			for (let i = 0; i < 2; i++) expect(await credited(refund)).toEqual([]);
			expect(await getMailsAbout(order)).toEqual([["surplus-refunded", null, refund.id]]);
		},
	);

	test("two concurrent jobs issue one credit note", async () => {
		const { order, payment } = await delivered();
		await invoice(order);
		const refund = await shop.insertRefund(payment);
		await shop.whileLocked(order, {}, () =>
			Promise.allSettled([creditRefund(getContext(), refund.id), creditRefund(getContext(), refund.id)]),
		);
		expect((await listInvoices(shop.db, order)).map(({ kind }) => kind).sort()).toEqual(["credit_note", "invoice"]);
		expect((await getMailsAbout(order)).filter(([kind]) => kind === "refunded")).toHaveLength(1);
	});

	// credits follow the refunds, in any parts and order; a returned refund keeps its credit note
	test.each<[string, [step: "out" | "job" | "back", refund: string, amount?: number][], [refund: string, amount: number][]]>([
		[
			"made again: the first credit note stands",
			[
				["out", "a", 1900],
				["job", "a"],
				["back", "a"],
				["out", "b", 1900],
				["job", "b"],
			],
			[["a", 1900]],
		],
		[
			"with a third refund beside it, which has its own credit note",
			[
				["out", "a", 1900],
				["job", "a"],
				["back", "a"],
				["out", "b", 1900],
				["job", "b"],
				["out", "c", 1900],
				["job", "c"],
			],
			[
				["a", 1900],
				["c", 1900],
			],
		],
		[
			"before its credit note, is followed by a refund that has it",
			[
				["out", "a", 5900],
				["back", "a"],
				["job", "a"],
				["out", "b", 5900],
				["job", "b"],
			],
			[["b", 5900]],
		],
		[
			"in two parts, then made again as one",
			[
				["out", "a", 1900],
				["job", "a"],
				["out", "b", 4000],
				["job", "b"],
				["back", "a"],
				["back", "b"],
				["out", "c", 5900],
				["job", "c"],
			],
			[
				["a", 1900],
				["b", 4000],
			],
		],
		[
			"in part, then more goes out: the difference, be it a cent",
			[
				["out", "a", 5899],
				["job", "a"],
				["back", "a"],
				["out", "b", 5900],
				["job", "b"],
			],
			[
				["a", 5899],
				["b", 1],
			],
		],
		[
			"as a whole, then made again in parts",
			[
				["out", "a", 5900],
				["job", "a"],
				["back", "a"],
				["out", "b", 1900],
				["job", "b"],
				["out", "c", 4000],
				["job", "c"],
			],
			[["a", 5900]],
		],
		[
			"never: each part has its own, whichever job is first",
			[
				["out", "a", 1900],
				["out", "b", 4000],
				["job", "b"],
				["job", "a"],
			],
			[
				["b", 4000],
				["a", 1900],
			],
		],
		[
			"made again with its job running twice: the second run does not take the credit of another refund",
			[
				["out", "a", 1900],
				["job", "a"],
				["back", "a"],
				["out", "b", 1900],
				["job", "b"],
				["out", "c", 1000],
				["job", "b"],
				["job", "c"],
			],
			[
				["a", 1900],
				["c", 1000],
			],
		],
	])("a refund that the bank returned, %s", async (_what, steps, notes) => {
		const { order, payment } = await delivered();
		await shop.insertRefund(await shop.insertPayment(order, { role: "surplus" })); // not part of the invoice
		const refunds = new Map<string, Refund>();
		for (const [step, name, amount_cents] of steps) {
			if (step === "out" && amount_cents) refunds.set(name, await shop.insertRefund(payment, { amount_cents }));
			const { id } = refunds.get(name) as Refund;
			if (step === "back") await shop.inTransaction((trx) => updateRefundStatus(trx, id, "failed", { now: shop.after(0) }));
			if (step === "job") await creditRefund(getContext(), id);
		}
		const issued = (await listInvoices(shop.db, order)).filter(({ kind }) => kind === "credit_note");
		const named = (id: string | null) => [...refunds].find(([, refund]) => refund.id === id)?.[0];
		expect(issued.map(({ refund_id, total_cents, data }) => [named(refund_id), total_cents, data.lines[0]?.total])).toEqual(
			notes.map(([name, amount]) => [name, amount, amount]),
		);
		const announced = (await getMailsAbout(order)).filter(([kind]) => kind === "refunded").map(([, , refund]) => named(refund ?? null));
		const credited = steps.filter(
			([step, name], at) => step === "job" && !steps.slice(0, at).some(([was, other]) => was === "back" && other === name),
		);
		expect(announced.sort()).toEqual([...new Set(credited.map(([, name]) => name))].sort());
	});

	test("a refund that is returned during its job gets no credit note and no e-mail", async () => {
		const { order, payment } = await delivered();
		const refund = await shop.insertRefund(payment);
		const sendBack = (trx: Trx) => updateRefundStatus(trx, refund.id, "failed", { now: shop.after(0) });
		await shop.whileLocked(order, { before: sendBack }, () => creditRefund(getContext(), refund.id));
		expect([await listInvoices(shop.db, order), await getMailsAbout(order)]).toEqual([[], []]);
	});

	test("an alert about a refund does not replace its credit note and its e-mail", async () => {
		const { order, payment } = await delivered();
		await shop.insertRefund(payment, { amount_cents: 100 });
		const refund = await shop.insertRefund(payment, { amount_cents: 1900 });
		await shop.inTransaction((trx) =>
			alertOperator(shop, trx, { orderId: order.id, kind: "alert-refund-failed", details: { refund: refund.id } }),
		);
		expect(await credited(refund)).toHaveLength(1);
		expect((await getMailsAbout(order)).map(([kind]) => kind)).toEqual(["alert-refund-failed", "refunded"]);
	});
});
