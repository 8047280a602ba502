import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createOperator, type TestOperator } from "../../../test/operators.ts";
import { createTestShop, type TestShop } from "../../../test/shop.ts";
import { cents } from "../../catalogue/money.ts";
import { askForRefund } from "../../customer/tracking/ask-for-refund.server.ts";
import { refundByOperator } from "../../orders/refunds/refund-by-operator.server.ts";
import { findPayment, insertRefund } from "../../orders/refunds/refunds.store.server.ts";
import { syncPurchase } from "../../payments/sync-purchase.server.ts";
import { approve, performAct, runScheduledAct } from "../acts/perform-act.server.ts";

let shop: TestShop;
let ada: TestOperator;
let bob: TestOperator;
/** Ada and Bob as the acts know them. */
let actors: { id: string; name: string; roles: ReadonlySet<"refund">; origin: string }[];
beforeAll(async () => {
	shop = await createTestShop({ variables: { REFUND_APPROVAL_CENTS: "4000", ISSUER: "manual" } });
	ada = await createOperator(shop, "Ada", ["refund", "serve"]);
	bob = await createOperator(shop, "Bob", ["refund"]);
	const rows = await shop.shop.db.selectFrom("operators.user").select(["id", "name"]).orderBy("name").execute();
	actors = rows.map(({ id, name }) => ({ id, name, roles: new Set(["refund"] as const), origin: "test" }));
});
afterAll(() => shop?.close());

const key = () => crypto.randomUUID();
const plain = (html: string) => html.replaceAll(/[\u00a0\u202f]/g, " ").replaceAll("<!-- -->", "");
const actor = (place: number) => actors[place] ?? expect.fail();

async function deliveredOrder(service: "standard" | "express" = "standard") {
	const placed = await shop.placeOrder({ service });
	await shop.payByCard(placed.payUrl);
	await shop.untilOrderIs("processing", placed.id);
	await shop.getMails(placed, "confirmation");
	await shop.shop.db
		.updateTable("orders")
		.set({ status: "completed", completed_at: shop.shop.now() })
		.where("id", "=", placed.id)
		.execute();
	const payment = await shop.shop.db.selectFrom("payments").select("id").where("order_id", "=", placed.id).executeTakeFirstOrThrow();
	return { ...placed, paymentId: payment.id, path: `/bureau/argent/${placed.number}` };
}
type Paid = Awaited<ReturnType<typeof deliveredOrder>>;

const refundForm = (order: Paid, fields: Record<string, string> = {}) => ({
	...{ payment: order.paymentId, left: "3900", part: "whole", cause: "wrong-extract", ...fields },
});
const askForIt = (order: Paid, fields: Record<string, string>, who = actor(0)) =>
	performAct(shop.shop, who, { act: "refund", key: key(), orderId: order.id, fields: refundForm(order, fields) });

/** Asks for a refund and lets its time to undo pass. */
async function refundNow(order: Paid, fields: Record<string, string>, who = actor(0)) {
	const asked = await askForIt(order, fields, who);
	if (asked.state === "scheduled") await runScheduledAct(shop.shop, asked.key);
	return asked;
}
const listRefunds = (order: Paid) =>
	shop.shop.db.selectFrom("refunds").selectAll().where("order_id", "=", order.id).orderBy("requested_at").execute();

const listActs = (order: Paid) =>
	shop.shop.db.selectFrom("desk_acts").select(["ok", "sentence"]).where("order_id", "=", order.id).execute();

describe("a refund", () => {
	test("says what is left, wants a reason, and can be undone", async () => {
		const order = await deliveredOrder();
		const page = plain(await (await ada.ask(order.path)).text());
		expect(page).toContain("Tout ce qui reste, 39,00 €");
		expect(page).toContain("La moitié, 19,50 €");
		const form = { act: "refund", order: order.id, ...refundForm(order) };
		expect(await (await ada.post(order.path, { ...form, key: key(), cause: "" })).text()).toContain("Choisissez le motif.");
		expect(await (await ada.post(order.path, { ...form, key: key(), cause: "other" })).text()).toContain("Précisez le motif");
		expect(plain(await (await ada.post(order.path, { ...form, key: key(), part: "other", amount: "39,01" })).text())).toContain(
			"il reste 39,00 € à rembourser au plus",
		);
		const formKey = key();
		expect(await (await ada.post(order.path, { ...form, key: formKey })).text()).toContain("«\u00a0Rembourser\u00a0» est demandé.");
		expect(await (await ada.post(order.path, { do: "undo", key: `refund ${formKey}` })).text()).toContain("rien n’a été fait");
		await runScheduledAct(shop.shop, `refund ${formKey}`);
		expect(await listRefunds(order)).toEqual([]);
	});

	test("of a part keeps its reason and note inside the shop", async () => {
		const order = await deliveredOrder();
		await refundNow(order, { part: "other", amount: "12,50", note: "Appel du 23, Mme L." });
		const [refund] = await listRefunds(order);
		expect(refund).toMatchObject({ amount_cents: 1250, reason: "operator", cause: "wrong-extract", note: "Appel du 23, Mme L." });
		expect(plain(await (await ada.ask(`/bureau/commandes/${order.number}`)).text())).toMatch(/\(Extrait erroné ou inutilisable, Ada/);
		await shop.getMails(order, "refunded");
		for (const mail of await shop.getMails(order, "refunded")) expect(mail.text).not.toContain("Mme L.");
		const log = await shop.shop.db
			.selectFrom("desk_log")
			.select("change")
			.where("subject", "=", order.number)
			.where("outcome", "=", "done")
			.execute();
		expect(JSON.stringify(log)).toContain("wrong-extract");
		expect(JSON.stringify(log)).not.toContain("Mme L.");
	});

	test("of half gives back the smaller half of what is left, and its note is cut after a thousand characters", async () => {
		const order = await deliveredOrder();
		await refundNow(order, { part: "other", amount: "10,01" });
		await refundNow(order, { part: "half", left: "2899", cause: "other", note: "a".repeat(1001) });
		expect(await listRefunds(order)).toMatchObject([
			{ amount_cents: 1001, note: null },
			{ amount_cents: 1449, note: "a".repeat(1000) },
		]);
	});

	test("by two operators at once is made once, whole or in part", async () => {
		const choices: Record<string, string>[] = [{ part: "whole" }, { part: "other", amount: "10" }];
		for (const fields of choices) {
			const order = await deliveredOrder();
			const asked = await Promise.all([askForIt(order, fields, actor(0)), askForIt(order, fields, actor(1))]);
			expect(asked.map(({ state }) => state).sort()).toEqual(["refused", "scheduled"]);
			for (const { key } of asked) await runScheduledAct(shop.shop, key);
			expect(await listRefunds(order)).toHaveLength(1);
			// the second one was told that the first one waits
			expect(await listActs(order)).toMatchObject([{ ok: true }]);
		}
	});

	test("that runs again after a crash is not made again", async () => {
		const order = await deliveredOrder();
		const refund = {
			orderId: order.id,
			paymentId: order.paymentId,
			amount: cents(1000),
			left: cents(3900),
			cause: "late",
			note: null,
			by: "Ada",
			mostWithoutApproval: null,
		};
		expect(await refundByOperator(shop.shop, refund)).toMatchObject({ ok: true });
		expect(await refundByOperator(shop.shop, refund)).toEqual({ ok: false, code: "changed" });
		expect(await listRefunds(order)).toHaveLength(1);
	});

	test("of all that was paid for an open order asks at once whether the order stops, also when the amount was typed", async () => {
		const order = await deliveredOrder();
		await shop.shop.db.updateTable("orders").set({ status: "processing", completed_at: null }).where("id", "=", order.id).execute();
		const choices: Record<string, string>[] = [{ part: "whole" }, { part: "other", amount: "39" }];
		for (const fields of choices) expect(await askForIt(order, fields)).toMatchObject({ state: "refused", field: "stop" });
		expect(await listActs(order)).toEqual([]);
		expect(await askForIt(order, { part: "other", amount: "39", stop: "no" })).toMatchObject({ state: "scheduled" });
	});

	test("of an order that was refunded meanwhile is refused at once", async () => {
		const order = await deliveredOrder();
		await refundNow(order, { part: "other", amount: "10" });
		expect(await askForIt(order, { part: "whole" })).toMatchObject({
			state: "refused",
			text: expect.stringContaining("Un autre remboursement"),
		});
		await refundNow(order, { left: "2900" });
		expect(await askForIt(order, { part: "whole" })).toMatchObject({ state: "refused", text: expect.stringContaining("déjà rendu") });
	});

	test("of a disputed payment says that it waits for the end of the dispute", async () => {
		const order = await deliveredOrder();
		const disputed = { disputed_at: shop.shop.now(), dispute_status: "open" as const };
		await shop.shop.db.updateTable("orders").set(disputed).where("id", "=", order.id).execute();
		await refundNow(order, { part: "other", amount: "0,01" });
		expect(await listActs(order)).toEqual([{ ok: true, sentence: expect.stringContaining("il attend la fin de la contestation") }]);
		expect(await listRefunds(order)).toMatchObject([{ amount_cents: 1 }]);
	});

	test("names a payment of the same order", async () => {
		const [order, other] = [await deliveredOrder(), await deliveredOrder()];
		await refundNow(order, { payment: other.paymentId });
		expect([await listRefunds(order), await listRefunds(other)]).toEqual([[], []]);
	});
});

describe("above the limit", () => {
	test("a second person approves, and never the one who asked", async () => {
		const order = await deliveredOrder("express");
		const formKey = key();
		const fields = refundForm(order, { left: "5900" });
		const asked = await performAct(shop.shop, actor(0), { act: "refund", key: formKey, orderId: order.id, fields });
		expect(asked.state).toBe("waiting for approval");
		expect(await approve(shop.shop, actor(0), formKey)).toMatchObject({ ok: false });
		await runScheduledAct(shop.shop, formKey);
		expect(await listRefunds(order)).toEqual([]);
		expect(plain(await (await bob.ask("/bureau/argent")).text())).toContain("Rembourser</strong>, 59,00 €, Extrait erroné ou inutilisable");
		expect(await (await bob.post("/bureau/argent", { do: "approve", key: formKey })).text()).toContain("Approuvé.");
		await shop.getMails(order, "refunded");
		expect(await listRefunds(order)).toMatchObject([{ amount_cents: 5900 }]);
		// an approved act leaves the others alone
		const { started_at } = await shop.shop.db
			.selectFrom("desk_acts")
			.select("started_at")
			.where("key", "=", formKey)
			.executeTakeFirstOrThrow();
		await runScheduledAct(shop.shop, key());
		const again = await shop.shop.db.selectFrom("desk_acts").select("started_at").where("key", "=", formKey).executeTakeFirstOrThrow();
		expect(again.started_at).toEqual(started_at);
	});
});

test("without scripts, the pages say what became of « Approuver » and « Refuser »", async () => {
	const order = await deliveredOrder("express");
	const ask = async (formKey: string) => {
		const form = { act: "refund", key: formKey, orderId: order.id, fields: refundForm(order, { left: "5900" }) };
		expect((await performAct(shop.shop, actor(0), form)).state).toBe("waiting for approval");
	};
	const decide = async (who: TestOperator, path: string, what: "approve" | "undo", formKey: string) =>
		plain((await (await who.post(path, { do: what, key: formKey })).text()).replaceAll(/<script[\s\S]*?<\/script>/g, ""));
	const [first, second] = [key(), key()];
	await ask(first);
	for (const path of ["/bureau/argent", order.path])
		expect(await decide(ada, path, "approve", first), path).toContain("Une autre personne doit approuver votre demande.");
	const invitedBy = (by: string | null) =>
		shop.shop.db.updateTable("operators.invitation").set({ invited_by_id: by }).where("email", "=", "bob@bureau.example").execute();
	await invitedBy(actor(0).id);
	expect(await decide(bob, "/bureau/argent", "approve", first)).toContain("depuis moins de 24 heures");
	await invitedBy(null);
	expect(await decide(bob, "/bureau/argent", "undo", first)).toContain("Annulé : rien n’a été fait.");
	await ask(second);
	expect(await decide(bob, order.path, "approve", second)).toContain("Approuvé.");
});

describe("the limit", () => {
	test("counts the refunds of an order together", async () => {
		const order = await deliveredOrder("express");
		expect((await refundNow(order, { left: "5900", part: "other", amount: "30" })).state).toBe("scheduled");
		expect(await listRefunds(order)).toMatchObject([{ amount_cents: 3000 }]);
		const second = await refundNow(order, { left: "2900", part: "other", amount: "15" });
		expect(second.state).toBe("waiting for approval");
		expect(await approve(shop.shop, actor(1), second.key)).toMatchObject({ ok: true });
		await runScheduledAct(shop.shop, second.key);
		expect(await listRefunds(order)).toMatchObject([{ amount_cents: 3000 }, { amount_cents: 1500 }]);
	});

	test("is checked again when the money leaves", async () => {
		const order = await deliveredOrder("express");
		const refund = {
			orderId: order.id,
			paymentId: order.paymentId,
			cause: "late",
			note: null,
			by: "Ada",
			mostWithoutApproval: cents(4000),
		};
		expect(await refundByOperator(shop.shop, { ...refund, amount: cents(4000), left: cents(5900) })).toMatchObject({ ok: true });
		expect(await refundByOperator(shop.shop, { ...refund, amount: cents(1), left: cents(1900) })).toEqual({
			ok: false,
			code: "needs-approval",
		});
	});

	test("does not believe what a form says is left", async () => {
		const order = await deliveredOrder("express");
		await shop.shop.db.updateTable("orders").set({ status: "processing", completed_at: null }).where("id", "=", order.id).execute();
		const forged: Record<string, string>[] = [
			{ left: "1", stop: "yes" },
			{ left: "3999", stop: "yes" },
			{ left: "9999", part: "other", amount: "60" },
		];
		for (const fields of forged) await refundNow(order, fields);
		expect(await listRefunds(order)).toEqual([]);
		expect((await shop.orderRow(order.id)).status).toBe("processing");
		const stopped = await refundNow(order, { left: "5900", stop: "yes" });
		expect(stopped.state).toBe("waiting for approval");
	});
});

describe("a whole refund of an open order", () => {
	async function openOrder() {
		const order = await deliveredOrder();
		await shop.shop.db.updateTable("orders").set({ status: "processing", completed_at: null }).where("id", "=", order.id).execute();
		return order;
	}

	test("asks whether the order stops", async () => {
		const order = await openOrder();
		expect(plain(await (await ada.ask(order.path)).text())).toContain("Cette commande est en cours");
		expect(await refundNow(order, {})).toMatchObject({ state: "refused", text: expect.stringContaining("Dites si elle s’arrête") });
		expect(await listRefunds(order)).toEqual([]);
	});

	test("stops it, or lets it go on", async () => {
		const stopped = await openOrder();
		await refundNow(stopped, { stop: "yes", cause: "not-available" });
		expect(await listRefunds(stopped)).toMatchObject([{ reason: "failed", cause: "not-available", amount_cents: 3900 }]);
		const { status } = await shop.shop.db.selectFrom("orders").select("status").where("id", "=", stopped.id).executeTakeFirstOrThrow();
		expect(status).toBe("failed");
		const continued = await openOrder();
		await refundNow(continued, { stop: "no" });
		expect(await listRefunds(continued)).toMatchObject([{ reason: "operator", amount_cents: 3900 }]);
	});

	test("made on the provider's pages leaves an order that somebody stops: it fails once, and nothing more is refunded", async () => {
		const order = await openOrder();
		const stop = () => performAct(shop.shop, actor(0), { act: "stop", key: key(), orderId: order.id, fields: {} });
		const refused = { state: "refused", text: expect.stringContaining("n’est plus en cours, ou elle n’est pas remboursée en entier") };
		const button = "Arrêter la commande";
		expect(await stop()).toMatchObject(refused);
		expect(plain(await (await ada.ask(order.path)).text())).not.toContain(button);
		const { db, now } = shop.shop;
		const payment = (await findPayment(db, order.paymentId)) ?? expect.fail("the order is not paid");
		await db.transaction().execute((trx) =>
			insertRefund(trx, {
				...{ orderId: order.id, payment, amount: 3900, reason: "dashboard" },
				...{ status: "succeeded", providerId: "re_dashboard", now: now() },
			}),
		);
		await db.updateTable("orders").set({ refunded_cents: 3900 }).where("id", "=", order.id).execute();
		expect(plain(await (await ada.ask(order.path)).text())).toContain(button);
		expect(await stop()).toMatchObject({ state: "done" });
		expect(await shop.orderRow(order.id)).toMatchObject({ status: "failed", failure_reason: "operator" });
		expect(await listRefunds(order)).toMatchObject([{ reason: "dashboard" }]);
		expect(await shop.getMails(order, "failed")).toHaveLength(1);
		expect(await stop()).toMatchObject(refused);
	});

	test("of a late order does not let it be stopped: its extract is still owed", async () => {
		const order = await openOrder();
		const late = { refunded_cents: 3900, late_at: shop.shop.now() };
		await shop.shop.db.updateTable("orders").set(late).where("id", "=", order.id).execute();
		const stop = { act: "stop", key: key(), orderId: order.id, fields: {} };
		expect(await performAct(shop.shop, actor(0), stop)).toMatchObject({ state: "refused" });
		expect((await shop.orderRow(order.id)).status).toBe("processing");
	});
});

describe("a customer's request", () => {
	test("is refused with the answer that the customer reads, or granted by a refund", async () => {
		const [refused, granted] = [await deliveredOrder(), await deliveredOrder()];
		for (const order of [refused, granted]) await askForRefund(shop.shop, order.id, "purchase", "Mauvais extrait");
		expect(await (await ada.ask("/bureau/argent")).text()).toContain(refused.number);
		const formKey = key();
		const fields = { answer: "L’extrait est celui de la société commandée." };
		await performAct(shop.shop, actor(0), { act: "refuse-refund-request", key: formKey, orderId: refused.id, fields });
		await runScheduledAct(shop.shop, formKey);
		expect(await listActs(refused)).toMatchObject([{ ok: true }]);
		const [mail] = await shop.getMails(refused, "refund-request-refused");
		expect(mail?.text).toContain("celui de la société commandée");
		await refundNow(granted, { part: "half" });
		expect(await listRefunds(granted)).toMatchObject([{ reason: "guarantee", amount_cents: 1950 }]);
		const requests = await shop.shop.db
			.selectFrom("refund_requests")
			.select("granted")
			.where("order_id", "in", [refused.id, granted.id])
			.orderBy("granted")
			.execute();
		expect(requests).toEqual([{ granted: false }, { granted: true }]);
	});
});

test("a request can be refused while one is open, whatever was decided before", async () => {
	const order = await deliveredOrder();
	const refuse = () =>
		performAct(shop.shop, actor(0), { act: "refuse-refund-request", key: key(), orderId: order.id, fields: { answer: "Non." } });
	const noRequest = { state: "refused", text: "Cette commande n’a plus de demande en attente." };
	expect(await refuse()).toMatchObject(noRequest);
	const insert = (decided_at: Date | null) =>
		shop.shop.db
			.insertInto("refund_requests")
			.values({ id: crypto.randomUUID(), order_id: order.id, message: "?", created_at: shop.shop.now(), decided_at })
			.execute();
	await insert(shop.shop.now());
	expect(await refuse()).toMatchObject(noRequest);
	await insert(null);
	expect(await refuse()).toMatchObject({ state: "scheduled" });
});

test("a refund that came back is settled by a person, once", async () => {
	const order = await deliveredOrder();
	await refundNow(order, { part: "half" });
	const [refund] = await listRefunds(order);
	await shop.getMails(order, "refunded");
	await shop.shop.db.updateTable("sandbox.refunds").set({ status: "failed" }).where("payment_intent", "=", order.paymentId).execute();
	await syncPurchase(shop.shop, order.id);
	expect(await (await ada.ask("/bureau/argent")).text()).toContain("Remboursements revenus ou refusés");
	const form = { act: "close-failed-refund", refund: refund?.id ?? "" };
	expect(await (await ada.post(order.path, { ...form, key: key(), note: "" })).text()).toContain("Dites comment il est réglé");
	expect(await (await ada.post(order.path, { ...form, key: key(), note: "Virement du 23" })).text()).toContain(
		"ce remboursement est réglé",
	);
	expect(await (await ada.post(order.path, { ...form, key: key(), note: "Virement du 23" })).text()).toContain("déjà réglé");
	expect(await (await ada.ask("/bureau/argent")).text()).not.toContain("Remboursements revenus ou refusés");
});
