import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createSigner } from "../../server/signing.ts";
import { typedKeys } from "../../server/types/objects.ts";
import { createFinishedPurchases } from "../../test/fixtures/finished-purchases.ts";
import { createOrderFixture, type OrderFixture } from "../../test/orders.ts";
import { cents } from "../catalogue/money.ts";
import { describeOrder } from "../customer/tracking/describe-order.server.ts";
import { findDocumentOrigin } from "../customer/tracking/documents/find-document-origin.server.ts";
import { openDocument } from "../customer/tracking/documents/open-document.server.ts";
import { openKey } from "../customer/tracking/open-key.server.ts";
import { failuresPerClient, failuresPerEmail, trackOrder } from "../customer/tracking/track-order.server.ts";
import { endVisit } from "../customer/tracking/visits/visits.server.ts";
import { eraseOrders } from "../desk/retention/erase-orders.server.ts";
import { accessKeys } from "./access.ts";
import { readAccessCookies } from "./access-cookie.server.ts";
import { answerRefundRequest, insertRefundRequest, insertWithdrawal } from "./customer-requests.store.server.ts";
import { type KeyContext, type KeyName, keyKinds, readKey, signKey, type VisitKeyName, verifyKey } from "./keys.server.ts";
import type { Order } from "./order.ts";
import { recordEvent, updateOrder } from "./orders.store.server.ts";
import { type placePurchase, placePurchaseWithinLimits } from "./place-purchase.server.ts";

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
	const customer = { id, customer_email: "ada@example.fr", delivery_email: "ada@example.fr" };
	const readCookie = (cookie: string) =>
		readAccessCookies(shop, "tracking", new Request("http://localhost/", { headers: { cookie } }))[0] ?? "";

	const visit = { kind: "own", id: "1" } as const;

	/** What is signed and read: each kind, with an access and a visit where it has them. */
	const rows = typedKeys(keyKinds).map((kind) => {
		const { opens, endsWith } = keyKinds[kind];
		const details = { ...(opens[0] && { access: opens[0] }), ...(endsWith === "visit" && { visit }) };
		const sign = (context: KeyContext = shop) => signKey(context, kind, customer, details);
		const read = (token: string, context: KeyContext = shop, subject: object = customer) =>
			verifyKey(context, kind, token, { subject, isVisitOpen: async ({ id }) => id === visit.id });
		return { kind, details, sign, read };
	});

	/** In seconds, as printed on `/cookies`, in the mails and in docs/rules.md (R34, R40, R60). */
	const lifetimes: Record<KeyName, number | null> = {
		link: 30 * day,
		visit: 3600,
		confirmation: 30 * day,
		quit: 30 * day,
		resume: 30 * day,
		files: day,
		"recipient-files": 7 * day,
		document: day,
		withdrawal: 1800,
		"withdrawal-receipt": 1800,
		"document-share": null,
		"document-share-file": 3600,
		"extract-watch-end": null,
	};

	test.each(rows)("$kind works for its lifetime, and not one second more", async ({ kind, details, sign, read }) => {
		const seconds = lifetimes[kind] ?? 1000 * day;
		// some count in whole seconds
		for (const signed of [0, 0.4]) {
			later(signed);
			const token = sign();
			later(signed + seconds - 1);
			expect(await read(token)).toEqual({ ok: true, key: { id, access: null, visit: null, ...details } });
			later(signed + seconds);
			expect((await read(token)).ok).toBe(lifetimes[kind] === null);
			if (lifetimes[kind] !== null) expect(await read(token)).toEqual({ ok: false, code: "expired" });
		}
	});

	test.each(rows)("$kind opens nothing else", async ({ kind, sign }) => {
		const token = sign();
		const opened = await Promise.all(rows.map(async (row) => ((await row.read(token)).ok ? [row.kind] : [])));
		expect(opened.flat()).toEqual([kind]);
	});

	const visitKeys = typedKeys(keyKinds).filter((kind): kind is VisitKeyName => keyKinds[kind].endsWith === "visit");
	test.each(visitKeys)("%s ends with its visit, and names one", async (kind) => {
		const { order } = await shop.insertPaidOrder();
		const [mine, other] = ["mine", "other"].map((id) => ({ kind: "own", id: `${id} ${kind}` }) as const);
		const declarationId = crypto.randomUUID();
		const withdrawal = { orderId: order.id, declarationId, declaredAt: shop.now(), outcome: "cancelled" } as const;
		await shop.inTransaction((trx) => insertWithdrawal(trx, { ...withdrawal, reason: null, refund: cents(0) }));
		const subject = keyKinds[kind].names === "declaration" ? { ...order, id: declarationId } : order;
		const access = keyKinds[kind].opens[0];
		const [ended, open] = [mine, other].map((visit) => signKey(shop, kind, subject, { access, visit: visit ?? null }));
		expect(await openKey(shop, kind, ended ?? "")).toEqual({ ok: true, id: subject.id, order, access, visit: mine });
		if (mine) await endVisit(shop, mine);
		expect(await openKey(shop, kind, ended ?? "")).toEqual({ ok: false, code: "expired" });
		expect(await openKey(shop, kind, open ?? "")).toMatchObject({ ok: true, visit: other });
		expect(() => signKey(shop, kind, subject, { access })).toThrow("does not end with no visit");
		const [purpose, content] = [`${kind} ${order.customer_email}`, `${subject.id}~${access}.9999999999`];
		expect(await openKey(shop, kind, shop.signer.sign(purpose, content))).toEqual({ ok: false, code: "tampered" });
	});

	test("the same key is written for the same content and instant, from another instant another", () => {
		const at = new Date("2026-11-20T08:00:00Z");
		const sign = (from: Date) => signKey(shop, "resume", { id }, { access: "payment-link", from });
		expect(sign(at)).toBe(sign(at));
		expect(sign(at)).not.toBe(sign(shop.after(0)));
	});

	test("a key is signed with an access of its kind only, and an access of another kind is none", () => {
		for (const access of [undefined, ...accessKeys]) {
			const sign = () => signKey(shop, "link", customer, { access });
			if (access === "link" || access === "purchase-link")
				expect(readKey(shop, "link", sign(), customer)).toMatchObject({ key: { access } });
			else expect(sign).toThrow("does not open");
		}
		expect(() => signKey(shop, "document", { id }, { access: "link" })).toThrow("does not open");
		const others = shop.signer.sign("link ada@example.fr", `${id}~purchase.9999999999`);
		expect(readKey(shop, "link", others, customer)).toMatchObject({ ok: true, key: { id, access: null } });
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

	test.each(rows)("$kind is accepted with the previous secret, and with no removed one", async ({ sign, read }) => {
		const [old, next] = ["the first secret of this test, long enough", "the second secret of this test, long enough"];
		const token = sign({ ...shop, signer: createSigner([old]) });
		expect(await read(token, { ...shop, signer: createSigner([next, old]) })).toMatchObject({ ok: true, key: { id } });
		expect(await read(token, { ...shop, signer: createSigner([next]) })).toEqual({ ok: false, code: "tampered" });
	});

	test.each(rows)("$kind ends with the address it was signed for, which it does not contain", async ({ kind, sign, read }) => {
		const token = sign();
		expect(token.split(".").map((part) => Buffer.from(part, "base64url").toString())).not.toContainEqual(expect.stringContaining("ada"));
		const { endsWith } = keyKinds[kind];
		const isOpen = async (address: string) =>
			(await read(token, shop, { id, [endsWith === "recipient" ? "delivery_email" : "customer_email"]: address })).ok;
		const endsWithAddress = endsWith !== null;
		expect([await isOpen(" ADA@example.fr"), await isOpen("grace@example.fr"), await isOpen("")]).toEqual([
			true,
			!endsWithAddress,
			!endsWithAddress,
		]);
	});

	test("a key without its expiry is altered", async () => {
		for (const { kind, read } of rows.filter((row) => lifetimes[row.kind] !== null)) {
			const purpose = keyKinds[kind].endsWith === null ? kind : `${kind} ada@example.fr`;
			expect(await read(shop.signer.sign(purpose, id)), kind).toEqual({ ok: false, code: "tampered" });
		}
	});

	test("an order is opened by its keys alone, and by none that names no access", async () => {
		const { order } = await shop.insertPaidOrder();
		const open = (token: string) => openKey(shop, "link", token);
		const token = signKey(shop, "link", order, { access: "link" });
		expect(await open(token)).toEqual({ ok: true, id: order.id, order, access: "link", visit: null });
		expect(await openKey(shop, "files", token)).toEqual({ ok: false, code: "tampered" });
		const unknown = { ...order, id: crypto.randomUUID() };
		for (const wrong of ["", "x", "....", Buffer.from("x.1").toString("base64url"), signKey(shop, "link", unknown, { access: "link" })])
			expect(await open(wrong), wrong).toEqual({ ok: false, code: "tampered" });
		for (const content of [order.id, `${order.id}~purchase`])
			expect(await open(shop.signer.sign(`link ${order.customer_email}`, `${content}.9999999999`))).toEqual({
				ok: false,
				code: "tampered",
			});
		// of a kind that no address ends, and whose order is gone
		expect(await openKey(shop, "resume", signKey(shop, "resume", unknown, { access: "payment-link" }))).toEqual({
			ok: false,
			code: "expired",
		});
		// the order that a caller has found is opened by its own keys
		const other = await shop.insertPaidOrder({ customer_email: order.customer_email });
		expect([(await openKey(shop, "link", token, order)).ok, await openKey(shop, "link", token, other.order)]).toEqual([
			true,
			{ ok: false, code: "tampered" },
		]);
	});

	test("the keys of an erased order are expired, whatever they name", async () => {
		const addresses = { customer_email: "ada@example.fr", delivery_email: "banque@example.fr" };
		const { first: order } = await createFinishedPurchases(shop)(shop.now(), { price_cents: 5900, ...addresses });
		const keys = typedKeys(keyKinds).flatMap((kind) => {
			const { names, opens, endsWith } = keyKinds[kind];
			const details = { access: opens[0], visit: endsWith === "visit" ? visit : null };
			return names === "order" && details.access ? [{ kind, key: signKey(shop, kind, order, details) }] : [];
		});
		const open = () => Promise.all(keys.map(async ({ kind, key }) => [kind, await openKey(shop, kind as "link", key)]));
		for (const [kind, opened] of await open()) expect(opened, String(kind)).toMatchObject({ ok: true });
		expect((await eraseOrders(shop, [order.id])).erased).toContain(order.id);
		for (const [kind, opened] of await open()) expect(opened, String(kind)).toEqual({ ok: false, code: "expired" });
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
	const open = (id: string) => openDocument(shop, signKey(shop, "document", { id }), { counts: true });

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
				expect(readKey(shop, "document", url.replace("/documents/", ""))).toMatchObject({ ok: true, key: { id } });
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
		expect((await described(await shop.insertOrder(state))).refundAwaited !== null).toBe(awaited);
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
