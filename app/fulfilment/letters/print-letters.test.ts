import { extractText } from "unpdf";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { extractLines, generatePdf } from "../../../test/fixtures/pdf.ts";
import { createOrderFixture, type OrderFixture, type OrderValues } from "../../../test/orders.ts";
import { replaceUpload } from "../extract-requests.store.server.ts";
import { markPrinted, printLetters } from "./print-letters.server.ts";

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
		expect(pages[0]).toContain(grace.order.order_number);
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

	test("is refused for orders that are not letters or have no extract", async () => {
		const { order } = await shop.insertPaidOrder(letter);
		const byMail = await uploaded({ product_code: "express" });
		expect(await printLetters(shop, [order.id, byMail.order.id])).toEqual({ ok: false, code: "none" });
	});
});

test("a letter is printed once, and again after another extract", async () => {
	const { order, stored } = await uploaded();
	expect(await markPrinted(shop, [order.id])).toBe(1);
	expect(await markPrinted(shop, [order.id])).toBe(0);
	await shop.inTransaction((trx) => replaceUpload(trx, order.id, { ...stored, issuedAt: shop.start }, shop.now()));
	expect(await markPrinted(shop, [order.id])).toBe(1);
});
