import { randomUUID } from "node:crypto";
import { buffer } from "node:stream/consumers";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { anyJson } from "../../../../test/any-json.ts";
import { createFinishedPurchases } from "../../../../test/fixtures/finished-purchases.ts";
import { createOrderFixture, type OrderFixture } from "../../../../test/orders.ts";
import { readZip } from "../../../../test/purchases/read-zip.ts";
import { eraseOrders } from "../../../desk/retention/erase-orders.server.ts";
import { listExtracts } from "../../../orders/documents/documents.store.server.ts";
import type { StorageContext } from "../../../orders/documents/storage.ts";
import { signKey } from "../../../orders/keys.server.ts";
import type { Order } from "../../../orders/order.ts";
import { parseVisit } from "../../../orders/visit.ts";
import { openDocument } from "../documents/open-document.server.ts";
import { endVisit, isVisitOpen } from "../visits/visits.server.ts";
import { openPurchaseFiles } from "./open-purchase-files.server.ts";
import { zipPurchase } from "./zip-purchase.server.ts";

let shop: OrderFixture;
beforeAll(async () => {
	shop = await createOrderFixture({ startsAt: "2026-11-23T08:00:00Z" });
});
afterAll(() => shop?.close());

const set = (order: Order | undefined, values: object) =>
	shop.db
		.updateTable("orders")
		.set(values)
		.where("id", "=", order?.id ?? "")
		.execute();

async function zip(orders: readonly Order[], forOthers: boolean) {
	const [first, ...others] = await Promise.all(orders.map(({ id }) => shop.getOrder(id)));
	const extracts = new Map(
		(
			await listExtracts(
				shop.db,
				orders.map(({ id }) => id),
			)
		).map((document) => [document.order_id, document]),
	);
	const files = readZip(
		await buffer(zipPurchase(shop, { orders: [first ?? expect.fail(), ...others], extracts, invoice: null, terms: null, forOthers })),
	);
	const manifest = files.get("manifeste.csv")?.toString("utf8") ?? "";
	const rows = manifest.replace("\ufeff", "").replaceAll("\u00a0", " ").trimEnd().split("\r\n");
	return { names: [...files.keys()], rows, files };
}

/** Another name of a table for a while, as if the database failed there. */
async function without<T>(table: string, run: () => Promise<T>): Promise<T> {
	await sql`alter table ${sql.table(table)} rename to away`.execute(shop.db);
	try {
		return await run();
	} finally {
		await sql`alter table away rename to ${sql.ref(table)}`.execute(shop.db);
	}
}

test("the table of an archive says why a line has no file", async () => {
	const { orders } = await shop.insertPaidPurchase(["express", "express", "express", "postal", "postal", "express", "express", "express"], {
		...{ status: "completed", company_name: "ACME" },
	});
	const [stored, cancelled, failed, posted, toPost, waiting, without, purged] = orders;
	const extracts = new Map<string, string>();
	for (const order of [stored, purged]) extracts.set(order?.id ?? "", (await shop.insertDocument(order ?? expect.fail())).sha256);
	await set(cancelled, { status: "failed", failure_reason: "cancelled" });
	await set(failed, { status: "failed", failure_reason: "not-found" });
	await set(posted, { tracking_number: "1A23456789012" });
	await set(toPost, { status: "processing" });
	await set(waiting, { status: "processing", reference: "2026-114" });
	await shop.db
		.updateTable("documents")
		.set({ purged_at: shop.start })
		.where("order_id", "=", purged?.id ?? "")
		.execute();
	const { rows, names } = await zip(orders, false);
	const line = (order: Order | undefined, rest: string, reference = "") => `552032534;ACME;${reference};${order?.order_number};${rest}`;
	const name = `Kbis_ACME_${stored.order_number}.pdf`;
	expect(names).toEqual([name, "manifeste.csv"]);
	expect(rows).toEqual([
		"SIREN;Entreprise;Référence;Commande;Date;Fichier;SHA-256;Remarque",
		line(stored, `23/11/2026;${name};${extracts.get(stored.id)};`),
		line(cancelled, ";;;Annulée à votre demande"),
		line(failed, ";;;N’a pas abouti"),
		line(posted, ";;;Envoyé par courrier, suivi 1A23456789012"),
		line(toPost, ";;;Sera envoyé par courrier"),
		line(waiting, ";;;Pas encore prêt", "2026-114"),
		line(without, ";;;Sans document"),
		line(purged, "23/11/2026;;;Supprimé 90 jours après la livraison"),
	]);
	expect(shop.lines.at(-1)).toMatchObject({
		...{ msg: "the documents of a purchase were downloaded", order: stored.id, files: 1, complete: true },
	});
});

test("files of one name are numbered, also when they differ by case only, and their bytes are whole", async () => {
	const { orders } = await shop.insertPaidPurchase(["express", "express", "express", "express"], { status: "completed" });
	for (const [index, company_name] of ["Acme", "ACME", "acme", "Autre"].entries()) await set(orders[index], { company_name });
	const large = Buffer.alloc(200_000, "x");
	for (const order of orders) {
		const stored = await shop.storage.put(Buffer.concat([Buffer.from(`%PDF-1.7 ${randomUUID()}`), large]));
		const document = { id: randomUUID(), order_id: order.id, doc_type: "kbis" as const, created_at: shop.start, issued_at: shop.start };
		await shop.db
			.insertInto("documents")
			.values({ ...document, bytes: stored.bytes, sha256: stored.sha256, storage_path: stored.path })
			.execute();
	}
	const { names, rows, files } = await zip(orders, true);
	expect(names).toEqual([
		"Kbis_Acme_552032534_2026-11-23.pdf",
		"Kbis_ACME_552032534_2026-11-23_2.pdf",
		"Kbis_acme_552032534_2026-11-23_3.pdf",
		"Kbis_Autre_552032534_2026-11-23.pdf",
		"manifeste.csv",
	]);
	expect(rows[0]).toBe("SIREN;Entreprise;Date;Fichier;SHA-256;Remarque");
	for (const name of names.slice(0, 4)) expect(files.get(name)?.subarray(-large.length).equals(large), name).toBe(true);
});

test("a file of an archive has the day of its document, is not compressed again, and can be read by its owner", async () => {
	const bought = shop.after(-7_200_000);
	const { orders } = await shop.insertPaidPurchase(["express", "express"], { status: "completed", created_at: bought });
	const extract = await shop.insertDocument(orders[0]);
	const terms = { fileName: "Conditions.pdf", sha256: "", bytes: new TextEncoder().encode("%PDF-1.7 terms") };
	shop.clock.now = shop.after(3_600_000);
	const files = { orders, extracts: new Map([[orders[0].id, extract]]), invoice: null, terms, forOthers: false };
	const archive = await buffer(zipPurchase(shop, files));
	const writtenAt = shop.clock.now;
	shop.clock.now = shop.start;
	const stored = { method: 0, mode: 0o100644 };
	// the directory has the hour of Paris
	const inParis = (instant: Date) => instant.toLocaleString("sv-SE", { timeZone: "Europe/Paris" });
	expect(readDirectory(archive)).toEqual([
		{ ...stored, modified: inParis(shop.start) },
		{ ...stored, modified: inParis(bought) },
		{ ...stored, modified: inParis(writtenAt) },
	]);
});

/** Method, rights and day of each file in the directory of an archive. */
function readDirectory(zip: Buffer) {
	const files = [];
	for (let at = zip.indexOf("PK\u0001\u0002"); at !== -1; at = zip.indexOf("PK\u0001\u0002", at + 1)) {
		const [time, day] = [zip.readUInt16LE(at + 12), zip.readUInt16LE(at + 14)];
		const two = (value: number) => `${value}`.padStart(2, "0");
		const modified = `${(day >> 9) + 1980}-${two((day >> 5) & 15)}-${two(day & 31)} ${two(time >> 11)}:${two((time >> 5) & 63)}:${two((time & 31) * 2)}`;
		files.push({ method: zip.readUInt16LE(at + 10), mode: zip.readUInt32LE(at + 38) >>> 16, modified });
	}
	return files;
}

test("a file opens also when its opening cannot be recorded, and the log says so", async () => {
	const { orders } = await shop.insertPaidPurchase(["express", "express"], { status: "completed", completed_at: shop.start });
	const extract = await shop.insertDocument(orders[0]);
	const token = signKey(shop, "document", extract);
	await without("document_openings", async () => {
		const before = shop.lines.length;
		expect((await zip(orders, false)).names).toHaveLength(2);
		expect(await openDocument(shop, token, { counts: true })).toMatchObject({ ok: true });
		const warnings = shop.lines.slice(before).filter(({ msg }) => msg === "an opening is not recorded");
		const warning = { document: extract.id, error: expect.stringContaining("document_openings") };
		expect(warnings).toMatchObject([warning, warning]);
	});
	const { names } = await zip(orders, false);
	expect(names).toHaveLength(2);
	const [opening] = await shop.db.selectFrom("document_openings").select("count").where("document_id", "=", extract.id).execute();
	expect(opening).toEqual({ count: 1 });
});

/** The links to a purchase: of its customer, of an e-mail about it, of its confirmation in another browser, and of the second address. */
const listLinks = (first: Order, from = shop.now()) => [
	...(["purchase", "purchase-link", "url"] as const).map((access) => signKey(shop, "files", first, { access, from })),
	signKey(shop, "recipient-files", first, { access: "link", from }),
];

async function openAll(links: readonly string[], context: StorageContext = shop) {
	const opened = [];
	for (const link of links) {
		const found = await openPurchaseFiles(context, link);
		opened.push(
			found.ok && "documentPath" in found
				? "the extract itself"
				: found.ok
					? [found.fileName, found.files.orders.length, found.files.extracts.size, found.files.invoice?.id ?? null, found.files.forOthers]
					: found.code,
		);
	}
	return opened;
}

test("the links to an erased purchase have expired", async () => {
	const addresses = { customer_email: "ada@example.fr", delivery_email: "banque@example.fr" };
	const insertPurchase = createFinishedPurchases(shop);
	const { first, orders } = await insertPurchase(new Date("2025-11-20T08:00:00Z"), { price_cents: 5900, ...addresses });
	for (const order of orders) await shop.insertDocument(order);
	const links = listLinks(first);
	expect((await openAll(links)).map((opened) => Array.isArray(opened))).toEqual([true, true, true, false]);
	expect((await eraseOrders(shop, [first.id])).erased).toHaveLength(2);
	expect(await openAll(links)).toEqual(["expired", "expired", "expired", "recipient-expired"]);
});

test("a link gives its reader the files that they may have, and says why it gives none", async () => {
	const { orders } = await shop.insertPaidPurchase(["express", "express", "standard"], {
		...{ status: "completed", delivery_email: "banque@example.fr" },
	});
	const [first, second] = orders;
	for (const order of orders) await shop.insertDocument(order);
	await set(second, { delivery_email: "autre@example.fr" });
	const invoice = await shop.insertDocument(first, "invoice");
	await shop.db
		.insertInto("invoices")
		.values({
			...{ id: randomUUID(), kind: "invoice", year: 2026, number_in_year: 1, number: "F2026-000001", order_id: first.id },
			...{ issued_at: shop.start, total_cents: 15_700, data: anyJson({}), document_id: invoice.id },
		})
		.execute();
	const open = (context = shop as StorageContext, at = shop.now()) =>
		openAll(listLinks({ ...first, delivery_email: "banque@example.fr" }, at), context);
	const whole = `Commande-groupee_${first.order_number}.zip`;
	expect(await open()).toEqual([
		[whole, 3, 3, invoice.id, false],
		[whole, 3, 3, null, false],
		["Extraits.zip", 3, 3, null, true],
		"the extract itself",
	]);
	// the second address has what is delivered
	await set(second, { delivery_email: "banque@example.fr" });
	expect((await open()).at(-1)).toEqual(["Extraits.zip", 2, 2, null, true]);
	await set(second, { status: "processing" });
	expect((await open()).at(-1)).toBe("the extract itself");
	await set(first, { status: "processing" });
	expect((await open()).at(-1)).toBe("expired");
	await set(first, { status: "completed" });
	await set(second, { status: "completed", delivery_email: "autre@example.fr" });
	const away = { ...shop, storage: { ...shop.storage, ready: async () => false } };
	expect(await open(away)).toEqual([...Array(3).fill("unavailable"), "the extract itself"]);
	await set(second, { delivery_email: "banque@example.fr" });
	expect((await open(away)).at(-1)).toBe("unavailable");
	await set(second, { delivery_email: "autre@example.fr" });
	expect(await open(shop, shop.after(-8 * 86_400_000))).toEqual(["expired", "expired", "expired", "recipient-expired"]);
	await set(first, { disputed_at: shop.start });
	expect(await open()).toEqual(["frozen", "frozen", "frozen", "recipient-frozen"]);
	await set(first, { disputed_at: null });
	const setDocuments = (values: object) =>
		shop.db
			.updateTable("documents")
			.set(values)
			.where(
				"order_id",
				"in",
				orders.map(({ id }) => id),
			)
			.execute();
	await setDocuments({ purged_at: shop.start });
	expect(await open()).toEqual(Array(4).fill("expired"));
	await setDocuments({ purged_at: null });
	await set(first, { delivery_email: null });
	expect((await open()).at(-1)).toBe("tampered");
	const single = await shop.insertPaidPurchase(["express", "express"], { status: "completed" });
	expect(await openPurchaseFiles(shop, signKey(shop, "files", single.orders[0], { access: "purchase" }))).toEqual({
		...{ ok: false, code: "none" },
	});
	for (const token of ["", "x", `${listLinks(first)[0]}x`])
		expect(await openPurchaseFiles(shop, token)).toEqual({ ok: false, code: "tampered" });
});

test("a visit that ends again stays ended for as long as a key may name it, and old ones are deleted", async () => {
	const day = 86_400_000;
	const at = (days: number) => ({ ...shop, now: () => shop.after(days * day) });
	const [visit, other] = ["own-one", "own-other"].map((text) => parseVisit(text) ?? expect.fail(text));
	if (!visit || !other) return;
	const isOpen = (days: number) => isVisitOpen(at(days), visit);
	await endVisit(at(0), visit);
	expect([await isOpen(0), await isOpen(30), await isVisitOpen(at(0), other)]).toEqual([false, false, true]);
	await endVisit(at(15), visit);
	expect([await isOpen(45), await isOpen(46)]).toEqual([false, true]);
	await endVisit(at(45), other);
	expect(await isOpen(45)).toBe(false);
	await endVisit(at(60), other);
	expect(await shop.db.selectFrom("ended_visits").select("id").execute()).toEqual([{ id: other.id }]);
	expect([parseVisit("x-own-one"), parseVisit("space-a-b")]).toEqual([null, { kind: "space", id: "a-b" }]);
});
