import { readFileSync } from "node:fs";
import { extractXml, Profile } from "@stackforge-eu/factur-x";
import * as fontkit from "fontkit";
import { extractText, getDocumentProxy } from "unpdf";
import { describe, expect, test } from "vitest";
import {
	cancelling,
	companyInvoice,
	creditNote,
	invoice,
	privatePerson,
	replacing,
	withLine,
	withPrice,
} from "../../../test/fixtures/invoice.ts";
import { cents, formatEuros } from "../../catalogue/money.ts";
import { printableLetters } from "../../ui/fonts/printable.ts";
import { createPdf } from "../documents/pdf-sheet.server.ts";
import { createFacturX } from "./factur-x.server.ts";
import type { InvoiceData } from "./invoice.ts";
import { calculateAmounts } from "./invoice-amounts.ts";
import { createInvoicePdf } from "./make-invoice.server.ts";

async function readText(pdf: Uint8Array): Promise<string> {
	const { text } = await extractText(await getDocumentProxy(new Uint8Array(pdf)), { mergePages: true });
	return text.replace(/\s+/g, " ");
}

/** A text with its position in points; y counts from the bottom of the page. */
interface TextLine {
	text: string;
	from: number;
	to: number;
	y: number;
	size: number;
}

/** Lists the texts of the first page. */
async function listLines(pdf: Uint8Array): Promise<TextLine[]> {
	const { items } = await (await (await getDocumentProxy(new Uint8Array(pdf))).getPage(1)).getTextContent();
	return items.flatMap((item) => {
		if (!("str" in item) || item.str.trim() === "") return [];
		const [size, , , , from, y] = item.transform;
		return [{ text: item.str, from, to: from + item.width, y, size }];
	});
}

/** Whether two texts overlap, at the height of lower-case letters. */
const overlap = (one: TextLine, other: TextLine) =>
	one.from < other.to && other.from < one.to && one.y < other.y + other.size / 2 && other.y < one.y + one.size / 2;

describe("the PDF", () => {
	test("contains the XML where a Factur-X reader finds it", async () => {
		const extracted = await extractXml(await createInvoicePdf(invoice));
		expect(extracted).toEqual({ filename: "factur-x.xml", profile: Profile.EN16931, xml: createFacturX(invoice) });
	});

	test("is a tagged PDF/A-3b in French with embedded colour profile and fonts", async () => {
		const bytes = await createInvoicePdf(invoice);
		const raw = Buffer.from(bytes).toString("latin1");
		const metadata = raw.slice(raw.indexOf("<?xpacket"), raw.indexOf('<?xpacket end="w"?>'));
		expect(raw.startsWith("%PDF-1.7")).toBe(true);
		expect(metadata).toMatch(/<pdfaid:part>3<\/pdfaid:part>\s*<pdfaid:conformance>B<\/pdfaid:conformance>/);
		expect(metadata).toMatch(/<dc:title>[\s\S]*Facture F2026-000042[\s\S]*<\/dc:title>/);
		expect(raw).toMatch(/\/DisplayDocTitle true/);
		// Factur-X 1.0, 6.2.2
		for (const [name, value] of Object.entries({
			DocumentType: "INVOICE",
			DocumentFileName: "factur-x.xml",
			Version: "1.0",
			ConformanceLevel: "EN 16931",
		}))
			expect(metadata).toContain(`<fx:${name}>${value}</fx:${name}>`);
		expect(metadata).toContain("<pdfaSchema:namespaceURI>urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#</pdfaSchema:namespaceURI>");
		expect(metadata).not.toMatch(/associes|Zoé|Lyon/); // no personal data in the metadata
		expect(raw).toMatch(/\/S \/GTS_PDFA1/);
		expect(raw).toMatch(/\/OutputIntents \[/);
		expect(raw).toMatch(/\/AFRelationship \/Alternative/);
		expect(raw).toMatch(/\/Subtype \/application#2Fxml/);
		expect(raw).toMatch(/\/AF \[/);
		expect(raw).toMatch(/\/Lang \(fr-FR\)/);
		expect(raw).toMatch(/\/Marked true/);
		expect(raw).not.toContain("/Helvetica");
		const fontDescriptors = raw.match(/\/Type \/FontDescriptor/g);
		expect(fontDescriptors).toHaveLength(3);
		expect(raw.match(/\/FontFile2 /g)).toHaveLength(3);
		expect(raw).not.toMatch(/\/(JavaScript|JS|Launch|Encrypt)\b/);
	});

	test("has the same bytes when created again after another invoice, and only the dates of the invoice", async () => {
		const once = await createInvoicePdf(creditNote);
		// a no-break space and a space, or a hyphen and its no-break form, are one glyph of a font
		await createInvoicePdf({ ...invoice, buyer: { ...privatePerson, name: "Jeanne\u00a0Martin\u2011Durand" } });
		expect(Buffer.compare(once, await createInvoicePdf(structuredClone(creditNote)))).toBe(0);
		const raw = Buffer.from(once).toString("latin1");
		const dates = Array.from(raw.matchAll(/\(D:(\w+)\)/g), ([, date]) => date);
		expect(dates).toEqual(Array(3).fill("20261123231500Z")); // one of the document, two of the attachment
		for (const [, date] of raw.matchAll(/<xmp:\w+Date>([^<]*)</g)) expect(date).toBe("2026-11-23T23:15:00Z");
	});

	test("has all legal mentions on one page", async () => {
		const pdf = await createInvoicePdf({ ...invoice, vatOnDebits: true });
		expect((await getDocumentProxy(new Uint8Array(pdf))).numPages).toBe(1);
		const text = await readText(pdf);
		for (const words of [
			"Facture F2026-000042",
			"Date d’émission 24/11/2026 Date de l’encaissement 22/11/2026 Commande KB-7F3K-92QD Catégorie d’opération Prestation de services",
			"ExtraitPro contact@extraitpro.example 01 99 00 00 00",
			"ExtraitPro, société de démonstration (fictive) ExtraitPro 1 rue de l’Exemple",
			"ExtraitPro, société de démonstration (fictive)",
			"1 rue de l’Exemple",
			"00000 Démoville",
			"SIREN 000 000 000, RCS Démoville",
			"TVA FR00 000000000",
			"Łukasz & Kőszegi <Associés>",
			"Zoé Peșteră",
			"12 avenue de la République",
			"69003 Lyon",
			"SIREN 552 032 534",
			"KBIS Express, extrait de DANONE 1 49,17 € 20 % 49,17 €",
			"Payé par carte le 21/11/2026 59,00 €",
			"Reste à payer 0,00 €",
			// CGI ann. II art. 242 nonies A; C. com. art. L441-9, L441-10 and D441-5
			"Option pour le paiement de la taxe d’après les débits.",
			"Entre professionnels, tout retard de paiement entraîne des pénalités au taux de trois fois le taux d’intérêt légal",
			"Indemnité forfaitaire pour frais de recouvrement en cas de retard : 40 €",
			"Pas d’escompte pour paiement anticipé.",
		]) {
			expect(text).toContain(words);
		}
		expect(text).not.toMatch(/Avoir|null|undefined|NaN/);
	});

	test("a credit note has the title « Avoir » and names the corrected invoice", async () => {
		const text = await readText(await createInvoicePdf(creditNote));
		expect(text).toContain("Avoir A2026-000007 Corrige la facture F2026-000042 du 21/11/2026");
		expect(text).toContain("Remboursé par carte le 21/11/2026 59,00 € Reste à rembourser 0,00 €");
		expect(text).not.toMatch(/Facture F|Payé/);
	});

	test("a company has its numbers, and its letter an address", async () => {
		const text = await readText(await createInvoicePdf(companyInvoice));
		expect(text).toContain(
			"69003 Lyon SIREN 552 032 534 TVA FR27552032534 Adresse de livraison Claire Durand, Cabinet Exemple, Bâtiment B, 4 quai de l’Horloge, 75001 Paris Désignation",
		);
	});

	test("the credit note of a replaced invoice gives no money back", async () => {
		const note = await readText(await createInvoicePdf(cancelling));
		expect(note).toContain("Avoir A2026-000007 Annule la facture F2026-000042 du 21/11/2026, remplacée par la facture F2026-000043");
		expect(note).toContain("Imputé sur la facture F2026-000043 59,00 € Reste à rembourser 0,00 €");
		expect(note).not.toMatch(/Remboursé/);
		const again = await readText(await createInvoicePdf(replacing));
		expect(again).toContain("Facture F2026-000043 Remplace la facture F2026-000042 du 21/11/2026, annulée par un avoir");
		expect(again).toContain("Payé par carte le 21/11/2026 59,00 € Reste à payer 0,00 €");
	});

	test("a credit note prints the date of its invoice in Paris time", async () => {
		const corrects = { number: "F2026-000041", issuedAt: "2026-11-19T23:30:00.000Z" };
		const data = { ...creditNote, corrects, paidAt: "2026-11-25T23:30:00.000Z" };
		const text = await readText(await createInvoicePdf(data));
		expect(text).toContain("Corrige la facture F2026-000041 du 20/11/2026");
		expect(text).toContain("Remboursé par carte le 26/11/2026");
		expect(createFacturX(data)).toMatch(/F2026-000041<.*>20261120<.*<\/ram:InvoiceReferencedDocument>/);
	});

	test("prints equal trade and legal names once, also with letters that the serif font lacks", async () => {
		const seller = { ...invoice.seller, name: "L’Extrait d’Iași", legalEntity: "L’Extrait d’Iași" };
		const text = await readText(await createInvoicePdf({ ...invoice, seller }));
		expect(text.split("L’Extrait d’Iași")).toHaveLength(3); // the letterhead and the seller
		expect(text).toContain("Vendeur L’Extrait d’Iași 1 rue de l’Exemple");
	});

	test("an invoice to a person without an address has the name only", async () => {
		expect(await readText(await createInvoicePdf({ ...invoice, buyer: privatePerson }))).toMatch(/Client Jeanne Martin Désignation/);
	});

	const repeatText = (words: string, length: number) => words.repeat(length).slice(0, length).trim();
	const longBuyer = {
		...invoice.buyer,
		name: repeatText("Société d’exploitation des établissements ", 200),
		contact: `${repeatText("Marie Charlotte ", 100)} ${repeatText("de la Très Longue Lignée ", 100)}`,
		address: repeatText("avenue du Maréchal ", 200),
		city: repeatText("Saint-Rémy-en-Bouzemont-Saint-Genest-et-Isson ", 100),
	};
	const longDelivery = {
		name: repeatText("Maître Marie Charlotte de la Lignée ", 200),
		complement: repeatText("escalier du fond ", 200),
		address: repeatText("quai du Maréchal ", 200),
		postalCode: "51290",
		city: repeatText("Saint-Rémy-en-Bouzemont-Saint-Genest-et-Isson ", 100),
	};
	const longDescription = repeatText("KBIS EXPRESS DES ÉTABLISSEMENTS ", 250);

	test.each<[string, InvoiceData]>([
		["of a credit note", { ...creditNote, buyer: longBuyer }],
		["with a letter's address", { ...replacing, buyer: { ...longBuyer, vat: "FR27552032534" }, delivery: longDelivery }],
	])("the longest texts of the order form fit on one page without truncation: %s", async (_what, longest) => {
		const data = { ...withLine(longest, { description: longDescription }), vatOnDebits: true };
		const pdf = await createInvoicePdf(data);
		expect((await getDocumentProxy(new Uint8Array(pdf))).numPages).toBe(1);
		const text = await readText(pdf);
		for (const words of [data.buyer.name, data.buyer.contact, longest.delivery?.name ?? "", longDescription, "factur-x.xml."])
			expect(text).toContain(words);
	});

	test.each([
		["an invoice", invoice],
		["a credit note", creditNote],
		["the credit note of a replaced invoice", cancelling],
		["a company with an address for its letter", replacing],
		["a person without an address", { ...invoice, buyer: privatePerson }],
		["a long description", withLine(invoice, { description: "extrait ".repeat(220).trim() })],
		[
			"a seller with a long name",
			{ ...invoice, seller: { ...invoice.seller, name: "L’extrait officiel des professionnels ".repeat(5).trim() } },
		],
	])("no text overlaps another or exceeds the margins: %s", async (_name, data) => {
		const lines = await listLines(await createInvoicePdf(data));
		expect(lines.length).toBeGreaterThan(30);
		const overlaps = lines.flatMap((line, index) => lines.slice(index + 1).filter((other) => overlap(line, other)));
		expect(overlaps).toEqual([]);
		expect(lines.filter(({ from, to, y }) => from < 61.9 || to > 533.1 || y < 42 || y > 790)).toEqual([]);
		const total = lines.find(({ text }) => text.startsWith("Reste à"));
		const mentions = lines.find(({ text }) => text.startsWith("Entre professionnels"));
		expect((total?.y ?? 0) - (mentions?.y ?? 0)).toBeGreaterThan(20);
	});

	test("groups the digits of a SIREN, given with or without spaces", async () => {
		for (const siren of ["552032534", "552 032 534"]) {
			const text = await readText(await createInvoicePdf({ ...invoice, buyer: { ...invoice.buyer, siren } }));
			expect(text).toContain("SIREN 552 032 534 Désignation");
		}
	});

	test("has the VAT rate of its data", async () => {
		for (const [data, words, percent] of [
			[invoice, "TVA 20 % 9,83 € Total TTC 59,00 €", "20"],
			[{ ...invoice, vatRate: 5.5 }, "TVA 5,5 % 3,08 € Total TTC 59,00 €", "5.5"],
		] as const) {
			const pdf = await createInvoicePdf(data);
			const [text, { xml }] = await Promise.all([readText(pdf), extractXml(pdf)]);
			expect(text).toContain(words);
			expect(xml).toMatch(new RegExp(`<ram:RateApplicablePercent>${percent}(\\.0+)?<`));
		}
	});

	test("has the same amounts on the page and in the XML", async () => {
		for (const total of [1, 3, 99, 123, 999, 3900, 4400, 5900, 9999, ...Array.from({ length: 15 }, (_, i) => 617 * (i + 1)), 1_234_567]) {
			const pdf = await createInvoicePdf(withPrice(total));
			const [text, { xml }] = await Promise.all([readText(pdf), extractXml(pdf)]);
			const { net, vat } = calculateAmounts(withPrice(total));
			const euros = (amount: number) => formatEuros(cents(amount)).replaceAll("\u00a0", " ");
			for (const [name, amount] of Object.entries({ TaxBasisTotal: net, TaxTotal: vat, GrandTotal: total, DuePayable: 0 })) {
				expect(xml).toMatch(new RegExp(`<ram:${name}Amount[^>]*>${(amount / 100).toFixed(2)}<`));
			}
			expect(text).toContain(`Total HT ${euros(net)} TVA 20 % ${euros(vat)} Total TTC ${euros(total)}`);
			expect(text).toContain(`Reste à payer ${euros(0)}`);
		}
	});
});

describe("characters", () => {
	test("the printable letters are exactly those of the fonts", () => {
		for (const name of ["sans", "sans-strong"]) {
			const font = fontkit.create(readFileSync(`app/ui/fonts/${name}.ttf`)) as fontkit.Font;
			const letters = font.characterSet.filter((code) => code !== 0xffff).map((code) => String.fromCodePoint(code));
			expect(letters.sort().join(""), name).toBe(Array.from(printableLetters).sort().join(""));
		}
	});

	test("the embedded fonts draw every printable letter", async () => {
		// text extraction may join or drop spaces and hyphens
		const letters = Array.from(printableLetters).filter((letter) => !/[\s\u00ad\u2010-\u2015-]/u.test(letter));
		for (const font of ["sans", "sans-strong"] as const) {
			const document = createPdf("lettres", new Date(0));
			const chunks: Buffer[] = [];
			document.on("data", (chunk: Buffer) => chunks.push(chunk));
			const done = new Promise((resolve) => document.on("end", resolve));
			document.font(font).text(letters.join(" "));
			document.end();
			await done;
			const text = await readText(Buffer.concat(chunks));
			expect(letters.filter((letter) => !text.normalize("NFKC").includes(letter.normalize("NFKC")))).toEqual([]);
		}
	});

	test("characters without a glyph are a question mark on the page and unchanged in the XML", async () => {
		const name = "Café 👩‍💻 Ελένη ﬁn";
		const pdf = await createInvoicePdf({ ...invoice, buyer: { ...privatePerson, name } });
		expect(await readText(pdf)).toContain("Café ? ????? fin");
		expect((await extractXml(pdf)).xml).toContain(`<ram:Name>${name}</ram:Name>`);
	});
});
