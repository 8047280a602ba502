import { extractText } from "unpdf";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { extractLines, generatePdf } from "../../../test/fixtures/pdf.ts";
import { createOrderFixture, type OrderFixture, type OrderValues } from "../../../test/orders.ts";
import { toLetterNumber } from "../../orders/letter-number.server.ts";
import { recordPosting, replacePosting, replaceUpload } from "../extract-requests.store.server.ts";
import { deleteOldRuns, listLetters, listOpenRuns } from "./letters.store.server.ts";
import { markPrinted, maxLetters, printLetters, recordRun } from "./print-letters.server.ts";

let shop: OrderFixture;
beforeAll(async () => {
	shop = await createOrderFixture({ startsAt: "2026-11-23T08:00:00Z" });
});
afterAll(() => shop?.close());

const letter = { product_code: "postal", address: "1 rue de la Paix", postal_code: "75002", city: "Paris" } as const;

/** Inserts a letter whose extract was uploaded. */
async function uploaded(values: OrderValues = {}, bytes: Uint8Array = generatePdf({ lines: [...extractLines(), crypto.randomUUID()] })) {
	const { order } = await shop.insertPaidOrder({ ...letter, ...values });
	const stored = await shop.storage.put(bytes);
	await shop.db
		.insertInto("extract_requests")
		.values({
			...{ order_id: order.id, requested_at: shop.start, uploaded_at: shop.start, issued_at: shop.start },
			...{ storage_path: stored.path, sha256: stored.sha256, bytes: stored.bytes },
		})
		.execute();
	return { order, stored };
}
const readPages = async (pdf: Uint8Array) => (await extractText(new Uint8Array(pdf))).text;

describe("the PDF of letters", () => {
	test("has for each order its sheet with the address, then its extract", async () => {
		const [ada, grace] = [
			await uploaded({ first_name: "Ada", last_name: "Lovelace" }),
			await uploaded({
				delivery_name: "Grace Hopper",
				delivery_address: "4 quai de l’Horloge",
				delivery_postal_code: "75001",
				delivery_city: "Paris",
			}),
		];
		const printed = await printLetters(shop, [grace.order.id, ada.order.id]);
		if (!printed.ok) throw new Error(printed.code);
		expect(printed).toMatchObject({ printed: [{ orderId: grace.order.id }, { orderId: ada.order.id }], failed: [], left: 0 });
		const pages = await readPages(printed.pdf);
		expect(pages).toHaveLength(4);
		expect(pages[0]).toContain("Grace Hopper");
		expect(pages[0]).toContain("4 QUAI DE L HORLOGE");
		expect(pages[0]).toContain(toLetterNumber(shop.signer, grace.order.order_number));
		expect(pages[2]).toContain(ada.order.order_number);
		// the seller as C. com. art. R123-237 has it, and the reader's rights (docs/rules.md, R212 and R214)
		expect(pages[0]?.replace(/\s+/g, "")).toContain("SIREN000000000,RCSDémoville");
		expect(pages[0]?.replace(/\s+/g, "")).toContain("/politique-confidentialite#destinataire");
		expect(pages[2]).toContain("Ada Lovelace");
		expect(pages[2]).toContain("75002 PARIS");
		for (const page of [1, 3]) expect(pages[page]).toMatch(/552 ?032 ?534/);
	});

	test("leaves out what cannot be read or is lost, and says so", async () => {
		const [good, damaged, lost] = [await uploaded(), await uploaded({}, Buffer.from(`%PDF-1.7 ${crypto.randomUUID()}`)), await uploaded()];
		await shop.storage.remove(lost.stored.path);
		const printed = await printLetters(shop, [damaged.order.id, good.order.id, lost.order.id]);
		expect(printed).toMatchObject({ ok: true, printed: [{ orderNumber: good.order.order_number }] });
		expect(printed.ok && printed.failed.map(({ orderNumber }) => orderNumber).toSorted()).toEqual(
			[damaged.order.order_number, lost.order.order_number].toSorted(),
		);
		expect(printed.ok && (await readPages(printed.pdf))[0]).toContain(good.order.order_number);
		expect(await printLetters(shop, [damaged.order.id])).toEqual({ ok: false, code: "unreadable" });
		expect(await printLetters(shop, [lost.order.id])).toEqual({ ok: false, code: "unreadable" });
	});

	test("is refused for orders that are not letters, have no extract or whose customer is erased", async () => {
		const { order } = await shop.insertPaidOrder(letter);
		const [byMail, erased, notAsked] = [
			await uploaded({ product_code: "express" }),
			await uploaded({ erased_at: shop.start }),
			await uploaded(),
		];
		expect(await printLetters(shop, [order.id, byMail.order.id, erased.order.id])).toEqual({ ok: false, code: "none" });
		expect(await listLetters(shop.db, [order.id])).toEqual([]);
		expect((await listLetters(shop.db, [notAsked.order.id, order.id])).map(({ orderId }) => orderId)).toEqual([notAsked.order.id]);
	});

	test("has fifty letters at most, in the order in which they were asked for; a letter without its file counts", async () => {
		const good = await uploaded();
		const lost = [];
		for (let count = 0; count < maxLetters; count++) {
			const { order } = await shop.insertPaidOrder(letter);
			await shop.db
				.insertInto("extract_requests")
				.values({ order_id: order.id, requested_at: shop.start, uploaded_at: shop.start })
				.execute();
			lost.push(order);
		}
		const asked = [...lost.slice(0, 20), good.order, ...lost.slice(20)].map(({ id }) => id);
		const printed = await printLetters(shop, asked);
		expect(printed).toMatchObject({ ok: true, printed: [{ orderId: good.order.id, extractHash: good.stored.sha256 }], left: 1 });
		expect(printed.ok && printed.failed.map(({ orderId }) => orderId)).toEqual([...asked.slice(0, 20), ...asked.slice(21, maxLetters)]);
	});

	test("fails when the storage does not answer: no letter is taken for a lost one", async () => {
		const { order } = await uploaded();
		const storage = { ...shop.storage, get: () => Promise.reject(new Error("the bucket is away")) };
		await expect(printLetters({ ...shop, storage }, [order.id])).rejects.toThrow("the bucket is away");
	});

	test("says on each sheet who sends what to whom, and since when it is ordered", async () => {
		const created_at = new Date("2026-11-20T08:00:00Z");
		const { order } = await uploaded({ created_at, company_name: "ÉTABLISSEMENTS DANONE", delivery_complement: "Bâtiment B" });
		const printed = await printLetters(shop, [order.id]);
		const [sheet = ""] = printed.ok ? await readPages(printed.pdf) : [];
		const text = sheet.replaceAll(/[\s\u00a0]+/g, "");
		const { name, address, phone, email, legalEntity, vat } = shop.environment.shop;
		for (const part of [
			...[name, address, phone, email, legalEntity, vat, "Ada Lovelace", "Bâtiment B", "1 RUE DE LA PAIX", "75002 PARIS"],
			...["Le 23 novembre 2026", "Votre extrait", "Société", "ÉTABLISSEMENTS DANONE", "SIREN", "552 032 534"],
			...["Madame, Monsieur,", "service privé et indépendant", `${order.order_number}, du 20 novembre 2026`],
		])
			expect(text).toContain(part.replaceAll(/[\s\u00a0]+/g, ""));
	});
});

describe("the sheet of a letter", () => {
	const lawyer = { first_name: "Anne", last_name: "Leroy", billing_company: "Cabinet Leroy", reference: "RG 26/01234" } as const;
	const court = { delivery_name: "Tribunal de commerce", delivery_address: "1 quai de la Corse", delivery_postal_code: "75004" } as const;
	const readSheet = async (values: OrderValues) => {
		const { order } = await uploaded(values);
		const printed = await printLetters(shop, [order.id]);
		return printed.ok ? ((await readPages(printed.pdf))[0] ?? "").replaceAll(/[\s\u00a0]+/g, " ") : "";
	};

	test("to another addressee says who had it sent, and nothing of money", async () => {
		const text = await readSheet({ ...lawyer, ...court, delivery_city: "Paris" });
		for (const part of [
			"Un extrait vous est adressé",
			"Anne Leroy (Cabinet Leroy) nous a demandé de vous adresser cet extrait. Référence : RG 26/01234.",
			"Une question sur cet envoi ? Adressez-vous à Anne Leroy.",
			"Anne Leroy nous a donné votre adresse pour cet envoi.",
		])
			expect(text).toContain(part);
		expect(text).not.toMatch(/vous avez commandé|rembours|facture|Votre référence/i);
		// the order's number opens it with an e-mail address
		expect(text).not.toMatch(/KB-|Commande /);
		expect(text.match(/L-[2-9A-Z]{4}-[2-9A-Z]{4}/g)).toHaveLength(2);
	});

	test("names no company that is ordered: it was chosen, not typed", async () => {
		const text = await readSheet({ ...lawyer, ...court, reference: null, billing_company: "DANONE", billing_siren: "552032534" });
		expect(text).toContain("Anne Leroy nous a demandé de vous adresser cet extrait. Une question");
	});

	test.each<[name: string | null, isForCustomer: boolean]>([
		[null, true],
		["ANNE LEROY", true],
		["Maître Leroy Anne", true],
		["Mme Anne Leroy", true],
		["CABINET LEROY", true],
		["Cabinet Leroy, Anne Leroy", true],
		["Anne Leroy — Cabinet Leroy", true],
		["Paul Leroy", false],
		["Anne-Sophie Leroy", false],
		["Maître", false],
		["Cabinet Leroy Voisin Avocats", false],
		["Cabinet Leroy, Paul Voisin", false],
		["Société Cabinet Leroy Voisin", false],
	])("to %s is the customer's own: %j", async (delivery_name, isForCustomer) => {
		const text = await readSheet({ ...lawyer, delivery_name });
		expect(text.includes("l’extrait que vous avez commandé")).toBe(isForCustomer);
		expect(text.includes("Votre référence RG 26/01234")).toBe(isForCustomer);
		expect(text.includes("nous a demandé de vous adresser")).toBe(!isForCustomer);
	});
});

describe("what was printed", () => {
	const operatorId = crypto.randomUUID();
	const mark = (runId: string | null = null) => markPrinted(shop, { operatorId, runId });
	const print = async (...orders: { id: string }[]) => {
		const printed = await printLetters(
			shop,
			orders.map(({ id }) => id),
		);
		if (!printed.ok) throw new Error(printed.code);
		await recordRun(shop, { operatorId, letters: printed.printed });
		return printed;
	};

	test("is marked once, and printed again after another extract", async () => {
		const { order, stored } = await uploaded();
		expect(await mark()).toEqual({ ok: false, code: "no-run" });
		await print(order);
		expect(await mark()).toEqual({ ok: true, orders: [order.order_number] });
		expect(await mark()).toEqual({ ok: false, code: "no-run" });
		const another = await shop.storage.put(generatePdf({ lines: [...extractLines(), crypto.randomUUID()] }));
		await shop.inTransaction((trx) => replaceUpload(trx, order.id, { ...another, issuedAt: shop.start }, shop.now()));
		await print(order);
		// the PDF has the extract before the last one
		await shop.inTransaction((trx) => replaceUpload(trx, order.id, { ...stored, issuedAt: shop.start }, shop.now()));
		expect(await mark()).toEqual({ ok: false, code: "no-run" });
		await print(order);
		expect(await mark()).toMatchObject({ ok: true });
	});

	test("of a posted letter is marked after another extract, which is posted again, and is nothing to mark once that is posted", async () => {
		const { order } = await uploaded({ status: "completed", completed_at: shop.start, tracking_number: "1A23456789012" });
		await shop.inTransaction((trx) => recordPosting(trx, order.id, "1A23456789012", shop.start));
		const replace = async (at: Date) => {
			const another = await shop.storage.put(generatePdf({ lines: [...extractLines(), crypto.randomUUID()] }));
			await shop.inTransaction((trx) => replaceUpload(trx, order.id, { ...another, issuedAt: shop.start }, at));
		};
		await print(order);
		expect(await mark()).toEqual({ ok: false, code: "no-run" });
		await replace(new Date(shop.start.getTime() + 1));
		await print(order);
		expect(await listOpenRuns(shop.db, operatorId, shop.now())).toMatchObject([{ orderIds: [order.id] }]);
		expect(await mark()).toEqual({ ok: true, orders: [order.order_number] });
		await replace(new Date(shop.start.getTime() + 2));
		await print(order);
		await shop.inTransaction((trx) => replacePosting(trx, order.id, "1A99999999999", new Date(shop.start.getTime() + 3)));
		expect(await mark()).toEqual({ ok: false, code: "no-run" });
	});

	test("is what was in the PDF: not the letters that did not fit, nor those of another operator's PDF", async () => {
		const heavy = () => {
			const bytes = generatePdf({ lines: [...extractLines(), crypto.randomUUID()] });
			// a comment after the header makes it heavy
			const end = bytes.indexOf(10) + 1;
			return Buffer.concat([bytes.subarray(0, end), Buffer.from(`%${"x".repeat(9 * 2 ** 20)}\n`), bytes.subarray(end)]);
		};
		const orders = [];
		for (let count = 0; count < 4; count++) orders.push((await uploaded({}, heavy())).order);
		const first = await print(...orders);
		expect(first.printed).toHaveLength(3);
		expect(first.left).toBe(1);
		expect(await markPrinted(shop, { operatorId: crypto.randomUUID(), runId: null })).toEqual({ ok: false, code: "no-run" });
		await print(...orders.slice(3));
		expect(await mark()).toEqual({ ok: false, code: "several-runs" });
		const run = (await listOpenRuns(shop.db, operatorId, shop.now())).find(({ orderIds }) => orderIds.length === 3);
		expect(await markPrinted(shop, { operatorId: crypto.randomUUID(), runId: run?.id ?? null })).toEqual({ ok: false, code: "no-run" });
		const marked = await mark(run?.id);
		expect(marked.ok && marked.orders.toSorted()).toEqual(
			orders
				.slice(0, 3)
				.map(({ order_number }) => order_number)
				.toSorted(),
		);
		expect(await mark()).toEqual({ ok: true, orders: [orders[3]?.order_number] });
	});

	test("is marked within two days, and not for an order that failed meanwhile", async () => {
		const [kept, failed] = [(await uploaded()).order, (await uploaded()).order];
		await print(kept, failed);
		await shop.db.updateTable("orders").set({ status: "failed" }).where("id", "=", failed.id).execute();
		const list = (milliseconds: number) => listOpenRuns(shop.db, operatorId, shop.after(2 * 86_400_000 + milliseconds));
		expect([await list(0), await list(1)]).toMatchObject([[{ orderIds: [kept.id], madeAt: shop.start }], []]);
		expect(await deleteOldRuns(shop.db, shop.after(2 * 86_400_000))).toBe(0);
		expect(await mark()).toEqual({ ok: true, orders: [kept.order_number] });
	});

	test("stays to be marked by another operator, and when their next PDF has other letters", async () => {
		const [one, two] = [(await uploaded()).order, (await uploaded()).order];
		const colleague = crypto.randomUUID();
		await print(one);
		await recordRun(shop, { operatorId: colleague, letters: await listLetters(shop.db, [one.id]) });
		shop.clock.now = shop.after(1);
		await print(two);
		shop.clock.now = shop.start;
		const runs = await listOpenRuns(shop.db, operatorId, shop.now());
		expect(runs.map(({ orderIds }) => orderIds)).toEqual([[one.id], [two.id]]);
		expect(await listOpenRuns(shop.db, colleague, shop.now())).toHaveLength(1);
		for (const { id } of runs) expect(await mark(id)).toMatchObject({ ok: true, orders: [expect.any(String)] });
		// again: nothing is left to mark
		expect(await mark(runs[0]?.id)).toEqual({ ok: true, orders: [] });
		expect(await deleteOldRuns(shop.db, shop.after(2 * 86_400_000 + 2))).toBeGreaterThan(0);
		expect(await listOpenRuns(shop.db, colleague, shop.now())).toEqual([]);
	});

	test("downloaded again is one PDF to mark, and a reprint is none", async () => {
		const [one, two] = [(await uploaded()).order, (await uploaded()).order];
		await print(one);
		await print(one);
		await print(one, two);
		expect(await listOpenRuns(shop.db, operatorId, shop.now())).toHaveLength(1);
		expect(await mark()).toMatchObject({ ok: true });
		await print(one);
		expect(await listOpenRuns(shop.db, operatorId, shop.now())).toEqual([]);
	});
});
