import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { toJson } from "../../../server/database/column-types.ts";
import { createOperator, type TestOperator } from "../../../test/operators.ts";
import { createTestShop, type TestShop } from "../../../test/shop.ts";
import { getMonthHash } from "../../books/closing/close-month.server.ts";
import type { Month } from "../../books/month.ts";
import { listDeskLog } from "../log/desk-log.store.server.ts";

const day = 86_400_000;
const clock = { ahead: Date.parse("2026-11-20T10:00:00Z") - Date.now() };
let shop: TestShop;
let accountant: TestOperator;
beforeAll(async () => {
	shop = await createTestShop({ variables: { LOG_LEVEL: "silent" }, now: () => new Date(Date.now() + clock.ahead) });
	const placed = await shop.placeOrder({ service: "express" });
	await shop.payByCard(placed.payUrl);
	await shop.untilOrderIs("completed", placed.id);
	await shop.getMails(placed, "confirmation");
	clock.ahead += 14 * day; // December
	accountant = await createOperator(shop, "Claude", ["accounts"]);
});
afterAll(() => shop?.close());

/** The page's text, with ordinary spaces. */
async function read(path: string): Promise<string> {
	const answer = await accountant.ask(path);
	expect(answer.status, path).toBe(200);
	return (await answer.text()).replaceAll(/<[^>]+>/g, " ").replaceAll(/[\s\u00a0\u202f]+/g, " ");
}
const post = (path: string, fields: Record<string, string>) => accountant.post(path, { key: crypto.randomUUID(), ...fields });

test("before anything is posted, the page says so; the update reads the balance and posts", async () => {
	expect(await read("/bureau/comptes")).toContain("Aucune écriture n’a encore été passée.");
	const answer = await post("/bureau/comptes", { act: "update-accounts" });
	expect(await answer.text()).toMatch(/Écritures passées\u00a0: 4\. Mouvements lus\u00a0: \d/);
	const text = await read("/bureau/comptes");
	expect(text).toContain(
		"Novembre 2026 Ouvert Ventes HT (facturé dans le mois) 49,17 € TVA à déclarer (encaissé dans le mois) 9,83 € Encaissé 59,00 €",
	);
});

/** Inserts payouts of November that a person asked for, which are remarks, and others that are not the sum of their movements, which block. */
const insertPayouts = (manual: number, wrong: number) =>
	shop.shop.db
		.insertInto("provider_payouts")
		.values(
			Array.from({ length: manual + wrong }, (_, index) => ({
				...{ id: index < manual ? `manual-${index}.` : `wrong-${index}.`, automatic: index >= manual, amount_cents: 100, currency: "eur" },
				...{ status: "paid" as const, arrives_at: new Date("2026-11-25T00:00:00Z"), created_at: new Date("2026-11-24T00:00:00Z") },
			})),
		)
		.execute();
const deletePayouts = () => shop.shop.db.deleteFrom("provider_payouts").where("id", "~", "^(manual|wrong)-").execute();
/** How many payouts of each kind the page of November lists, and what it says of the others. */
async function readPayouts() {
	const text = await read("/bureau/comptes/2026-11");
	const count = (kind: string) => [...text.matchAll(new RegExp(`${kind}-\\d`, "g"))].length;
	return [count("wrong"), count("manual"), /Points non affichés : (\d+) \./.exec(text)?.[1] ?? null];
}

test("the page of a month lists fifty points of each kind, and counts the others", async () => {
	for (const [manual, wrong, others] of [
		[2, 1, null],
		[50, 1, null],
		[52, 51, "3"],
	] as const) {
		await insertPayouts(manual, wrong);
		expect(await readPayouts()).toEqual([Math.min(wrong, 50), Math.min(manual, 50), others]);
		await deletePayouts();
	}
});

/** Lets a statement change what the database keeps. */
async function unkept(table: "account_entries" | "account_closings" | "e_reports", change: () => Promise<unknown>) {
	await sql`alter table ${sql.table(table)} disable trigger user`.execute(shop.shop.db);
	await change();
	await sql`alter table ${sql.table(table)} enable trigger user`.execute(shop.shop.db);
}

test("the page of a month says why what it invoiced is not what it received", async () => {
	const path = "/bureau/comptes/2026-11";
	expect(await read(path)).not.toMatch(/Facturé|Détail/);
	const lines = [
		{ account: "customers", number: "411000", debit: 1200, credit: 0 },
		{ account: "sales", number: "706000", debit: 0, credit: 1000 },
		{ account: "vat", number: "445710", debit: 0, credit: 200 },
	];
	await shop.shop.db
		.insertInto("account_entries")
		.values({
			...{ fact: "invoice:late", journal: "VT", year: 2026, number_in_year: 900, entry_date: "2026-12-01", piece_date: "2026-12-01" },
			...{ piece_ref: "F2026-000900", label: "x", subject: "x", posted_at: shop.shop.now(), lines: toJson(lines) as never },
			...{ vat_month: "2026-11-01", vat_rate: 20, net_cents: 1000, vat_cents: 200 },
		})
		.execute();
	const text = await read(path);
	expect(text).toContain("Facturé 49,17 € HT, encaissé 59,17 € HT : 1 facture payée en novembre 2026, écrite ensuite.");
	expect(text).toContain("2,00 € de plus que le compte 445710 : 1 facture payée en novembre 2026, écrite ensuite. Détail");
	const file = await accountant.ask(`${path}/vat-difference`);
	expect(await file.text()).toContain("F2026-000900");
	await unkept("account_entries", () => shop.shop.db.deleteFrom("account_entries").where("fact", "=", "invoice:late").execute());
});

test("a month is closed in two steps, as it was looked at", async () => {
	const path = "/bureau/comptes/2026-11";
	expect(await read(path)).toContain("Préparer la clôture");
	expect(await read(`${path}?cloture=oui`)).toContain("J’ai relu ces sommes.");
	const seen = await getMonthHash(shop.shop.db, "2026-11" as Month);
	const fields = { act: "close-month", month: "2026-11", seen };
	expect(await (await post(path, fields)).text()).toContain("Cochez que vous avez relu les sommes.");
	expect(await (await post(path, { ...fields, confirmed: "on", seen: "0".repeat(64) })).text()).toContain("Relisez les sommes");
	expect(await (await post(path, { ...fields, confirmed: "on" })).text()).toContain("Novembre 2026 est clôturé.");
	expect(await read(path)).toContain("Clôturé le vendredi 4 décembre 2026");
	expect(await read("/bureau/comptes")).toContain("Novembre 2026 Clôturé le 04/12/2026");
	expect(await read(path)).not.toContain("Refait aujourd’hui");
	// a file that the shop did not have at the closing
	await unkept("account_closings", () => sql`update account_closings set files = files - 0`.execute(shop.shop.db));
	expect(await read(path)).toMatch(
		/journal-2026-11\.csv Refait aujourd’hui : ce mois a été clôturé avant que ce fichier n’existe\..+\.txt SHA-256/,
	);
	// nothing keeps a closed month from being closed
	await insertPayouts(51, 51);
	expect(await readPayouts()).toEqual([0, 50, "1"]);
	await deletePayouts();
	expect((await accountant.ask("/bureau/comptes/2026-12")).status).toBe(404);
	expect((await accountant.ask("/bureau/comptes/novembre")).status).toBe(404);
});

test("files are downloads that no browser executes, and are in the trail", async () => {
	for (const [file, name, type] of [
		["journal", "journal-2026-11.csv", "text/csv"],
		["fec", "000000000FEC20261130.txt", "text/plain; charset=iso-8859-15"],
		["e-reporting", "e-reporting-2026-11.json", "application/json"],
		["pdf", "factures-2026-11.zip", "application/zip"],
	] as const) {
		const answer = await accountant.ask(`/bureau/comptes/2026-11/${file}`);
		expect(answer.status, file).toBe(200);
		expect(answer.headers.get("content-disposition")).toBe(`attachment; filename="${name}"`);
		expect(answer.headers.get("content-type")).toContain(type);
		expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
		expect(answer.headers.get("content-security-policy")).toContain("sandbox");
		expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(100);
	}
	for (const path of ["2026-11/autre", "2026-11/constructor", "2026-09/pdf", "x/journal"])
		expect((await accountant.ask(`/bureau/comptes/${path}`)).status, path).toBe(404);
	const downloads = (await listDeskLog(shop.shop.db, 100)).filter(({ verb }) => verb === "download-accounts");
	expect(downloads[0]).toMatchObject({ subject: expect.stringMatching(/^2026-/), who: "Claude" });
});

test("the role decides: who serves orders sees no accounts", async () => {
	const server = await createOperator(shop, "Sacha", ["serve"]);
	for (const path of ["/bureau/comptes", "/bureau/comptes/2026-11", "/bureau/comptes/2026-11/journal", "/bureau/comptes/2026-11/pdf"])
		expect((await server.ask(path)).status, path).toBe(403);
	// but notes what the extract cost, on the page of the order
	const { id, order_number } = await shop.shop.db.selectFrom("orders").select(["id", "order_number"]).executeTakeFirstOrThrow();
	const page = `/bureau/commandes/${order_number}`;
	const readPage = async () => (await (await server.ask(page)).text()).replaceAll("\u00a0", " ");
	expect(await readPage()).toMatch(
		/Ce que le greffe a pris[\s\S]+Rien n’est noté : c’est le tarif officiel de l’extrait électronique qui compte, 3,20 €\./,
	);
	const fields = { act: "extract-cost", order: id, amount: "4,10", key: crypto.randomUUID() };
	expect((await (await server.post(page, fields)).text()).replaceAll("\u00a0", " ")).toContain("Coût de l’extrait : 4,10 €.");
	expect(await shop.shop.db.selectFrom("extract_costs").select("amount_cents").execute()).toEqual([{ amount_cents: 410 }]);
	const noted = await readPage();
	expect(noted).toContain("Noté : 4,10 €.");
	expect(noted).toMatch(/<input[^>]+name="amount"[^>]+value="4,10"/);
});

test("the setting for the accountant's software changes the files beside the month's, and says so", async () => {
	const path = "/bureau/comptes";
	expect(await read(path)).toMatch(/Exercice finissant le 31\/12\/2026 11 mois clôturés sur 12 : provisoire/);
	expect(await read(path)).toContain("Aujourd’hui : un compte auxiliaire par commande, exercice dès janvier");
	expect(await read(`${path}/2026-11`)).not.toContain("Pour votre logiciel");
	expect((await accountant.ask(`${path}/2026-11/fec-collectif`)).status).toBe(404);
	const year = await accountant.ask(`${path}/exercice/2026/fec`);
	expect(year.headers.get("content-disposition")).toBe('attachment; filename="provisoire-000000000FEC20261231.txt"');
	expect(year.headers.get("content-type")).toBe("text/plain; charset=iso-8859-15");
	expect(await year.text()).toMatch(/^JournalCode\t[\s\S]+\tKB-/);
	for (const other of ["2031", "1999", "x", "20266"]) expect((await accountant.ask(`${path}/exercice/${other}/fec`)).status).toBe(404);
	const books = { customers: "collective", yearStart: "12", layout: "none", ownColumns: "", salesPeriod: "month" };
	const set = async (fields: Record<string, string>) => (await post(path, { act: "set-books", ...fields })).text();
	const refused = await set({ ...books, yearStart: "13" });
	expect(refused).toContain("Choisissez le mois où commence l’exercice.");
	// the part of the page with the form is folded, but for a refusal
	const isOpen = (html: string) => /<details[^>]*>(?=<summary[^>]*>Votre logiciel)/.exec(html)?.[0].includes("open=");
	expect([isOpen(refused), isOpen(await (await accountant.ask(path)).text())]).toEqual([true, false]);
	expect(await set(books)).toContain("C’est enregistré.");
	expect(await set(books)).toContain("déjà en place");
	expect(await read(path)).toMatch(
		/Les numéros suivent l’année civile ; l’exercice en contient deux séries\. Exercice finissant le 30\/11\/2026 Votre logiciel/,
	);
	expect(await read(`${path}/2026-11`)).toMatch(/Pour votre logiciel .+ collectif-000000000FEC20261130\.txt/);
	const month = await accountant.ask(`${path}/2026-11/fec-collectif`);
	expect([month.status, month.headers.get("content-disposition")]).toEqual([
		200,
		'attachment; filename="collectif-000000000FEC20261130.txt"',
	]);
	expect(await month.text()).not.toMatch(/\t(Commande )?KB-[^\t]+\t/);
	expect(await (await accountant.ask(`${path}/exercice/2026/fec`)).text()).not.toMatch(/\t(Commande )?KB-[^\t]+\t/);
	for (const [layout, name, type, bytes] of [
		["sage100", "journal-sage100-2026-11.txt", "text/plain; charset=iso-8859-15", /^\tJou\tDate\tN°\tG/],
		["own", "journal-colonnes-2026-11.csv", "text/csv; charset=utf-8", /^\ufeff?PieceRef;;Debit\r\n/],
	] as const) {
		expect(await set({ ...books, layout, ownColumns: "pieceref - Debit" })).toContain("C’est enregistré.");
		expect(await read(`${path}/2026-11`)).toContain(name);
		const file = await accountant.ask(`${path}/2026-11/${name.slice(0, name.indexOf("-2026"))}`);
		expect(file.headers.get("content-disposition")).toBe(`attachment; filename="${name}"`);
		expect(file.headers.get("content-type")).toBe(type);
		expect(Buffer.from(await file.arrayBuffer()).toString(layout === "own" ? "utf8" : "latin1")).toMatch(bytes);
	}
	expect(await (await accountant.ask(path)).text()).toContain("PieceRef - Debit</textarea>");
	expect((await accountant.ask(`${path}/2026-11/journal-sage100`)).status).toBe(404);
	const trail = (await listDeskLog(shop.shop.db, 100)).findLast(({ verb, outcome }) => verb === "set-books" && outcome === "done");
	expect(trail?.change?.after).toEqual({ books: "un compte collectif, exercice dès décembre" });
});

test("a transmission of e-reporting is prepared by its button, kept, and downloaded", async () => {
	const path = "/bureau/comptes/2026-11";
	expect(await read(path)).not.toContain("flux 10");
	const books = { customers: "order", yearStart: "1", layout: "none", ownColumns: "", salesPeriod: "month" };
	const setPlatform = { act: "set-books", ...books, platformId: "a1b2", platformName: "Plateforme" };
	expect(await (await post("/bureau/comptes", setPlatform)).text()).toContain("C’est enregistré.");
	expect(await read("/bureau/comptes")).toContain("e-reporting des ventes par mois, plateforme Plateforme (A1B2)");
	expect(await read(path)).toMatch(
		/flux 10.+ Ventes du 01\/11\/2026 au 30\/11\/2026 Préparer la transmission : ventes du .+ Paiements du 01\/11\/2026 au 30\/11\/2026 Préparer/,
	);
	const sales = { act: "prepare-e-report", flow: "sales", start: "2026-11-01", end: "2026-11-30" };
	const id = "EP-20261101-20261130-T-1";
	expect(await (await post(path, sales)).text()).toContain(`${id} est prêt.`);
	expect(await (await post(path, sales)).text()).toContain(`${id} est déjà prêt\u00a0: rien n’a changé.`);
	expect(await read(path)).toMatch(new RegExp(`${id}\\.xml Initiale, préparée le 04/12/2026 à 11 h par Claude Paiements`));
	const file = await accountant.ask(`${path}/${id}`);
	expect(file.headers.get("content-type")).toBe("application/xml");
	expect(file.headers.get("content-disposition")).toBe(`attachment; filename="${id}.xml"`);
	expect(await file.text()).toMatch(/^<\?xml[\s\S]+<TransactionsReport>/);
	for (const other of [`2026-11/${id}0`, `2026-10/${id}`, "2026-11/EP-"])
		expect((await accountant.ask(`/bureau/comptes/${other}`)).status, other).toBe(404);
	// what became known since
	await unkept("e_reports", () => sql`update e_reports set content_sha256 = 'other'`.execute(shop.shop.db));
	expect(await read(path)).toMatch(
		/Cette période a changé depuis la transmission du 04\/12\/2026 à 11 h\. Préparer une rectification : ventes du/,
	);
	expect(await (await post(path, sales)).text()).toContain("EP-20261101-20261130-T-2 est prêt.");
	expect(await read(path)).toContain("T-2.xml Rectificative, préparée le 04/12/2026 à 11 h par Claude");
	// a month that is not over has nothing to prepare, and says why
	expect(await (await post(path, { ...sales, start: "2026-12-01", end: "2026-12-31" })).text()).toContain(
		"Cette période n’est pas terminée.",
	);
	const trail = (await listDeskLog(shop.shop.db, 100)).find(({ verb, subject }) => verb === "download-accounts" && subject === id);
	expect(trail).toMatchObject({ who: "Claude", outcome: "done" });
});

test("who may only see the months gets their files, and no form that changes anything", async () => {
	const cabinet = await createOperator(shop, "Cabinet", ["months"]);
	expect((await cabinet.ask("/bureau")).headers.get("location")).toBe("/bureau/comptes");
	await unkept("account_closings", () => shop.shop.db.deleteFrom("account_closings").execute());
	for (const path of ["/bureau/comptes", "/bureau/comptes/2026-11", "/bureau/comptes/2026-11?cloture=oui"]) {
		const [mine, theirs] = [await (await cabinet.ask(path)).text(), await (await accountant.ask(path)).text()];
		expect(mine, path).toContain("Novembre 2026");
		// the one form is that of the end of the session
		expect(mine.match(/<form[^>]*action="[^"]*"/g), path).toEqual([expect.stringContaining("/bureau/deconnexion")]);
		expect(theirs.match(/<form|Préparer la clôture/g)?.length, path).toBeGreaterThan(1);
		expect(mine).not.toMatch(/Préparer la clôture|Noter le coût/);
	}
	for (const file of ["journal", "fec", "vat-difference", "pdf"])
		expect((await cabinet.ask(`/bureau/comptes/2026-11/${file}`)).status, file).toBe(200);
	const last = (await listDeskLog(shop.shop.db, 1))[0];
	expect(last).toMatchObject({ verb: "download-accounts", who: "Cabinet", subject: "2026-11" });
	for (const path of ["/bureau/chiffres", "/bureau/argent", "/bureau/commandes", "/bureau/reglages"])
		expect((await cabinet.ask(path)).status, path).toBe(403);
	const refused = await cabinet.post("/bureau/comptes", { act: "update-accounts", key: crypto.randomUUID() });
	expect((await refused.text()).replaceAll("\u00a0", " ")).toContain("Il vous faut le rôle « Comptes ».");
});

test("the cost of an extract is noted, and its mistakes are named", async () => {
	const order = await shop.shop.db.selectFrom("orders").select("order_number").executeTakeFirstOrThrow();
	const note = async (number: string, amount: string) =>
		(await (await post("/bureau/comptes", { act: "record-extract-cost", number, amount })).text()).replaceAll("\u00a0", " ");
	expect(await note(order.order_number, "3,53")).toContain("3,53 €.");
	expect(await note("KB-1", "3,53")).toContain("Ce numéro de commande ne se lit pas.");
	expect(await note("KB-2222-2222", "3,53")).toContain("Cette commande n’existe pas.");
	expect(await note(order.order_number, "trois")).toContain("Ce montant ne se lit pas");
});
