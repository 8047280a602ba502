import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { creditNote, invoice } from "../../test/fixtures/invoice.ts";
import { insertOrder, type OrderValues } from "../../test/orders.ts";
import { seededRandom } from "../../test/random.ts";
import { createSpaceShop, readPlain, type SpaceShop } from "../../test/shops/customer-space.ts";
import { scaledTimeout } from "../../test/time-limits.ts";
import { cents } from "../catalogue/money.ts";
import { sumLines } from "../invoices/invoice-amounts.ts";
import { updateOrder } from "../orders/orders.store.server.ts";

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
/** Inserts an invoice of an order, or a credit note, without a PDF. */
async function addInvoice(
	orderId: string,
	kind: "invoice" | "credit_note",
	lines: readonly { total: number; description: string; reference?: string }[],
) {
	const place = ++places;
	const number = `${kind === "invoice" ? "F" : "A"}2026-${String(place).padStart(6, "0")}`;
	const data = {
		...(kind === "invoice" ? invoice : creditNote),
		number,
		kind,
		lines: lines.map((line) => ({ ...line, total: cents(line.total) })),
	};
	await shop.shop.db
		.insertInto("invoices")
		.values({
			...{
				id: randomUUID(),
				kind,
				year: 2026,
				number_in_year: place,
				number,
				order_id: orderId,
				issued_at: new Date("2026-11-26T09:00:00Z"),
			},
			...{ total_cents: sumLines(data), data: JSON.stringify(data) },
		})
		.execute();
	return number;
}

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
		expect(again.headers.get("location")).toMatch(/^\/commande\/552032534\?commande=[\w-]{43}$/);
		const form = await readPlain(await shop.ask(again.headers.get("location") ?? ""));
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
		expect(again.headers.get("location")).toMatch(/^\/commande\/plusieurs\?commande=[\w-]{43}$/);
		const form = await readPlain(await shop.ask(again.headers.get("location") ?? ""));
		for (const said of ['value="dossier; 12"', `value="${email}"`, "DANONE", "LA POSTE"]) expect(form).toContain(said);
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
				reference: `chemise ${index < 11 ? "verte" : "bleue"}`,
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
		// all of them, or too many
		for (const query of ["", "chemise", "verte"]) expect((await find(query)).companies).toEqual([]);
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
		const document = (order_id: string, values: object = {}) =>
			shop.shop.db
				.insertInto("documents")
				.values({
					...{ id: randomUUID(), order_id, doc_type: "kbis", storage_path: "x", sha256: "x", bytes: 1 },
					...{ issued_at: shop.shop.now(), created_at: shop.shop.now(), ...values },
				})
				.execute();
		const disputed = await add({ ...paid(), customer_email: email, disputed_at: shop.shop.now() });
		const letter = await add({ ...paid(), customer_email: email, product_code: "postal", price_cents: 6900 });
		const purged = await add({ ...paid(), customer_email: email });
		for (const { id } of [disputed, letter]) await document(id);
		await document(purged.id, { purged_at: shop.shop.now() });
		await document(purged.id, { replaced_at: shop.shop.now() });
		expect(await readPlain(await shop.visit("/mes-commandes", await shop.signIn(email)))).not.toContain("/documents/");
		const seen = await add({ ...paid(), customer_email: email });
		await document(seen.id);
		expect((await readPlain(await shop.visit("/mes-commandes", await shop.signIn(email)))).match(/\/documents\//g)).toHaveLength(1);
	});
});

describe("invoices", () => {
	test("are listed by year, and written for the books with their own amounts", async () => {
		const email = "books@example.fr";
		const [order, other] = await addPurchase(email, [
			{ company_name: "ALPHA", reference: "=HYPERLINK(1)" },
			{ company_name: "BETA", reference: "dossier 7" },
		]);
		if (!order || !other) throw new Error("there are two orders");
		const issued = await addInvoice(order.id, "invoice", [
			{ total: 5900, description: "KBIS Express, extrait de ALPHA", reference: "=HYPERLINK(1)" },
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
				"\ufeffDate;Numéro;Nature;Objet;Montant HT;TVA;Montant TTC;Votre référence",
				`26/11/2026;${issued};Facture;KBIS Express, extrait de ALPHA;49,17;9,83;59,00;'=HYPERLINK(1)`,
				`26/11/2026;${issued};Facture;KBIS Standard, extrait de BETA;32,50;6,50;39,00;dossier 7`,
				"",
			].join("\r\n"),
		);

		const entries = await shop.visit("/mes-commandes/factures/achats-2026-fec.txt", cookie);
		const rows = new TextDecoder("iso-8859-15")
			.decode(await entries.arrayBuffer())
			.split("\r\n")
			.map((line) => line.split("\t"));
		expect(rows.slice(0, 4).map(({ length }) => length)).toEqual([18, 18, 18, 18]);
		expect(rows.slice(1, 4).map((row) => [row[0], row[4], row[8], row[11], row[12]])).toEqual([
			["HA", "6227", issued, "81,67", "0,00"],
			["HA", "44566", issued, "16,33", "0,00"],
			["HA", "401", issued, "0,00", "98,00"],
		]);
		for (const name of ["achats-2025.csvx", "achats-99.csv", "..%2Fx", "x"])
			expect((await shop.visit(`/mes-commandes/factures/${name}`, cookie)).status).toBe(404);
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
		expect(form.headers.get("location")).toMatch(/^\/commande\?commande=[\w-]{43}$/);
		const filled = await readPlain(await shop.ask(form.headers.get("location") ?? ""));
		for (const value of ["CABINET LEROY", "1 rue A", email]) expect(filled).toContain(`value="${value}"`);
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
		const issued = await addInvoice(order.id, "invoice", [{ total: 5900, description: company }]);
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
