import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createSigner, type TokenResult } from "../../server/signing.ts";
import { createOrderFixture, type OrderFixture } from "../../test/orders.ts";
import { documentToken } from "../documents/document-token.server.ts";
import { confirmationToken } from "../tracking/confirmation/confirmation-access.server.ts";
import { declarationTokens, receiptTokens } from "../tracking/declaration-token.server.ts";
import { describeOrder } from "../tracking/describe-order.server.ts";
import { findDocumentOrigin } from "../tracking/documents/find-document-origin.server.ts";
import { openDocument } from "../tracking/documents/open-document.server.ts";
import { failuresPerClient, failuresPerEmail, trackOrder } from "../tracking/track-order.server.ts";
import { readAccessCookies } from "./access-cookie.server.ts";
import { answerRefundRequest, insertRefundRequest } from "./customer-requests.store.server.ts";
import type { Order } from "./order.ts";
import { recordEvent, updateOrder } from "./orders.store.server.ts";
import { type placePurchase, placePurchaseWithinLimits } from "./place-purchase.server.ts";
import { resumeToken } from "./resume-token.server.ts";
import { trackingCookieTokens, trackingLinkToken } from "./tracking-tokens.server.ts";

// Tokens, cookies and links of an order: what they open, for whom and for how long.

const start = "2026-11-23T09:00:00Z"; // 10 h in Paris
const day = 86_400;

let shop: OrderFixture;
beforeAll(async () => {
	shop = await createOrderFixture({ startsAt: start });
});
afterEach(() => {
	shop.clock.now = shop.start;
});
afterAll(() => shop?.close());

const later = (seconds: number) => {
	shop.clock.now = shop.after(seconds * 1000);
};

describe("signed tokens", () => {
	const id = "0198c0de-0000-4000-8000-000000000001";
	const customer = { id, customer_email: "ada@example.fr" };
	const readCookie = (cookie: string) =>
		readAccessCookies(shop, "tracking", new Request("http://localhost/", { headers: { cookie } }))[0] ?? "";
	const cookieTokens = trackingCookieTokens("own-1");
	const opened = (read: TokenResult) => (read.ok ? read.id : null);

	/** The lifetime in seconds, as printed on `/cookies`, in the mails and in docs/rules.md (R34). */
	const keys = {
		"the cookie of the tracking page": [
			3600,
			() => cookieTokens.full.sign(shop.signer, customer, shop.now()),
			(token: string) => opened(cookieTokens.full.read(shop.signer, token, customer, shop.now())),
		],
		"the cookie of a tracking page that an e-mail opened": [
			3600,
			() => cookieTokens.link.sign(shop.signer, customer, shop.now()),
			(token: string) => opened(cookieTokens.link.read(shop.signer, token, customer, shop.now())),
		],
		"the tracking link of an e-mail": [
			30 * day,
			() => trackingLinkToken.sign(shop.signer, customer, shop.now()),
			(token: string) => opened(trackingLinkToken.read(shop.signer, token, customer, shop.now())),
		],
		"the cookie of the confirmation": [
			30 * day,
			() => confirmationToken.sign(shop.signer, customer, shop.now()),
			(token: string) => opened(confirmationToken.read(shop.signer, token, customer, shop.now())),
		],
		"the declaration of a withdrawal": [
			1800,
			() => declarationTokens.purchase.sign(shop.signer, id, shop.now()),
			(token: string) => opened(declarationTokens.purchase.read(shop.signer, token, shop.now())),
		],
		"the declaration of a withdrawal from a line": [
			1800,
			() => declarationTokens.line.sign(shop.signer, id, shop.now()),
			(token: string) => opened(declarationTokens.line.read(shop.signer, token, shop.now())),
		],
		"the receipt of a withdrawal": [
			1800,
			() => receiptTokens.purchase.sign(shop.signer, id, shop.now()),
			(token: string) => opened(receiptTokens.purchase.read(shop.signer, token, shop.now())),
		],
		"the receipt of a withdrawal from a line": [
			1800,
			() => receiptTokens.line.sign(shop.signer, id, shop.now()),
			(token: string) => opened(receiptTokens.line.read(shop.signer, token, shop.now())),
		],
		"the way back to a payment": [
			30 * day,
			() => resumeToken.sign(shop.signer, id, shop.now()),
			(token: string) => opened(resumeToken.read(shop.signer, token, shop.now())),
		],
		"the link to a document": [
			day,
			() => documentToken.sign(shop.signer, id, shop.now()),
			(token: string) => opened(documentToken.read(shop.signer, token, shop.now())),
		],
	} as const;
	const rows = Object.entries(keys).map(([what, [seconds, sign, read]]) => ({ what, seconds, sign, read }));

	test.each(rows)("$what: for $seconds seconds, and not one more", ({ seconds, sign, read }) => {
		// some count in whole seconds
		for (const signed of [0, 0.4]) {
			later(signed);
			const token = sign();
			later(signed + seconds - 1);
			expect(read(token)).toBe(id);
			later(signed + seconds);
			expect(read(token)).toBeNull();
		}
	});

	test.each(rows)("$what opens nothing else", ({ what, sign }) => {
		const token = sign();
		const opens = rows.filter(({ read }) => read(token) !== null).map((row) => row.what);
		expect(opens).toEqual([what]);
	});

	test("a cookie is found by its whole name, among others", () => {
		const sent = {
			"a=b; suivi=t.o; c=d": "t.o",
			"a=b;suivi=t.o": "t.o",
			"autresuivi=t.o": "",
			"suivi2=t.o": "",
			"": "",
		};
		for (const [cookie, token] of Object.entries(sent)) expect(readCookie(cookie), cookie).toBe(token);
	});

	test("a tracking token is accepted with the previous secret, and with no removed one", () => {
		const [old, next] = ["the first secret of this test, long enough", "the second secret of this test, long enough"];
		for (const kind of [cookieTokens.full, cookieTokens.link, trackingLinkToken]) {
			const token = kind.sign(createSigner([old]), customer, shop.now());
			expect(kind.read(createSigner([next, old]), token, customer, shop.now())).toEqual({ ok: true, id });
			expect(kind.read(createSigner([next]), token, customer, shop.now())).toEqual({ ok: false, code: "tampered" });
		}
	});

	test("a tracking token ends with the address it was signed for, which it does not contain", () => {
		for (const kind of [cookieTokens.full, cookieTokens.link, trackingLinkToken]) {
			const token = kind.sign(shop.signer, customer, shop.now());
			expect(token.split(".").map((part) => Buffer.from(part, "base64url").toString())).not.toContainEqual(expect.stringContaining("ada"));
			expect(kind.parseOrderId(token)).toBe(id);
			const read = (customer_email: string) => kind.read(shop.signer, token, { id, customer_email }, shop.now()).ok;
			expect([read(" ADA@example.fr"), read("grace@example.fr"), read("")]).toEqual([true, false, false]);
		}
		for (const other of ["", "x", "....", Buffer.from("x.1").toString("base64url")])
			expect(trackingLinkToken.parseOrderId(other)).toBeNull();
	});

	test("a token without expiry opens nothing, and is reported as altered or expired", () => {
		const endless = { track: shop.signer.sign("track own-1 ada@example.fr", id), withdrawal: shop.signer.sign("withdrawal", id) };
		expect([
			opened(cookieTokens.full.read(shop.signer, endless.track, customer, shop.now())),
			opened(declarationTokens.purchase.read(shop.signer, endless.withdrawal, shop.now())),
		]).toEqual([null, null]);
		expect(resumeToken.read(shop.signer, shop.signer.sign("resume", id), shop.now())).toEqual({ ok: false, code: "expired" });
		expect(resumeToken.read(shop.signer, "x", shop.now())).toEqual({ ok: false, code: "tampered" });
		const token = resumeToken.sign(shop.signer, id, shop.now());
		later(30 * day);
		expect(resumeToken.read(shop.signer, token, shop.now())).toEqual({ ok: false, code: "expired" });
	});
});

describe("the guesses of a client", () => {
	const unknown = "KB-2222-2222";
	const track = (client: string, email: string, reference: string = unknown) => trackOrder(shop, { email, reference, client });
	const guess = async (client: string, count: number, email: (index: number) => string) => {
		for (let index = 0; index < count; index++) expect(await track(client, email(index))).toEqual({ ok: false, code: "not-found" });
	};

	test("are limited for all e-mails together: for at most a quarter of an hour, and for no other client", async () => {
		await guess("client of all", failuresPerClient, (index) => `client${index}@example.fr`);
		const refused = await track("client of all", "another@example.fr");
		expect(refused).toMatchObject({ ok: false, code: "limited" });
		expect("retryAfter" in refused && refused.retryAfter > 600 && refused.retryAfter <= 900).toBe(true);
		expect(await track("another client", "another@example.fr")).toEqual({ ok: false, code: "not-found" });
	});

	test("are limited for one e-mail: its owner can still search from another connection", async () => {
		await guess("eve", failuresPerEmail, () => "ada@example.fr");
		expect(await track("eve", " ADA@example.fr")).toMatchObject({ ok: false, code: "limited" });
		expect(await track("eve", "grace@example.fr")).toEqual({ ok: false, code: "not-found" });
		expect(await track("ada", "ada@example.fr")).toEqual({ ok: false, code: "not-found" });
		const { order } = await shop.insertPaidOrder();
		expect(await track("eve", order.customer_email, order.id)).toEqual({ ok: true, order });
	});

	test("do not find an erased order", async () => {
		const { order } = await shop.insertPaidOrder({ erased_at: new Date(start) });
		expect(await track("ada", order.customer_email, order.id)).toEqual({ ok: false, code: "not-found" });
	});
});

describe("the link of a document", () => {
	const open = (id: string) => openDocument(shop, documentToken.sign(shop.signer, id, shop.now()), { counts: true });

	test.each([
		["kbis", "Kbis_DANONE_552032534_2026-11-23.pdf"],
		["invoice", "Facture.pdf"],
		["credit_note", "Avoir.pdf"],
	] as const)("opens it: %s byte for byte, named %s; the log has only the document and its order", async (type, name) => {
		const { order } = await shop.insertPaidOrder();
		const document = await shop.insertDocument(order, type);
		const opened = await open(document.id);
		const bytes = await shop.storage.get(document.storage_path);
		expect(opened).toMatchObject({ ok: true, fileName: name });
		expect(opened.ok && Buffer.from(opened.bytes).equals(bytes)).toBe(true);
		expect(shop.lines.at(-1)).toEqual({
			...{ level: 30, time: expect.any(String), msg: "a document was opened" },
			...{ order: document.order_id, document: document.id, type },
		});
	});

	test("opens nothing during a dispute, after the purge of its file or the erasure of its customer", async () => {
		const { order } = await shop.insertPaidOrder();
		const document = await shop.insertDocument(order);
		const set = (facts: Partial<Order>) => shop.db.updateTable("orders").set(facts).where("id", "=", order.id).execute();
		await set({ disputed_at: new Date(start) });
		expect(await open(document.id)).toEqual({ ok: false, code: "frozen" });
		await set({ erased_at: new Date(start) });
		expect(await open(document.id)).toEqual({ ok: false, code: "expired" });
		await set({ erased_at: null, disputed_at: null });
		expect(await open(document.id)).toMatchObject({ ok: true });
		await shop.db
			.updateTable("documents")
			.set({ purged_at: new Date(start) })
			.where("id", "=", document.id)
			.execute();
		expect(await open(document.id)).toEqual({ ok: false, code: "expired" });
		expect(await open(crypto.randomUUID())).toEqual({ ok: false, code: "expired" });
		expect(await openDocument(shop, "x", { counts: true })).toEqual({ ok: false, code: "tampered" });
	});

	test("leads to its public data: the company and the day, and nothing of the customer", async () => {
		const { order } = await shop.insertPaidOrder({ status: "completed", completed_at: new Date(start) });
		const origin = { companyName: "DANONE", siren: "552032534", deliveredAt: new Date(start) };
		expect(await findDocumentOrigin(shop.db, { id: crypto.randomUUID(), order_id: order.id, created_at: new Date(0) })).toEqual(origin);
		expect(
			await findDocumentOrigin(shop.db, { id: crypto.randomUUID(), order_id: crypto.randomUUID(), created_at: new Date(0) }),
		).toBeNull();
	});
});

describe("an order for its customer", () => {
	const described = async (order: Order) => describeOrder(shop, await shop.getOrder(order.id), "purchase");
	const paid_at = new Date(start);
	const completed = { status: "completed", paid_at, completed_at: new Date(start) } as const;
	const getTypes = ({ documents }: Awaited<ReturnType<typeof described>>) => documents.map(({ doc_type }) => doc_type).sort();

	test("has its documents, each with a link for a day; not the extract of a letter, nor purged ones", async () => {
		for (const [product_code, shown] of [
			["express", ["invoice", "kbis"]],
			["postal", ["invoice"]],
		] as const) {
			const { order } = await shop.insertPaidOrder({ ...completed, product_code });
			const extract = await shop.insertDocument(order);
			await shop.insertDocument(order, "invoice");
			const view = await described(order);
			expect([getTypes(view), view.extractPurged, view.progress]).toEqual([shown, false, 4]);
			for (const { id, url } of view.documents)
				expect(documentToken.read(shop.signer, url.replace("/documents/", ""), shop.now())).toEqual({ ok: true, id });
			await shop.db
				.updateTable("documents")
				.set({ purged_at: new Date(start) })
				.where("id", "=", extract.id)
				.execute();
			expect([getTypes(await described(order)), (await described(order)).extractPurged]).toEqual([["invoice"], true]);
		}
	});

	test("has progress from its extract only; a purged invoice is no purged extract", async () => {
		const { order } = await shop.insertPaidOrder();
		const invoice = await shop.insertDocument(order, "invoice");
		await shop.db
			.updateTable("documents")
			.set({ purged_at: new Date(start) })
			.where("id", "=", invoice.id)
			.execute();
		expect(await described(order)).toMatchObject({ extractPurged: false, progress: 1, documents: [] });
		await shop.insertDocument(order);
		expect((await described(order)).progress).toBe(3);
	});

	test("has no documents and offers no requests during a dispute", async () => {
		const { order } = await shop.insertPaidOrder({ ...completed, disputed_at: new Date(start) });
		await shop.insertDocument(order, "invoice");
		expect(await described(order)).toMatchObject({ documents: [], may: { askForRefund: false }, order: { disputed: true } });
	});

	test.each<[Partial<Order>, boolean]>([
		[{ status: "pending" }, false],
		[{ status: "paid", paid_at }, true],
		[{ status: "processing", paid_at }, true],
		[completed, false],
		[{ status: "failed", failure_reason: "cancelled", paid_at }, false],
	])("%o may be cancelled with a refund: %s", async (state, cancel) => {
		expect((await described(await shop.insertOrder(state))).may.cancel).toBe(cancel);
	});

	test.each<[Partial<Order>, boolean]>([
		[{ status: "failed", failure_reason: "not-found", paid_at }, true],
		[{ status: "failed", failure_reason: "not-found", paid_at, refunded_cents: 5899 as Order["refunded_cents"] }, true],
		[{ status: "failed", failure_reason: "not-found", paid_at, refunded_cents: 5900 as Order["refunded_cents"] }, false],
		[{ status: "failed", failure_reason: "not-found", paid_at, disputed_at: paid_at }, false],
		[{ status: "failed", failure_reason: "cancelled", paid_at: null }, false],
		[{ ...completed }, false],
		[{ status: "processing", paid_at }, false],
	])("%o waits for its refund: %s", async (state, awaited) => {
		expect((await described(await shop.insertOrder(state))).refundAwaited).toBe(awaited);
	});

	test("shows a refund request until it is answered, and then offers another one", async () => {
		const { order } = await shop.insertPaidOrder(completed);
		expect(await described(order)).toMatchObject({ refundAskedAt: null, may: { askForRefund: true } });
		await shop.inTransaction((trx) => insertRefundRequest(trx, order.id, "Illisible", new Date(start)));
		expect(await described(order)).toMatchObject({ refundAskedAt: "2026-11-23T09:00:00.000Z", may: { askForRefund: false } });
		await shop.inTransaction((trx) => answerRefundRequest(trx, order.id, { granted: false, answer: "Non.", now: shop.now() }));
		expect(await described(order)).toMatchObject({ refundAskedAt: null, may: { askForRefund: true } });
	});

	test("has its own data and events only", async () => {
		const { order } = await shop.insertPaidOrder({ product_code: "postal", tracking_number: "6A01234567890" });
		const { order: other } = await shop.insertPaidOrder();
		await shop.inTransaction((trx) => updateOrder(trx, order.id, { late_at: new Date(start) }));
		await shop.inTransaction((trx) =>
			recordEvent(trx, { orderId: order.id, type: "late", payload: { by: "clock" }, now: new Date(start) }),
		);
		await shop.inTransaction((trx) => recordEvent(trx, { orderId: other.id, type: "paid", now: new Date(start) }));
		const view = await described(order);
		expect(view.order).toMatchObject({ late: true, disputed: false, tracking_number: "6A01234567890", completed_at: null });
		expect(view.order.promised_at).toBe("2026-11-23T11:00:00.000Z");
		expect(view.events).toMatchObject([{ order_id: order.id, event_type: "late", payload: {} }]);
		expect([view.paid, (await described(await shop.insertOrder())).paid]).toEqual([true, false]);
	});
});

describe("placing an order", () => {
	const draft = (email: string, service: "express" | "standard" = "express") =>
		({
			...{ service, siren: "552032534", companyName: "DANONE", email, firstName: "Ada", lastName: "Lovelace", newsletter: false },
			...{ phone: null, address: null, postalCode: null, city: null, billingCompany: null, deliveryEmail: null, consents: null },
		}) as unknown as Parameters<typeof placePurchase>[1][number];
	const limits = { client: 3, mailbox: 2, shop: 1000 };
	const place = async (
		client: string,
		email: string,
		{ key = null as string | null, service = "express" as "express" | "standard" } = {},
	) => {
		const placed = await shop.inTransaction((trx) =>
			placePurchaseWithinLimits(shop, trx, [draft(email, service)], { key, terms: null, client, limits, now: shop.now() }),
		);
		return placed.ok ? (placed.isNew ? "new" : "again") : placed.code === "limited" ? placed.by : placed.code;
	};

	test("counts a mailbox once, however it is written", async () => {
		for (const email of ["ada@example.fr", " ADA@Example.fr"]) expect(await place("a", email)).toBe("new");
		expect(await place("b", "Ada @example.fr")).toBe("mailbox");
	});

	test("takes no point for a repeated key, nor for a key used for another order", async () => {
		expect(await place("c", "c@example.fr", { key: "c" })).toBe("new");
		for (let i = 0; i < 3; i++) {
			expect(await place("c", "c@example.fr", { key: "c" })).toBe("again");
			expect(await place("c", "c@example.fr", { key: "c", service: "standard" })).toBe("key-reused");
		}
		expect(await place("c", "c@example.fr")).toBe("new");
		// no point is left for the mailbox: a repeated key still returns its order
		expect(await place("c", "c@example.fr", { key: "new" })).toBe("mailbox");
		expect(await place("c", "c@example.fr", { key: "c" })).toBe("again");
	});

	test("has no limit in a shop without limits", async () => {
		for (let i = 0; i < 4; i++) {
			const unlimited = { key: null, terms: null, client: "d", limits: null, now: shop.now() };
			expect(await shop.inTransaction((trx) => placePurchaseWithinLimits(shop, trx, [draft("d@example.fr")], unlimited))).toMatchObject({
				ok: true,
			});
		}
	});
});
