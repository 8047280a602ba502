import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createTestShop, paymentRequest, type TestShop } from "../../test/shop.ts";
import { scaledTimeout } from "../../test/time-limits.ts";
import { sweepPayments } from "./sweep-payments.server.ts";

// What a flood of unpaid orders does to the owners of the mailboxes it names, and to customers who pay.

const minute = 60_000;
const day = 86_400_000;
let shop: TestShop;
let now = new Date("2026-11-23T09:00:00Z");
beforeAll(async () => {
	shop = await createTestShop({ variables: { TRUSTED_PROXIES: "1" }, now: () => now });
});
afterAll(() => shop?.close());

const advanceClock = (milliseconds: number) => {
	now = new Date(now.getTime() + milliseconds);
};

async function placeOrder(ip: string, customer: Record<string, unknown>) {
	const answer = await shop.postJson("/api/create-payment", paymentRequest({ customer }), { "x-forwarded-for": ip });
	const { url } = (await answer.json()) as { url: string };
	const sessionId = url.split("/").at(-1) ?? "";
	const { order_id: id, order_number: number } = await shop.shop.db
		.selectFrom("payment_sessions")
		.innerJoin("orders", "orders.id", "order_id")
		.select(["order_id", "order_number"])
		.where("payment_sessions.id", "=", sessionId)
		.executeTakeFirstOrThrow();
	return { id, number, sessionId };
}

/** Lets a day pass, in which the sessions of some orders expire. */
async function expireSessions(placed: { sessionId: string }[]): Promise<void> {
	advanceClock(day);
	await sql`update sandbox.sessions set status = 'expired' where id = any(${placed.map(({ sessionId }) => sessionId)})`.execute(
		shop.shop.db,
	);
	await sweepPayments(shop.shop);
}

/** Sends the delayed mails, as the queue's clock does not move with the shop's. Mails that must not be sent are dropped. */
const sendDelayedMails = () =>
	vi.waitFor(
		async () => {
			await sql`update jobs.job_common set start_after = now() where name = 'send-order-mail' and state = 'created'`.execute(shop.shop.db);
			const unsent = await shop.shop.db.selectFrom("mails").select("id").where("sent_at", "is", null).execute();
			if (unsent.length > 0) throw new Error(`${unsent.length} mails have not left`);
		},
		{ timeout: scaledTimeout(20_000), interval: 50 },
	);

const mailsTo = (email: string) =>
	shop.shop.db
		.selectFrom("mails")
		.innerJoin("orders", "orders.id", "mails.order_id")
		.select(["mails.order_id", "mails.kind"])
		.where("orders.customer_email", "=", email)
		.execute();

describe("a paid session is synced before a flood of unpaid ones", () => {
	// one client with many mailboxes, and many clients with one: each has more open sessions than one sweep handles
	test.each<[string, (index: number) => [string, string]]>([
		["one client", (index) => ["198.51.100.1", `flood${index}@example.fr`]],
		["one mailbox", (index) => [`10.0.${index >> 8}.${index & 255}`, "third.party@example.fr"]],
	])("opened earlier by %s", async (_what, attempt) => {
		for (let from = 0; from < 220; from += 20)
			await Promise.all(
				Array.from({ length: 20 }, (_, index) => {
					const [ip, email] = attempt(from + index);
					return placeOrder(ip, { email });
				}),
			);
		advanceClock(minute);
		const customer = await placeOrder("203.0.113.7", { email: "ada@example.fr" });
		await shop.payInSilence(customer.sessionId);
		advanceClock(3 * minute);
		await sweepPayments(shop.shop);
		expect((await shop.orderRow(customer.id)).paid_at).toEqual(now);
	});

	test("an open session stores its client as a keyed hash, a closed one stores none", async () => {
		const hashes = async (status: "open" | "complete") =>
			(await shop.shop.db.selectFrom("payment_sessions").select("opened_by").where("status", "=", status).execute()).map(
				({ opened_by }) => opened_by,
			);
		const open = new Set(await hashes("open"));
		// the sessions of the one client, and the 220 of the other flood
		expect(open.size).toBe(221);
		for (const hash of open) expect(hash).toMatch(/^[\w-]{22}$/);
		expect(await hashes("complete")).toEqual([null, null]);
		const attempts = await shop.shop.db.selectFrom("payment_attempts").select("order_id").where("opened_by", "is not", null).execute();
		expect(attempts).toEqual([]);
		await sql`update payment_sessions set status = 'expired' where status = 'open'`.execute(shop.shop.db);
	});
});

describe("a mailbox that somebody else names", () => {
	const stranger = "nobody@example.fr";
	const typed = { email: stranger, firstName: "Félicitations", lastName: "vous avez gagné" };

	test("gets one reminder a day, which greets nobody by a typed name", async () => {
		const placed = [];
		for (let index = 0; index < 5; index++) placed.push(await placeOrder(`192.0.2.${index}`, typed));
		await expireSessions(placed);
		for (const { id } of placed) expect((await shop.orderRow(id)).failure_reason).toBe("expired");
		await sendDelayedMails();
		const [mail, ...others] = await mailsTo(stranger);
		expect([mail?.kind, others]).toEqual(["resume", []]);
		const reminded = placed.find(({ id }) => id === mail?.order_id);
		if (!reminded) throw new Error("another order was reminded of");
		const [letter] = await shop.getMails({ ...reminded, payUrl: "" }, "resume");
		expect(letter?.text).toContain("Bonjour,");
		expect(letter?.text).not.toMatch(/Félicitations|gagné/);
	});

	test("gets at most three receipts of unpaid orders a day, from all buttons together", async () => {
		for (let index = 0; index < 3; index++) {
			const cancelled = await placeOrder("192.0.2.9", typed);
			const access = await shop.postForm("/suivi-commande", { email: stranger, orderId: cancelled.number });
			const cookie = access.headers.get("set-cookie")?.split(";")[0] ?? "";
			await shop.postForm(`/suivi/${cancelled.number}`, { intent: "cancel" }, { cookie });
			expect((await shop.orderRow(cancelled.id)).failure_reason).toBe("cancelled");
			const withdrawn = await placeOrder("192.0.2.9", typed);
			const page = await (await shop.postForm("/retractation", { email: stranger, orderId: withdrawn.number })).text();
			await shop.postForm("/retractation", { declaration: /name="declaration" value="([^"]+)"/.exec(page)?.[1] ?? "" });
			expect((await shop.orderRow(withdrawn.id)).failure_reason).toBe("cancelled");
		}
		await sendDelayedMails();
		const kinds = (await mailsTo(stranger)).map(({ kind }) => kind);
		expect(kinds).toHaveLength(4);
		expect(kinds.filter((kind) => kind === "resume")).toHaveLength(1);
	});

	test("gets another reminder the next day, if the orders go on", async () => {
		await expireSessions([await placeOrder("192.0.2.10", typed)]);
		await sendDelayedMails();
		expect((await mailsTo(stranger)).filter(({ kind }) => kind === "resume")).toHaveLength(2);
	});
});

test.each(["https://evil.example/gagner", "www.evil.example", "gagnez@evil.example"])("« %s » is refused as a name", async (lastName) => {
	const answer = await shop.postJson("/api/create-payment", paymentRequest({ customer: { lastName } }));
	expect([answer.status, await answer.json()]).toEqual([400, { error: "Ce champ contient des caractères qui ne sont pas acceptés" }]);
});
