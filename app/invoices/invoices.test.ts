import { extractXml, Profile, validateXsd } from "@stackforge-eu/factur-x";
import { extractText, getDocumentProxy } from "unpdf";
import { describe, expect, test } from "vitest";
import { cents, formatEuros } from "../catalogue/money.ts";
import { services } from "../catalogue/services.ts";
import { facturX } from "./factur-x.server.ts";
import type { InvoiceData } from "./invoice.ts";
import { invoiceAmounts } from "./invoice-amounts.ts";
import { openDocument } from "./invoice-pdf.server.ts";
import { makeInvoice } from "./make-invoice.server.ts";
import { splitAddress } from "./one-line-address.ts";
import { printable, printableLetters } from "./printable.ts";

const invoice: InvoiceData = {
	kind: "invoice",
	number: "F2026-000042",
	// a quarter past midnight in Paris, the day before in UTC
	issuedAt: "2026-11-23T23:15:00.000Z",
	suppliedAt: "2026-11-22T10:00:00.000Z",
	corrects: null,
	orderNumber: "KB-7F3K-92QD",
	seller: {
		name: "ExtraitPro",
		legalEntity: "ExtraitPro, société de démonstration (fictive)",
		address: "1 rue de l’Exemple, 00000 Démoville",
		siren: "000 000 000",
		vat: "FR00 000000000",
		email: "contact@extraitpro.example",
		phone: "01 99 00 00 00",
	},
	buyer: {
		name: "Łukasz & Kőszegi <Associés>",
		contact: "Zoé Peșteră",
		address: "12 avenue de la République",
		postalCode: "69003",
		city: "Lyon",
		email: "zoe@associes.example",
		siren: "552032534",
	},
	line: { description: "KBIS Express, extrait de DANONE", total: cents(5900) },
	vatOnDebits: false,
	latePenalty: "trois fois le taux d’intérêt légal",
	paidAt: "2026-11-21T10:00:00.000Z",
};

const creditNote: InvoiceData = {
	...invoice,
	kind: "credit_note",
	number: "A2026-000007",
	corrects: { number: "F2026-000042", issuedAt: "2026-11-21T10:00:00.000Z" },
};

const privatePerson: InvoiceData["buyer"] = {
	...{ name: "Jeanne Martin", contact: null, address: null, postalCode: null, city: null },
	...{ email: "jeanne@martin.example", siren: null },
};

const priced = (total: number): InvoiceData => ({ ...invoice, line: { ...invoice.line, total: cents(total) } });

/** The text of each element of this name, in order. */
const values = (xml: string, name: string) =>
	[...xml.matchAll(new RegExp(`<ram:${name}(?: [^>]*)?>([^<]*)</ram:${name}>`, "g"))].map(([, text]) => text);

/** The amounts of the XML in cents, without a float on the way; of two with one name, a line's and the document's, the last. */
function amountsOf(xml: string): Record<string, number> {
	const found = xml.matchAll(/<ram:(\w+Amount)(?: [^>]*)?>([^<]*)</g);
	return Object.fromEntries(Array.from(found, ([, name, text]) => [name, Number(text?.replace(/^(\d+)\.(\d\d)$/, "$1$2"))]));
}

async function textOf(pdf: Uint8Array): Promise<string> {
	const { text } = await extractText(await getDocumentProxy(new Uint8Array(pdf)), { mergePages: true });
	return text.replace(/\s+/g, " ");
}

describe("the data", () => {
	const documents: [string, InvoiceData][] = [
		["an invoice to a company", invoice],
		["a credit note", creditNote],
		["an invoice to a person without an address", { ...invoice, buyer: privatePerson }],
		["an invoice with VAT on debits", { ...invoice, vatOnDebits: true }],
		["an invoice of a shop whose address has another form", { ...invoice, seller: { ...invoice.seller, address: "Zone artisanale" } }],
		["names that XML must be protected from", { ...invoice, buyer: { ...privatePerson, name: "]]> \u0000\ud800\uffff <!-- 😀" } }],
	];

	test.each(documents)("%s fits the schema of Factur-X, without an empty element", async (_, data) => {
		const xml = facturX(data);
		expect(await validateXsd(xml, Profile.EN16931)).toEqual({ valid: true, errors: [] });
		expect(xml).not.toMatch(/<(\S+)[^>]*><\/\1>/);
	});

	test("the schema refuses what does not fit it", async () => {
		const { valid, errors } = await validateXsd(
			facturX(invoice).replace(/<ram:GrandTotalAmount>.*?<\/ram:GrandTotalAmount>/, ""),
			Profile.EN16931,
		);
		expect(valid).toBe(false);
		expect(errors[0]?.message).toContain("GrandTotalAmount");
	});

	test("says who sold what to whom, when, and that it is paid", () => {
		const xml = facturX(invoice);
		expect(values(xml, "Name")).toEqual([
			"KBIS Express, extrait de DANONE",
			"ExtraitPro, société de démonstration (fictive)",
			"Łukasz &amp; Kőszegi &lt;Associés&gt;",
		]);
		expect(xml).toContain('<ram:ID schemeID="0002">000000000</ram:ID><ram:TradingBusinessName>ExtraitPro<');
		expect(xml).toContain('<ram:ID schemeID="0002">552032534</ram:ID>');
		expect(xml).toContain('<ram:ID schemeID="VA">FR00000000000</ram:ID>');
		expect(xml).toContain(
			"<ram:PostcodeCode>00000</ram:PostcodeCode><ram:LineOne>1 rue de l’Exemple</ram:LineOne><ram:CityName>Démoville<",
		);
		expect(values(xml, "URIID").slice(1, 2)).toEqual(["000000000"]);
		expect(xml).toMatch(/IssueDateTime><udt:DateTimeString format="102">20261124</);
		expect(xml).toMatch(/OccurrenceDateTime><udt:DateTimeString format="102">20261122</);
		expect(xml).toMatch(/DueDateDateTime><udt:DateTimeString format="102">20261121</);
		expect(values(xml, "TypeCode")).toEqual(["380", "VAT", "48", "VAT"]);
		expect(values(xml, "SubjectCode")).toEqual(["PMD", "PMT", "AAB"]);
		expect(values(xml, "IssuerAssignedID")).toEqual(["KB-7F3K-92QD"]);
		expect(amountsOf(xml)).toMatchObject({ GrandTotalAmount: 5900, TotalPrepaidAmount: 5900, DuePayableAmount: 0 });
	});

	test("reaches a company at its SIREN and a person at their e-mail address", () => {
		expect(facturX(invoice)).toContain('<ram:URIID schemeID="0225">552032534</ram:URIID>');
		expect(facturX({ ...invoice, buyer: privatePerson })).toContain('<ram:URIID schemeID="EM">jeanne@martin.example</ram:URIID>');
	});

	test("a credit note has its own type, positive amounts, and names the invoice it corrects with its date", () => {
		const xml = facturX(creditNote);
		expect(values(xml, "TypeCode")[0]).toBe("381");
		expect(amountsOf(xml).GrandTotalAmount).toBe(5900);
		expect(xml).toMatch(
			/<ram:InvoiceReferencedDocument><ram:IssuerAssignedID>F2026-000042<\/ram:IssuerAssignedID>.*>20261121<.*<\/ram:InvoiceReferencedDocument>/,
		);
		expect(facturX(invoice)).not.toContain("InvoiceReferencedDocument");
	});

	test("VAT on debits is said in words and by its code, and only where the seller chose it", () => {
		expect(facturX({ ...invoice, vatOnDebits: true })).toMatch(/d’après les débits.*<ram:DueDateTypeCode>5</);
		expect(facturX(invoice)).not.toMatch(/débits|DueDateTypeCode/);
	});
});

describe("the amounts", () => {
	test("of every price from 0,01 € to 100,00 € add up as EN 16931 wants", () => {
		for (let total = 1; total <= 10_000; total++) {
			const xml = facturX(priced(total));
			const { BasisAmount: net = NaN, CalculatedAmount: vat = NaN, ...sums } = amountsOf(xml);
			const same = {
				"BR-CO-10": sums.LineTotalAmount === net && values(xml, "LineTotalAmount")[0] === values(xml, "LineTotalAmount")[1],
				"one line of one unit": sums.ChargeAmount === net,
				"BR-CO-13": sums.TaxBasisTotalAmount === net,
				"BR-CO-14": sums.TaxTotalAmount === vat,
				"BR-CO-15": sums.GrandTotalAmount === net + vat,
				"BR-CO-16": sums.TotalPrepaidAmount === total && sums.DuePayableAmount === 0,
				"what the card was charged": sums.GrandTotalAmount === total,
				// one cent less where the exact VAT ends in half a cent: see invoiceAmounts
				"BR-CO-17": Math.round((net * 20) / 100) - vat === (total % 6 === 3 ? 1 : 0),
			};
			if (Object.values(same).every(Boolean)) continue;
			expect({ total, ...same }).toEqual({ total, ...Object.fromEntries(Object.keys(same).map((rule) => [rule, true])) });
		}
	});

	test("of the catalogue follow every rule to the cent", () => {
		for (const { price } of Object.values(services)) {
			const { net, vat, total } = invoiceAmounts(price);
			expect([net + vat, Math.round((net * 20) / 100)]).toEqual([total, vat]);
		}
	});

	test("stand on the page as in the data", async () => {
		for (const total of [1, 3, 99, 123, 999, 3900, 4400, 5900, 9999, ...Array.from({ length: 15 }, (_, i) => 617 * (i + 1)), 1_234_567]) {
			const pdf = await makeInvoice(priced(total));
			const [text, { xml }] = await Promise.all([textOf(pdf), extractXml(pdf)]);
			const amounts = amountsOf(xml);
			const euros = (name: string) => formatEuros(cents(amounts[name] ?? NaN)).replaceAll("\u00a0", " ");
			expect(amounts.GrandTotalAmount).toBe(total);
			expect(text).toContain(
				`Total HT ${euros("TaxBasisTotalAmount")} TVA 20 % ${euros("TaxTotalAmount")} Total TTC ${euros("GrandTotalAmount")}`,
			);
			expect(text).toContain(`Reste à payer ${euros("DuePayableAmount")}`);
		}
	});
});

describe("the file", () => {
	test("carries its data as a Factur-X reader finds it", async () => {
		const found = await extractXml(await makeInvoice(invoice));
		expect(found).toEqual({ filename: "factur-x.xml", profile: Profile.EN16931, xml: facturX(invoice) });
	});

	test("is a PDF/A-3b in French: tagged, with its colours and every font inside", async () => {
		const bytes = await makeInvoice(invoice);
		const raw = Buffer.from(bytes).toString("latin1");
		const metadata = raw.slice(raw.indexOf("<?xpacket"), raw.indexOf('<?xpacket end="w"?>'));
		expect(raw.startsWith("%PDF-1.7")).toBe(true);
		expect(metadata).toMatch(/<pdfaid:part>3<\/pdfaid:part>\s*<pdfaid:conformance>B<\/pdfaid:conformance>/);
		expect(metadata).toContain("<fx:ConformanceLevel>EN 16931</fx:ConformanceLevel>");
		expect(metadata).toContain("<pdfaSchema:namespaceURI>urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#</pdfaSchema:namespaceURI>");
		expect(raw).toMatch(/\/S \/GTS_PDFA1/);
		expect(raw).toMatch(/\/OutputIntents \[/);
		expect(raw).toMatch(/\/AFRelationship \/Alternative/);
		expect(raw).toMatch(/\/Subtype \/application#2Fxml/);
		expect(raw).toMatch(/\/AF \[/);
		expect(raw).toMatch(/\/Lang \(fr-FR\)/);
		expect(raw).toMatch(/\/Marked true/);
		expect(raw).not.toContain("/Helvetica");
		const described = raw.match(/\/Type \/FontDescriptor/g);
		expect(described).toHaveLength(3);
		expect(raw.match(/\/FontFile2 /g)).toHaveLength(3);
		expect(raw).not.toMatch(/\/(JavaScript|JS|Launch|Encrypt)\b/);
	});

	test("is the same to the byte when it is made again, and dated by the invoice", async () => {
		const [once, again] = [await makeInvoice(creditNote), await makeInvoice(structuredClone(creditNote))];
		expect(Buffer.compare(once, again)).toBe(0);
		expect(Buffer.from(once).toString("latin1")).toContain("/CreationDate (D:20261123231500Z)");
	});

	test("says all that the law wants on one page", async () => {
		const pdf = await makeInvoice({ ...invoice, vatOnDebits: true });
		expect((await getDocumentProxy(new Uint8Array(pdf))).numPages).toBe(1);
		const text = await textOf(pdf);
		for (const words of [
			...["Facture F2026-000042", "24/11/2026", "22/11/2026", "KB-7F3K-92QD", "Prestation de services"],
			...[
				"ExtraitPro, société de démonstration (fictive)",
				"1 rue de l’Exemple",
				"00000 Démoville",
				"SIREN 000 000 000",
				"TVA FR00 000000000",
			],
			...["Łukasz & Kőszegi <Associés>", "Zoé Peșteră", "12 avenue de la République", "69003 Lyon", "SIREN 552 032 534"],
			...["KBIS Express, extrait de DANONE 1 49,17 € 20 % 49,17 €", "Payé par carte le 21/11/2026 59,00 €", "Reste à payer 0,00 €"],
			...["Option pour le paiement de la taxe d’après les débits", "trois fois le taux d’intérêt légal", "40 €", "Pas d’escompte"],
		]) {
			expect(text).toContain(words);
		}
		expect(text).not.toMatch(/Avoir|null|undefined|NaN/);
	});

	test("a credit note is named « Avoir » and says which invoice it corrects", async () => {
		const text = await textOf(await makeInvoice(creditNote));
		expect(text).toContain("Avoir A2026-000007 Corrige la facture F2026-000042 du 21/11/2026");
		expect(text).toContain("Remboursé par carte le 21/11/2026 59,00 €");
		expect(text).not.toMatch(/Facture F|Payé/);
	});

	test("a person without an address is billed under their name and e-mail address alone", async () => {
		const text = await textOf(await makeInvoice({ ...invoice, buyer: privatePerson }));
		expect(text).toMatch(/Client Jeanne Martin jeanne@martin\.example Désignation/);
	});

	test("the longest that the order form takes stays on one page, and whole", async () => {
		const long = (words: string, length: number) => words.repeat(length).slice(0, length).trim();
		const data: InvoiceData = {
			...creditNote,
			vatOnDebits: true,
			buyer: {
				...creditNote.buyer,
				name: long("Société d’exploitation des établissements ", 200),
				contact: `${long("Marie Charlotte ", 100)} ${long("de la Très Longue Lignée ", 100)}`,
				address: long("avenue du Maréchal ", 200),
				city: long("Saint-Rémy-en-Bouzemont-Saint-Genest-et-Isson ", 100),
				email: `${long("m", 64)}@${long("domaine.", 120)}example`,
			},
			line: { ...creditNote.line, description: long("KBIS EXPRESS DES ÉTABLISSEMENTS ", 250) },
		};
		const pdf = await makeInvoice(data);
		expect((await getDocumentProxy(new Uint8Array(pdf))).numPages).toBe(1);
		const text = await textOf(pdf);
		for (const words of [data.buyer.name, data.buyer.contact, data.line.description, "factur-x.xml."]) expect(text).toContain(words);
		expect(text.replaceAll(" ", "")).toContain(data.buyer.email);
	});
});

describe("letters", () => {
	test("of every European name are drawn by the embedded fonts", async () => {
		// spaces and hyphens that a reader of text may join or drop say nothing of a font
		const letters = Array.from(printableLetters).filter((letter) => !/[\s\u00ad\u2010-\u2015-]/u.test(letter));
		for (const font of ["sans", "sans-strong"] as const) {
			const document = openDocument("lettres", new Date(0));
			const chunks: Buffer[] = [];
			document.on("data", (chunk: Buffer) => chunks.push(chunk));
			const done = new Promise((resolve) => document.on("end", resolve));
			document.font(font).text(letters.join(" "));
			document.end();
			await done;
			const text = await textOf(Buffer.concat(chunks));
			expect(letters.filter((letter) => !text.normalize("NFKC").includes(letter.normalize("NFKC")))).toEqual([]);
		}
	});

	test("that no font has leave a visible gap on the page and are whole in the data", async () => {
		const name = "Café 👩‍💻 Ελένη ﬁn";
		expect(printable(name)).toBe("Café ? ????? fin");
		const pdf = await makeInvoice({ ...invoice, buyer: { ...privatePerson, name } });
		expect(await textOf(pdf)).toContain("Café ? ????? fin");
		expect((await extractXml(pdf)).xml).toContain(`<ram:Name>${name}</ram:Name>`);
	});

	test("written with combining marks, narrow spaces or line breaks become printable", () => {
		expect(printable("Zoe\u0301\u202f:\nŁódź\t\u200bvoilà\u0000")).toBe("Zoé\u00a0: Łódź voilà ");
		expect(printable("Łukasz Kőszegi, Iași, Nguyễn, Þór, Žďár, ẞ")).toBe("Łukasz Kőszegi, Iași, Nguyễn, Þór, Žďár, ẞ");
	});
});

test("an address on one line is split at its postal code, or left as it is", () => {
	expect(splitAddress("1 rue de l’Exemple, 00000 Démoville")).toEqual({
		street: "1 rue de l’Exemple",
		postalCode: "00000",
		city: "Démoville",
	});
	expect(splitAddress("Bât. 12345, 3 rue X 75002 Paris CEDEX 02")).toEqual({
		street: "Bât. 12345, 3 rue X",
		postalCode: "75002",
		city: "Paris CEDEX 02",
	});
	expect(splitAddress("Zone artisanale, Démoville")).toEqual({ street: "Zone artisanale, Démoville", postalCode: "", city: "" });
});
