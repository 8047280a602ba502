import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestShop, type TestShop } from "../../../test/shop.ts";
import { services } from "../../catalogue/services.ts";
import { failuresPerEmail } from "./track-order.server.ts";

type Placed = Awaited<ReturnType<TestShop["placeOrder"]>>;

let shop: TestShop;
let express: Placed;
let postal: Placed;
beforeAll(async () => {
	shop = await createTestShop();
	[express, postal] = await Promise.all([
		shop.completeOrder({ customer: { email: "Ada@Example.fr" } }),
		shop.completeOrder({ service: "postal", customer: { email: "grace@example.fr" } }),
	]);
	await Promise.all([shop.getMails(express, "confirmation"), shop.getMails(postal, "confirmation"), shop.getMails(postal, "posted")]);
});
afterAll(() => shop?.close());

const notFound = "Commande non trouvée. Vérifiez vos informations.";
const track = (body: unknown) => shop.postJson("/api/suivi", body);
const readAnswer = async (asked: Promise<Response>) => {
	const answer = await asked;
	return { status: answer.status, body: await answer.json() };
};
/** Failures are counted by e-mail and by client; tests that make many delete them first. */
const deleteFailures = () => sql`delete from rate_limits`.execute(shop.shop.db);

describe("a search by e-mail and number", () => {
	test("accepts the number in any case and spacing, or the UUID, and the e-mail in any case with any blanks", async () => {
		const compact = express.number.replaceAll("-", "");
		const references = [
			...[
				express.number,
				express.number.toLowerCase(),
				` ${express.number} `,
				compact,
				compact.slice(2),
				express.number.replaceAll("-", " "),
			],
			...[express.id, express.id.toUpperCase(), ` ${express.id} `],
		];
		for (const orderId of references)
			for (const email of ["Ada@Example.fr", "ada@example.fr", " ADA@EXAMPLE.FR\t", "ada @ example.fr"]) {
				const { status, body } = await readAnswer(track({ email, orderId }));
				expect({ status, id: body.order?.id }, `${orderId}, ${email}`).toEqual({ status: 200, id: express.id });
			}
	});

	test("gives the same answer, to the letter, whatever is wrong", async () => {
		const wrong = [
			{ email: "ada@example.fr", orderId: "KB-2222-2222" },
			{ email: "grace@example.fr", orderId: express.number },
			{ email: "personne@example.fr", orderId: express.id },
			{ email: "personne@example.fr", orderId: "KB-2222-2222" },
			{ email: "ada@example.fr", orderId: "00000000-0000-4000-8000-000000000000" },
			{ email: "ada@example.fr", orderId: "n’importe quoi" },
			{ email: "ada@example.fr' or '1'='1", orderId: express.number },
			{ email: "a\u0000da@example.fr", orderId: "\u0000" },
			{ email: "%", orderId: express.number },
		];
		for (const body of wrong) {
			const answer = await track(body);
			expect({ status: answer.status, text: await answer.text() }).toEqual({ status: 404, text: JSON.stringify({ error: notFound }) });
			expect(answer.headers.get("cache-control")).toBe("no-store");
		}
		await deleteFailures();
	});

	test.each<[string, unknown]>([
		["nothing", {}],
		["no e-mail", { orderId: "KB-2222-2222" }],
		["no number", { email: "ada@example.fr" }],
		["an empty e-mail", { email: " ", orderId: "KB-2222-2222" }],
		["an empty number", { email: "ada@example.fr", orderId: "" }],
		["null", null],
		["a list", []],
		["a text", "KB-2222-2222"],
		["other types", { email: { contains: "@" }, orderId: 12 }],
		["too long an e-mail", { email: `${"a".repeat(300)}@example.fr`, orderId: "KB-2222-2222" }],
	])("%s: refused with a sentence", async (_what, body) => {
		const answer = await readAnswer(track(body));
		expect(answer).toEqual({ status: 400, body: { error: "Veuillez remplir tous les champs" } });
	});

	test("refuses a body without JSON, and any method but POST", async () => {
		expect((await shop.ask("/api/suivi", { method: "POST", body: "{" })).status).toBe(400);
		for (const method of ["GET", "PUT", "DELETE"]) {
			const answer = await readAnswer(shop.ask("/api/suivi", { method }));
			expect(answer).toEqual({ status: 405, body: { error: expect.stringMatching(/POST/) } });
		}
	});
});

describe("the API returns", () => {
	const iso = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$/);

	test("an order by e-mail, exactly", async () => {
		const { body } = await readAnswer(track({ email: "ada@example.fr", orderId: express.number }));
		expect(body).toEqual({
			order: {
				id: express.id,
				order_number: express.number,
				customer_email: "Ada@Example.fr",
				status: "completed",
				product_code: "express",
				price_cents: services.express.price,
				created_at: iso,
				siren: "552032534",
				company_name: "DANONE",
				promised_at: iso,
				extract_requested_at: iso,
				completed_at: iso,
				refunded_cents: 0,
				disputed: false,
				late: false,
				tracking_number: null,
			},
			documents: expect.arrayContaining(
				["kbis", "invoice"].map((doc_type) => ({
					id: expect.stringMatching(/^[0-9a-f-]{36}$/),
					order_id: express.id,
					doc_type,
					issued_at: iso,
					created_at: iso,
					sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
					number: doc_type === "invoice" ? expect.stringMatching(/^F\d{4}-\d{6}$/) : null,
					replaced: false,
					url: expect.stringMatching(/^\/documents\/[\w-]+\.[\w-]+$/),
				})),
			),
			events: expect.any(Array),
		});
	});

	test("the order's events, oldest first", async () => {
		const { body } = await readAnswer(track({ email: "ada@example.fr", orderId: express.id }));
		const events: { id: string; order_id: string; event_type: string; payload: unknown; created_at: string }[] = body.events;
		expect(events.map(({ event_type }) => event_type).filter((type) => type !== "mail_sent")).toEqual([
			...["created", "paid", "processing", "extract_requested", "document_issued", "document_sent", "completed"],
		]);
		for (const event of events)
			expect(event).toEqual({
				...{ id: expect.any(String), order_id: express.id, event_type: expect.any(String), created_at: iso },
				payload: expect.any(Object),
			});
		const moments = events.map(({ created_at, id }) => `${created_at} ${id.padStart(20)}`);
		expect(moments).toEqual([...moments].sort());
		expect(JSON.stringify(body)).not.toMatch(/cs_test|Lovelace|rue de la Paix/);
	});

	test("events sorted by instant, then by id: a later row may be of an earlier event", async () => {
		const placed = await shop.placeOrder();
		const { db } = shop.shop;
		const at = (time: string) => new Date(`2026-11-20T${time}Z`);
		const event = (event_type: string, created_at: Date) => ({ order_id: placed.id, event_type, payload: "{}", created_at });
		await db.deleteFrom("order_events").where("order_id", "=", placed.id).execute();
		await db
			.insertInto("order_events")
			.values([event("mail_sent", at("09:00:00.101")), event("document_sent", at("09:00:00.100")), event("completed", at("09:00:00.101"))])
			.execute();
		const { body } = await readAnswer(track({ email: "ada@example.fr", orderId: placed.number }));
		const types = (body.events as { event_type: string }[]).map(({ event_type }) => event_type);
		expect(types).toEqual(["document_sent", "mail_sent", "completed"]);
	});

	test("the order's documents, newest first", async () => {
		const { body } = await readAnswer(track({ email: "ada@example.fr", orderId: express.id }));
		const documents: { doc_type: string; created_at: string }[] = body.documents;
		expect(documents.map(({ doc_type }) => doc_type).sort()).toEqual(["invoice", "kbis"]);
		const dates = documents.map(({ created_at }) => created_at);
		expect(dates).toEqual([...dates].sort().reverse());
	});

	test("no deadline and no document for an unpaid order", async () => {
		const placed = await shop.placeOrder();
		const { body } = await readAnswer(track({ email: "ada@example.fr", orderId: placed.number }));
		expect(body).toMatchObject({ order: { status: "pending", promised_at: null, completed_at: null }, documents: [] });
		expect(body.events).toHaveLength(1);
	});

	test("no document while the payment is disputed", async () => {
		const placed = await shop.completeOrder();
		await shop.shop.db.updateTable("orders").set({ disputed_at: new Date() }).where("id", "=", placed.id).execute();
		const { body } = await readAnswer(track({ email: "ada@example.fr", orderId: placed.number }));
		expect(body.documents).toEqual([]);
	});
});

describe("guessing is limited", () => {
	test("twenty failures limit a client for one e-mail; the right pair still opens the order, on the page too", async () => {
		const failed = await Promise.all(
			Array.from({ length: failuresPerEmail }, () => track({ email: "grace@example.fr", orderId: "KB-2222-2222" })),
		);
		expect(failed.map(({ status }) => status)).toEqual(Array(failuresPerEmail).fill(404));
		const refused = await track({ email: " GRACE@example.fr", orderId: "KB-2222-2222" });
		expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(600);
		expect(await readAnswer(Promise.resolve(refused))).toEqual({ status: 429, body: { error: expect.stringMatching(/\S/) } });
		const page = await shop.postForm("/suivi-commande", { email: "grace@example.fr", orderId: "KB-2222-2222" });
		expect([page.status, Number(page.headers.get("retry-after")) > 600]).toEqual([429, true]);
		expect((await shop.postForm("/retractation", { email: "grace@example.fr", orderId: "KB-2222-2222" })).status).toBe(429);
		expect((await track({ email: "grace@example.fr", orderId: postal.number })).status).toBe(200);
		expect((await shop.postForm("/suivi-commande", { email: "grace@example.fr", orderId: postal.number })).status).toBe(303);
		expect((await shop.postForm("/retractation", { email: "grace@example.fr", orderId: postal.number })).status).toBe(200);
		await deleteFailures();
	});

	test("at most twenty tries of a burst at one e-mail get another answer than « wait »", async () => {
		const burst = await Promise.all(Array.from({ length: 200 }, () => track({ email: "grace@example.fr", orderId: "KB-2222-2222" })));
		expect(burst.filter(({ status }) => status === 404)).toHaveLength(failuresPerEmail);
		expect(burst.filter(({ status }) => status === 429)).toHaveLength(200 - failuresPerEmail);
		await deleteFailures();
	});

	test("a search that cannot be counted fails with a sentence, and keeps what was typed", async () => {
		const search = () => shop.postForm("/suivi-commande", { email: "personne@example.fr", orderId: "KB-2222-2222" });
		await sql`alter table rate_limits rename to away`.execute(shop.shop.db);
		const failed = await search().finally(() => sql`alter table away rename to rate_limits`.execute(shop.shop.db));
		const page = await failed.text();
		expect([failed.status, page.includes("Erreur lors de la recherche")]).toEqual([500, true]);
		expect(page).toContain('value="personne@example.fr"');
		expect((await search()).status).toBe(404);
		await deleteFailures();
	});

	test("successes do not count", async () => {
		for (let i = 0; i < failuresPerEmail + 5; i++)
			expect((await track({ email: "ada@example.fr", orderId: express.number })).status).toBe(200);
	});

	test("the stored counts contain no personal data", async () => {
		await track({ email: "personne@example.fr", orderId: "KB-2222-2222" });
		const { rows } = await sql`select * from rate_limits`.execute(shop.shop.db);
		expect(rows.length).toBeGreaterThan(0);
		expect(JSON.stringify(rows)).not.toMatch(/personne|127\.0\.0\.1|::1/);
		await deleteFailures();
	});
});
