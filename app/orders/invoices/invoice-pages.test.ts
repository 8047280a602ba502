import { extractXml, Profile } from "@stackforge-eu/factur-x";
import { extractText, getDocumentProxy } from "unpdf";
import { expect, test } from "vitest";
import {
	cancelling,
	companyInvoice,
	creditNote,
	invoice,
	privatePerson,
	replacing,
	withLine,
	withLines,
} from "../../../test/fixtures/invoice.ts";
import { digestDrawing } from "../../../test/pdf-drawing.ts";
import { formatEuros } from "../../catalogue/money.ts";
import { createFacturX } from "./factur-x.server.ts";
import type { InvoiceData } from "./invoice.ts";
import { calculateAmounts } from "./invoice-amounts.ts";
import { createInvoicePdf } from "./make-invoice.server.ts";

// The invoice of a purchase of several orders, whose lines may fill several pages.

async function readPages(pdf: Uint8Array): Promise<string[]> {
	const { text } = await extractText(await getDocumentProxy(new Uint8Array(pdf)), { mergePages: false });
	return text.map((page) => page.replace(/\s+/g, " "));
}

const head = "Désignation Quantité Prix unitaire HT TVA Montant HT";
const foot = ["Total HT", "Total TTC", "Reste à payer", "Entre professionnels", "factur-x.xml."];
const clean = (text: string) => text.replaceAll("\u00a0", " ");

/** The place of each text of a page, from its upper edge. */
async function listPlaces(pdf: Uint8Array, page: number) {
	const { items } = await (await (await getDocumentProxy(new Uint8Array(pdf))).getPage(page)).getTextContent();
	return items.flatMap((item) => {
		if (!("str" in item) || item.str.trim() === "") return [];
		const [size, , , , from, y] = item.transform;
		return [{ text: item.str, from, to: from + item.width, y, size }];
	});
}
type Place = Awaited<ReturnType<typeof listPlaces>>[number];
const overlap = (one: Place, other: Place) =>
	one.from < other.to && other.from < one.to && one.y < other.y + other.size / 2 && other.y < one.y + one.size / 2;

/** Every number of lines at which the last line, the totals or the mentions could be parted. */
test.each([2, 3, 4, 5, 6, 7, 8, 9, 10, 20, 21, 22, 23, 24, 25, 26, 40, 200])(
	"%i lines flow over the pages, and the totals and mentions stand on the last one",
	async (count) => {
		const data = withLines(count);
		const pdf = await createInvoicePdf(data);
		const pages = await readPages(pdf);
		const { lineNets, net, total } = calculateAmounts(data);
		for (const [index, text] of pages.entries()) {
			expect(text).toContain(head);
			for (const words of foot) expect(text.includes(words), `${words} on page ${index + 1}`).toBe(index === pages.length - 1);
			expect(text.includes(`Facture F2026-000042 ${index + 1}/${pages.length}`)).toBe(pages.length > 1);
			expect(text).toMatch(/Commande KB-0000-\d{4}/);
			const places = await listPlaces(pdf, index + 1);
			expect(places.flatMap((place, at) => places.slice(at + 1).filter((other) => overlap(place, other)))).toEqual([]);
			expect(places.filter(({ from, to, y }) => from < 61.9 || to > 533.1 || y < 20 || y > 800)).toEqual([]);
		}
		const text = pages.join(" ");
		expect(text).toContain("Commande groupée KB-7F3K-92QD");
		for (const [index, { orderNumber, reference }] of data.lines.entries()) {
			const euros = clean(formatEuros(lineNets[index] ?? (0 as never)));
			const named = `Commande ${orderNumber}${reference ? `, référence : ${reference}` : ""} `;
			expect(text).toContain(named);
			expect(text).toContain(`1 ${euros} 20 % ${euros}`);
		}
		expect(text).toContain(`Total HT ${clean(formatEuros(net))}`);
		expect(text).toContain(`Total TTC ${clean(formatEuros(total))}`);
	},
);

test.each([40, 200])("the PDF of %i lines is a tagged PDF/A-3b that depends on its data only, with the XML in it", async (count) => {
	const data = withLines(count);
	const bytes = await createInvoicePdf(data);
	expect(Buffer.from(await createInvoicePdf(data)).equals(bytes)).toBe(true);
	expect(await extractXml(bytes)).toEqual({ filename: "factur-x.xml", profile: Profile.EN16931, xml: createFacturX(data) });
	const raw = Buffer.from(bytes).toString("latin1");
	expect(raw).toMatch(/<pdfaid:part>3<\/pdfaid:part>\s*<pdfaid:conformance>B<\/pdfaid:conformance>/);
	expect(raw).toMatch(/\/S \/GTS_PDFA1/);
	expect(raw).toMatch(/\/Marked true/);
	expect(raw).not.toContain("/Helvetica");
	expect(raw.match(/\/FontFile2 /g)).toHaveLength(3);
	// one table with one head, whose rows are those of the lines
	expect(raw.match(/\/S \/Table\b/g)).toHaveLength(1);
	expect(raw.match(/\/S \/TH\b/g)).toHaveLength(5);
	expect(raw.match(/\/S \/TR\b/g)).toHaveLength(count + 1);
	expect(raw.match(/\/S \/TD\b/g)).toHaveLength(count * 5);
});

// look at the PDFs before a change of their drawing is written to the file: npx vitest run app/orders/invoices/invoice-pages -u
test("each kind of document is drawn as it was", async () => {
	const documents: [string, InvoiceData][] = [
		["invoice", { ...invoice, vatOnDebits: true }],
		["credit note", creditNote],
		["invoice in another's place, with a letter's address", replacing],
		["credit note of a replaced invoice", cancelling],
		["invoice of a person at 5.5 %", { ...invoice, buyer: privatePerson, vatRate: 5.5 }],
		[
			"invoice with long texts",
			withLine({ ...companyInvoice, buyer: { ...invoice.buyer, name: "Société ".repeat(20) } }, { description: "extrait ".repeat(20) }),
		],
		["invoice with a description of 90 letters", withLine(invoice, { description: "x".repeat(90) })],
		["invoice with a description of 91 letters", withLine(invoice, { description: "x".repeat(91) })],
		["invoice with a line longer than a page", withLine(invoice, { description: "extrait ".repeat(500) })],
		["invoice of 2 lines", withLines(2)],
		["invoice of 2 lines that need 2 pages", withLine(withLines(2), { description: "extrait ".repeat(250) })],
		["invoice of 40 lines", withLines(40)],
		["invoice of 40 lines, the last of a page close to its margin", withLine(withLines(40), { description: "extrait ".repeat(42) })],
	];
	const digests = await Promise.all(documents.map(async ([name, data]) => `${digestDrawing(await createInvoicePdf(data))}  ${name}`));
	await expect(`${digests.join("\n")}\n`).toMatchFileSnapshot("invoice-drawings.txt");
});

test("the credit note of one line names its order, and has one page", async () => {
	const [, line] = withLines(2).lines;
	const data: InvoiceData = { ...creditNote, lines: line ? [line] : [] };
	const pages = await readPages(await createInvoicePdf(data));
	expect(pages).toHaveLength(1);
	expect(pages[0]).toContain("Commande groupée KB-7F3K-92QD");
	expect(pages[0]).toContain("Commande KB-0000-0002");
	expect(pages[0]).not.toMatch(/ 1\/1/);
});
