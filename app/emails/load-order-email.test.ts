import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { anyJson } from "../../test/any-json.ts";
import { insertCompanies } from "../../test/fixtures/companies.ts";
import { createOrderFixture, type OrderFixture } from "../../test/orders.ts";
import { publishNotice, recordReading } from "../../test/publish-notice.ts";
import { cents } from "../catalogue/money.ts";
import type { QueuedMail } from "../mail/mails.store.server.ts";
import { answerRefundRequest, insertRefundRequest, insertWithdrawal } from "../orders/customer-requests.store.server.ts";
import type { StoredDocument } from "../orders/documents/documents.store.server.ts";
import type { Order } from "../orders/order.ts";
import { recordEvent } from "../orders/orders.store.server.ts";
import { listKindsTo, type OrderEmailKind, orderEmailKinds, orderEmails } from "./order-emails.server.ts";
import { findReadableDocument } from "./read-document.server.ts";

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

/** Writes an e-mail as its job does. @returns null when nothing is left to tell. */
const write = (order: Order, kind: OrderEmailKind, values: Partial<QueuedMail> = {}) =>
	orderEmails[kind].write(shop, { mail: makeMail(order, kind, values), order });

/** The text of an e-mail, and its links. */
const readContent = async (...of: Parameters<typeof write>) => JSON.stringify((await write(...of))?.content ?? null);

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
		const loaded = await orderEmails.confirmation.load(context, { mail: makeMail(order, "confirmation"), order });
		return loaded?.request?.replaceAll("\u00a0", " ");
	};
	expect([await readRequest("specimen"), await readRequest("manual")]).toEqual([
		"Commande enregistrée : nous allons demander l’extrait au greffe.",
		"Commande enregistrée : nous demanderons l’extrait au greffe à partir de lundi 23 novembre à 8 h, heure de Paris.",
	]);
});

describe("an e-mail", () => {
	test("opens its order for its customer only, and is not written once it would tell nothing", async () => {
		const siren = "900000201";
		await insertCompanies(shop.db, [{ id: 900000201, siren, name: "ALPHA", legal_category: "5710" }]);
		const completed = { status: "completed", completed_at: shop.start, late_at: shop.start } as const;
		const { order, payment } = await shop.insertPaidOrder({ siren, ...completed });
		const extract = await shop.insertDocument(order);
		const refund = await shop.insertRefund(payment, { reason: "late", status: "requested", settled_at: null });
		await shop.inTransaction(async (trx) => {
			await insertWithdrawal(trx, {
				...{ declarationId: crypto.randomUUID(), orderId: order.id, declaredAt: shop.start, outcome: "refused", reason: null },
				refund: cents(0),
			});
			await insertRefundRequest(trx, order.id, "Illisible", shop.start);
			await answerRefundRequest(trx, order.id, { granted: false, answer: "Il est lisible.", now: shop.start });
		});
		await publishNotice(shop.db, { siren, id: "B202602342014", publishedOn: "2026-11-24" });
		const about = { document_id: extract.id, refund_id: refund.id, notices: ["B202602342014"] };
		const opening = await listKinds(async (kind) =>
			(await readContent(order, kind, about)).includes(`/suivi/${order.order_number}/acces/`),
		);
		// an order that is not paid or is cancelled has nothing to follow, and one that was declared alone has its own refund
		expect(opening).toEqual(listKindsTo("customer").filter((kind) => !["resume", "cancelled", "withdrawal-refunded"].includes(kind)));

		const other = await shop.insertPaidOrder();
		await record(other.order, "failed", { because: "a word of a later version" });
		expect(await listKinds(async (kind) => (await write(other.order, kind)) === null)).toEqual([
			...["document-ready", "document-ready-delivery", "extract-replaced", "extract-replaced-delivery", "purchase-problem"],
			...[
				"refunded",
				"surplus-refunded",
				"withdrawal-receipt",
				"withdrawal-refunded",
				"refund-request-refused",
				"extract-notices",
				"alert-refund-guessed",
			],
		]);
		// before the payment the page asks for the address
		const unpaid = await shop.insertOrder();
		expect(await readContent(unpaid, "late")).toContain(`/suivi/${unpaid.order_number}"`);
	});

	test("about the extract of a sole trader calls it an extract K", async () => {
		const siren = "900000202";
		await insertCompanies(shop.db, [{ id: 900000202, siren, name: "ADA LOVELACE", legal_category: "1000" }]);
		const { order } = await shop.insertPaidOrder({ siren });
		const { id: document_id } = await shop.insertDocument(order);
		expect(await listKinds(async (kind) => (await readContent(order, kind, { document_id })).includes("extrait K "))).toEqual([
			...["document-ready", "document-ready-delivery", "posted", "extract-replaced", "extract-replaced-delivery"],
		]);
	});

	test("to the operator opens the order in the desk, once there is one", async () => {
		const { order, payment } = await shop.insertPaidOrder();
		const { id: refund_id } = await shop.insertRefund(payment);
		const invitation = { id: crypto.randomUUID(), email: "ada@bureau.example", name: "Ada", roles: ["serve" as const], invited_by: "test" };
		const times = { created_at: shop.start, expires_at: shop.start };
		await shop.db
			.insertInto("operators.invitation")
			.values({ ...invitation, ...times })
			.execute();
		const kinds = await listKinds(async (kind) =>
			(await readContent(order, kind, { refund_id })).includes(`/bureau/commandes/${order.order_number}"`),
		);
		await shop.db.deleteFrom("operators.invitation").execute();
		expect(kinds).toEqual(listKindsTo("operator"));
	});

	test("that confirms a purchase says that the promise of any of its orders moved", async () => {
		const { orders } = await shop.insertPaidPurchase(["express", "standard"]);
		const [first, second] = orders as [Order, Order];
		await record(first, "paid", {});
		expect(await readContent(first, "confirmation")).not.toContain("ont changé entre");
		await record(second, "paid", { promise_moved: true });
		expect(await readContent(first, "confirmation")).toContain("ont changé entre");
	});

	test.each([
		["unknown", "gratuit sur data.inpi.fr"],
		["removed", "est radiée"],
		["wrong-siren", "avec le bon numéro"],
		["no-kbis", "avis-situation-sirene.insee.fr"],
		["a word of a later version", "gratuit sur data.inpi.fr"],
	])("about a failed order says the last reason for which there is no extract: %s", async (because, advice) => {
		const { order } = await shop.insertPaidOrder();
		await record(order, "failed", { because: because === "removed" ? "no-kbis" : "removed" });
		await record(order, "failed", { because });
		expect(await readContent(order, "failed")).toContain(advice);
	});

	test("with an extract has its present version, and no file once it is purged", async () => {
		const { order } = await shop.insertPaidOrder();
		const old = await shop.insertDocument(order);
		const set = (values: Partial<StoredDocument>, id: string) =>
			shop.db.updateTable("documents").set(values).where("id", "=", id).execute();
		await set({ replaced_at: shop.start }, old.id);
		const extract = await shop.insertDocument(order);
		const read = async () => {
			const written = await write(order, "document-ready", { document_id: old.id });
			return [written?.files, JSON.stringify(written?.content).includes(`/verifier/${extract.id}`)];
		};
		expect(await read()).toEqual([[extract], true]);
		await set({ purged_at: shop.start }, extract.id);
		expect(await read()).toEqual([[], true]);
	});
});

const [all, kept, none] = ["link", "file", null];
test.each([
	{ deleted: [], customer: [all, kept], recipient: [all, kept] },
	{ deleted: [1], customer: [all, kept], recipient: [kept, kept] },
	{ deleted: [2], customer: [all, none], recipient: [all, none] },
	{ deleted: [0, 1], customer: [none, kept], recipient: [none, kept] },
])("an e-mail about two services brings extracts, or is not sent: $deleted are deleted", async ({ deleted, customer, recipient }) => {
	const ended = { status: "completed", completed_at: shop.start, delivery_email: "banque@example.fr" } as const;
	const { orders } = await shop.insertPaidPurchase(["express", "express", "standard"], ended);
	const [first, , other = first] = orders;
	for (const [index, order] of orders.entries()) {
		const { id } = await shop.insertDocument(order);
		if (deleted.includes(index)) await shop.db.updateTable("documents").set({ purged_at: shop.start }).where("id", "=", id).execute();
	}
	const read = (kind: OrderEmailKind) =>
		Promise.all(
			[first, other].map(async (order) => {
				const written = await write(order, kind);
				const link = JSON.stringify(written?.content ?? "").includes("/documents/ensemble/") ? "link" : "nothing";
				return written && (written.files.length === 1 ? "file" : link);
			}),
		);
	expect([await read("document-ready"), await read("document-ready-delivery")]).toEqual([customer, recipient]);
});

test("an e-mail about failed orders is sent to their customer though the extracts beside them are deleted", async () => {
	const { orders } = await shop.insertPaidPurchase(["express", "express"], { status: "completed", completed_at: shop.start });
	const [first, failed = first] = orders;
	await shop.insertDocument(first);
	await shop.db.updateTable("documents").set({ purged_at: shop.start }).where("order_id", "=", first.id).execute();
	await shop.db.updateTable("orders").set({ status: "failed", failure_reason: "operator" }).where("id", "=", failed.id).execute();
	expect(await readContent(first, "document-ready")).toContain("Un extrait n’a pas pu être obtenu");
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
			.values({ ...row, document_id: document?.id ?? null, data: anyJson({ number }), ...values })
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
		const written = await write(order, kind, { document_id: document?.id ?? null, ...values });
		return written?.files.map((file) => ("id" in file ? file.id : file.fileName));
	};

	test("is the first one alone, while nothing corrects it", async () => {
		const { order } = await shop.insertPaidOrder();
		const { document } = await insertInvoice(order, { document: await shop.insertDocument(order, "invoice") });
		const other = await shop.insertPaidOrder();
		const unnumbered = await shop.insertDocument(other.order, "invoice");
		expect(await find(order, "confirmation", document)).toEqual([document?.id]);
		expect(await find(other.order, "confirmation", unnumbered)).toEqual([unnumbered.id]);
		expect(await find(order, "confirmation", null)).toEqual([]);
	});

	test("is the one in force, with the credit note that cancels the first, in a confirmation that is sent later", async () => {
		const { order, first, creditNote, second } = await insertCorrectedOrder();
		const expected = [second.document?.id, creditNote.document?.id];
		expect(await find(order, "confirmation", first.document)).toEqual(expected);
		expect(await readContent(order, "confirmation", { document_id: first.document?.id ?? null })).toContain(
			"Votre facture corrigée est jointe",
		);
		expect(await find(order, "confirmation", first.document, { sent_at: shop.start })).toEqual(expected);
		expect(await find(order, "invoice-corrected", second.document)).toEqual(expected);
	});

	test("is awaited by an unsent confirmation while it has no PDF; one that has left keeps its own", async () => {
		const { order, first } = await insertCorrectedOrder({ hasPdf: false });
		await expect(find(order, "confirmation", first.document)).rejects.toThrow(/has no PDF yet/);
		for (const left of [{ sent_at: shop.start }, { bounced_at: shop.start }])
			expect(await find(order, "confirmation", first.document, left)).toEqual([first.document?.id]);
	});
});
