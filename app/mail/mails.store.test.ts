import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Trx } from "../../server/database/database.ts";
import { createOrderFixture, type OrderFixture, waitForLock } from "../../test/orders.ts";
import type { Order } from "../orders/order.ts";
import {
	anonymiseMails,
	deleteMail,
	deleteMails,
	deleteMailsOfKind,
	deleteOtherMails,
	deleteUnsentMail,
	findMail,
	findUnsentMail,
	insertMail,
	listMails,
	lockMailKind,
	markMailBounced,
	markMailSent,
	readUnsentMails,
	updateMailNotices,
	wasMailWrittenSince,
} from "./mails.store.server.ts";

// The rows of e-mails about orders, from their insertion to their deletion.

let shop: OrderFixture;
let order: Order;
let other: Order;
beforeAll(async () => {
	shop = await createOrderFixture({ startsAt: "2026-11-23T09:00:00Z" });
});
afterAll(() => shop?.close());
beforeEach(async () => {
	await shop.db.deleteFrom("mails").execute();
	[order, other] = [await shop.insertOrder(), await shop.insertOrder()];
});

const minute = 60_000;
const run = <T>(work: (trx: Trx) => Promise<T>) => shop.inTransaction(work);

/** @returns null when the e-mail exists already. */
const tryInsert = (values: Partial<Parameters<typeof insertMail>[1]> = {}) =>
	run((trx) => insertMail(trx, { orderId: order.id, kind: "confirmation", documentId: null, refundId: null, now: shop.start, ...values }));
const insert = async (values: Parameters<typeof tryInsert>[0] = {}) => (await tryInsert(values)) ?? expect.fail("it exists");

/** Every row, by its id, to see which ones an act changes. */
const readRows = async () => new Map((await shop.db.selectFrom("mails").selectAll().execute()).map((row) => [row.id, row]));

/** An e-mail that waits, one that was sent and one that came back, each of an own kind. */
async function insertThree(orderId = order.id) {
	const [unsent, sent, bounced] = [
		await insert({ orderId, kind: "late", recipient: "unsent@example.fr" }),
		await insert({ orderId, kind: "sent" }),
		await insert({ orderId, kind: "bounced" }),
	];
	await run((trx) => markMailSent(trx, sent, shop.start));
	await run((trx) => markMailBounced(trx, bounced, "550 no such user", shop.start));
	return { unsent, sent, bounced };
}

describe("an e-mail", () => {
	test("exists once for its order, kind, document, refund and notices, and keeps what it was queued with", async () => {
		const { order: paid, payment } = await shop.insertPaidOrder();
		const document = await shop.insertDocument(paid);
		const refund = await shop.insertRefund(payment);
		const mails = [
			{ orderId: paid.id },
			{ orderId: order.id },
			{ orderId: paid.id, kind: "late" },
			{ orderId: paid.id, documentId: document.id },
			{ orderId: paid.id, refundId: refund.id },
			{ orderId: paid.id, notices: ["A202600011", "B202600012"] },
			{ orderId: paid.id, notices: ["A202600011"], recipient: "ada@example.fr", now: shop.after(minute) },
		];
		for (const mail of mails) {
			const id = await insert(mail);
			expect(await findMail(shop.db, id)).toMatchObject({
				...{ id, order_id: mail.orderId, kind: mail.kind ?? "confirmation", created_at: mail.now ?? shop.start },
				...{ document_id: mail.documentId ?? null, refund_id: mail.refundId ?? null },
				...{ notices: mail.notices ?? null, recipient: mail.recipient ?? null },
				...{ sent_at: null, bounced_at: null, bounce_reason: null },
			});
		}
		for (const mail of mails) expect(await tryInsert({ ...mail, now: shop.after(2 * minute) })).toBeNull();
		expect(await findMail(shop.db, randomUUID())).toBeNull();
	});

	test("can be sent until it was sent or came back", async () => {
		const { unsent, sent, bounced } = await insertThree();
		const another = await insert();
		for (const id of [unsent, another]) expect(await findUnsentMail(shop.db, id)).toMatchObject({ id });
		for (const id of [sent, bounced, randomUUID()]) expect(await findUnsentMail(shop.db, id)).toBeNull();
	});

	test("is marked sent once, without the address that it was queued for", async () => {
		const { unsent } = await insertThree();
		const before = await readRows();
		expect(await run((trx) => markMailSent(trx, unsent, shop.after(minute)))).toBe(true);
		expect(await run((trx) => markMailSent(trx, unsent, shop.after(2 * minute)))).toBe(false);
		const row = before.get(unsent) ?? expect.fail();
		expect(row.recipient).toBe("unsent@example.fr");
		expect(await readRows()).toEqual(before.set(unsent, { ...row, sent_at: shop.after(minute), recipient: null }));
	});

	test("is marked bounced once, with the first 500 characters of the reason", async () => {
		const { unsent } = await insertThree();
		const before = await readRows();
		expect(await run((trx) => markMailBounced(trx, unsent, "x".repeat(501), shop.after(minute)))).toBe(true);
		expect(await run((trx) => markMailBounced(trx, unsent, "again", shop.after(2 * minute)))).toBe(false);
		const bounced = { bounced_at: shop.after(minute), bounce_reason: "x".repeat(500), recipient: null };
		expect(await readRows()).toEqual(before.set(unsent, { ...(before.get(unsent) ?? expect.fail()), ...bounced }));
	});

	test("tells other notices, alone", async () => {
		const [first, second] = [await insert({ notices: ["A1"] }), await insert({ notices: ["A2"] })];
		const before = await readRows();
		await run((trx) => updateMailNotices(trx, first, ["A1", "A3"]));
		expect(await readRows()).toEqual(before.set(first, { ...(before.get(first) ?? expect.fail()), notices: ["A1", "A3"] }));
		expect((await findMail(shop.db, second))?.notices).toEqual(["A2"]);
	});
});

test("the e-mails of an order are listed oldest first, those of an instant by their id", async () => {
	await insert({ orderId: other.id });
	const expected: string[] = [];
	for (const [kind, minutes] of [
		["third", 2],
		["first", 0],
		["second", 1],
	] as const)
		expected[minutes] = await insert({ kind, now: shop.after(minutes * minute) });
	// the larger id is stored first, so that the order of the rows is not that of the ids
	const [smaller = "", larger = ""] = [randomUUID(), randomUUID()].sort();
	for (const id of [larger, smaller])
		await shop.db
			.insertInto("mails")
			.values({ id, order_id: order.id, kind: id, created_at: shop.after(3 * minute) })
			.execute();
	expect((await listMails(shop.db, order.id)).map(({ id }) => id)).toEqual([...expected, smaller, larger]);
});

describe("deleted are", () => {
	/** Runs an act on three e-mails of an order, and returns which of them and of another order's three are left. */
	async function listLeft(act: (trx: Trx, mails: Awaited<ReturnType<typeof insertThree>>) => Promise<unknown>) {
		const mails = { mine: await insertThree(), theirs: await insertThree(other.id) };
		await run((trx) => act(trx, mails.mine));
		const rows = await readRows();
		return Object.entries(mails).flatMap(([whose, three]) =>
			Object.entries(three)
				.filter(([, id]) => rows.has(id))
				.map(([state]) => `${whose} ${state}`),
		);
	}
	const all = ["mine unsent", "mine sent", "mine bounced", "theirs unsent", "theirs sent", "theirs bounced"];
	const allBut = (...gone: string[]) => all.filter((each) => !gone.includes(each));

	test("one e-mail, in any state", async () => {
		expect(await listLeft((trx, { sent }) => deleteMail(trx, sent))).toEqual(allBut("mine sent"));
	});

	test("one e-mail that no longer applies, unless it was sent or came back", async () => {
		expect(
			await listLeft(async (trx, { unsent, sent, bounced }) => {
				for (const id of [unsent, sent, bounced]) await deleteUnsentMail(trx, id);
			}),
		).toEqual(allBut("mine unsent"));
	});

	test("those of one kind of one order", async () => {
		expect(await listLeft((trx) => deleteMailsOfKind(trx, order.id, "sent"))).toEqual(allBut("mine sent"));
	});

	test("all of an order, or all but some", async () => {
		expect(await listLeft((trx) => deleteMails(trx, [order.id]))).toEqual(all.slice(3));
		await shop.db.deleteFrom("mails").execute();
		expect(await listLeft((trx, { sent, bounced }) => deleteOtherMails(trx, order.id, [sent, bounced]))).toEqual(allBut("mine unsent"));
	});

	test("with a person, those that wait and those about notices; of the others, the reason and the address", async () => {
		const notices = await insert({ notices: ["A1"] });
		await run((trx) => markMailSent(trx, notices, shop.start));
		expect(await listLeft((trx) => anonymiseMails(trx, [order.id]))).toEqual(allBut("mine unsent"));
		expect(await findMail(shop.db, notices)).toBeNull();
		const [mine] = (await listMails(shop.db, order.id)).filter(({ kind }) => kind === "bounced");
		const [theirs] = (await listMails(shop.db, other.id)).filter(({ kind }) => kind === "bounced");
		expect([mine?.bounced_at, mine?.bounce_reason, theirs?.bounce_reason]).toEqual([shop.start, null, "550 no such user"]);
		// a net: an e-mail that came back has no address left
		const changed = { bounce_reason: "550", recipient: "ada@example.fr" };
		for (const row of [mine, theirs])
			await shop.db
				.updateTable("mails")
				.set(changed)
				.where("id", "=", row?.id ?? "")
				.execute();
		await run((trx) => anonymiseMails(trx, [order.id]));
		expect(await findMail(shop.db, mine?.id ?? "")).toEqual({ ...mine, recipient: null });
		expect(await findMail(shop.db, theirs?.id ?? "")).toEqual({ ...theirs, ...changed });
	});
});

describe("of one kind, over all orders", () => {
	test("an e-mail of an instant or later counts, one before and those of other kinds do not", async () => {
		await insert({ now: shop.after(minute) });
		await insert({ kind: "late", now: shop.after(2 * minute) });
		const since = (kind: string, milliseconds: number) => run((trx) => wasMailWrittenSince(trx, kind, shop.after(milliseconds)));
		expect([await since("confirmation", minute), await since("confirmation", minute + 1), await since("failed", 0)]).toEqual([
			true,
			false,
			false,
		]);
	});

	test("two transactions decide one after the other; another kind does not wait", async () => {
		const decide = (trx: Trx) => lockMailKind(trx, "late").then(() => wasMailWrittenSince(trx, "late", shop.start));
		const { second } = await run(async (trx) => {
			expect(await decide(trx)).toBe(false);
			await run((free) => lockMailKind(free, "failed"));
			const second = run(decide);
			await waitForLock(shop.db, second);
			await insertMail(trx, { orderId: order.id, kind: "late", documentId: null, refundId: null, now: shop.start });
			return { second };
		});
		expect(await second).toBe(true);
	});
});

test("an e-mail is overdue at once, a reminder to pay after ten minutes, one of published notices after six hours", async () => {
	const read = (milliseconds: number) => run((trx) => readUnsentMails(trx, shop.after(milliseconds)));
	expect(await read(0)).toEqual({ unsent: 0, age: 0 });
	await insertThree();
	await insert({ kind: "resume" });
	await insert({ kind: "extract-notices" });
	expect([await read(-1), await read(0)]).toEqual([
		{ unsent: 0, age: 0 },
		{ unsent: 1, age: 0 },
	]);
	const hours = 60 * minute;
	for (const [at, unsent] of [
		[10 * minute - 1, 1],
		[10 * minute, 2],
		[6 * hours - 1, 2],
		[6 * hours, 3],
	] as const)
		expect(await read(at)).toEqual({ unsent, age: at / 1000 });
});
