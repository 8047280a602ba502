import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestShop, type TestShop } from "../../../../test/shop.ts";
import { scaledTimeout } from "../../../../test/time-limits.ts";
import { correctionRefusals } from "./answer-invoice-correction.server.ts";
import { type CorrectionValues, checkCorrection, readCorrection, toBuyer } from "./correction-form.ts";

const filledIn = {
	...{ name: "Ada Lovelace", company: "LA POSTE", billingSiren: "356 000 000", billingVat: "" },
	...{ address: "2 quai Perrache", postalCode: "69 002", city: "Lyon" },
};
const read = (fields: Record<string, string>): CorrectionValues => {
	const form = new FormData();
	for (const [name, value] of Object.entries(fields)) form.set(name, value);
	return readCorrection(form);
};

describe("the form", () => {
	test("has no error when it is filled in, for a company or a person", () => {
		expect(checkCorrection(read(filledIn))).toEqual({});
		expect(checkCorrection(read({ ...filledIn, company: "", billingSiren: "" }))).toEqual({});
	});

	test("has an error for each field that the law requires, and for each wrong one", () => {
		expect(checkCorrection(read({}))).toEqual({
			...{ name: "Le nom est requis", address: "L'adresse est requise" },
			...{ postalCode: "Le code postal est requis", city: "La ville est requise" },
		});
		expect(checkCorrection(read({ ...filledIn, company: "" }))).toEqual({
			company: "Indiquez le nom de la société, ou effacez le SIREN et le numéro de TVA.",
		});
		expect(checkCorrection(read({ ...filledIn, billingSiren: "356000001" }))).toEqual({ billingSiren: "SIREN invalide (9 chiffres)" });
		expect(checkCorrection(read({ ...filledIn, billingVat: "FR27552032534" }))).toEqual({
			billingVat: "Ce numéro de TVA ne correspond pas au SIREN",
		});
		expect(checkCorrection(read({ ...filledIn, name: "<b>" }))).toEqual({
			name: "Ce champ contient des caractères qui ne sont pas acceptés",
		});
	});

	test("makes the buyer, with a VAT number only if it was typed", () => {
		const buyer = {
			...{ name: "LA POSTE", contact: "Ada Lovelace", address: "2 quai Perrache", postalCode: "69002", city: "Lyon" },
			...{ siren: "356000000", vat: "FR39356000000" },
		};
		expect(toBuyer(read({ ...filledIn, billingVat: "FR 39 356 000 000" }))).toEqual(buyer);
		expect(toBuyer(read({ ...filledIn, billingVat: "fr k7 356 000 000" }))).toEqual({ ...buyer, vat: "FRK7356000000" });
		const { vat: _, ...withoutVat } = buyer;
		expect(toBuyer(read(filledIn))).toEqual(withoutVat);
		expect(toBuyer(read({ ...filledIn, billingSiren: "", billingVat: "FR39356000000" }))).toEqual(buyer);
		expect(toBuyer(read({ ...filledIn, company: "", billingSiren: "" }))).toEqual({
			...withoutVat,
			name: "Ada Lovelace",
			contact: null,
			siren: null,
		});
	});
});

describe("the page", () => {
	let shop: TestShop;
	beforeAll(async () => {
		shop = await createTestShop();
	});
	afterAll(() => shop?.close());

	/** Orders an extract, and opens the tracking page. */
	async function openOrder() {
		const placed = await shop.completeOrder({ service: "express" });
		const found = await shop.postForm("/suivi-commande", { email: "ada@example.fr", orderId: placed.number });
		const cookie = found.headers.get("set-cookie")?.split(";")[0] ?? "";
		const path = `/suivi/${placed.number}/facture`;
		const open = async () => (await shop.ask(path, { headers: { cookie } })).text();
		const [, invoice = ""] = /name="invoice" value="([^"]*)"/.exec(await open()) ?? [];
		const send = (fields: Record<string, string>) => shop.postForm(path, { ...fields, invoice: fields.invoice ?? invoice }, { cookie });
		const listInvoices = () =>
			shop.shop.db
				.selectFrom("invoices")
				.select(["number", "kind", "document_id"])
				.where("order_id", "=", placed.id)
				.orderBy("issued_at")
				.execute();
		return { placed, cookie, path, open, invoice, send, listInvoices };
	}

	test("is for the browser that opened the order; another one is asked for e-mail and number", async () => {
		const { path, placed, invoice } = await openOrder();
		for (const answer of [await shop.ask(path), await shop.postForm(path, { ...filledIn, invoice })])
			expect([answer.status, answer.headers.get("location")]).toEqual([303, `/suivi/${placed.number}`]);
	});

	test("starts with the invoice’s data, and is not cached", async () => {
		const { path, cookie, invoice } = await openOrder();
		const answer = await shop.ask(path, { headers: { cookie } });
		const html = await answer.text();
		expect(answer.headers.get("cache-control")).toContain("no-store");
		for (const value of ["Ada Lovelace", "1 rue de la Paix", "75002", "Paris", invoice]) expect(html).toContain(`value="${value}"`);
		expect(html).toContain("encore 3\u00a0fois au plus");
	});

	test("shows its errors with what was typed, and changes nothing", async () => {
		const { send, listInvoices } = await openOrder();
		const answer = await send({ ...filledIn, billingSiren: "356000001", city: "Villeurbanne" });
		const html = await answer.text();
		expect(answer.status).toBe(400);
		for (const shown of ["SIREN invalide (9 chiffres)", 'value="Villeurbanne"', 'value="356000001"']) expect(html).toContain(shown);
		expect(await listInvoices()).toHaveLength(1);
	});

	test("asks once about a name that is not the SIREN's, and takes it when it is confirmed", async () => {
		const { send, listInvoices } = await openOrder();
		const typed = { ...filledIn, company: "Durant Plomberie SARL", billingSiren: "552 032 534", billingVat: "" };
		const asked = await send(typed);
		const html = (await asked.text()).replace(/<!-- -->/g, "");
		expect([asked.status, html.includes("Ce SIREN appartient à DANONE.")]).toEqual([200, true]);
		expect(await listInvoices()).toHaveLength(1);
		const [, checkedName = ""] = /name="checkedName" value="([^"]*)"/.exec(html) ?? [];
		// another name is asked about again
		expect((await send({ ...typed, company: "Dupond SARL", checkedName })).status).toBe(200);
		expect((await send({ ...typed, checkedName })).status).toBe(303);
	});

	test("corrects the invoice once, leads back to the order, and keeps all documents", async () => {
		const { placed, cookie, send, listInvoices, invoice } = await openOrder();
		const answers = await Promise.all([send(filledIn), send(filledIn)]);
		expect(answers.map(({ status }) => status).sort()).toEqual([303, 409]);
		const [back = ""] = answers.flatMap(({ headers }) => headers.get("location") ?? []);
		expect(back).toBe(`/suivi/${placed.number}?corrige=invoice`);
		const answered = await (await shop.ask(back, { headers: { cookie } })).text();
		expect(answered).toMatch(/Facture corrigée\..*La nouvelle, F\d{4}-\d{6}, et l’avoir vous sont envoyés\./s);
		// it says the same at more length
		expect(answered).not.toContain("Votre nouvelle facture est en préparation.");
		const mails = await shop.getMails(placed, "invoice-corrected");
		const issued = await listInvoices();
		const [, inForce] = /La nouvelle, (F\d{4}-\d{6}),/.exec(answered) ?? [];
		expect(mails.map(({ subject }) => subject)).toEqual([`Facture corrigée ${inForce}\u00a0: DANONE — commande ${placed.number}`]);
		expect(issued).toHaveLength(3);
		expect(issued.every(({ document_id }) => document_id !== null)).toBe(true);
		const page = await (await shop.ask(`/suivi/${placed.number}`, { headers: { cookie } })).text();
		expect(page.match(/href="\/documents\//g)).toHaveLength(4);
		expect(page).toContain("(remplacée)");
		expect(page).not.toContain("Facture corrigée.");
		const links = Array.from(page.matchAll(/href="(\/documents\/[^"]*)"/g), ([, link = ""]) => link);
		for (const link of links) expect((await shop.ask(link)).status).toBe(200);
		expect((await (await send({ ...filledIn, invoice })).text()).includes(correctionRefusals["corrected-meanwhile"])).toBe(true);
	});

	test("corrects the reference too, on the invoice and of its order", async () => {
		const { placed, open, send } = await openOrder();
		const buyer = { name: "Ada Lovelace", address: "1 rue de la Paix", postalCode: "75002", city: "Paris" };
		const read = async () => {
			// the PDF of a corrected invoice is made first
			await expect.poll(open, { timeout: scaledTimeout(20_000) }).toContain('name="invoice"');
			const { reference } = await shop.shop.db
				.selectFrom("orders")
				.select("reference")
				.where("id", "=", placed.id)
				.executeTakeFirstOrThrow();
			const [, invoice = ""] = /name="invoice" value="([^"]*)"/.exec(await open()) ?? [];
			const { data } = await shop.shop.db.selectFrom("invoices").select("data").where("number", "=", invoice).executeTakeFirstOrThrow();
			return { invoice, reference, ofLines: data.lines?.map((line) => line.reference) };
		};
		const before = await read();
		expect(before).toMatchObject({ reference: null, ofLines: [undefined] });
		const unchanged = await send({ ...buyer, "reference-1": " " });
		expect((await unchanged.text()).includes(correctionRefusals.unchanged)).toBe(true);
		const long = await send({ ...buyer, "reference-1": "x".repeat(101) });
		expect([long.status, await long.text()]).toEqual([400, expect.stringContaining('href="#reference-1"')]);
		expect(await read()).toEqual(before);
		expect((await send({ ...buyer, "reference-1": "dossier 7" })).status).toBe(303);
		const { invoice, ...corrected } = await read();
		expect(corrected).toEqual({ reference: "dossier 7", ofLines: ["dossier 7"] });
		expect(await open()).toMatch(/name="reference-1"[^>]*value="dossier 7"/);
		// one that the form does not send stays, and an empty one goes
		expect((await send({ ...filledIn, invoice })).status).toBe(303);
		const kept = await read();
		expect(kept).toMatchObject({ reference: "dossier 7", ofLines: ["dossier 7"] });
		expect((await send({ ...filledIn, "reference-1": "", invoice: kept.invoice })).status).toBe(303);
		expect(
			(await shop.shop.db.selectFrom("orders").select("reference").where("id", "=", placed.id).executeTakeFirst())?.reference,
		).toBeNull();
	});

	test("that fails says that the invoice is unchanged, and keeps what was typed", async () => {
		const { send, listInvoices } = await openOrder();
		await sql`alter table rate_limits rename to away`.execute(shop.shop.db);
		const failed = await send(filledIn).finally(() => sql`alter table away rename to rate_limits`.execute(shop.shop.db));
		const html = await failed.text();
		expect([failed.status, html.includes(correctionRefusals.unavailable)]).toEqual([503, true]);
		expect(html).toContain('value="LA POSTE"');
		expect(await listInvoices()).toHaveLength(1);
		expect((await send(filledIn)).status).toBe(303);
	});

	test("says why an invoice may no longer be corrected", async () => {
		const { placed, open, send } = await openOrder();
		await shop.shop.db.updateTable("orders").set({ disputed_at: new Date(), dispute_status: "open" }).where("id", "=", placed.id).execute();
		const html = await open();
		expect(html).toContain(correctionRefusals.disputed);
		expect(html).not.toContain("<form method");
		expect((await send(filledIn)).status).toBe(409);
	});
});
