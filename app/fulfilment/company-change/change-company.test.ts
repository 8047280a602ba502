import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { extractLines, generatePdf, illegibleLine } from "../../../test/fixtures/pdf.ts";
import { type KnownCompany, knownCompanies } from "../../../test/known-companies.ts";
import { createOrderFixture, type OrderFixture, type OrderValues } from "../../../test/orders.ts";
import type { Siren } from "../../companies/siren.ts";
import { listInvoices } from "../../orders/invoices/invoices.store.server.ts";
import { listDrafts } from "../drafts/drafts.store.server.ts";
import { insertDraft } from "../drafts/insert-draft.server.ts";
import { findRequest } from "../extract-requests.store.server.ts";
import { fulfilOrder } from "../fulfil-order.server.ts";
import { invoiceOrder } from "../invoice-order.server.ts";
import { manualIssuer } from "../issuers/manual-issuer.server.ts";
import { specimenIssuer } from "../issuers/specimen-issuer.server.ts";
import { listNotes } from "../notes/notes.store.server.ts";
import { recordRequest } from "../record-request.server.ts";
import { reportExtractNotFound } from "../report-extract-not-found.server.ts";
import { uploadExtract } from "../upload-extract.server.ts";
import { changeCompany, checkCompanyChange } from "./change-company.server.ts";

let shop: OrderFixture;
let other: KnownCompany;
beforeAll(async () => {
	shop = await createOrderFixture({ startsAt: "2026-11-21T11:00:00Z" });
	const [company] = (await knownCompanies(shop.connection)).filter(({ siren }) => siren !== "552032534");
	if (company === undefined) throw new Error("the sample has no other company");
	other = company;
});
afterAll(() => shop?.close());

const makePdf = async () => new TextEncoder().encode(`%PDF-1.7 ${randomUUID()}`);
const change = (orderId: string, siren = other.siren, agreement = "Accord par téléphone à 10 h 12") =>
	changeCompany({ ...shop, makePdf }, { orderId, siren: siren as Siren, agreement, operator: "camille" });

/** Sets columns of an order, and asks for the change. */
async function changed(id: string, columns: OrderValues) {
	await shop.db.updateTable("orders").set(columns).where("id", "=", id).execute();
	return change(id);
}
/** Finds a company by the beginning of its legal category. */
async function findSiren(category: string, status: "active" | "removed" = "active"): Promise<string> {
	const query = shop.db.selectFrom("companies").select("siren").where("legal_category", "like", `${category}%`);
	return (await query.where("status", "=", status).limit(1).executeTakeFirstOrThrow()).siren;
}

test("an open order is about another company, at the same price: event, note, e-mail and an invoice in the place of the first one", async () => {
	const { order } = await shop.insertPaidOrder();
	await invoiceOrder({ ...shop, makePdf }, order.id);
	expect(await change(order.id)).toEqual({ ok: true, name: other.name });
	const changed = await shop.getOrder(order.id);
	expect(changed).toMatchObject({
		siren: other.siren,
		company_name: other.name,
		price_cents: order.price_cents,
		promised_at: order.promised_at,
	});
	const invoices = await listInvoices(shop.db, order);
	expect((await shop.getEvents(order)).map(({ event_type, payload }) => [event_type, payload])).toEqual([
		["company_changed", { siren: other.siren, replaces: order.siren, name: other.name, by: "camille" }],
		["invoice_corrected", { invoice: invoices[1]?.number, replaces: invoices[0]?.number }],
	]);
	expect(await shop.getJobs("invoice-order", invoices[1]?.number ?? "")).toMatchObject([{ data: { orderId: order.id } }]);
	expect(await listNotes(shop.db, order.id)).toMatchObject([{ text: "Accord par téléphone à 10 h 12", operator: "camille" }]);
	expect(await shop.getMailKinds(order)).toContain("company-changed");
	const lines = invoices.map(({ kind, data }) => [kind, data.lines[0]?.description.includes(other.siren), data.lines[0]?.total]);
	expect(lines).toEqual([
		["invoice", false, order.price_cents],
		["invoice", true, order.price_cents],
		["credit_note", false, order.price_cents],
	]);
});

test("an order without an invoice yet is invoiced for the new company only", async () => {
	const { order } = await shop.insertPaidOrder();
	expect(await change(order.id)).toMatchObject({ ok: true });
	await invoiceOrder({ ...shop, makePdf }, order.id);
	expect((await listInvoices(shop.db, order)).map(({ data }) => data.lines[0]?.description)).toEqual([
		expect.stringContaining(other.siren),
	]);
});

test.each<[string, (id: string) => Promise<unknown>]>([
	["same-company", (id) => change(id, "552032534")],
	["unknown-company", (id) => change(id, "000000000")],
	["no-agreement", (id) => change(id, other.siren, "  ")],
	["unknown-order", () => change(randomUUID())],
	["company-without-extract", async (id) => change(id, await findSiren("7210"))],
	["removed", async (id) => change(id, await findSiren("5", "removed"))],
	["not-paid", (id) => changed(id, { status: "pending" })],
	["completed", (id) => changed(id, { status: "completed" })],
	["disputed", (id) => changed(id, { disputed_at: shop.start })],
	[
		"invoice-not-ready",
		async (id) => {
			const down = async () => Promise.reject(new Error("no PDF"));
			await expect(invoiceOrder({ ...shop, makePdf: down }, id)).rejects.toThrow("no PDF");
			return change(id);
		},
	],
	[
		"has-extract",
		async (id) => {
			await uploadExtract(shop, { orderId: id, bytes: generatePdf() });
			return change(id);
		},
	],
	[
		"has-extract",
		async (id) => {
			await fulfilOrder({ ...shop, issuer: specimenIssuer(shop.now) }, id);
			await shop.db.deleteFrom("mails").where("order_id", "=", id).execute();
			return change(id);
		},
	],
	[
		"reported-not-found",
		async (id) => {
			await reportExtractNotFound(shop, { orderId: id, because: "removed" });
			return change(id);
		},
	],
])("is refused: %s", async (code, act) => {
	const { order } = await shop.insertPaidOrder();
	expect(await act(order.id)).toEqual({ ok: false, code });
	const { siren, company_name } = await shop.getOrder(order.id);
	expect({ siren, company_name }).toEqual({ siren: order.siren, company_name: order.company_name });
	expect([await listNotes(shop.db, order.id), await shop.getMailKinds(order)]).toEqual([[], []]);
});

test("what was done for the first company is undone: its file and the request to the registry; a second change has its own e-mail", async () => {
	const { order } = await shop.insertPaidOrder();
	const bytes = generatePdf({ lines: [...extractLines(), randomUUID()] });
	expect(await insertDraft(shop, { orderId: order.id, bytes, fileName: "x.pdf", operator: "camille" })).toMatchObject({ ok: true });
	expect(await recordRequest(shop, { orderId: order.id, by: "Camille" })).toEqual({ ok: true });
	expect(await change(order.id, other.siren, "  par téléphone ")).toMatchObject({ ok: true });
	expect(await listDrafts(shop.db, order.id)).toEqual([]);
	expect((await shop.getOrder(order.id)).extract_requested_at).toBeNull();
	expect(await listNotes(shop.db, order.id)).toMatchObject([{ text: "par téléphone" }]);
	const [first] = await shop.getMails(order);
	expect(await change(order.id, "552032534")).toMatchObject({ ok: true, name: expect.stringContaining("DANONE") });
	const mails = await shop.getMails(order);
	expect(mails).toMatchObject([{ kind: "company-changed" }]);
	expect(mails[0]?.id).not.toBe(first?.id);
});

test("what would refuse a change is known before", async () => {
	const { order } = await shop.insertPaidOrder();
	expect(await checkCompanyChange(shop.db, order, other.siren as Siren)).toBeNull();
	expect(await checkCompanyChange(shop.db, order, order.siren)).toBe("same-company");
	expect(await checkCompanyChange(shop.db, order, "000000000" as Siren)).toBe("unknown-company");
});

test("a reason why there is no extract goes into the event that fails the order", async () => {
	const { order } = await shop.insertPaidOrder();
	await reportExtractNotFound(shop, { orderId: order.id, because: "removed", by: "Camille" });
	expect(await findRequest(shop.db, order.id)).toMatchObject({ not_found_because: "removed", served_by: "Camille" });
	await fulfilOrder({ ...shop, issuer: manualIssuer({ db: shop.db, read: shop.storage.get, now: shop.now }) }, order.id);
	const failed = (await shop.getEvents(order)).find(({ event_type }) => event_type === "failed");
	expect(failed?.payload).toEqual({ reason: "not-found", because: "removed", by: "Camille" });
});

test("an extract's event says who uploaded it and what they confirmed", async () => {
	const { order } = await shop.insertPaidOrder({ status: "processing" });
	const bytes = generatePdf({ lines: [illegibleLine] });
	const confirmed = { unreadable: true, issuedAt: shop.now(), old: true };
	expect(await uploadExtract(shop, { orderId: order.id, bytes, confirmed, by: "Camille" })).toMatchObject({ ok: true });
	await fulfilOrder({ ...shop, issuer: manualIssuer({ db: shop.db, read: shop.storage.get, now: shop.now }) }, order.id);
	const issued = (await shop.getEvents(order)).find(({ event_type }) => event_type === "document_issued");
	expect(issued?.payload).toMatchObject({ by: "Camille", confirmed: "unreadable, issuedAt" });
});

test("of a purchase of several orders, the line of the changed order is replaced, and no other", async () => {
	const { orders } = await shop.insertPaidPurchase(["standard", "express", "express"]);
	const [first, second] = orders;
	await invoiceOrder({ ...shop, makePdf }, first.id);
	expect(await change(second?.id ?? "")).toMatchObject({ ok: true });
	const [invoice, corrected, creditNote] = await listInvoices(shop.db, first);
	expect(corrected?.replaces).toBe(invoice?.id);
	expect(creditNote?.data.lines).toEqual(invoice?.data.lines);
	expect(corrected?.data.lines.map(({ description }) => description.includes(other.siren))).toEqual([false, true, false]);
	expect(corrected?.data.lines.map((line) => ({ ...line, description: "" }))).toEqual(
		invoice?.data.lines.map((line) => ({ ...line, description: "" })),
	);
});
