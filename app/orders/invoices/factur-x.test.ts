import { Profile, validateXsd } from "@stackforge-eu/factur-x";
import { describe, expect, test } from "vitest";
import {
	cancelling,
	companyInvoice,
	creditNote,
	invoice,
	privatePerson,
	replacing,
	withLines,
	withPrice,
} from "../../../test/fixtures/invoice.ts";
import { services } from "../../catalogue/services.ts";
import { createFacturX } from "./factur-x.server.ts";
import type { InvoiceData } from "./invoice.ts";
import { calculateAmounts } from "./invoice-amounts.ts";
import { splitAddress } from "./one-line-address.ts";

/** Lists the text of each element with this name. */
const listValues = (xml: string, name: string) =>
	[...xml.matchAll(new RegExp(`<ram:${name}(?: [^>]*)?>([^<]*)</ram:${name}>`, "g"))].map(([, text]) => text);

/** Parses the amounts of the XML to cents without floats. Of a line's and the document's with one name, it returns the last. */
function parseAmounts(xml: string): Record<string, number> {
	const amounts = xml.matchAll(/<ram:(\w+Amount)(?: [^>]*)?>([^<]*)</g);
	return Object.fromEntries(Array.from(amounts, ([, name, text]) => [name, Number(text?.replace(/^(\d+)\.(\d\d)$/, "$1$2"))]));
}

describe("the XML", () => {
	const documents: [string, InvoiceData][] = [
		["an invoice to a company", invoice],
		["a credit note", creditNote],
		["an invoice of 40 orders", withLines(40)],
		["an invoice of 200 orders", withLines(200)],
		["an invoice to a company with all its numbers, for a letter that goes elsewhere", companyInvoice],
		["the credit note of a replaced invoice", cancelling],
		["an invoice that replaces another", replacing],
		[
			"an invoice for a letter without a complement of its address",
			{ ...companyInvoice, delivery: { name: "Claire", address: "4 quai", postalCode: "75001", city: "Paris", complement: null } },
		],
		["an invoice to a person without an address", { ...invoice, buyer: privatePerson }],
		["an invoice with VAT on debits", { ...invoice, vatOnDebits: true }],
		["an invoice of a shop with an address without postal code", { ...invoice, seller: { ...invoice.seller, address: "Zone artisanale" } }],
		[
			"an invoice with characters that XML forbids",
			{ ...invoice, buyer: { ...privatePerson, name: "]]> \u0000\ud800\ufffe\uffff <!-- 😀" } },
		],
	];

	test.each(documents)("%s is valid for the Factur-X schema and has no empty element", async (_, data) => {
		const xml = createFacturX(data);
		expect(await validateXsd(xml, Profile.EN16931)).toEqual({ valid: true, errors: [] });
		// the schema requires the delivery, which is empty before it
		const others = xml.replace("<ram:ApplicableHeaderTradeDelivery></ram:ApplicableHeaderTradeDelivery>", "");
		expect(others).not.toMatch(/<(\S+)[^>]*><\/\1>/);
		expect(xml.isWellFormed()).toBe(true);
	});

	test("the schema refuses an XML without its total", async () => {
		const { valid, errors } = await validateXsd(
			createFacturX(invoice).replace(/<ram:GrandTotalAmount>.*?<\/ram:GrandTotalAmount>/, ""),
			Profile.EN16931,
		);
		expect(valid).toBe(false);
		expect(errors[0]?.message).toContain("GrandTotalAmount");
	});

	test("names seller, buyer and service, the dates, and the amount paid", () => {
		const xml = createFacturX(invoice);
		expect(listValues(xml, "Name")).toEqual([
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
		expect(xml).toContain(
			"<ram:PostcodeCode>69003</ram:PostcodeCode><ram:LineOne>12 avenue de la République</ram:LineOne><ram:CityName>Lyon<",
		);
		expect(listValues(xml, "CountryID")).toEqual(["FR", "FR"]);
		expect(listValues(xml, "PersonName")).toEqual(["ExtraitPro", "Zoé Peșteră"]);
		expect(listValues(xml, "CompleteNumber")).toEqual(["01 99 00 00 00"]);
		expect(listValues(xml, "URIID")).toEqual(["contact@extraitpro.example", "000000000", "552032534"]);
		expect(xml).toMatch(/IssueDateTime><udt:DateTimeString format="102">20261124</);
		// paid in advance: the date of supply is not known yet (CGI ann. II art. 242 nonies A, I, 10°)
		expect(xml).not.toContain("OccurrenceDateTime");
		expect(xml).toContain("<ram:ApplicableHeaderTradeDelivery></ram:ApplicableHeaderTradeDelivery>");
		expect(xml).toMatch(/DueDateDateTime><udt:DateTimeString format="102">20261121</);
		expect(listValues(xml, "TypeCode")).toEqual(["380", "VAT", "48", "VAT"]);
		expect(listValues(xml, "SubjectCode")).toEqual(["REG", "PMD", "PMT", "AAB"]);
		expect(xml).toContain("<ram:Content>ExtraitPro, société de démonstration (fictive), SIREN 000000000, RCS Démoville</ram:Content>");
		expect(xml).toContain("<ram:SellerOrderReferencedDocument><ram:IssuerAssignedID>KB-7F3K-92QD<");
		expect(listValues(xml, "IssuerAssignedID")).toHaveLength(1);
		expect(xml).toContain("<ram:Content>Prestation de services</ram:Content>");
		expect(xml).toMatch(/BusinessProcessSpecifiedDocumentContextParameter><ram:ID>S2</); // a service already paid for (BR-FR-08)
		expect(xml).toContain('<ram:BilledQuantity unitCode="C62">1<'); // one unit (UN/ECE Recommendation 20)
		expect(listValues(xml, "CategoryCode")).toEqual(["S", "S"]);
		expect(listValues(xml, "RateApplicablePercent").map(Number)).toEqual([20, 20]);
		expect(listValues(xml, "InvoiceCurrencyCode")).toEqual(["EUR"]);
		expect(parseAmounts(xml)).toMatchObject({ GrandTotalAmount: 5900, TotalPrepaidAmount: 5900, DuePayableAmount: 0 });
	});

	test("the electronic address is a company's SIREN; a person has none", () => {
		expect(createFacturX(invoice)).toContain('<ram:URIID schemeID="0225">552032534</ram:URIID>');
		expect(createFacturX({ ...invoice, buyer: { ...invoice.buyer, siren: "552 032 534" } })).toBe(createFacturX(invoice));
		expect(createFacturX({ ...invoice, buyer: privatePerson })).not.toContain('schemeID="EM"');
	});

	test("a company has its SIREN (BT-47), its VAT number (BT-48), and the address of its letter (BG-15)", () => {
		const xml = createFacturX(companyInvoice);
		const [, buyer = ""] = /<ram:BuyerTradeParty>(.*?)<\/ram:BuyerTradeParty>/s.exec(xml) ?? [];
		expect(buyer).toContain('<ram:SpecifiedLegalOrganization><ram:ID schemeID="0002">552032534</ram:ID>');
		expect(buyer).toContain('<ram:SpecifiedTaxRegistration><ram:ID schemeID="VA">FR27552032534</ram:ID>');
		const [, shipTo = ""] = /<ram:ShipToTradeParty>(.*?)<\/ram:ShipToTradeParty>/s.exec(xml) ?? [];
		expect(shipTo).toContain("<ram:Name>Claire Durand, Cabinet Exemple</ram:Name>");
		expect(shipTo).toMatch(/PostcodeCode>75001<.*LineOne>4 quai de l’Horloge<.*LineTwo>Bâtiment B<.*CityName>Paris<.*CountryID>FR</);
		expect(createFacturX(invoice)).not.toContain("ShipToTradeParty");
		expect(createFacturX(invoice).match(/SpecifiedTaxRegistration>/g)).toHaveLength(2); // the seller's, opened and closed
	});

	test("a replaced invoice is cleared with the one in its place, and both say so", () => {
		const note = createFacturX(cancelling);
		expect(listValues(note, "TypeCode")).toEqual(["381", "VAT", "97", "VAT"]);
		expect(parseAmounts(note)).toMatchObject({ GrandTotalAmount: 5900, TotalPrepaidAmount: 5900, DuePayableAmount: 0 });
		expect(note).toContain("Annule la facture F2026-000042 du 21/11/2026, remplacée par la facture F2026-000043.");
		const again = createFacturX(replacing);
		expect(listValues(again, "TypeCode")).toEqual(["380", "VAT", "48", "VAT"]);
		expect(again).toContain("Remplace la facture F2026-000042 du 21/11/2026, annulée par un avoir.");
		expect(again).not.toContain("InvoiceReferencedDocument");
	});

	test("a credit note has type 381, positive amounts, and the number and date of the corrected invoice", () => {
		const xml = createFacturX(creditNote);
		expect(listValues(xml, "TypeCode")[0]).toBe("381");
		expect(parseAmounts(xml).GrandTotalAmount).toBe(5900);
		expect(xml).toMatch(
			/<ram:InvoiceReferencedDocument><ram:IssuerAssignedID>F2026-000042<\/ram:IssuerAssignedID>.*>20261121<.*<\/ram:InvoiceReferencedDocument>/,
		);
		expect(createFacturX(invoice)).not.toContain("InvoiceReferencedDocument");
	});

	test("VAT on debits has its mention and its code only when the seller chose it", () => {
		expect(createFacturX({ ...invoice, vatOnDebits: true })).toMatch(/d’après les débits.*<ram:DueDateTypeCode>5</);
		expect(createFacturX(invoice)).not.toMatch(/débits|DueDateTypeCode/);
	});
});

describe("the lines of a purchase of several orders", () => {
	test("each name their order and the customer's reference (BT-154), and add up to the total without VAT", () => {
		for (const count of [2, 40, 200]) {
			const data = withLines(count);
			const { lineNets, net, vat, total } = calculateAmounts(data);
			const xml = createFacturX(data);
			const lines = xml.match(/<ram:IncludedSupplyChainTradeLineItem>.*?<\/ram:IncludedSupplyChainTradeLineItem>/gs) ?? [];
			expect(lines).toHaveLength(count);
			expect(lines.map((line) => listValues(line, "LineID")[0])).toEqual(data.lines.map((_, index) => String(index + 1)));
			expect(lines.map((line) => parseAmounts(line))).toEqual(
				lineNets.map((ChargeAmount) => ({ ChargeAmount, LineTotalAmount: ChargeAmount })),
			);
			expect(lines.map((line) => listValues(line, "Description")[0]?.replace("\u00a0", " "))).toEqual(
				data.lines.map(({ orderNumber, reference }) => `Commande ${orderNumber}${reference ? `, référence : ${reference}` : ""}`),
			);
			expect(parseAmounts(xml)).toMatchObject({
				...{ LineTotalAmount: net, TaxBasisTotalAmount: net, BasisAmount: net, TaxTotalAmount: vat, CalculatedAmount: vat },
				...{ GrandTotalAmount: total, TotalPrepaidAmount: total, DuePayableAmount: 0 },
			});
			// BR-CO-17, within the cent that the charged amount leaves
			expect(Math.abs(Math.round((net * 20) / 100) - vat)).toBeLessThanOrEqual(1);
		}
	});

	test("of a purchase of one order have no description", () => {
		expect(createFacturX(invoice)).not.toContain("<ram:Description>");
	});
});

describe("amounts", () => {
	test("satisfy EN 16931 for every price from 0,01 € to 100,00 €", () => {
		for (let total = 1; total <= 10_000; total++) {
			const xml = createFacturX(withPrice(total));
			const { BasisAmount: net = NaN, CalculatedAmount: vat = NaN, ...sums } = parseAmounts(xml);
			const rules = {
				"BR-CO-10": sums.LineTotalAmount === net && listValues(xml, "LineTotalAmount")[0] === listValues(xml, "LineTotalAmount")[1],
				"one line of one unit": sums.ChargeAmount === net,
				"BR-CO-13": sums.TaxBasisTotalAmount === net,
				"BR-CO-14": sums.TaxTotalAmount === vat,
				"BR-CO-15": sums.GrandTotalAmount === net + vat,
				"BR-CO-16": sums.TotalPrepaidAmount === total && sums.DuePayableAmount === 0,
				"the charged amount": sums.GrandTotalAmount === total,
				// one cent less when the exact VAT has half a cent (calculateAmounts)
				"BR-CO-17": Math.round((net * 20) / 100) - vat === (total % 6 === 3 ? 1 : 0),
			};
			if (Object.values(rules).every(Boolean)) continue;
			expect({ total, ...rules }).toEqual({ total, ...Object.fromEntries(Object.keys(rules).map((rule) => [rule, true])) });
		}
	});

	test("of the catalogue have no rounding difference", () => {
		for (const { price } of Object.values(services)) {
			const { net, vat, total } = calculateAmounts(withPrice(price));
			expect([net + vat, Math.round((net * 20) / 100)]).toEqual([total, vat]);
		}
	});
});

test("splits an address at its postal code; without one, it is the street", () => {
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
	expect(splitAddress("Bât. 12345 3 rue X, 75002 Paris")).toEqual({ street: "Bât. 12345 3 rue X", postalCode: "75002", city: "Paris" });
	for (const line of [" 3 rue X, 75002 Paris ", "3 rue X,  75002  Paris", "3 rue X \t75002 Paris"])
		expect(splitAddress(line)).toEqual({ street: "3 rue X", postalCode: "75002", city: "Paris" });
	expect(splitAddress(" Rue X, 1000 Bruxelles ")).toEqual({ street: "Rue X, 1000 Bruxelles", postalCode: "", city: "" });
	expect(splitAddress("Zone artisanale, Démoville")).toEqual({ street: "Zone artisanale, Démoville", postalCode: "", city: "" });
});
