import { buffer } from "node:stream/consumers";
import { getDocumentProxy } from "unpdf";
import { expect, test } from "vitest";
import { createPdf, drawPageNumbers, fitSize, sheet, width } from "./pdf-sheet.server.ts";

/** The texts of each page of a document, with their places in points from the left and from the top. */
async function drawPages(count: number) {
	const document = createPdf("Conditions", new Date("2026-11-23T09:00:00Z"));
	for (let page = 1; page < count; page++) document.addPage();
	drawPageNumbers(document, "Conditions");
	document.end();
	const pdf = await getDocumentProxy(new Uint8Array(await buffer(document)));
	return Promise.all(
		Array.from({ length: pdf.numPages }, async (_, index) => {
			const page = await pdf.getPage(index + 1);
			const { items } = await page.getTextContent();
			return items
				.flatMap((item) => ("str" in item && item.str.trim() ? [item] : []))
				.map(({ str, transform, width }) => ({ str, left: transform[4], right: transform[4] + width, top: 842 - transform[5] }));
		}),
	);
}

test("a document of one page has no number", async () => {
	expect(await drawPages(1)).toEqual([[]]);
});

test("each of several pages has the title and its number in one line below the texts, between the margins", async () => {
	const pages = await drawPages(3);
	expect(pages.map((texts) => texts.map(({ str }) => str))).toEqual([
		["Conditions", "1/3"],
		["Conditions", "2/3"],
		["Conditions", "3/3"],
	]);
	for (const [title, number] of pages) {
		expect(title?.left).toBeCloseTo(sheet.left, 0);
		expect(number?.right).toBeCloseTo(sheet.right, 0);
		expect(title?.top).toBe(number?.top);
		expect(title?.top).toBeGreaterThan(sheet.bottom + 10);
		expect(title?.top).toBeLessThan(842 - 20);
	}
});

test("the texts are between the margins, and long ones are smaller", () => {
	expect([sheet.left + width, width]).toEqual([sheet.right, 471]);
	expect([fitSize("a".repeat(90), 10), fitSize("a".repeat(91), 10)]).toEqual([10, 8]);
});
