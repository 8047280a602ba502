import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { anyJson } from "../../../test/any-json.ts";
import { createOrderFixture, type OrderFixture } from "../../../test/orders.ts";
import { toPlainJson } from "../../../test/texts.ts";
import type { Order } from "../../orders/order.ts";
import type { Shop } from "../../shop.ts";
import { describeOrderMoney } from "./describe-order-money.server.ts";
import { describeRefundFields, listMoney } from "./list-money.server.ts";
import {
	findLastReconciliation,
	listLatestRefunds,
	listOpenDisputes,
	listOpenRequests,
	listPayments,
	listPaymentsOnHold,
	listUnsettledRefunds,
} from "./money.store.server.ts";

// What the pages about money read. Rows are inserted in another order than they are shown.

const hour = 3_600_000;
let shop: OrderFixture;
beforeAll(async () => {
	shop = await createOrderFixture({ startsAt: "2026-11-23T08:00:00Z" });
});
afterAll(() => shop?.close());

const names = (rows: readonly { company_name: string }[]) => rows.map(({ company_name }) => company_name);
const pay = (company_name: string, created: number, values: Parameters<OrderFixture["insertPayment"]>[1] = {}) =>
	shop
		.insertOrder({ company_name, status: "completed", paid_at: shop.now() })
		.then(async (order) => ({ order, payment: await shop.insertPayment(order, { created_at: shop.after(created * hour), ...values }) }));
const insertRequest = (order: Order, values: { created_at: Date; decided_at?: Date }) =>
	shop.db
		.insertInto("refund_requests")
		.values({ id: randomUUID(), order_id: order.id, message: `De ${order.company_name}`, ...values })
		.execute();

describe("the lists of the page", () => {
	test("requests without a decision, the oldest first", async () => {
		const order = (company_name: string) => shop.insertOrder({ company_name });
		await insertRequest(await order("DEMANDE 2"), { created_at: shop.after(2 * hour) });
		await insertRequest(await order("DEMANDE 1"), { created_at: shop.after(hour) });
		await insertRequest(await order("DECIDEE"), { created_at: shop.after(0), decided_at: shop.after(hour) });
		expect(names(await listOpenRequests(shop.db, 10))).toEqual(["DEMANDE 1", "DEMANDE 2"]);
		expect(names(await listOpenRequests(shop.db, 1))).toEqual(["DEMANDE 1"]);
	});

	test("open disputes, those that end first first, and those without an end last", async () => {
		const dispute = (company: string, due: number | null, status: "open" | "won" = "open", id = `pi_${company}`) =>
			pay(company, 0, { id, dispute_status: status, dispute_due_at: due === null ? null : shop.after(due * hour) });
		await dispute("B SANS FIN", null, "open", "pi_dispute_b");
		await dispute("A SANS FIN", null, "open", "pi_dispute_a");
		await dispute("TARD", 72);
		await dispute("TOT", 24);
		await dispute("GAGNEE", 12, "won");
		expect(names(await listOpenDisputes(shop.db, 10))).toEqual(["TOT", "TARD", "A SANS FIN", "B SANS FIN"]);
		expect(names(await listOpenDisputes(shop.db, 1))).toEqual(["TOT"]);
	});

	test("refunds that came back or were refused, unless they are settled, replaced, or of a lost dispute; the oldest first", async () => {
		const failed = (requested: number) => ({ status: "failed" as const, requested_at: shop.after(requested * hour) });
		await shop.insertRefund((await pay("REFUSE", 0)).payment, { status: "refused", requested_at: shop.after(3 * hour) });
		await shop.insertRefund((await pay("REVENU", 0)).payment, failed(2));
		await shop.insertRefund((await pay("REGLE", 0)).payment, { ...failed(1), closed_at: shop.after(hour) });
		await shop.insertRefund((await pay("FAIT", 0)).payment);
		await shop.insertRefund((await pay("PERDU", 0, { dispute_status: "lost" })).payment, failed(1));
		const { payment } = await pay("REMPLACE", 0);
		const { id } = await shop.insertRefund(payment, failed(1));
		await shop.insertRefund(payment, { status: "pending", replaces: id });
		expect(names(await listUnsettledRefunds(shop.db, 10))).toEqual(["REVENU", "REFUSE"]);
		expect(names(await listUnsettledRefunds(shop.db, 1))).toEqual(["REVENU"]);
	});

	test("duplicate and mismatched payments of which something is left, the oldest first", async () => {
		const mismatch = await pay("ECART", 2, { role: "mismatch", amount_cents: 5000 });
		await shop.insertRefund(mismatch.payment, { amount_cents: 1000, status: "pending" });
		await shop.insertRefund(mismatch.payment, { amount_cents: 700, status: "failed", closed_at: shop.now() });
		await pay("DOUBLE", 1, { role: "surplus" });
		const returned = await pay("RENDU", 0, { role: "surplus" });
		await shop.insertRefund(returned.payment, { status: "requested" });
		await pay("USUEL", 0);
		const onHold = await listPaymentsOnHold(shop.db, 10);
		expect(onHold.map(({ company_name, left, lines }) => [company_name, left, lines])).toEqual([
			["DOUBLE", 5900, 1],
			["ECART", 4000, 1],
		]);
		expect(names(await listPaymentsOnHold(shop.db, 1))).toEqual(["DOUBLE"]);
	});

	test("payments, the newest first, each with what was given back; those before an instant on the next page", async () => {
		const [at, created_at] = [1000, shop.after(1000 * hour)];
		await pay("B NOUVEAU", at, { id: "pi_new_b" });
		await pay("A NOUVEAU", at, { id: "pi_new_a" });
		const newest = await pay("PLUS NOUVEAU", at + 1);
		await shop.insertRefund(newest.payment, { amount_cents: 900 });
		await shop.insertRefund(newest.payment, { amount_cents: 100, status: "pending" });
		const list = async (before: Date | null, limit: number) => names(await listPayments(shop.db, { before, limit }));
		expect(await list(null, 3)).toEqual(["PLUS NOUVEAU", "A NOUVEAU", "B NOUVEAU"]);
		expect((await listPayments(shop.db, { before: null, limit: 1 })).map(({ refunded }) => refunded)).toEqual([900]);
		expect(await list(shop.after((at + 1) * hour), 2)).toEqual(["A NOUVEAU", "B NOUVEAU"]);
		expect(await list(created_at, 2)).not.toContain("A NOUVEAU");
	});

	test("refunds, the newest first", async () => {
		const requested_at = shop.after(500 * hour);
		const ask = async (company: string, id: string, at: Date) =>
			shop.insertRefund((await pay(company, 0)).payment, { id, requested_at: at });
		await ask("B DEMANDE", "00000000-0000-4000-8000-00000000000b", requested_at);
		await ask("A DEMANDE", "00000000-0000-4000-8000-00000000000a", requested_at);
		await ask("DERNIERE DEMANDE", randomUUID(), shop.after(501 * hour));
		expect(names(await listLatestRefunds(shop.db, 3))).toEqual(["DERNIERE DEMANDE", "A DEMANDE", "B DEMANDE"]);
	});
});

test("the page says what is urgent, what is held, and what was bought together", async () => {
	const now = shop.after(2000 * hour);
	const after = (hours: number) => new Date(now.getTime() + hours * hour);
	const context = { db: shop.db, now: () => now };
	const due = async (company: string, hours: number) =>
		(await pay(company, 0, { dispute_status: "open", dispute_reason: "duplicate", dispute_due_at: after(hours) })).payment;
	await due("URGENTE", 47.9);
	await due("DANS DEUX JOURS", 48);
	const { orders, payment } = await shop.insertPaidPurchase(["standard", "express", "express"], { company_name: "TROIS" });
	await shop.insertPaidPurchase(["standard", "express"], { company_name: "DEUX" });
	await shop.db
		.updateTable("payments")
		.set({ created_at: after(-1) })
		.where("id", "=", payment.id)
		.execute();
	await shop.insertPayment(orders[0], { role: "mismatch", amount_cents: 100, currency: "usd", created_at: after(0) });
	const ask = async (company: string, values: Parameters<OrderFixture["insertRefund"]>[1]) =>
		shop.insertRefund((await pay(company, 0)).payment, { amount_cents: 500, requested_at: after(0), ...values });
	await ask("RETENU", { status: "requested", held_until: after(1), reason: "late", requested_at: after(4) });
	await ask("PLUS RETENU", { status: "requested", held_until: after(0), cause: "late", requested_at: after(3) });
	await ask("PARTI", { status: "pending", held_until: after(1), cause: "unknown", requested_at: after(2) });
	await insertRequest(await shop.insertOrder({ company_name: "ATTEND" }), { created_at: after(-1) });

	const overview = toPlainJson(await listMoney(context, new URLSearchParams(), "me"));
	const urgent = overview.disputes.map(({ company, isUrgent }) => [company, isUrgent]);
	expect(urgent).toEqual(
		expect.arrayContaining([
			["URGENTE", true],
			["DANS DEUX JOURS", false],
			["A SANS FIN", false],
		]),
	);
	expect(overview.disputes.find(({ company }) => company === "URGENTE")).toMatchObject({
		...{ reason: "débité deux fois", amount: "59,00 €", due: "mardi 16 février 2027 à 16 h 54" },
	});
	expect(overview.disputes.find(({ company }) => company === "A SANS FIN")).toMatchObject({ reason: "inconnu", due: null });
	expect(overview.refunds.slice(0, 3)).toMatchObject([
		{ company: "RETENU", heldUntil: "dimanche 14 février 2027 à 18 h", reason: "retard" },
		{ company: "PLUS RETENU", heldUntil: null, reason: "Retard, geste commercial" },
		{ company: "PARTI", heldUntil: null, reason: "décision d’un opérateur" },
	]);
	expect(overview.requests.at(-1)).toMatchObject({
		...{ company: "ATTEND", message: "De ATTEND", wait: { text: "à répondre sous 23 h 00", kind: "waiting" } },
	});
	expect(overview.onHold.at(-1)).toEqual({
		...{ id: expect.any(String), role: "Ne correspond pas", amount: "1,00 €", currency: "usd", at: "dim. 14 à 17 h" },
		...{ number: orders[0].order_number, company: "TROIS et 2 autres", price: "157,00 €", left: "1,00 €" },
	});
	expect(overview.payments.slice(0, 2)).toMatchObject([
		{ company: "TROIS et 2 autres", role: "Ne correspond pas", isUsual: false, refunded: null, dispute: null },
		{ company: "TROIS et 2 autres", role: "Paie la commande", isUsual: true, amount: "157,00 €", at: "14/02/2027 à 16 h" },
	]);
	expect(overview.payments.map(({ company }) => company)).toContain("DEUX et 1 autre");
	expect(overview.payments.find(({ company }) => company === "PLUS NOUVEAU")).toMatchObject({ refunded: "9,00 €" });
	expect(overview).toMatchObject({ reconciliation: null, month: { month: "2027-02", name: "février 2027" } });
});

test("what waits for a second person is named with its order, and one's own is told apart", async () => {
	const { order } = await pay("A APPROUVER", 0);
	const me = randomUUID();
	const ask = (key: string, minutes: number, values: object) =>
		shop.db
			.insertInto("desk_acts")
			.values({
				...{ key, act: "refund", operator_id: me, operator_name: "Ada", origin: "test", needs_approval: true },
				...{ requested_at: shop.after(minutes * 60_000), ...values },
			})
			.execute();
	await ask("later", 1, { act: "gone", operator_id: randomUUID(), operator_name: "Bob" });
	await ask("sooner", 0, { order_id: order.id, fields: JSON.stringify({ part: "whole", left: "5900", cause: "late" }) });
	const { toApprove } = toPlainJson(await listMoney({ db: shop.db, now: shop.now }, new URLSearchParams(), me));
	expect(toApprove).toEqual([
		{
			...{ key: "sooner", label: "Rembourser", by: "Ada", at: "lun. 23 à 9 h", isMine: true, number: order.order_number },
			details: "59,00 €, Retard, geste commercial",
		},
		{ key: "later", label: "gone", by: "Bob", at: "lun. 23 à 9 h 01", isMine: false, number: null, details: "" },
	]);
});

test("forty payments are a page; the next one begins before the last", async () => {
	const context = { db: shop.db, now: shop.now };
	const start = shop.after(3000 * hour);
	for (let n = 0; n < 40; n++) await pay(`PAGE ${n}`, 3000 + n);
	const first = await listMoney(context, new URLSearchParams(), "me");
	expect(first.payments.map(({ company }) => company)).toEqual(Array.from({ length: 40 }, (_, n) => `PAGE ${39 - n}`));
	expect(first.next).toBe(`avant=${encodeURIComponent(start.toISOString())}`);
	const next = await listMoney(context, new URLSearchParams(first.next ?? ""), "me");
	expect(next.payments.map(({ company }) => company).filter((company) => company.startsWith("PAGE"))).toEqual([]);
	const unreadable = await listMoney(context, new URLSearchParams("avant=hier"), "me");
	expect(unreadable.payments[0]?.company).toBe("PAGE 39");
	// exactly forty older payments are the last page
	await shop.db.deleteFrom("refunds").execute();
	await shop.db.deleteFrom("payments").where("created_at", "<", start).execute();
	const last = await listMoney(context, new URLSearchParams({ avant: shop.after(3040 * hour).toISOString() }), "me");
	expect([last.payments.length, last.next]).toEqual([40, null]);
});

test("the last comparison says what can be done about each difference, and what comes before a refund", async () => {
	const known = await pay("CONNUE", 0);
	const other = await shop.insertOrder({ company_name: "SANS PAIEMENT" });
	const report = (differences: object[], created: number) =>
		shop.db
			.insertInto("reconciliations")
			.values({
				...{ since: shop.after(0), until: shop.after(hour), compared: 7, differences: anyJson(differences) },
				created_at: shop.after(created),
			})
			.execute();
	const lost = randomUUID();
	await report(
		[
			{ paymentId: known.payment.id, orderId: known.order.id, what: "amount", here: 5900, there: 5000 },
			{ paymentId: known.payment.id, orderId: known.order.id, what: "missing-there", here: 5900, there: null },
			{ paymentId: "pi_x", orderId: other.id, what: "missing-here", here: null, there: 3900, copy: "behind" },
			{ paymentId: "pi_y", orderId: lost, what: "missing-here", here: null, there: 3900, copy: "lost" },
			{ paymentId: "pi_z", orderId: lost, what: "refunded", here: 0, there: 3900, copy: "unavailable" },
			{ paymentId: "pi_w", orderId: null, what: "missing-here", here: null, there: 3900, copy: "lost" },
			{ paymentId: "pi_v", orderId: null, what: "missing-here", here: null, there: 3900 },
		],
		2,
	);
	await report([], 1);
	const { reconciliation } = toPlainJson(await listMoney({ db: shop.db, now: shop.now }, new URLSearchParams(), "me"));
	expect(reconciliation).toMatchObject({ period: "du 23/11/2026 à 9 h au 23/11/2026 à 10 h", compared: 7 });
	expect(reconciliation?.differences.map(({ label, here, there }) => [label, here, there])).toEqual([
		["Montant encaissé différent", "59,00 €", "50,00 €"],
		["Inconnu chez le prestataire", "59,00 €", "rien"],
		["Inconnu chez nous", "rien", "39,00 €"],
		["Inconnu chez nous", "rien", "39,00 €"],
		["Montant rendu différent", "0,00 €", "39,00 €"],
		["Inconnu chez nous", "rien", "39,00 €"],
		["Inconnu chez nous", "rien", "39,00 €"],
	]);
	const may = (recreate: boolean, adopt: boolean, refund: boolean) => ({ recreate, adopt, refund });
	expect(reconciliation?.differences.map((row) => [row.number, row.may, row.first, row.isUnknown])).toEqual([
		[known.order.order_number, may(false, true, true), null, false],
		[known.order.order_number, may(false, true, false), null, false],
		[other.order_number, may(true, true, false), "adopt", false],
		[null, may(true, false, false), "recreate", false],
		[null, may(false, false, false), null, false],
		[null, may(false, false, false), null, false],
		[null, may(false, false, false), null, true],
	]);
	const last = await findLastReconciliation(shop.db);
	expect([[...(last?.numbers.keys() ?? [])].sort(), [...(last?.recorded ?? [])]]).toEqual([
		[known.order.id, other.id].sort(),
		[known.payment.id],
	]);
});

test.each<[Record<string, string>, string]>([
	[{ part: "other", amount: "12,50", left: "5900", cause: "late", note: "Appel" }, "12,50 €, Retard, geste commercial, Appel"],
	[{ part: "half", left: "5900", cause: "other" }, "la moitié de 59,00 €, Autre, précisé dans la note"],
	[{ part: "whole", left: "5900", cause: "unknown" }, "59,00 €"],
	[{ part: "whole", left: "x59", note: "Appel" }, "Appel"],
	[{ part: "other" }, " €"],
	[{}, ""],
])("a waiting refund %j says « %s »", (fields, text) => {
	expect(toPlainJson(describeRefundFields(fields))).toBe(text);
});

describe("the money of one order", () => {
	const read = async (order: Order, me = randomUUID()) => toPlainJson(await describeOrderMoney(shop as unknown as Shop, order, me));

	test("has its payments with what is left, its refunds with their state, and the request", async () => {
		const { order, payment } = await pay("UNE", 0, { dispute_status: "open", dispute_reason: "general", dispute_due_at: shop.after(hour) });
		const refund = (values: Parameters<OrderFixture["insertRefund"]>[1]) =>
			shop.insertRefund(payment, { amount_cents: 100, requested_at: shop.after(0), ...values });
		await refund({ status: "requested", held_until: shop.after(1), reason: "late" });
		await refund({ status: "requested", held_until: shop.after(0), requested_at: shop.after(1) });
		await refund({ status: "pending", held_until: shop.after(1), cause: "late", note: "Note", requested_at: shop.after(2) });
		await refund({ status: "failed", cause: "unknown", requested_at: shop.after(3) });
		await refund({ status: "refused", closed_at: shop.after(9), requested_at: shop.after(4) });
		await insertRequest(order, { created_at: shop.after(0) });
		const money = await read(order);
		expect(money).toMatchObject({
			...{ number: order.order_number, company: "UNE", status: "Terminé", price: "59,00 €", purchase: null, isOpen: false },
			request: { message: "De UNE", at: "lundi 23 novembre 2026 à 9 h", isOpen: true },
			approvalAbove: expect.stringMatching(/ € pour une commande$/),
			payments: [
				{
					...{ role: "Paie la commande", paysOrder: true, amount: "59,00 €", at: "23/11/2026 à 9 h" },
					left: { cents: 5600, text: "56,00 €", half: "28,00 €" },
					dispute: { status: "open", reason: "sans catégorie", due: "lundi 23 novembre 2026 à 10 h" },
				},
			],
		});
		expect(money.refunds.map(({ state, reason, cause, note }) => [state.label, reason, cause, note])).toEqual([
			["Demandé", "retard", null, null],
			["Demandé", "décision d’un opérateur", null, null],
			["En cours à la banque", "décision d’un opérateur", "Retard, geste commercial", "Note"],
			["Revenu de la banque", "décision d’un opérateur", null, null],
			["Refusé", "décision d’un opérateur", null, null],
		]);
		expect(money.refunds.map(({ heldUntil, isUnsettled, isClosed }) => [heldUntil, isUnsettled, isClosed])).toEqual([
			["lundi 23 novembre 2026 à 9 h", false, false],
			[null, false, false],
			[null, false, false],
			[null, true, false],
			[null, false, true],
		]);
	});

	test("an odd amount is halved in favour of the shop, and a decided request is not open", async () => {
		const { order } = await pay("IMPAIRE", 0, { amount_cents: 5901 });
		await shop.db.updateTable("orders").set({ price_cents: 5901, status: "processing" }).where("id", "=", order.id).execute();
		await insertRequest(order, { created_at: shop.after(0), decided_at: shop.after(1) });
		const money = await read(await shop.getOrder(order.id));
		expect(money.payments[0]?.left).toEqual({ cents: 5901, text: "59,01 €", half: "29,50 €" });
		expect(money).toMatchObject({ isOpen: true, request: { isOpen: false } });
		const { order: returned, payment } = await pay("RENDUE EN ENTIER", 0);
		await shop.insertRefund(payment);
		expect((await read(returned)).payments[0]?.left).toEqual({ cents: 0, text: "0,00 €", half: "0,00 €" });
	});

	test("of a purchase names its number and its line; what was paid twice belongs to the first order", async () => {
		const { orders } = await shop.insertPaidPurchase(["standard", "express"]);
		await shop.insertPayment(orders[0], { role: "surplus", created_at: shop.after(hour) });
		const [first, second] = [await read(orders[0]), await read(orders[1] ?? expect.fail())];
		expect(first.payments.map(({ role, paysOrder, left }) => [role, paysOrder, left.cents])).toEqual([
			["Paie la commande groupée", true, 3900],
			["Paiement en double", false, 3900],
		]);
		expect(second.payments.map(({ role, left }) => [role, left.cents])).toEqual([["Paie la commande groupée", 5900]]);
		expect(second.purchase).toEqual({ number: orders[0].order_number, line: 2, count: 2 });
		expect(second.approvalAbove).toMatch(/ € pour toutes les lignes d’une commande groupée$/);
	});

	test("has what waits for a second person or for its time, and what was refused in the last day", async () => {
		const { order } = await pay("ACTES", 0);
		const me = randomUUID();
		const ask = (key: string, values: object) =>
			shop.db
				.insertInto("desk_acts")
				.values({
					...{ key, act: "refund", order_id: order.id, operator_id: randomUUID(), operator_name: "Ada", origin: "test" },
					...{ requested_at: shop.now(), fields: anyJson({ part: "whole", left: "5900" }), ...values },
				})
				.execute();
		const ended = (ago: number) => ({ due_at: shop.now(), ok: false, sentence: "Trop tard.", ended_at: shop.after(-ago) });
		await ask("waits", { due_at: shop.after(1), operator_id: me });
		await ask("approval", { due_at: shop.after(1), needs_approval: true, requested_at: shop.after(1) });
		await ask("approved", { needs_approval: true, approved_by: randomUUID(), act: "gone", requested_at: shop.after(2) });
		await ask("refused", ended(24 * hour));
		await ask("old", ended(24 * hour + 1));
		const { waiting, refusals } = await read(order, me);
		expect(waiting.map(({ key, label, dueAt, needsApproval, isMine }) => [key, label, dueAt, needsApproval, isMine])).toEqual([
			["waits", "Rembourser", shop.after(1).toISOString(), false, true],
			["approval", "Rembourser", null, true, false],
			["approved", "gone", null, false, false],
		]);
		expect(waiting[0]).toMatchObject({ by: "Ada", details: "59,00 €" });
		expect(refusals).toEqual([{ key: "refused", label: "Rembourser", sentence: "Trop tard." }]);
	});
});
