import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { insertCompanies } from "../../test/fixtures/companies.ts";
import { createOrderFixture, type OrderFixture } from "../../test/orders.ts";
import { publishNotice, recordReading } from "../../test/publish-notice.ts";
import { cents } from "../catalogue/money.ts";
import type { StoredDocument } from "../documents/documents.server.ts";
import type { QueuedMail } from "../mail/mails.server.ts";
import { answerRefundRequest, insertRefundRequest, insertWithdrawal } from "../orders/customer-requests.store.server.ts";
import type { Order } from "../orders/order.ts";
import { recordEvent } from "../orders/orders.store.server.ts";
import { findReadableDocument } from "./find-readable-document.server.ts";
import { findEmailSubject, getEmailContext, readAttachments } from "./order-email-context.server.ts";
import { type OrderEmailContext, type OrderEmailKind, orderEmailKinds, orderEmails } from "./order-emails.ts";

// What an e-mail says beside its order, and its files.

let shop: OrderFixture;
beforeAll(async () => {
	shop = await createOrderFixture({ startsAt: "2026-11-23T09:00:00Z" });
	await recordReading(shop.db, shop.start, { from: "2026-10-01", to: "2026-11-30" });
});
afterAll(() => shop?.close());

const makeMail = (order: Order, kind: OrderEmailKind, values: Partial<QueuedMail> = {}): QueuedMail => ({
	...{ id: crypto.randomUUID(), order_id: order.id, kind, document_id: null, refund_id: null, notices: null, recipient: null },
	...{ created_at: shop.start, sent_at: null, bounced_at: null, bounce_reason: null },
	...values,
});

async function getContext(order: Order, kind: OrderEmailKind, values: Partial<QueuedMail> = {}): Promise<OrderEmailContext> {
	const subject = await findEmailSubject(shop.db, makeMail(order, kind, values), kind, order);
	return getEmailContext(shop, subject);
}

const record = (order: Order, type: "paid" | "failed", payload: Record<string, string | boolean>) =>
	shop.inTransaction((trx) => recordEvent(trx, { orderId: order.id, type, payload, now: shop.now() }));

/** The kinds of e-mails for which something is there. */
async function listKinds(of: (kind: OrderEmailKind) => Promise<unknown>): Promise<OrderEmailKind[]> {
	const kinds: OrderEmailKind[] = [];
	for (const kind of orderEmailKinds) if (await of(kind)) kinds.push(kind);
	return kinds;
}

test("a confirmation of a demo names no opening, because its issuer asks at any hour", async () => {
	const { order } = await shop.insertPaidOrder();
	const sunday = { ...shop, now: () => new Date("2026-11-22T02:00:00Z") };
	const readRequest = async (issuer: "specimen" | "manual") => {
		const context = { ...sunday, environment: { ...shop.environment, issuer } };
		const subject = await findEmailSubject(shop.db, makeMail(order, "confirmation"), "confirmation", order);
		return (await getEmailContext(context, subject)).request?.replaceAll("\u00a0", " ");
	};
	expect([await readRequest("specimen"), await readRequest("manual")]).toEqual([
		"Demande enregistrée : nous demandons l’extrait au greffe.",
		"Demande enregistrée : nous demandons l’extrait au greffe à partir de lundi 23 novembre à 8 h.",
	]);
});

describe("an e-mail has only what it is about", () => {
	test("of an order of which there is everything", async () => {
		const siren = "900000201";
		await insertCompanies(shop.db, [{ id: 900000201, siren, name: "ALPHA", legal_category: "5710" }]);
		const completed = { status: "completed", completed_at: shop.start, late_at: shop.start } as const;
		const { order, payment } = await shop.insertPaidOrder({ siren, ...completed });
		const extract = await shop.insertDocument(order);
		await record(order, "paid", { promise_moved: true });
		await record(order, "failed", { because: "removed" });
		await shop.insertRefund(payment, { reason: "late", status: "requested", settled_at: null, held_until: shop.after(1000) });
		await shop.inTransaction(async (trx) => {
			await insertWithdrawal(trx, {
				declarationId: crypto.randomUUID(),
				refund: cents(0),
				orderId: order.id,
				declaredAt: shop.start,
				outcome: "refused",
				reason: null,
			});
			await insertRefundRequest(trx, order.id, "Illisible", shop.start);
			await answerRefundRequest(trx, order.id, { granted: false, answer: "Il est lisible.", now: shop.start });
		});
		await publishNotice(shop.db, { siren, id: "B202602342014", publishedOn: "2026-11-24" });
		const contexts = new Map<OrderEmailKind, OrderEmailContext>();
		for (const kind of orderEmailKinds)
			contexts.set(kind, await getContext(order, kind, { document_id: extract.id, notices: ["B202602342014"] }));
		const kindsWith = (name: keyof OrderEmailContext) => listKinds(async (kind) => contexts.get(kind)?.[name]);
		expect(await kindsWith("promiseMoved")).toEqual(["confirmation"]);
		expect(await kindsWith("refundDueBy")).toEqual(["late", "purchase-problem"]);
		expect(await kindsWith("notFoundBecause")).toEqual(["failed"]);
		expect(await kindsWith("resumeUrl")).toEqual(["resume"]);
		expect(await kindsWith("withdrawal")).toEqual(["withdrawal-receipt"]);
		expect(await kindsWith("answer")).toEqual(["refund-request-refused"]);
		expect(await kindsWith("emailNotices")).toEqual(["extract-notices"]);
		expect(await kindsWith("purchase")).toEqual([]);
		expect(await kindsWith("extractFile")).toEqual(orderEmailKinds.filter((kind) => orderEmails[kind].attaches === "kbis"));
		for (const name of ["soleTrader", "deskOrderUrl", "invoiceCorrected", "refund"] as const) expect(await kindsWith(name)).toEqual([]);
		for (const [kind, { trackingUrl, documentId, documentUrl }] of contexts) {
			const token = orderEmails[kind].to === "customer" ? /\/suivi\/[^/]+\/acces\/[\w.-]+$/ : new RegExp(`/suivi/${order.order_number}$`);
			expect([kind, trackingUrl]).toEqual([kind, expect.stringMatching(token)]);
			expect([documentId, documentUrl]).toEqual([extract.id, expect.stringMatching(/\/documents\/[\w-]+\.[\w-]+$/)]);
		}
	});

	test("of an order of which there is nothing", async () => {
		const { order } = await shop.insertPaidOrder();
		await record(order, "paid", {});
		await record(order, "failed", { because: "a word of a later version" });
		for (const kind of orderEmailKinds)
			expect(await getContext(order, kind)).toMatchObject({
				...{ promiseMoved: false, refundDueBy: null, notFoundBecause: null, withdrawal: null, answer: null, emailNotices: null },
				...{ documentId: null, documentUrl: null, extractFile: null, soleTrader: false, deskOrderUrl: null, invoiceCorrected: false },
				...{ refund: null, purchase: null },
			});
		// before the payment the page asks for the address
		const unpaid = await shop.insertOrder();
		expect((await getContext(unpaid, "cancelled")).trackingUrl).toMatch(new RegExp(`/suivi/${unpaid.order_number}$`));
	});

	test("of the extract of a sole trader", async () => {
		const siren = "900000202";
		await insertCompanies(shop.db, [{ id: 900000202, siren, name: "ADA LOVELACE", legal_category: "1000" }]);
		const { order } = await shop.insertPaidOrder({ siren });
		const kinds = await listKinds(async (kind) => (await getContext(order, kind)).soleTrader);
		expect(kinds).toEqual(orderEmailKinds.filter((kind) => orderEmails[kind].attaches === "kbis" || kind === "posted"));
	});

	test("of the desk, once there is one", async () => {
		const { order } = await shop.insertPaidOrder();
		const invitation = { id: crypto.randomUUID(), email: "ada@bureau.example", name: "Ada", roles: ["serve"], invited_by: "test" };
		const times = { created_at: shop.start, expires_at: shop.start };
		await shop.db
			.insertInto("operators.invitation")
			.values({ ...invitation, ...times })
			.execute();
		const kinds = await listKinds(async (kind) => {
			const { deskOrderUrl } = await getContext(order, kind);
			return deskOrderUrl?.endsWith(`/bureau/commandes/${order.order_number}`);
		});
		await shop.db.deleteFrom("operators.invitation").execute();
		expect(kinds).toEqual(orderEmailKinds.filter((kind) => orderEmails[kind].to === "operator"));
	});

	test("of a promise that moved for another order of the purchase", async () => {
		const { orders } = await shop.insertPaidPurchase(["express", "standard"]);
		const [first, second] = orders as [Order, Order];
		await record(first, "paid", {});
		await record(second, "paid", { promise_moved: true });
		expect((await getContext(first, "confirmation")).promiseMoved).toBe(true);
	});

	test("of a purchase of several orders", async () => {
		const [first] = (await shop.insertPaidPurchase(["express", "express"])).orders;
		const kinds = await listKinds(async (kind) => (await getContext(first, kind)).purchase);
		expect(kinds).toEqual([
			...["confirmation", "cancelled", "resume", "purchase-ready", "purchase-ready-delivery", "purchase-posted", "purchase-problem"],
		]);
	});

	test.each(["unknown", "removed", "wrong-siren", "no-kbis"])("of the last reason for which there is no extract: %s", async (because) => {
		const { order } = await shop.insertPaidOrder();
		await record(order, "failed", { because: because === "removed" ? "no-kbis" : "removed" });
		await record(order, "failed", { because });
		expect((await getContext(order, "failed")).notFoundBecause).toBe(because);
	});
});

describe("the extract of an e-mail", () => {
	test("is the present version, and has no file once it is purged", async () => {
		const { order } = await shop.insertPaidOrder();
		const old = await shop.insertDocument(order);
		const set = (values: Partial<StoredDocument>, id: string) =>
			shop.db.updateTable("documents").set(values).where("id", "=", id).execute();
		await set({ replaced_at: shop.start }, old.id);
		const extract = await shop.insertDocument(order);
		const read = () => getContext(order, "document-ready", { document_id: old.id });
		expect(await read()).toMatchObject({ documentId: extract.id, extractFile: "attached" });
		await set({ purged_at: shop.start }, extract.id);
		expect(await read()).toMatchObject({ documentId: extract.id, extractFile: null });
	});
});

test("the document of a link is the present version, and is not given of an erased order or a disputed payment", async () => {
	const { order } = await shop.insertPaidOrder();
	const old = await shop.insertDocument(order);
	const setDocument = (values: Partial<StoredDocument>, id: string) =>
		shop.db.updateTable("documents").set(values).where("id", "=", id).execute();
	const setOrder = (values: { disputed_at?: Date | null; erased_at?: Date | null }) =>
		shop.db.updateTable("orders").set(values).where("id", "=", order.id).execute();
	await setDocument({ replaced_at: shop.start }, old.id);
	const extract = await shop.insertDocument(order);
	const find = () => findReadableDocument(shop.db, old.id);
	expect(await find()).toEqual({ ok: true, document: extract, order });
	await setOrder({ disputed_at: shop.start });
	expect(await find()).toEqual({ ok: false, code: "frozen" });
	await setOrder({ disputed_at: null, erased_at: shop.start });
	expect(await find()).toEqual({ ok: false, code: "expired" });
	await setOrder({ erased_at: null });
	await setDocument({ purged_at: shop.start }, extract.id);
	expect(await find()).toEqual({ ok: false, code: "expired" });
	expect(await findReadableDocument(shop.db, crypto.randomUUID())).toEqual({ ok: false, code: "expired" });
});

describe("the invoice of an e-mail", () => {
	let count = 0;
	interface Values {
		id?: string;
		kind?: "invoice" | "credit_note";
		document?: StoredDocument | null;
		replaces?: string;
		corrects?: string;
		refund_id?: string;
	}
	async function insertInvoice(order: Order, { id = crypto.randomUUID(), kind = "invoice", document = null, ...values }: Values) {
		const number = `${kind}-${++count}`;
		const row = { id, kind, number, number_in_year: count, year: 2026, order_id: order.id, issued_at: shop.start, total_cents: 5900 };
		await shop.db
			.insertInto("invoices")
			.values({ ...row, document_id: document?.id ?? null, data: JSON.stringify({ number }), ...values })
			.execute();
		return { id, document };
	}

	async function insertCorrectedOrder({ hasPdf = true }: { hasPdf?: boolean } = {}) {
		const { order, payment } = await shop.insertPaidOrder();
		const first = await insertInvoice(order, { document: await shop.insertDocument(order, "invoice") });
		const refund = await shop.insertRefund(payment, { amount_cents: 100 });
		const ofRefund = { kind: "credit_note", corrects: first.id, refund_id: refund.id } as const;
		await insertInvoice(order, { ...ofRefund, document: await shop.insertDocument(order, "credit_note") });
		const cancelling = { kind: "credit_note", corrects: first.id, document: await shop.insertDocument(order, "credit_note") } as const;
		const creditNote = await insertInvoice(order, cancelling);
		const document = hasPdf ? await shop.insertDocument(order, "invoice") : null;
		const second = await insertInvoice(order, { replaces: first.id, document });
		return { order, first, creditNote, second };
	}
	const find = async (order: Order, kind: OrderEmailKind, document: StoredDocument | null, values: Partial<QueuedMail> = {}) => {
		const mail = makeMail(order, kind, { document_id: document?.id ?? null, ...values });
		const subject = await findEmailSubject(shop.db, mail, kind, order);
		const context = await getEmailContext(shop, subject);
		const files = await readAttachments(shop, subject, context);
		return { ids: [subject.document?.id, subject.creditNote?.id], isCorrected: context.invoiceCorrected, files: files?.length ?? 0 };
	};

	test("is the first one alone, while nothing corrects it", async () => {
		const { order } = await shop.insertPaidOrder();
		const { document } = await insertInvoice(order, { document: await shop.insertDocument(order, "invoice") });
		const other = await shop.insertPaidOrder();
		const unnumbered = await shop.insertDocument(other.order, "invoice");
		expect(await find(order, "confirmation", document)).toEqual({ ids: [document?.id, undefined], isCorrected: false, files: 1 });
		expect(await find(other.order, "confirmation", unnumbered)).toEqual({ ids: [unnumbered.id, undefined], isCorrected: false, files: 1 });
		expect(await find(order, "confirmation", null)).toEqual({ ids: [undefined, undefined], isCorrected: false, files: 0 });
		// an e-mail that only links to its document
		expect((await find(order, "surplus-refunded", document)).files).toBe(0);
	});

	test("is the one in force, with the credit note that cancels the first, in a confirmation that is sent later", async () => {
		const { order, first, creditNote, second } = await insertCorrectedOrder();
		const expected = { ids: [second.document?.id, creditNote.document?.id], isCorrected: true, files: 2 };
		expect(await find(order, "confirmation", first.document)).toEqual(expected);
		expect(await find(order, "confirmation", first.document, { sent_at: shop.start })).toEqual(expected);
		expect(await find(order, "invoice-corrected", second.document)).toEqual(expected);
		expect((await find(order, "refunded", first.document)).ids).toEqual([first.document?.id, undefined]);
	});

	test("is awaited by an unsent confirmation while it has no PDF; one that has left keeps its own", async () => {
		const { order, first } = await insertCorrectedOrder({ hasPdf: false });
		await expect(find(order, "confirmation", first.document)).rejects.toThrow(/has no PDF yet/);
		for (const left of [{ sent_at: shop.start }, { bounced_at: shop.start }])
			expect((await find(order, "confirmation", first.document, left)).ids).toEqual([first.document?.id, undefined]);
	});
});
