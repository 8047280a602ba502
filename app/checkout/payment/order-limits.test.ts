import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createTestShop, paymentRequest, type TestShop } from "../../../test/shop.ts";
import type { Siren } from "../../companies/siren.ts";
import { placePurchaseWithinLimits } from "../../orders/place-purchase.server.ts";
import { readOrderValues } from "../form/read-order-values.ts";
import { createDraft } from "./start-checkout.server.ts";

// How many orders an hour allows: for a client, for a mailbox, for the whole shop. Each burst is concurrent.

let shop: TestShop;
let now = new Date("2026-11-23T09:00:30Z"); // 10 h 00 in Paris
const lines: string[] = [];
const alarm = "the shop is at its limit of orders an hour";
beforeAll(async () => {
	const limits = { ORDER_LIMITS: "client=5,mailbox=3,shop=20", TRUSTED_PROXIES: "1" };
	shop = await createTestShop({ variables: limits, now: () => now, onLog: (line) => lines.push(line) });
});
afterEach(async () => {
	await sql`delete from rate_limits`.execute(shop.shop.db);
});
afterAll(() => shop?.close());

interface Attempt {
	ip?: string;
	email?: string;
	key?: string;
}

const order = ({ ip = "198.51.100.1", email = "ada@example.fr", key }: Attempt) =>
	shop.postJson("/api/create-payment", paymentRequest({ customer: { email } }), {
		"x-forwarded-for": ip,
		...(key && { "idempotency-key": key }),
	});

const burst = (count: number, attempt: (index: number) => Attempt) =>
	Promise.all(Array.from({ length: count }, (_, index) => order(attempt(index))));

const statuses = (answers: Response[]) => Object.groupBy(answers, ({ status }) => status);

const readSentence = async (answer: Response) => ((await answer.json()) as { error: string }).error.replaceAll("\u00a0", " ");

describe("a burst places as many orders as allowed", () => {
	test.each<[string, number, (index: number) => Attempt, string]>([
		["one client, many mailboxes", 5, (index) => ({ email: `client${index}@example.fr` }), "depuis votre connexion"],
		["one IPv6 /64", 5, (index) => ({ ip: `2001:db8:1:2::${index}`, email: `client${index}@example.fr` }), "depuis votre connexion"],
		["one mailbox, many clients", 3, (index) => ({ ip: `198.51.100.${index}`, email: "Ada@Example.fr" }), "avec cette adresse e-mail"],
		[
			"many clients and mailboxes: the shop's, and a tenth for those who are new",
			22,
			(index) => ({ ip: `198.51.100.${index}`, email: `client${index}@example.fr` }),
			"Nous recevons trop de commandes",
		],
	])("%s: %i", async (_what, allowed, attempt, sentence) => {
		const before = await shop.countOrders();
		lines.length = 0;
		const answers = statuses(await burst(60, attempt));
		// one log line when the shop's limit is reached, for all refused orders
		expect(lines.filter((line) => line.includes(alarm))).toHaveLength(sentence.startsWith("Nous") ? 1 : 0);
		expect(lines.join()).not.toMatch(/example\.fr|198\.51|2001:db8/);
		// what is counted is the orders: the payment page of a placed one may not open in time on a machine under load
		expect(await shop.countOrders()).toBe(before + allowed);
		expect(answers[429]).toHaveLength(60 - allowed);
		for (const refused of answers[429] ?? []) {
			expect(refused.headers.get("retry-after")).toBe("3600");
			expect(await readSentence(refused)).toMatch(new RegExp(`${sentence}.* Réessayez à partir de 11 h 01, heure de Paris\\.$`));
		}
	});

	test("clients who have ordered before cannot take the last tenth, which is for new ones", async () => {
		for (let client = 0; client < 4; client++)
			await burst(5, (index) => ({ ip: `198.51.100.${client}`, email: `client${client}${index}@example.fr` }));
		const again = await order({ ip: "198.51.100.200", email: "client00@example.fr" });
		expect(again.status).toBe(429);
		expect((await order({ ip: "203.0.113.7", email: "grace@example.fr" })).status).toBe(200);
	});
});

describe("a purchase counts its lines", () => {
	const draft = (email: string) =>
		createDraft(readOrderValues(new URLSearchParams({ email, firstName: "Ada", lastName: "Lovelace" })), {
			...{ service: "standard", siren: "552032534" as Siren, companyName: "DANONE", reference: null, consents: null },
		});
	/** Places a purchase of so many lines. @returns what refused it. */
	const place = async (lines: number, { client = "a client", email = "ada@example.fr", mailbox = 10 } = {}) => {
		const options = { key: null, terms: null, client, limits: { client: 30, mailbox, shop: 600 }, now };
		const drafts = Array.from({ length: lines }, () => draft(email));
		const placed = await shop.shop.db.transaction().execute((trx) => placePurchaseWithinLimits(shop.shop, trx, drafts, options));
		return placed.ok ? "placed" : "by" in placed ? placed.by : placed.code;
	};

	test("a point for each begun twenty-five: the largest purchase leaves its mailbox two more", async () => {
		expect([await place(200), await place(25), await place(26), await place(25)]).toEqual(["placed", "placed", "mailbox", "placed"]);
		expect(await place(1)).toBe("mailbox");
	});

	test("a client places seven hundred and fifty orders in an hour, however they are bought", async () => {
		const from = (i: number) => ({ email: `client${i}@example.fr` });
		expect([await place(200, from(1)), await place(200, from(2)), await place(200, from(3))]).toEqual(["placed", "placed", "placed"]);
		expect([await place(151, from(4)), await place(150, from(5)), await place(1, from(6))]).toEqual(["client", "placed", "client"]);
	});

	test("where a mailbox has fewer points than the largest purchase takes, one is placed, and nothing beside it", async () => {
		const few = { mailbox: 3 };
		expect([await place(200, few), await place(1, few)]).toEqual(["placed", "mailbox"]);
		expect([await place(1, { ...few, email: "grace@example.fr" }), await place(200, { ...few, email: "grace@example.fr" })]).toEqual([
			"placed",
			"mailbox",
		]);
	});
});

test("an hour later the points are back", async () => {
	await burst(5, (index) => ({ email: `client${index}@example.fr` }));
	now = new Date(now.getTime() + 3_599_000);
	const last = await order({ email: "grace@example.fr" });
	expect([last.status, last.headers.get("retry-after")]).toEqual([429, "1"]);
	now = new Date(now.getTime() + 1000);
	expect((await order({ email: "grace@example.fr" })).status).toBe(200);
});

describe("a repeated key is free", () => {
	test("fifty concurrent requests with one key place one order and take one point", async () => {
		const before = await shop.countOrders();
		const answers = await burst(50, () => ({ key: "fifty at once" }));
		expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200));
		expect(await shop.countOrders()).toBe(before + 1);
		expect(statuses(await burst(10, (index) => ({ email: `client${index}@example.fr` })))[200]).toHaveLength(4);
	});

	test("a repeated key is accepted when no point is left", async () => {
		await order({ key: "the first" });
		await burst(10, (index) => ({ email: `client${index}@example.fr` }));
		expect((await order({ email: "grace@example.fr" })).status).toBe(429);
		expect((await order({ key: "the first" })).status).toBe(200);
		const other = await order({ key: "the first", email: "grace@example.fr" });
		expect(other.status).toBe(409);
	});
});

test("an order refused for its client takes no point of the mailbox and the shop", async () => {
	await burst(5, (index) => ({ email: `client${index}@example.fr` }));
	await burst(30, () => ({ email: "ada@example.fr" }));
	expect(statuses(await burst(4, (index) => ({ ip: `203.0.113.${index}`, email: "ada@example.fr" })))[200]).toHaveLength(3);
});

test("the payment page shows the limit too, and keeps the form's values", async () => {
	await burst(5, (index) => ({ email: `client${index}@example.fr` }));
	const query = "siren=552032534&service=express&email=ada%40example.fr&firstName=Ada&lastName=Lovelace&acceptTerms=on";
	const answer = await shop.postForm(
		`/paiement?${query}`,
		{ key: crypto.randomUUID(), amount: "5900" },
		{ "x-forwarded-for": "198.51.100.1" },
	);
	expect([answer.status, answer.headers.get("retry-after")]).toEqual([429, "3600"]);
	const page = await answer.text();
	for (const shown of ["Trop de commandes ont été passées depuis votre connexion.", "Votre saisie est conservée.", "Lovelace"])
		expect(page).toContain(shown);
});

test("the shop's limit is logged once in ten minutes", async () => {
	const before = Date.now();
	await burst(23, (index) => ({ ip: `198.51.100.${index}`, email: `client${index}@example.fr` }));
	const counts = await sql<{ expire: string }>`select expire from rate_limits where key like 'order-alarm:%'`.execute(shop.shop.db);
	const until = Number(counts.rows[0]?.expire);
	expect(until).toBeGreaterThanOrEqual(before + 600_000);
	expect(until).toBeLessThanOrEqual(Date.now() + 600_000);
});
