import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { deleteRows } from "../../test/delete-rows.ts";
import { type BooksScene, booksScene, sessionRequest } from "../../test/payments.ts";
import { cents } from "../catalogue/money.ts";
import { createConfirmationCookies, getConfirmationAccess } from "../customer/tracking/confirmation/confirmation-access.server.ts";
import { createVisit } from "../customer/tracking/visits/visits.server.ts";
import { createResumePath } from "../orders/keys.server.ts";
import type { OrderStatus } from "../orders/lifecycle.ts";
import { insertPayment } from "../orders/refunds/refunds.store.server.ts";
import {
	claimRefresh,
	claimSessionsToSync,
	completeSession,
	countUnannounced,
	deletePaymentLogs,
	deleteSessions,
	expireSession,
	findRecordedSession,
	insertAttempt,
	insertReconciliation,
	insertSession,
	listPurchasesWithOpenSession,
	listPurchasesWithoutSession,
	listSessions,
	markAttemptAnswered,
	markRefreshFailed,
	nextAttempt,
	type RecordedSession,
	recordPaymentEvent,
} from "./payments.store.server.ts";
import { anonymiseSandboxCustomers, deleteOldSandboxRecords } from "./sandbox/sandbox.store.server.ts";
import { sandboxProvider } from "./sandbox/sandbox-provider.server.ts";

// What the stores of payments find, record and delete, to the millisecond.

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

let scene: BooksScene;
beforeAll(async () => {
	scene = await booksScene();
});
beforeEach(async () => {
	await scene.startAfresh();
	await scene.deleteOrders();
});
afterAll(() => scene?.close());

const ago = (milliseconds: number) => new Date(scene.clock.at - milliseconds);
const inTransaction = <Value>(work: Parameters<ReturnType<typeof scene.db.transaction>["execute"]>[0]) =>
	scene.db.transaction().execute(work) as Promise<Value>;

/** Inserts an order with a session, with some columns changed. */
async function placed(
	change: Partial<{ created_at: Date; asked_at: Date; expires_at: Date; status: RecordedSession["status"]; opened_by: string | null }> = {},
	{ email = `${crypto.randomUUID()}@example.fr`, client = crypto.randomUUID() as string, status = "pending" as OrderStatus } = {},
) {
	const { id, session } = await scene.place({ email, client });
	if (Object.keys(change).length > 0) await scene.db.updateTable("payment_sessions").set(change).where("id", "=", session.id).execute();
	await scene.db.updateTable("orders").set({ status }).where("id", "=", id).execute();
	return { id, session };
}

describe("an open session without an event", () => {
	test("is due after two minutes, then less and less often; at once when it has expired or its order is no longer pending", async () => {
		const sessions: [
			string,
			boolean,
			{ age: number; asked?: number; left?: number; status?: RecordedSession["status"]; order?: OrderStatus },
		][] = [
			["open for two minutes", false, { age: 2 * minute }],
			["open for longer", true, { age: 2 * minute + 1 }],
			["asked about half its age ago", false, { age: 16 * minute, asked: 8 * minute }],
			["asked about earlier", true, { age: 16 * minute, asked: 8 * minute + 1 }],
			["old, and asked about an hour ago", false, { age: 10 * hour, asked: hour }],
			["old, and asked about earlier", true, { age: 10 * hour, asked: hour + 1 }],
			["can still be paid", false, { age: minute + 1, left: 1 }],
			["has just run out", true, { age: minute + 1, left: 0 }],
			["expired, and asked about a minute ago", false, { age: day, left: -hour, asked: minute }],
			["expired, and asked about earlier", true, { age: day, left: -hour, asked: minute + 1 }],
			["of an order that ended a minute ago", false, { age: minute, order: "failed" }],
			["of an order that ended before", true, { age: minute + 1, order: "failed" }],
			["complete", false, { age: day, left: -hour, status: "complete" }],
			["known to have run out", false, { age: day, left: -hour, status: "expired" }],
		];
		const names = new Map<string, string>();
		for (const [name, , { age, asked, left = hour, status = "open", order }] of sessions) {
			const change = { created_at: ago(age), expires_at: ago(-left), status, ...(asked !== undefined && { asked_at: ago(asked) }) };
			names.set((await placed(change, { status: order })).session.id, name);
		}
		const taken = await claimSessionsToSync(scene.db, scene.now(), 100);
		const due = sessions.filter(([, isDue]) => isDue).map(([name, , { order }]) => [name, order === undefined]);
		expect(taken.map(({ id, orderIsPending }) => [names.get(id), orderIsPending]).sort()).toEqual(due.sort());
		expect(await claimSessionsToSync(scene.db, scene.now(), 100)).toEqual([]);
	});

	test("comes before the sessions of clients and mailboxes with several open ones; of these the oldest come first", async () => {
		const aged = (minutes: number, who: Parameters<typeof placed>[1], change = {}) =>
			placed({ created_at: ago(minutes * minute), ...change }, who).then(({ session }) => session.id);
		const client = [await aged(60, { client: "flood" }), await aged(59, { client: "flood" })];
		const mailbox = [await aged(58, { email: "third@example.fr" }), await aged(57, { email: "Third@Example.fr" })];
		const unnamed = [await aged(40, {}, { opened_by: null }), await aged(39, {}, { opened_by: null })];
		// closed sessions do not count
		await aged(41, { client: "usual", email: "usual@example.fr" }, { status: "expired" });
		const alone = await aged(38, { client: "usual", email: "usual@example.fr" });
		const take = async (limit: number) => (await claimSessionsToSync(scene.db, scene.now(), limit)).map(({ id }) => id).sort();
		expect(await take(3)).toEqual([...unnamed, alone].sort());
		expect(await take(2)).toEqual(client.sort());
		expect(await take(1)).toEqual(mailbox.slice(0, 1));
		expect(await take(10)).toEqual(mailbox.slice(1));
	});
});

describe("an order without an open session", () => {
	test("expires after a day, unless it is on hold", async () => {
		const orders: [string, boolean, { session?: RecordedSession["status"]; order?: Record<string, unknown>; age?: number }][] = [
			["never had one", true, {}],
			["never had one, and is younger", false, { age: hour }],
			["had an expired one", true, { session: "expired" }],
			["has one", false, { session: "open" }],
			["never had one and failed", false, { order: { status: "failed" } }],
			["has a mismatched payment", false, { session: "complete", order: { set_aside_at: new Date() } }],
		];
		const names = new Map<string, string>();
		for (const [name, , { session, order = {}, age = hour + 1 }] of orders) {
			const { id } = await placed({ ...(session && { status: session }) });
			if (session === undefined) await scene.db.deleteFrom("payment_sessions").where("order_id", "=", id).execute();
			const change = { created_at: ago(age), ...order };
			await scene.db.updateTable("orders").set(change).where("id", "=", id).execute();
			names.set(id, name);
		}
		const listed = await listPurchasesWithoutSession(scene.db, ago(hour), 100);
		expect(listed.map(({ id }) => names.get(id)).sort()).toEqual(
			orders
				.filter(([, ends]) => ends)
				.map(([name]) => name)
				.sort(),
		);
	});

	test("is listed once with the others of its purchase", async () => {
		const { id } = await scene.place({ services: ["express", "standard"] });
		await scene.db.deleteFrom("payment_sessions").execute();
		expect((await listPurchasesWithoutSession(scene.db, ago(-1), 100)).map((listed) => listed.id)).toEqual([id]);
	});

	test("is listed oldest first, up to the limit", async () => {
		const ids = [];
		for (const age of [2, 4, 3]) {
			const { id } = await placed({ status: "expired" });
			await scene.db
				.updateTable("orders")
				.set({ created_at: ago(age * hour) })
				.where("id", "=", id)
				.execute();
			ids.push(id);
		}
		const listed = await inTransaction<{ id: string }[]>(async (trx) => {
			await sql`set local enable_indexscan = off; set local enable_bitmapscan = off`.execute(trx); // an index would return them in order
			return listPurchasesWithoutSession(trx as never, ago(hour), 2);
		});
		expect(listed.map(({ id }) => id)).toEqual([ids[1], ids[2]]);
	});
});

describe("an attempt to open a session", () => {
	const terms = (at: number) => ({
		...{ now: new Date(at), expiresAt: new Date(at + day), enoughTime: new Date(at + hour) },
		openedBy: `client at ${at}`,
	});

	test("is repeated while it is unanswered and has enough time left; otherwise the next one is inserted", async () => {
		const { id } = await placed();
		await scene.db.deleteFrom("payment_attempts").execute();
		const next = (at: number) =>
			inTransaction<{ attempt: number }>((trx) => nextAttempt(trx, id, terms(at))).then(({ attempt }) => attempt);
		const at = scene.clock.at;
		expect(await next(at)).toBe(1);
		expect(await next(at + 23 * hour - 1)).toBe(1);
		expect(await next(at + 23 * hour)).toBe(2);
		expect(await next(at + 23 * hour)).toBe(2);
		const other = await placed();
		await scene.db.deleteFrom("payment_attempts").where("order_id", "=", other.id).execute();
		expect((await inTransaction<{ attempt: number }>((trx) => nextAttempt(trx, other.id, terms(at)))).attempt).toBe(1);
		await inTransaction(async (trx) => {
			await markAttemptAnswered(trx, { ...(await nextAttempt(trx, id, terms(at + 23 * hour))) }, scene.now());
			await insertAttempt(trx, other.id, 2, terms(at));
		});
		const all = await scene.db.selectFrom("payment_attempts").selectAll().orderBy("attempt").execute();
		expect(all.filter(({ answered_at }) => answered_at !== null).map(({ order_id, attempt }) => [order_id, attempt])).toEqual([[id, 2]]);
		expect(await next(at + 23 * hour)).toBe(3);
		// an answer clears whose the attempts of its purchase are, and no others
		expect(all.map(({ order_id, opened_by }) => [order_id === id, opened_by]).sort()).toEqual([
			[false, `client at ${at}`],
			[false, `client at ${at}`],
			[true, null],
			[true, null],
		]);
	});
});

describe("a session", () => {
	test("that a page asks about, and the failure of its answer, concern no other", async () => {
		const [{ session }, other] = [await placed(), await placed()];
		const claim = (id: string) => claimRefresh(scene.db, id, { now: scene.now(), pause: 2000 });
		expect([await claim(session.id), await claim(other.session.id)]).toEqual([{ claimed: true }, { claimed: true }]);
		await markRefreshFailed(scene.db, session.id);
		expect([await claim(session.id), await claim(other.session.id)]).toEqual([
			{ claimed: false, failed: true },
			{ claimed: false, failed: false },
		]);
		expect(await claim("cs_unknown")).toEqual({ claimed: false, failed: false });
		expect(await findRecordedSession(scene.db, "cs_unknown")).toBeNull();
	});

	test("that is open is found by its purchase", async () => {
		const [open, closed, other] = [await placed(), await placed({ status: "expired" }), await placed()];
		expect(await inTransaction((trx) => listPurchasesWithOpenSession(trx, [open.id, closed.id]))).toEqual([open.id]);
		expect(await inTransaction((trx) => listPurchasesWithOpenSession(trx, [other.id]))).toEqual([other.id]);
	});

	test("that is inserted again stays unchanged; a closed one does not store its client", async () => {
		const { id, session } = await placed();
		const before = await findRecordedSession(scene.db, session.id);
		await insertSession(scene.db, id, { ...session, url: "https://elsewhere.example" }, { openedBy: "somebody", now: ago(-minute) });
		expect(await findRecordedSession(scene.db, session.id)).toEqual(before);
		const paid = { ...session, id: "cs_replayed", status: "complete" as const, paymentId: "pi_1" };
		await insertSession(scene.db, id, paid, { openedBy: "somebody", now: scene.now() });
		expect(await findRecordedSession(scene.db, paid.id)).toMatchObject({ opened_by: null, payment_id: "pi_1", status: "complete" });
	});

	test("is the only open one of its order; a payment is inserted once, and one pays the order", async () => {
		const { id, session } = await placed();
		await insertSession(scene.db, id, { ...session, id: "cs_second" }, { openedBy: null, now: scene.now() });
		expect((await listSessions(scene.db, id)).map((remaining) => remaining.id)).toEqual([session.id]);
		const paying = { purchaseId: id, sessionId: session.id, amount: 5900, currency: "eur", role: "order", now: scene.now() } as const;
		await inTransaction((trx) => insertPayment(trx, { id: "pi_first", ...paying }));
		for (const second of ["pi_first", "pi_second"])
			await expect(inTransaction((trx) => insertPayment(trx, { id: second, ...paying }))).rejects.toThrow("duplicate key");
	});

	test("expires alone and once; is completed once, also after it has expired, and stays complete with its first payment", async () => {
		const [{ id, session }, other] = [await placed(), await placed()];
		const expire = () => inTransaction((trx) => expireSession(trx, session.id));
		const complete = (paymentId: string) =>
			inTransaction((trx) => completeSession(trx, id, { ...session, url: "", paymentId }, scene.now()));
		const recorded = await findRecordedSession(scene.db, session.id);
		expect([await expire(), await expire()]).toEqual([true, false]);
		expect(await findRecordedSession(scene.db, session.id)).toEqual({ ...recorded, status: "expired", opened_by: null });
		for (const paymentId of ["pi_1", "pi_2"]) await complete(paymentId);
		expect(await expire()).toBe(false);
		expect(await findRecordedSession(scene.db, session.id)).toEqual({
			...recorded,
			status: "complete",
			payment_id: "pi_1",
			opened_by: null,
		});
		expect(await findRecordedSession(scene.db, other.session.id)).toMatchObject({ status: "open", opened_by: expect.any(String) });
	});

	test("is recorded when it is paid before it was recorded", async () => {
		const { id, session } = await placed();
		const late = { ...session, id: "cs_late", url: "", paymentId: "pi_late" };
		await inTransaction((trx) => completeSession(trx, id, late, scene.now()));
		expect(await findRecordedSession(scene.db, "cs_late")).toMatchObject({
			...{ order_id: id, url: "", status: "complete", payment_id: "pi_late", opened_by: null },
			...{ created_at: scene.now(), expires_at: session.expiresAt },
		});
	});

	test("is deleted with the attempts of its order, and of no other", async () => {
		const [{ id }, other] = [await placed(), await placed()];
		await inTransaction((trx) => deleteSessions(trx, [id]));
		expect((await scene.db.selectFrom("payment_sessions").select("order_id").execute()).map(({ order_id }) => order_id)).toEqual([
			other.id,
		]);
		expect((await scene.db.selectFrom("payment_attempts").select("order_id").execute()).map(({ order_id }) => order_id)).toEqual([
			other.id,
		]);
	});
});

describe("payments are unannounced", () => {
	const second = 1000;
	const paidAgo = async (milliseconds: number) => {
		const { id, session } = await placed();
		const payment = { purchaseId: id, sessionId: session.id, amount: 5900, currency: "eur", role: "order" } as const;
		await inTransaction((trx) => insertPayment(trx, { id: `pi_${id}`, ...payment, now: ago(milliseconds) }));
	};
	const announcedAgo = (milliseconds: number, type = "checkout.session.completed") =>
		inTransaction((trx) => recordPaymentEvent(trx, crypto.randomUUID(), type, ago(milliseconds)));

	test.each<[string, number, { paid: number[]; events?: [number, string?][] }]>([
		["ten minutes after the payment", 1, { paid: [10 * minute] }],
		["not before", 0, { paid: [10 * minute - 1] }],
		["for a day", 1, { paid: [day] }],
		["not longer", 0, { paid: [day + 1] }],
		["all of them", 2, { paid: [20 * minute, 30 * minute] }],
		["over a minute after the last event", 1, { paid: [20 * minute], events: [[21 * minute + 1]] }],
		["not within a minute after it", 0, { paid: [20 * minute], events: [[21 * minute]] }],
		["not before it: one that was lost among others counts for nothing", 0, { paid: [20 * minute], events: [[2 * hour], [second]] }],
		["whatever other events say", 1, { paid: [20 * minute], events: [[minute, "charge.refunded"]] }],
		[
			"not if a slower means of payment was announced",
			0,
			{ paid: [20 * minute], events: [[second, "checkout.session.async_payment_succeeded"]] },
		],
	])("%s", async (_when, expected, { paid, events = [] }) => {
		await deleteRows(scene.db, "payment_events");
		for (const milliseconds of paid) await paidAgo(milliseconds);
		for (const [milliseconds, type] of events) await announcedAgo(milliseconds, type);
		expect(await countUnannounced(scene.db, scene.now())).toBe(expected);
	});
});

test("old events and reconciliations are deleted", async () => {
	const before = scene.now();
	for (const [name, at] of [
		["kept", before],
		["old", ago(1)],
	] as const) {
		await inTransaction((trx) => recordPaymentEvent(trx, name, "charge.refunded", at));
		await insertReconciliation(scene.db, { since: at, until: at, compared: 0, differences: [], now: at });
	}
	expect(await deletePaymentLogs(scene.db, before)).toBe(2);
	expect(await scene.db.selectFrom("payment_events").select(["id", "handled_at"]).execute()).toEqual([{ id: "kept", handled_at: before }]);
	expect(await scene.db.selectFrom("reconciliations").select("created_at").execute()).toEqual([{ created_at: before }]);
});

describe("the confirmation of an order", () => {
	test("is open without a cookie for a day from the payment, to the millisecond", async () => {
		const { id, session } = await placed();
		const [order, recorded] = [await scene.getOrder(id), await findRecordedSession(scene.db, session.id)];
		if (recorded === null) throw new Error("no session is known");
		const access = async (at: number, paid_at: Date | null = null) => {
			const context = { ...scene.shop, now: () => new Date(at) };
			return (await getConfirmationAccess(context, new Request("http://shop.example/"), recorded, { ...order, paid_at }))?.access;
		};
		const since = recorded.created_at.getTime();
		expect([await access(since + day - 1), await access(since + day)]).toEqual(["url", undefined]);
		const paid = new Date(since + hour);
		expect([await access(since + hour + day - 1, paid), await access(since + hour + day, paid)]).toEqual(["url", undefined]);
	});

	test("gets cookies for its open session, none for a closed one, and one each for the links that resume the payment and for the page of the order", async () => {
		const { id, session } = await placed({ status: "expired" });
		const listPaths = async () =>
			(await createConfirmationCookies(scene.shop, id, createVisit())).getSetCookie().map((cookie) => /; Path=([^;]+)/.exec(cookie)?.[1]);
		const order = await scene.getOrder(id);
		const others = [createResumePath(scene.shop, order), `/suivi/${order.order_number}`];
		expect(await listPaths()).toEqual(others);
		await scene.db.updateTable("payment_sessions").set({ status: "open" }).execute();
		expect(await listPaths()).toEqual([`/confirmation/${session.id}`, `/confirmation/${session.id}.data`, ...others]);
		expect((await listSessions(scene.db, id)).map(({ status }) => status)).toEqual(["open"]);
	});
});

describe("the sandbox's records", () => {
	beforeEach(() => deleteRows(scene.db, "sandbox.sessions"));
	const provider = () => sandboxProvider({ ...scene.shop, baseUrl: "https://shop.example" });

	async function opened(orderId: string = crypto.randomUUID()) {
		const created = await provider().createSession(sessionRequest(scene.now(), { purchaseId: orderId }));
		if (!created.ok) throw new Error(created.code);
		const { payment_intent } = await scene.db
			.selectFrom("sandbox.sessions")
			.select("payment_intent")
			.where("id", "=", created.session.id)
			.executeTakeFirstOrThrow();
		return { id: created.session.id, payment: payment_intent ?? "" };
	}
	async function paid(orderId?: string) {
		const created = await opened(orderId);
		const change = { status: "complete", payment_status: "paid", paid_at: scene.now() } as const;
		await scene.db.updateTable("sandbox.sessions").set(change).where("id", "=", created.id).execute();
		return created;
	}
	const give = (paymentId: string, amount: number, reference = "reference", key = "key") =>
		provider().refund({ paymentId, amount: cents(amount), key, reference });

	test("have no payment for an unpaid session", async () => {
		const { payment } = await opened();
		expect(await provider().findPayment(payment)).toEqual({ ok: true, payment: null });
		expect(await give(payment, 100)).toMatchObject({ code: "refused", providerCode: "resource_missing" });
	});

	test("do not count a failed refund", async () => {
		const { payment } = await paid();
		const refunded = await give(payment, 5900);
		await scene.db.updateTable("sandbox.refunds").set({ status: "failed" }).execute();
		const booked = async () => ((await provider().listPayments(ago(1), ago(-1))) as { payments: unknown[] }).payments;
		expect([refunded.ok, await booked()]).toMatchObject([true, [{ id: payment, refunded: 0 }]]);
		expect(await give(payment, 5900, "again", "another key")).toMatchObject({ ok: true });
		expect(await booked()).toMatchObject([{ refunded: 5900 }]);
	});

	test("date a payment by its creation if its own instant is not recorded, and a dispute's end a week after its beginning", async () => {
		const { id, payment } = await paid();
		await scene.db
			.updateTable("sandbox.sessions")
			.set({ paid_at: null, created_at: ago(hour) })
			.where("id", "=", id)
			.execute();
		const dispute = { id: "du_1", payment_intent: payment, status: "open" as const, created_at: ago(minute) };
		await scene.db.insertInto("sandbox.disputes").values(dispute).execute();
		expect(await provider().findPayment(payment)).toMatchObject({
			payment: {
				createdAt: ago(hour),
				dispute: { id: "du_1", status: "open", reason: "product_unacceptable", dueAt: ago(minute - 7 * day) },
			},
		});
		const listed = await provider().listPayments(ago(hour), ago(hour - 1));
		expect(listed).toMatchObject({ payments: [{ id: payment }] });
	});

	test("pay out each day's balance at its end, if it is positive; the money arrives two days later", async () => {
		const list = async (since: Date, until: Date) => {
			const listed = await provider().listPayouts(since, until);
			return listed.ok ? listed.payouts : [];
		};
		const all = () => list(ago(10 * day), ago(-10 * day));
		const movementsOf = async () => {
			const listed = await provider().listMovements(ago(10 * day), ago(-10 * day));
			return listed.ok ? listed.movements : [];
		};
		await give((await paid()).payment, 5786); // all but the fee
		const midnight = Date.parse("2026-11-24T00:00:00Z");
		scene.clock.at = midnight;
		expect(await all()).toEqual([]);
		await give((await paid()).payment, 5785, "reference", "another key");
		const createdAt = new Date(midnight + day - 1000);
		scene.clock.at = createdAt.getTime() - 1;
		expect(await all()).toEqual([]);
		scene.pass(1);
		const arrivesAt = new Date("2026-11-27T00:00:00Z");
		const payout = { id: "po_test_20261124", amount: 1, currency: "eur", status: "pending", isItemised: true, createdAt, arrivesAt };
		expect(await all()).toEqual([payout]);
		scene.clock.at = arrivesAt.getTime() - 1;
		expect(await all()).toEqual([payout]);
		scene.pass(1);
		expect(await all()).toEqual([{ ...payout, status: "paid" }]);
		const movements = await movementsOf();
		expect(movements.filter(({ kind }) => kind === "payout")).toEqual([
			{
				...{ id: "txn_po_test_20261124", kind: "payout", amount: -1, fee: 0, currency: "eur" },
				...{ paymentId: null, sourceId: "po_test_20261124", at: createdAt },
			},
		]);
		const contained = movements.filter(({ kind }) => kind !== "payout").map(({ id }) => id);
		expect(contained).toHaveLength(4);
		expect(await provider().listPaidOut("po_test_20261124")).toEqual({ ok: true, movementIds: contained });
		// from the first instant, without the last
		const at = createdAt.getTime();
		const counts = [await list(createdAt, new Date(at + 1)), await list(new Date(at + 1), arrivesAt), await list(new Date(0), createdAt)];
		expect(counts.map(({ length }) => length)).toEqual([1, 0, 0]);
	});

	test("return the refund of a repeated key only for the same payment and reference", async () => {
		const [{ payment }, other] = [await paid(), await paid()];
		await give(payment, 1000);
		expect(await give(other.payment, 1000)).toMatchObject({ code: "refused", providerCode: "idempotency_error" });
		expect(await give(payment, 1000, "another reference")).toMatchObject({ code: "refused", providerCode: "idempotency_error" });
		expect(await give(payment, 1000)).toMatchObject({ ok: true });
	});

	test("never refund more than was captured, even for two concurrent requests", async () => {
		const { payment } = await paid();
		const begun = await scene.db.transaction().execute(async (trx) => {
			await sql`select from sandbox.sessions where payment_intent = ${payment} for update`.execute(trx);
			const both = [give(payment, 5900, "one", "one"), give(payment, 5900, "other", "other")];
			// both wait: neither sees the other's refund
			for (let waiting = 0; waiting < 2; ) {
				const { rows } = await sql`
					select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and backend_type = 'client backend'`.execute(
					scene.db,
				);
				waiting = rows.length;
			}
			return { both };
		});
		expect((await Promise.all(begun.both)).filter(({ ok }) => ok)).toHaveLength(1);
	});

	test("are deleted with all that belongs to a session, except for orders in progress", async () => {
		const orders = [
			await placed({}, { status: "completed" }),
			await placed({}, { status: "paid" }),
			await placed({}, { status: "processing" }),
		];
		const old = [];
		for (const { id } of orders) old.push(await paid(id));
		for (const [at, { payment }] of old.entries()) {
			await give(payment, 100, "reference", `key ${at}`);
			const dispute = { id: `du_${at}`, payment_intent: payment, status: "open" as const, created_at: scene.now() };
			await scene.db.insertInto("sandbox.disputes").values(dispute).execute();
			const event = { id: `evt_${at}`, type: "checkout.session.completed", session_id: old[at]?.id, created_at: scene.now() };
			await scene.db.insertInto("sandbox.events").values(event).execute();
		}
		expect(await deleteOldSandboxRecords(scene.db, scene.now())).toBe(0);
		scene.pass(1);
		const young = await opened();
		expect(await deleteOldSandboxRecords(scene.db, scene.now())).toBe(1);
		const remaining = old.slice(1);
		const column = async (table: "sandbox.sessions" | "sandbox.refunds" | "sandbox.disputes", name: "id" | "payment_intent") =>
			(await scene.db.selectFrom(table).select(name).execute()).map((row) => (row as Record<string, unknown>)[name]).sort();
		expect(await column("sandbox.sessions", "id")).toEqual([...remaining, young].map(({ id }) => id).sort());
		for (const table of ["sandbox.refunds", "sandbox.disputes"] as const)
			expect(await column(table, "payment_intent")).toEqual(remaining.map(({ payment }) => payment).sort());
		const events = await scene.db.selectFrom("sandbox.events").selectAll().execute();
		expect(new Set(events.map(({ session_id, payment_intent }) => session_id ?? payment_intent))).toEqual(
			new Set(remaining.flatMap(({ id, payment }) => [id, payment])),
		);
	});

	test("lose the e-mail address of an erased order's customer, and of no other", async () => {
		const [first, second] = ["11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"];
		for (const orderId of [first, second]) await opened(orderId);
		await inTransaction((trx) => anonymiseSandboxCustomers(trx, [first]));
		const named = await scene.db.selectFrom("sandbox.sessions").select(["client_reference_id", "customer_email"]).execute();
		expect(Object.fromEntries(named.map((row) => [row.client_reference_id, row.customer_email]))).toEqual({
			[first]: "",
			[second]: "ada@example.fr",
		});
	});
});
