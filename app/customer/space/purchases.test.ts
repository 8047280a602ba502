import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { toJson } from "../../../server/database/column-types.ts";
import { creditNote, invoice } from "../../../test/fixtures/invoice.ts";
import { insertOrder, insertPayment, type OrderValues } from "../../../test/orders.ts";
import { seededRandom } from "../../../test/random.ts";
import { createSpaceShop, readPlain, type SpaceShop } from "../../../test/shops/customer-space.ts";
import { scaledTimeout } from "../../../test/time-limits.ts";
import { cents } from "../../catalogue/money.ts";
import type { DocumentType } from "../../orders/documents/documents.store.server.ts";
import { sumLines } from "../../orders/invoices/invoice-amounts.ts";
import { createDocumentPath } from "../../orders/keys.server.ts";
import type { Order } from "../../orders/order.ts";
import { updateOrder } from "../../orders/orders.store.server.ts";
import type { RecordedPayment } from "../../orders/refunds/refunds.store.server.ts";
import { summariseInvoice, writeInvoiceLines, writePurchaseEntries } from "./customer-books.ts";
import { describeInvoices, listOlderInvoiceYears } from "./describe-invoices.server.ts";
import { describePurchases } from "./describe-purchases.server.ts";
import { listIdentities } from "./identities.server.ts";
import { listNewestOrderOfIdentities, listOpenDocuments } from "./purchases.store.server.ts";

let shop: SpaceShop;
beforeAll(async () => {
	shop = await createSpaceShop();
});
afterAll(() => shop?.stop());

const add = (values: OrderValues) => insertOrder(shop.shop.db, { created_at: shop.shop.now(), ...values });

const paid = () => ({ status: "completed", paid_at: shop.shop.now(), completed_at: shop.shop.now() }) as const;

/** Inserts a paid purchase with an order for each company. */
async function addPurchase(email: string, companies: readonly (OrderValues & { company_name: string })[]) {
	const purchase_id = randomUUID();
	const orders = [];
	for (const [index, company] of companies.entries())
		orders.push(
			await add({
				...{ ...paid(), customer_email: email, purchase_id, purchase_line: index + 1, ...(index === 0 && { id: purchase_id }) },
				...company,
			}),
		);
	return orders;
}

let places = 500;
/** Inserts an invoice of an order, without a PDF except for the given columns; a credit note where it corrects another. */
async function addInvoice(
	orderId: string,
	lines: readonly { total: number; description: string; reference?: string; orderNumber?: string }[],
	values: { year?: number; document_id?: string; corrects?: string; refund_id?: string } = {},
) {
	const [kind, place, year] = [values.corrects ? "credit_note" : "invoice", ++places, values.year ?? 2026] as const;
	const number = `${kind === "invoice" ? "F" : "A"}${year}-${String(place).padStart(6, "0")}`;
	const data = {
		...(kind === "invoice" ? invoice : creditNote),
		number,
		kind,
		lines: lines.map((line) => ({ ...line, total: cents(line.total) })),
	};
	const id = randomUUID();
	await shop.shop.db
		.insertInto("invoices")
		.values({
			...{ id, kind, year, number_in_year: place, number, order_id: orderId, issued_at: new Date("2026-11-26T09:00:00Z") },
			...{ total_cents: sumLines(data), data: toJson(data), ...values },
		})
		.execute();
	return { id, number };
}

/** Inserts a refund of a part of a payment. */
async function addRefund(payment: RecordedPayment): Promise<string> {
	const id = randomUUID();
	await shop.shop.db
		.insertInto("refunds")
		.values({
			...{ id, payment_id: payment.id, order_id: payment.order_id, amount_cents: 100, reason: "operator", status: "succeeded" },
			...{ requested_at: shop.shop.now(), settled_at: shop.shop.now() },
		})
		.execute();
	return id;
}

async function addDocument(
	order_id: string,
	values: { id?: string; doc_type?: DocumentType; created_at?: Date; purged_at?: Date; replaced_at?: Date } = {},
): Promise<string> {
	const id = values.id ?? randomUUID();
	await shop.shop.db
		.insertInto("documents")
		.values({
			...{ id, order_id, doc_type: "kbis", storage_path: "x", sha256: "x", bytes: 1 },
			...{ issued_at: shop.shop.now(), created_at: shop.shop.now(), ...values },
		})
		.execute();
	return id;
}

/** Opens the form to which an answer leads, in the browser that got it. */
const openForm = async ({ headers }: Response) => {
	const cookie = headers
		.getSetCookie()
		.map((line) => line.split(";")[0])
		.join("; ");
	return readPlain(await shop.visit(headers.get("location") ?? "", cookie));
};

describe("the list", () => {
	test("shows what was really ordered and paid, with its documents, its page and its form", async () => {
		const placed = await shop.placeOrder({ customer: { email: "real@example.fr" } });
		await shop.payByCard(placed.payUrl);
		await shop.untilOrderIs("completed", placed.id);
		const cookie = await shop.signIn("real@example.fr");
		const html = await vi.waitFor(
			async () => {
				const page = await readPlain(await shop.visit("/mes-commandes", cookie));
				expect(page).toMatch(/Facture F\d{4}-\d{6} \(PDF\)/);
				return page;
			},
			{ timeout: scaledTimeout(20_000), interval: 100 },
		);
		for (const said of ["DANONE", placed.number, "59,00 €", "Terminé", "1 commande"]) expect(html).toContain(said);
		expect(html).not.toMatch(/<script(?! type="application\/ld\+json")/);
		const files = [...html.matchAll(/href="(\/documents\/[^"]+)"/g)].map(([, url = ""]) => url);
		expect(files).toHaveLength(2);
		for (const url of files) expect((await shop.ask(url)).headers.get("content-type")).toBe("application/pdf");

		const opened = await shop.visit(`/mes-commandes/commande/${placed.number}`, cookie);
		expect([opened.status, opened.headers.get("location")]).toEqual([303, `/suivi/${placed.number}`]);
		const access = opened.headers.getSetCookie()[0]?.split(";")[0] ?? "";
		expect(await readPlain(await shop.visit(`/suivi/${placed.number}`, access))).toContain("Historique");

		const again = await shop.submit(`/mes-commandes/commande/${placed.number}`, cookie, {});
		expect(again.headers.get("location")).toMatch(/^\/commande\/552032534\?commande=[\w-]{64}$/);
		const form = await openForm(again);
		for (const value of ["real@example.fr", "Lovelace", "1 rue de la Paix"]) expect(form).toContain(`value="${value}"`);
	});

	test("has a purchase of several as one, with its lines, its sum and what was refunded", async () => {
		const email = "cabinet@example.fr";
		const [first] = await addPurchase(email, [
			{ company_name: "ALPHA", siren: "356000000", reference: "dossier; 12" },
			{ company_name: "BETA", siren: "775688732", refunded_cents: 900, product_code: "standard", price_cents: 3900 },
			{ company_name: "GAMMA", siren: "005420039" },
			{ company_name: "DELTA", siren: "552032534" },
			{ company_name: "EPSILON", siren: "542065479" },
		]);
		const cookie = await shop.signIn(email);
		const html = await readPlain(await shop.visit("/mes-commandes", cookie));
		for (const said of [
			"Commande groupée de 5 extraits",
			"ALPHA, BETA, GAMMA et 2 autres",
			"275,00 €, dont 9,00 € remboursés",
			"1 commande<",
		])
			expect(html).toContain(said);
		expect(html).toContain(`${first?.order_number}, `);

		const whole = `/mes-commandes/commande/${first?.order_number}`;
		const opened = await shop.visit(`${whole}?ensemble`, cookie);
		expect([opened.status, opened.headers.get("location")]).toEqual([303, `/suivi/${first?.order_number}/ensemble`]);
		const access = opened.headers.getSetCookie()[0]?.split(";")[0] ?? "";
		expect(await readPlain(await shop.visit(opened.headers.get("location") ?? "", access))).toContain("EPSILON");

		const again = await shop.submit(whole, cookie, { ensemble: "1" });
		expect(again.headers.get("location")).toMatch(/^\/commande\/plusieurs\?commande=[\w-]{64}$/);
		const form = await openForm(again);
		for (const said of ['value="dossier; 12"', `value="${email}"`, "DANONE", "LA POSTE"]) expect(form).toContain(said);
	});

	test("describes each order of a purchase with its state, its documents and its refund", async () => {
		const email = "described@example.fr";
		const purchase_id = randomUUID();
		// the last minutes of 2025 in London, the first ones of 2026 in Paris
		const line = (purchase_line: number, values: OrderValues) =>
			add({
				...{ ...paid(), customer_email: email, created_at: new Date("2025-12-31T23:30:00Z"), purchase_id, purchase_line },
				...{ company_name: `LIGNE ${purchase_line}`, ...values },
			});
		const first = await line(1, { id: purchase_id, reference: "dossier 1", refunded_cents: 1 });
		const letter = await line(5, { product_code: "postal" });
		const disputed = await line(4, { disputed_at: shop.shop.now(), siren: "356000000" });
		await line(6, { customer_email: "colleague@example.fr" });
		const failed = await line(3, { status: "failed", failure_reason: "not-found" });
		const cancelled = await line(2, { status: "failed", failure_reason: "cancelled" });
		for (const { id } of [disputed, letter]) await addDocument(id);
		// in the order of their creation, those of one moment in that of their ids
		const extract = await addDocument(first.id);
		const documents: string[] = [];
		for (const [digit, doc_type, hour] of [
			["f", "credit_note", "10"],
			["0", "credit_note", "10"],
			["8", "invoice", "09"],
		] as const)
			documents.push(
				await addDocument(first.id, {
					...{ id: `${digit}0000000-0000-4000-8000-${randomUUID().slice(-12)}`, doc_type },
					created_at: new Date(`2026-01-01T${hour}:00:00Z`),
				}),
			);
		const [last = "", credit = "", billed = ""] = documents;
		const issued = await addInvoice(first.id, [{ total: 5900, description: "KBIS" }], { document_id: billed });
		const payment = await insertPayment(shop.shop.db, first, { created_at: shop.shop.now() });
		const correct = async (document_id: string) =>
			addInvoice(first.id, [{ total: 1, description: "KBIS" }], { corrects: issued.id, refund_id: await addRefund(payment), document_id });
		const ofLetter = await addDocument(letter.id, { doc_type: "invoice" });
		const { number } = await addInvoice(letter.id, [{ total: 4400, description: "KBIS" }], { document_id: ofLetter });
		const [corrected, correctedAgain] = [await correct(credit), await correct(last)];

		const at = shop.shop.now();
		const context = { ...shop.shop, now: () => at };
		const url = (id: string) => createDocumentPath({ signer: shop.shop.signer, now: () => at }, id);
		const express = { siren: "552032534", service: "KBIS Express", reference: null, price: "59,00\u00a0€", status: "completed" };
		const without = { cancelled: false, extract: null, invoices: [] };
		expect(await describePurchases(context, email, { search: "", year: 2026 }, 1)).toEqual({
			...{ total: 1, years: [2026], page: 1, lastPage: 1 },
			purchases: [
				{
					...{ orderedOn: "1er janvier 2026", price: "280,00\u00a0€", refunded: "0,01\u00a0€", foundLines: [] },
					lines: [
						{
							...{
								...express,
								number: first.order_number,
								company: "LIGNE 1",
								reference: "dossier 1",
								cancelled: false,
								extract: url(extract),
							},
							invoices: [
								{ number: issued.number, isCredit: false, url: url(billed) },
								{ number: corrected.number, isCredit: true, url: url(credit) },
								{ number: correctedAgain.number, isCredit: true, url: url(last) },
							],
						},
						{ ...express, ...without, number: cancelled.order_number, company: "LIGNE 2", status: "failed", cancelled: true },
						{ ...express, ...without, number: failed.order_number, company: "LIGNE 3", status: "failed" },
						{ ...express, ...without, number: disputed.order_number, company: "LIGNE 4", siren: "356000000" },
						{
							...{ ...express, ...without, number: letter.order_number, company: "LIGNE 5", service: "KBIS Postal", price: "44,00\u00a0€" },
							invoices: [{ number, isCredit: false, url: url(ofLetter) }],
						},
					],
				},
			],
		});
		expect(await describePurchases(context, "nobody@example.fr", { search: "", year: null }, 1)).toEqual({
			...{ purchases: [], total: 0, years: [], page: 1, lastPage: 1 },
		});
	});

	test("has purchases of one moment always in the same order", async () => {
		const created_at = shop.shop.now();
		const ids = ["f", "8", "0"].map((digit) => `${digit}0000000-0000-4000-8000-${randomUUID().slice(-12)}`);
		for (const id of ids) await add({ ...paid(), customer_email: "moment@example.fr", created_at, id, purchase_id: id, company_name: id });
		const { purchases } = await describePurchases(shop.shop, "moment@example.fr", { search: "", year: null }, 1);
		expect(purchases.map(({ lines, refunded }) => [lines[0]?.company, refunded])).toEqual(ids.toReversed().map((id) => [id, null]));
	});

	test("is searched by company, SIREN, number and reference, filtered by year, and has pages of twenty", async () => {
		const email = "many@example.fr";
		for (let index = 0; index < 45; index++)
			await add({
				...{ ...paid(), customer_email: email, company_name: `SOCIÉTÉ ${index} DU NORD`, reference: `dossier NORD2026-${100 + index}A` },
				...{ created_at: new Date(Date.UTC(index < 3 ? 2024 : 2026, 0, 1 + index)), siren: index === 7 ? "356000000" : "552032534" },
			});
		const cookie = await shop.signIn(email);
		const find = async (query: string) => {
			const html = await readPlain(await shop.visit(`/mes-commandes?${query}`, cookie));
			return { html, companies: [...html.matchAll(/SOCIÉTÉ (\d+) DU NORD<\/span><\/h2>/g)].map(([, index]) => Number(index)) };
		};
		expect((await find("")).companies).toEqual(Array.from({ length: 20 }, (_, index) => 44 - index));
		expect((await find("page=3")).companies).toEqual([4, 3, 2, 1, 0]);
		expect((await find("page=3")).html).toContain("Page 3 sur 3");
		expect((await find("annee=2024")).companies).toEqual([2, 1, 0]);
		expect((await find("annee=2024")).html).toContain('<option value="2026">2026</option><option value="2024" selected="">2024</option>');
		expect((await find("q=soci%C3%A9te+du")).companies).toHaveLength(20);
		expect((await find("q=dossier+nord2026-133a")).companies).toEqual([33]);
		expect((await find("q=356+000+000")).companies).toEqual([7]);
		const { order_number } = await shop.shop.db
			.selectFrom("orders")
			.select("order_number")
			.where("reference", "=", "dossier NORD2026-110A")
			.executeTakeFirstOrThrow();
		for (const typed of [order_number, order_number.replaceAll("-", "").toLowerCase()])
			expect((await find(`q=${typed}`)).companies).toEqual([10]);
		expect((await find("q=nord&annee=2026&page=2")).html).toMatch(/href="\/mes-commandes\?q=nord&amp;annee=2026&amp;page=1"/);
		for (const odd of ["q=%27%25_", "q=zzz", "annee=1999", "page=0", "page=9999999", "page=-1", "q=%00"])
			expect([400, 200]).toContain((await shop.visit(`/mes-commandes?${odd}`, cookie)).status);
		expect((await find("q=zzz")).html).toContain("Aucune de vos commandes ne correspond");
	});

	test("shows the lines that the search found in a purchase of several", async () => {
		const email = "found@example.fr";
		await addPurchase(
			email,
			Array.from({ length: 12 }, (_, index) => ({
				company_name: `LIGNE ${index}`,
				reference: `chemise ${index < 10 ? "verte claire" : index < 11 ? "jaune claire" : "bleue"}`,
			})),
		);
		const cookie = await shop.signIn(email);
		const find = async (query: string) => {
			const [list = ""] = (await readPlain(await shop.visit(`/mes-commandes?q=${query}`, cookie))).split("<details");
			return { text: list, companies: [...list.matchAll(/LIGNE (\d+)<\/span><\/h3>/g)].map(([, index]) => Number(index)) };
		};
		const one = await find("chemise+bleue");
		expect(one.companies).toEqual([11]);
		expect(one.text).toContain("1 extrait correspond à votre recherche, sur 12 :");
		expect((await find("verte")).companies).toEqual(Array.from({ length: 10 }, (_, index) => index));
		// all of them, or too many
		for (const query of ["", "chemise", "claire"]) expect((await find(query)).companies).toEqual([]);
	});

	test("shows typed texts as texts", async () => {
		const email = "xss@example.fr";
		const typed = `<script>alert("1")</script>`;
		await add({
			...paid(),
			customer_email: email,
			company_name: typed,
			reference: typed,
			billing_company: typed,
			first_name: typed,
			address: typed,
		});
		const cookie = await shop.signIn(email);
		for (const path of ["", `?q=${encodeURIComponent(typed)}`, "/identites"]) {
			const html = await (await shop.visit(`/mes-commandes${path}`, cookie)).text();
			expect(html).toContain("&lt;script&gt;alert(");
			expect(html).not.toContain("<script>alert(");
		}
	});

	test("follows an address that is corrected", async () => {
		const order = await add({ ...paid(), customer_email: "mistyped@example.fr", company_name: "CORRIGÉE" });
		const before = await shop.signIn("mistyped@example.fr");
		expect(await readPlain(await shop.visit("/mes-commandes", before))).toContain("CORRIGÉE");
		await add({ customer_email: "right@example.fr" });
		await shop.shop.db.transaction().execute((trx) => updateOrder(trx, order.id, { customer_email: "Right@example.fr" }));
		expect(await readPlain(await shop.visit("/mes-commandes", before))).not.toContain("CORRIGÉE");
		expect((await shop.visit(`/mes-commandes/commande/${order.order_number}`, before)).headers.get("location")).toBe("/mes-commandes");
		expect(await readPlain(await shop.visit("/mes-commandes", await shop.signIn("right@example.fr")))).toContain("CORRIGÉE");
	});

	test("has no link to a document of a disputed order, of a letter, or of one that was replaced or purged", async () => {
		const email = "links@example.fr";
		const disputed = await add({ ...paid(), customer_email: email, disputed_at: shop.shop.now() });
		const letter = await add({ ...paid(), customer_email: email, product_code: "postal", price_cents: 6900 });
		const purged = await add({ ...paid(), customer_email: email });
		for (const { id } of [disputed, letter]) await addDocument(id);
		await addDocument(purged.id, { purged_at: shop.shop.now() });
		await addDocument(purged.id, { replaced_at: shop.shop.now() });
		expect(await readPlain(await shop.visit("/mes-commandes", await shop.signIn(email)))).not.toContain("/documents/");
		const seen = await add({ ...paid(), customer_email: email });
		await addDocument(seen.id);
		expect((await readPlain(await shop.visit("/mes-commandes", await shop.signIn(email)))).match(/\/documents\//g)).toHaveLength(1);
	});
});

test("the documents of some orders are theirs, in the order of their issue", async () => {
	const email = "theirs@example.fr";
	const [one, other, third] = await Promise.all([1, 2, 3].map(() => add({ customer_email: email })));
	if (!one || !other || !third) throw new Error("three orders");
	const ids = [];
	const documents = [
		[one, "kbis"],
		[third, "kbis"],
		[other, "kbis"],
		[one, "invoice"],
	] as const;
	for (const [minute, [{ id }, doc_type]] of documents.entries())
		ids.push(await addDocument(id, { doc_type, created_at: new Date(shop.shop.now().getTime() + minute * 60_000) }));
	const listed = await listOpenDocuments(shop.shop.db, [one.id, other.id]);
	expect(listed.map(({ id, orderId }) => [id, orderId])).toEqual([
		[ids[0], one.id],
		[ids[2], other.id],
		[ids[3], one.id],
	]);
});

test.each(["factures", "identites", "connexions"])("without a session, /mes-commandes/%s leads to the form", async (page) => {
	const answer = await shop.visit(`/mes-commandes/${page}`, "");
	expect([answer.status, answer.headers.get("location"), answer.headers.get("cache-control")]).toEqual([303, "/mes-commandes", "no-store"]);
});

describe("invoices", () => {
	test("are listed by year, and written for the books with their own amounts", async () => {
		const email = "books@example.fr";
		const [order, other] = await addPurchase(email, [
			{ company_name: "ALPHA", reference: "=HYPERLINK(1)" },
			{ company_name: "BETA", reference: "dossier 7" },
		]);
		if (!order || !other) throw new Error("there are two orders");
		const { number: issued } = await addInvoice(order.id, [
			{ total: 5900, description: "KBIS Express, extrait d’ALPHA", reference: "=HYPERLINK(1)", orderNumber: order.order_number },
			{ total: 3900, description: "KBIS Standard, extrait de BETA", reference: "dossier 7" },
		]);
		const cookie = await shop.signIn(email);
		const page = await shop.visit("/mes-commandes/factures", cookie);
		expect(page.headers.get("cache-control")).toBe("no-store");
		const html = await readPlain(page);
		for (const said of ["Factures et avoirs de 2026", `Facture ${issued}`, "26/11/2026, 81,67 € HT, TVA 16,33 €", "98,00 € TTC"])
			expect(html).toContain(said);

		const list = await shop.visit("/mes-commandes/factures/achats-2026.csv", cookie);
		expect([list.headers.get("cache-control"), list.headers.get("content-disposition")]).toEqual([
			"no-store",
			expect.stringContaining("achats-2026.csv"),
		]);
		const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(await list.arrayBuffer());
		expect(text).toBe(
			[
				"\ufeffDate;Numéro;Nature;Objet;Montant HT;TVA;Montant TTC;Votre référence;SIREN de l’entreprise;Numéro de commande",
				`26/11/2026;${issued};Facture;KBIS Express, extrait d’ALPHA;49,17;9,83;59,00;'=HYPERLINK(1);${order.siren};${order.order_number}`,
				`26/11/2026;${issued};Facture;KBIS Standard, extrait de BETA;32,50;6,50;39,00;dossier 7;;${invoice.orderNumber}`,
				"",
			].join("\r\n"),
		);

		const entries = await shop.visit("/mes-commandes/factures/achats-2026-fec.txt", cookie);
		expect(entries.headers.get("content-type")).toBe("text/plain; charset=iso-8859-15");
		expect(new TextDecoder("iso-8859-15").decode(await entries.arrayBuffer())).toContain(`\t81,67\t0,00\t`);
		for (const name of ["achats-2025.csvx", "achats-99.csv", "..%2Fx", "x"])
			expect((await shop.visit(`/mes-commandes/factures/${name}`, cookie)).status).toBe(404);
	});

	test("are written for the books line by line, credit notes the other way round", () => {
		const booked = [
			{
				...invoice,
				lines: [
					{ description: "KBIS Express, extrait d’ALPHA", total: cents(5900), reference: "dossier 1", orderNumber: "KB-2222-2222" },
					{ description: "KBIS Standard, extrait de BETA", total: cents(3900), orderNumber: "KB-3333-3333" },
					{ description: "KBIS Standard, extrait de GAMMA", total: cents(3900), reference: "dossier 3" },
				],
			},
			{ ...creditNote, lines: [{ description: "KBIS Standard, extrait de BETA", total: cents(3900) }] },
			{ ...invoice, number: "F2026-000043", vatRate: 0 },
		].map((data) => ({ number: data.number, kind: data.kind, issued_at: new Date(data.issuedAt), data }));
		expect(booked.map(summariseInvoice)).toEqual([
			{
				...{ number: "F2026-000042", kindLabel: "Facture", day: "2026-11-24", description: "3 extraits" },
				...{ reference: "dossier 1 + dossier 3", net: 11417, vat: 2283, total: 13700 },
			},
			{
				...{ number: "A2026-000007", kindLabel: "Avoir", day: "2026-11-24", description: "KBIS Standard, extrait de BETA" },
				...{ reference: "", net: -3250, vat: -650, total: -3900 },
			},
			{
				...{ number: "F2026-000043", kindLabel: "Facture", day: "2026-11-24", description: "KBIS Express, extrait de DANONE" },
				...{ reference: "", net: 5900, vat: 0, total: 5900 },
			},
		]);
		const sirens = new Map([
			["KB-2222-2222", "542107651"],
			[invoice.orderNumber, "552032534"],
		]);
		expect(new TextDecoder().decode(writeInvoiceLines(booked, sirens)).split("\r\n").slice(1, -1)).toEqual([
			"24/11/2026;F2026-000042;Facture;KBIS Express, extrait d’ALPHA;49,17;9,83;59,00;dossier 1;542107651;KB-2222-2222",
			"24/11/2026;F2026-000042;Facture;KBIS Standard, extrait de BETA;32,50;6,50;39,00;;;KB-3333-3333",
			"24/11/2026;F2026-000042;Facture;KBIS Standard, extrait de GAMMA;32,50;6,50;39,00;dossier 3;552032534;KB-7F3K-92QD",
			"24/11/2026;A2026-000007;Avoir;KBIS Standard, extrait de BETA;-32,50;-6,50;-39,00;;552032534;KB-7F3K-92QD",
			"24/11/2026;F2026-000043;Facture;KBIS Express, extrait de DANONE;59,00;0,00;59,00;;552032534;KB-7F3K-92QD",
		]);
		const entry = (count: number, account: string, number: string, label: string, amounts: string) =>
			["HA", "Achats", count, "20261124", account, number, "20261124", label, amounts, "", "", "", "", ""].join("\t");
		const [cost, vat] = ["6227\tFrais d'actes et de contentieux\t\t", "44566\tTVA déductible sur autres biens et services\t\t"];
		const supplier = "401\tFournisseurs\t000000000\tExtraitPro";
		const several = "Facture, 3 extraits, dossier 1 + dossier 3";
		const credit = "Avoir, KBIS Standard, extrait de BETA";
		expect(new TextDecoder("iso-8859-15").decode(writePurchaseEntries(booked)).split("\r\n")).toEqual([
			"JournalCode JournalLib EcritureNum EcritureDate CompteNum CompteLib CompAuxNum CompAuxLib PieceRef PieceDate EcritureLib Debit Credit EcritureLet DateLet ValidDate Montantdevise Idevise".replaceAll(
				" ",
				"\t",
			),
			entry(1, cost, "F2026-000042", several, "114,17\t0,00"),
			entry(1, vat, "F2026-000042", several, "22,83\t0,00"),
			entry(1, supplier, "F2026-000042", several, "0,00\t137,00"),
			entry(2, cost, "A2026-000007", credit, "0,00\t32,50"),
			entry(2, vat, "A2026-000007", credit, "0,00\t6,50"),
			entry(2, supplier, "A2026-000007", credit, "39,00\t0,00"),
			entry(3, cost, "F2026-000043", "Facture, KBIS Express, extrait de DANONE", "59,00\t0,00"),
			entry(3, supplier, "F2026-000043", "Facture, KBIS Express, extrait de DANONE", "0,00\t59,00"),
			"",
		]);
	});

	test.each([
		[12, "dossier 2026-114", /^Facture, 12 extraits, dossier 2026-114 \+ .+ dossier 2026-114\.\.\.$/],
		[2, "d".repeat(60), /^Facture, 2 extraits, d{60} \+ d{60}$/],
		[4, "d".repeat(60), /^Facture, 4 extraits, d{60} \+ d{60}\.\.\.$/],
	])("have labels of at most 200 characters in the entries: %i references", (count, reference, label) => {
		const lines = Array.from({ length: count }, () => ({ description: "KBIS", total: cents(3900), reference }));
		const data = { ...invoice, lines };
		const text = new TextDecoder("iso-8859-15").decode(
			writePurchaseEntries([{ number: data.number, kind: data.kind, issued_at: new Date(data.issuedAt), data }]),
		);
		const labels = text
			.split("\r\n")
			.slice(1, -1)
			.map((row) => row.split("\t")[10] ?? "");
		expect(labels).toHaveLength(3);
		for (const each of labels) {
			expect(each).toMatch(label);
			expect(each.length).toBeLessThanOrEqual(200);
		}
	});

	test("are listed fifty on a page, the newest first, with a link to their PDF once there is one", async () => {
		const email = "pages@example.fr";
		const lines = [{ total: 5900, description: "KBIS Express", reference: "dossier 1" }];
		const invoiceNew = async (values: Parameters<typeof addInvoice>[2] = {}, disputed_at: Date | null = null) =>
			addInvoice((await add({ ...paid(), customer_email: email, disputed_at })).id, lines, values);
		const old = await invoiceNew({ year: 2024 });
		await invoiceNew({ year: 2025 });
		const order = await add({ ...paid(), customer_email: email });
		const payment = await insertPayment(shop.shop.db, order, { created_at: shop.shop.now() });
		const pdf = await addDocument(order.id, { doc_type: "invoice" });
		const first = await addInvoice(order.id, lines, { document_id: pdf });
		const frozen = await invoiceNew({ document_id: await addDocument(order.id, { doc_type: "invoice" }) }, shop.shop.now());
		const credit = await addInvoice(order.id, [{ total: 100, description: "KBIS Express" }], {
			...{ corrects: first.id, refund_id: await addRefund(payment) },
		});
		const others: string[] = [];
		for (let count = 0; count < 49; count++) others.push((await invoiceNew()).number);

		const at = shop.shop.now();
		const read = (year: number | null, page: number, mailbox = email) =>
			describeInvoices({ ...shop.shop, now: () => at }, mailbox, { year, page });
		const described = {
			...{ kindLabel: "Facture", description: "KBIS Express", reference: "dossier 1", day: "26/11/2026", url: null },
			...{ net: "49,17\u00a0€", vat: "9,83\u00a0€", total: "59,00\u00a0€" },
		};
		const newest = await read(null, 1);
		expect(newest).toEqual({
			...{ years: [2026, 2025, 2024], hasOlder: false, year: 2026, page: 1, lastPage: 2 },
			invoices: [
				{
					...{ ...described, number: credit.number, kindLabel: "Avoir", reference: "" },
					...{ net: "−0,83\u00a0€", vat: "−0,17\u00a0€", total: "−1,00\u00a0€" },
				},
				...others.toReversed().map((number) => ({ ...described, number })),
			],
		});
		expect(await read(1999, 2)).toEqual({
			...{ ...newest, page: 2 },
			invoices: [
				{ ...described, number: frozen.number },
				{ ...described, number: first.number, url: createDocumentPath({ signer: shop.shop.signer, now: () => at }, pdf) },
			],
		});
		const none = { years: [], hasOlder: false, year: null, page: 1, lastPage: 1, invoices: [] };
		expect(await read(2026, 1, "nobody@example.fr")).toEqual(none);
		expect(await listOlderInvoiceYears(shop.shop, email)).toEqual([]);
		expect(await read(2024, 1)).toEqual({ ...newest, year: 2024, lastPage: 1, invoices: [{ ...described, number: old.number }] });
	});
});

describe("billing identities", () => {
	test("are those of paid orders, each once, and fill in the form without the company", async () => {
		const email = "identities@example.fr";
		const billed = {
			...paid(),
			customer_email: email,
			billing_company: "CABINET LEROY",
			billing_siren: "552032534",
			address: "1 rue A",
		} as OrderValues;
		await add({ ...billed, created_at: new Date("2026-01-01T09:00:00Z"), postal_code: "75001", city: "Paris" });
		const newest = await add({ ...billed, created_at: new Date("2026-02-01T09:00:00Z"), postal_code: "75001", city: "Paris" });
		await add({ ...paid(), customer_email: email, address: "2 rue B", postal_code: "69001", city: "Lyon" });
		await add({ customer_email: email, billing_company: "JAMAIS PAYÉE", address: "3 rue C" });
		const cookie = await shop.signIn(email);
		const html = await readPlain(await shop.visit("/mes-commandes/identites", cookie));
		expect(html.match(/CABINET LEROY<\/span>/g)).toHaveLength(2); // its heading, and its button for screen readers
		for (const said of ["1 rue A, 75001 Paris", "2 rue B, 69001 Lyon"]) expect(html).toContain(said);
		expect(html).not.toContain("JAMAIS PAYÉE");
		const form = await shop.submit("/mes-commandes/identites", cookie, { number: newest.order_number });
		expect(form.headers.get("location")).toMatch(/^\/commande\?commande=[\w-]{64}$/);
		const filled = await openForm(form);
		for (const value of ["CABINET LEROY", "1 rue A", email]) expect(filled).toContain(`value="${value}"`);
	});

	test("differ by each of their parts; the newest order with each one has its details", async () => {
		const mailbox = "parts@example.fr";
		const company = { billing_company: "CABINET LEROY", billing_siren: "552032534" as Order["siren"], billing_vat: "FR27552032534" };
		const variants: OrderValues[] = [
			{},
			{ billing_company: "ANNEXE" },
			{ billing_siren: "356000000" as Order["siren"] },
			{ billing_vat: null },
			{ first_name: "Grace" },
			{ last_name: "Hopper" },
			{ address: "2 rue B" },
			{ postal_code: "69001" },
			{ city: "Lyon" },
			{ billing_company: null, billing_siren: null, billing_vat: null, first_name: "", postal_code: null, city: null },
		];
		const insert = (day: number, values: OrderValues) =>
			add({
				...{ ...paid(), customer_email: mailbox, created_at: new Date(Date.UTC(2026, 0, day)) },
				...{ ...company, address: "1 rue A", postal_code: "75001", city: "Paris", ...values },
			});
		const orders: Order[] = [];
		await insert(2, { address: "2 rue B" });
		for (const [index, values] of variants.entries()) orders.push(await insert(10 + index, values));
		await insert(1, {});
		// two identities of one moment
		const ids = ["f", "0"].map((digit) => `${digit}0000000-0000-4000-8000-${randomUUID().slice(-12)}`) as [string, string];
		const moment = [await insert(5, { id: ids[0], city: "Arles" }), await insert(5, { id: ids[1], city: "Brest" })];

		const leroy = {
			...{ name: "CABINET LEROY", contact: "Ada Lovelace", siren: "552032534", vat: "FR27552032534", address: "1 rue A, 75001 Paris" },
		};
		const expected = [
			leroy,
			{ ...leroy, name: "ANNEXE" },
			{ ...leroy, siren: "356000000" },
			{ ...leroy, vat: null },
			{ ...leroy, contact: "Grace Lovelace" },
			{ ...leroy, contact: "Ada Hopper" },
			{ ...leroy, address: "2 rue B, 75001 Paris" },
			{ ...leroy, address: "1 rue A, 69001 Paris" },
			{ ...leroy, address: "1 rue A, 75001 Lyon" },
			{ name: "Lovelace", contact: null, siren: null, vat: null, address: "1 rue A" },
		].map((identity, index) => ({ ...identity, number: orders[index]?.order_number }));
		expect(await listIdentities(shop.shop, mailbox)).toEqual([
			...expected.toReversed(),
			{ ...leroy, number: moment[1]?.order_number, address: "1 rue A, 75001 Brest" },
			{ ...leroy, number: moment[0]?.order_number, address: "1 rue A, 75001 Arles" },
		]);
		expect(await listNewestOrderOfIdentities(shop.shop.db, mailbox, 2)).toEqual([orders[9], orders[8]]);
	});
});

test("a mailbox never sees or opens anything of another, however similar the addresses", async () => {
	const random = seededRandom(20261126);
	const mailboxes = ["a.b@example.fr", "ab@example.fr", "a_b@example.fr", "A.B@example.fr.example.com", "a%@example.fr", "%@example.fr"];
	const owned = new Map<string, { number: string; company: string; invoice: string }[]>(mailboxes.map((mailbox) => [mailbox, []]));
	for (let count = 0; count < 60; count++) {
		const mailbox = random.pick(mailboxes);
		const company = `SOC${count}X`;
		const spelt = random.next() < 0.5 ? mailbox.toUpperCase() : mailbox;
		const [order, ...lines] = await addPurchase(
			spelt,
			Array.from({ length: random.pick([1, 1, 3]) }, () => ({
				company_name: company,
				reference: "même dossier",
				address: `${company} rue`,
				siren: "552032534" as never,
			})),
		);
		if (!order) throw new Error("a purchase has an order");
		const { number: issued } = await addInvoice(order.id, [{ total: 5900, description: company }]);
		for (const { order_number } of [order, ...lines]) owned.get(mailbox)?.push({ number: order_number, company, invoice: issued });
	}
	const everything = [...owned.values()].flat();
	for (const mailbox of mailboxes) {
		const own = owned.get(mailbox) ?? [];
		const cookie = await shop.signIn(mailbox.toLowerCase());
		const paths = [
			"",
			"?page=2",
			"?page=3",
			"?q=meme+dossier",
			"?q=552032534",
			"?annee=2026",
			"/factures",
			"/factures/achats-2026.csv",
			"/factures/achats-2026-fec.txt",
			"/identites",
		];
		const pages = await Promise.all(paths.map(async (path) => readPlain(await shop.visit(`/mes-commandes${path}`, cookie))));
		const all = pages.join("\n");
		for (const { number, company, invoice: issued } of everything) {
			const isOwn = own.some((each) => each.number === number);
			expect([number, all.includes(number)]).toEqual([number, isOwn]);
			expect([company, new RegExp(`\\b${company}\\b`).test(all)]).toEqual([company, own.some((each) => each.company === company)]);
			expect([issued, all.includes(issued)]).toEqual([issued, own.some((each) => each.invoice === issued)]);
		}
		for (const { number } of everything.filter((each) => !own.includes(each)).slice(0, 5)) {
			const opened = await shop.visit(`/mes-commandes/commande/${number}`, cookie);
			expect([opened.headers.get("location"), opened.headers.getSetCookie()]).toEqual(["/mes-commandes", []]);
			expect((await shop.submit(`/mes-commandes/commande/${number}`, cookie, {})).headers.get("location")).toBe("/mes-commandes");
			expect((await shop.submit("/mes-commandes/identites", cookie, { number })).headers.get("location")).toBe("/mes-commandes/identites");
		}
	}
});
