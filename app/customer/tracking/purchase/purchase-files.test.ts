import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type PlacedPurchase, placePurchase } from "../../../../test/purchases/place-purchase.ts";
import { readZip } from "../../../../test/purchases/read-zip.ts";
import { createTestShop, type TestShop } from "../../../../test/shop.ts";
import { scaledTimeout } from "../../../../test/time-limits.ts";
import { listOpenings } from "../../../orders/documents/documents.store.server.ts";
import { signKey } from "../../../orders/keys.server.ts";
import type { Order } from "../../../orders/order.ts";

// The archive with the documents of a purchase: what is in it, and what its links open.

let shop: TestShop;
let bought: PlacedPurchase;
beforeAll(async () => {
	shop = await createTestShop();
	bought = await buy(
		[
			{ reference: "=1+1; Dossier Été/2026: «A»" },
			{ siren: "542107651", companyName: "Société <Générale> & Cie: l’Œuvre" },
			{ siren: "780129987", companyName: "RENAULT", service: "postal" },
		],
		{ consents: { terms: true, waiveWithdrawal: false, textVersion: "2026-11-27" } },
	);
	await vi.waitFor(async () => expect((await readArchive(link("all", bought))).names.join()).toContain("Facture_"), {
		timeout: scaledTimeout(20_000),
	});
});
afterAll(() => shop?.close());

/** Places and pays a purchase, and waits until it is delivered. */
async function buy(
	lines: Parameters<typeof placePurchase>[1],
	customer: Parameters<typeof placePurchase>[2] = {},
): Promise<PlacedPurchase> {
	const placed = await placePurchase(shop, lines, customer);
	await shop.payByCard(placed.payUrl);
	for (const { id } of placed.orders) await shop.untilOrderIs("completed", id);
	return placed;
}

/** The access of each archive. */
const archives = { all: "purchase", extracts: "purchase-link", masked: "url" } as const;

const link = (archive: keyof typeof archives, { orders: [first] }: PlacedPurchase, from = shop.shop.now()) =>
	`/documents/ensemble/${signKey(shop.shop, "files", first, { access: archives[archive], from })}`;

async function readArchive(path: string) {
	const response = await shop.ask(path);
	const zip = readZip(Buffer.from(await response.arrayBuffer()));
	const manifest = zip.get("manifeste.csv")?.toString("utf8") ?? "";
	return { response, zip, names: [...zip.keys()], manifest, rows: manifest.replace("\ufeff", "").trimEnd().split("\r\n") };
}

const getExtract = ({ id }: Order) =>
	shop.shop.db.selectFrom("documents").selectAll().where("order_id", "=", id).where("doc_type", "=", "kbis").executeTakeFirstOrThrow();

const hash = (bytes: Uint8Array | undefined) =>
	createHash("sha256")
		.update(bytes ?? "")
		.digest("hex");

test("a link ends with the customer's address", async () => {
	const placed = await buy([{}, {}]);
	const paths = [link("all", placed), link("extracts", placed)];
	for (const path of paths) expect((await shop.ask(path)).status).toBe(200);
	const change = { customer_email: "grace@example.fr" };
	await shop.shop.db.updateTable("orders").set(change).where("purchase_id", "=", placed.orders[0].id).execute();
	for (const path of paths) expect((await shop.ask(path)).ok).toBe(false);
});

describe("the archive", () => {
	test("has each extract, the invoice and the accepted terms under a name that every system accepts, and their hashes", async () => {
		const { response, zip, names, manifest, rows } = await readArchive(link("all", bought));
		const [first, second, third] = bought.orders;
		expect(Object.fromEntries(response.headers)).toMatchObject({
			"content-type": "application/zip",
			"cache-control": "no-store",
			"content-disposition": `attachment; filename="Commande-groupee_${first.order_number}.zip"`,
		});
		expect(names).toEqual([
			`Kbis_DANONE_1-1-Dossier-Ete-2026-A_${first.order_number}.pdf`,
			`Kbis_Societe-Generale-Cie-l-OEuvre_${second?.order_number}.pdf`,
			expect.stringMatching(/^Facture_/),
			expect.stringMatching(/^Conditions-generales_acceptees-le_\d{4}-\d\d-\d\d\.pdf$/),
			"manifeste.csv",
		]);
		const version = await shop.shop.db.selectFrom("terms_versions").select("pdf").executeTakeFirstOrThrow();
		expect(hash(zip.get(names[3] ?? ""))).toBe(hash(version.pdf));
		expect(rows.at(-1)).toMatch(new RegExp(`^;;;${first.order_number};\\d\\d/\\d\\d/\\d{4};.*;Conditions générales de vente$`));
		expect(manifest.startsWith("\ufeffSIREN;Entreprise;Référence;Commande;Date;Fichier;SHA-256;Remarque\r\n")).toBe(true);
		// a spreadsheet would compute the reference
		expect(rows[1]).toContain(`"'=1+1; Dossier Été/2026: «A»"`);
		for (const [name, content] of zip) if (name !== "manifeste.csv") expect(manifest).toContain(`${name};${hash(content)}`);
		expect(rows.find((row) => row.includes(third?.order_number ?? ""))).toMatch(/;;;"?Envoyé par courrier/);
		expect(hash(zip.get(names[0] ?? ""))).toBe((await getExtract(first)).sha256);
	});

	test("counts as an opening of each of its documents", async () => {
		const count = async () => {
			const openings = await listOpenings(shop.shop.db, (await getExtract(bought.orders[0])).id);
			return openings.reduce((sum, opening) => sum + opening.count, 0);
		};
		const before = await count();
		await readArchive(link("extracts", bought));
		expect(await count()).toBe(before + 1);
		expect((await shop.ask(link("extracts", bought), { method: "HEAD" })).status).toBe(200);
		expect(await count()).toBe(before + 1);
	});

	test("for a reader by a link has no papers of the contract", async () => {
		expect((await readArchive(link("extracts", bought))).names.join()).not.toMatch(/Facture_|Conditions-/);
	});

	test("for those who have only the URL of the confirmation has extracts only, without numbers and references", async () => {
		const page = await (await shop.ask(`/confirmation/${bought.sessionId}`)).text();
		const path = /\/documents\/ensemble\/[\w.-]+/.exec(page)?.[0] ?? expect.fail("the page has no archive");
		const { response, names, manifest } = await readArchive(path);
		expect(names).toHaveLength(3);
		expect(response.headers.get("content-disposition")).toContain("Extraits.zip");
		expect(names.join() + manifest).not.toMatch(/KB-|Dossier|Facture|Conditions|Référence/);
		expect(page).not.toContain("la référence");
	});

	test("while lines are missing has the documents that are ready, and says what the others wait for", async () => {
		const placed = await placePurchase(shop, [{}, {}, {}]);
		await shop.payByCard(placed.payUrl);
		for (const { id } of placed.orders) await shop.untilOrderIs("completed", id);
		const [first, second, third] = placed.orders as [Order, Order, Order];
		const set = (id: string, columns: object) => shop.shop.db.updateTable("orders").set(columns).where("id", "=", id).execute();
		await shop.shop.db.deleteFrom("document_openings").execute();
		await shop.shop.db.deleteFrom("documents").where("order_id", "in", [second.id, third.id]).execute();
		await set(second.id, { status: "processing", completed_at: null });
		await set(third.id, { status: "failed", failure_reason: "not-found" });
		const { names, rows } = await readArchive(link("extracts", placed));
		expect(names).toEqual([`Kbis_DANONE_${first.order_number}.pdf`, "manifeste.csv"]);
		expect(rows.filter((row) => /Pas encore prêt|N’a pas abouti/.test(row))).toHaveLength(2);
	});

	test("says which file is altered, alerts the operator, and has the others", async () => {
		const placed = await buy([{}, {}]);
		const [first, second] = placed.orders;
		const { storage_path } = await getExtract(first);
		await writeFile(join(shop.shop.environment.dataDir, "documents", storage_path), "%PDF-1.7 altered");
		const { names, rows } = await readArchive(link("extracts", placed));
		expect(names).toEqual([`Kbis_DANONE_${second?.order_number}.pdf`, "manifeste.csv"]);
		expect(rows[1]).toContain("Fichier indisponible\u00a0: notre équipe est prévenue. Réessayez plus tard.");
		const alerts = await shop.shop.db.selectFrom("mails").select("kind").where("order_id", "=", first.id).execute();
		expect(alerts.map(({ kind }) => kind)).toContain("alert-document-lost");
	});

	test("for the second address has extracts only, without numbers and references", async () => {
		const placed = await buy([{ reference: "dossier 7" }, {}, { service: "express" }], { deliveryEmail: "banque@example.fr" });
		const [first] = placed.orders;
		const [mail] = await shop.getMails({ id: first.id, number: first.order_number, sessionId: "", payUrl: "" }, "document-ready-delivery");
		const path = /\/documents\/ensemble\/[\w.-]+/.exec(mail?.text ?? "")?.[0] ?? expect.fail("the e-mail has no link");
		const { response, names, manifest } = await readArchive(path);
		expect(names).toHaveLength(3);
		expect(names[1]).toBe(names[0]?.replace(".pdf", "_2.pdf"));
		expect(response.headers.get("content-disposition")).toContain("Extraits.zip");
		expect(manifest + names.join()).not.toMatch(/KB-|dossier 7/);
		// it is a third party, which a dispute does not concern
		const setDisputed = (disputed_at: Date | null) =>
			shop.shop.db.updateTable("orders").set({ disputed_at }).where("purchase_id", "=", first.id).execute();
		await setDisputed(new Date());
		const frozen = await shop.ask(path);
		const page = /<main.*<\/main>/s.exec(await frozen.text())?.[0] ?? "";
		expect([frozen.status, page]).toEqual([403, expect.stringContaining("Adressez-vous à la personne")]);
		expect(page).not.toMatch(/contest|banque|paiement|Suivre ma commande/);
		await setDisputed(null);
		// a corrected address ends the link that was sent to the one before
		await shop.shop.db.updateTable("orders").set({ delivery_email: "autre@example.fr" }).where("id", "=", first.id).execute();
		expect((await shop.ask(path)).status).toBe(403);
	});
});

test("the only extract of a second address is a PDF", async () => {
	const { orders } = await buy([{}, { service: "express" }], { deliveryEmail: "banque@example.fr" });
	const response = await shop.ask(`/documents/ensemble/${signKey(shop.shop, "recipient-files", orders[0], { access: "link" })}`);
	const path = response.headers.get("location") ?? "";
	expect([response.status, path, response.headers.get("cache-control")]).toEqual([
		302,
		expect.stringMatching(/^\/documents\/[\w.-]+$/),
		expect.stringContaining("no-store"),
	]);
	const opened = await shop.ask(path);
	expect([opened.status, opened.headers.get("content-type")]).toEqual([200, "application/pdf"]);
	expect(opened.headers.get("content-disposition")).not.toMatch(/KB-/);
});

describe("a link is refused", () => {
	test("when it is altered, or older than a day", async () => {
		expect((await shop.ask(`${link("all", bought)}x`)).status).toBe(403);
		expect((await shop.ask(link("all", bought, new Date(Date.now() - 25 * 3_600_000)))).status).toBe(410);
	});

	test("of the second address after seven days, with a page that speaks of no order", async () => {
		const { orders } = await buy([{}, {}], { deliveryEmail: "banque@example.fr" });
		const path = (days: number) => {
			const from = new Date(Date.now() - days * 86_400_000);
			return `/documents/ensemble/${signKey(shop.shop, "recipient-files", orders[0], { access: "link", from })}`;
		};
		expect((await shop.ask(path(6), { method: "HEAD" })).status).toBe(200);
		const response = await shop.ask(path(8));
		const [page] = /<main[\s\S]*<\/main>/.exec((await response.text()).replaceAll("\u00a0", " ")) ?? [];
		expect(response.status).toBe(410);
		expect(page).toContain("Il était valable 7 jours. Demandez les fichiers à la personne qui vous les a envoyés.");
		expect(page).not.toContain("Suivre ma commande");
	});

	test("while no document is ready, and when the payment is disputed", async () => {
		const placed = await placePurchase(shop, [{}, {}]);
		expect((await shop.ask(link("all", placed))).status).toBe(404);
		const disputed = await buy([{}, {}]);
		await shop.shop.db.updateTable("orders").set({ disputed_at: new Date() }).where("purchase_id", "=", disputed.orders[0].id).execute();
		expect((await shop.ask(link("all", disputed))).status).toBe(403);
	});

	test("after sixty archives of one purchase within an hour", async () => {
		const placed = await buy([{}, {}]);
		const statuses: number[] = [];
		for (let times = 0; times < 61; times++) statuses.push((await shop.ask(link("extracts", placed), { method: "HEAD" })).status);
		expect([statuses.slice(0, 60).every((status) => status === 200), statuses[60]]).toEqual([true, 429]);
	});
});
