import {
	buildXml,
	type DeliveryInput,
	DocumentTypeCode,
	Profile,
	type TradePartyInput,
	UnitCode,
	VatCategoryCode,
} from "@stackforge-eu/factur-x";
import { formatDay } from "../../catalogue/instants.ts";
import type { InvoiceData } from "./invoice.ts";
import { calculateAmounts } from "./invoice-amounts.ts";
import { describeCorrection, describeLine, listMentions, operationCategory } from "./invoice-mentions.ts";
import { splitAddress } from "./one-line-address.ts";

/**
 * Creates the invoice's XML: Cross Industry Invoice, profile EN 16931 of Factur-X, with the French rules (AFNOR XP Z12-012, BR-FR-…).
 * Codes: 380 invoice, 381 credit note with positive amounts (UNTDID 1001); 48 bank card, 97 clearing between partners (UNTDID 4461);
 * 0002 SIREN (ISO 6523); S2 a service already paid for (BT-23, BR-FR-08 and BR-FR-CO-09).
 */
export function createFacturX(data: InvoiceData): string {
	const rate = data.vatRate;
	const { lineNets, net, vat, total, due } = calculateAmounts(data);
	const paidOn = formatIsoDay(data.paidAt);
	const xml = buildXml(
		{
			document: {
				id: data.number,
				issueDate: formatIsoDay(data.issuedAt),
				typeCode: data.kind === "invoice" ? DocumentTypeCode.COMMERCIAL_INVOICE : DocumentTypeCode.CREDIT_NOTE,
				businessProcessId: "S2",
				notes: [
					{ content: operationCategory },
					{ content: describeSeller(data.seller), subjectCode: "REG" },
					// a credit note's invoice is a reference (BT-25), to which this adds what takes its place
					...(data.replaces || data.replacedBy ? [{ content: `${describeCorrection(data)}.` }] : []),
					...listMentions(data).map(({ code, text }) => ({ content: text, subjectCode: code ?? undefined })),
				],
			},
			seller: createSellerParty(data.seller),
			buyer: createBuyerParty(data.buyer),
			lines: data.lines.map((line, index) => {
				const lineNet = (lineNets[index] ?? 0) / 100;
				return {
					id: String(index + 1),
					name: line.description,
					description: describeLine(line) ?? undefined,
					quantity: 1,
					unitCode: UnitCode.UNIT,
					unitPrice: lineNet,
					lineTotal: lineNet,
					vatCategoryCode: VatCategoryCode.STANDARD_RATE,
					vatRatePercent: rate,
				};
			}),
			delivery: data.delivery ? createDelivery(data.delivery) : {},
			vatBreakdown: [{ categoryCode: VatCategoryCode.STANDARD_RATE, ratePercent: rate, taxableAmount: net / 100, taxAmount: vat / 100 }],
			totals: {
				lineTotal: net / 100,
				taxBasisTotal: net / 100,
				taxTotal: vat / 100,
				grandTotal: total / 100,
				prepaidAmount: total / 100,
				duePayableAmount: due / 100,
				currency: "EUR",
			},
			payment: { meansCode: data.replacedBy ? "97" : "48", dueDate: paidOn },
			references: [
				{ id: data.orderNumber, type: "seller-order" as const },
				...(data.corrects
					? [{ id: data.corrects.number, type: "preceding" as const, issueDate: formatIsoDay(data.corrects.issuedAt) }]
					: []),
			],
		},
		Profile.EN16931,
	);
	return removeEmptyElements(removeSupplyDate(data.vatOnDebits ? addTaxPoint(xml) : xml))
		.toWellFormed()
		.replace(/[\ufffe\uffff]/g, "\ufffd"); // XML forbids these two characters, which the library accepts
}

/** What the law asks of the seller's papers (C. com. art. R123-237): « Extraits de France, SAS, SIREN 732829320, RCS Nantes ». */
const describeSeller = ({ legalEntity, siren, rcs }: InvoiceData["seller"]): string =>
	`${legalEntity}, SIREN ${removeSpaces(siren)}, ${rcs}`;

function createSellerParty(seller: InvoiceData["seller"]): TradePartyInput {
	const { street, postalCode, city } = splitAddress(seller.address);
	const siren = removeSpaces(seller.siren);
	return {
		name: seller.legalEntity,
		legalOrganization: { id: siren, schemeID: "0002", tradingName: seller.name },
		contact: { name: seller.name, phone: seller.phone, email: seller.email },
		address: { line1: street, postalCode, city, country: "FR" },
		electronicAddress: createSirenAddress(siren),
		taxRegistrations: [{ id: removeSpaces(seller.vat), schemeId: "VA" }],
	};
}

function createBuyerParty(buyer: InvoiceData["buyer"]): TradePartyInput {
	const siren = buyer.siren === null ? undefined : removeSpaces(buyer.siren);
	return {
		name: buyer.name,
		legalOrganization: { id: siren, schemeID: "0002" },
		contact: { name: buyer.contact ?? undefined },
		address: { line1: buyer.address ?? "", postalCode: buyer.postalCode ?? "", city: buyer.city ?? "", country: "FR" },
		electronicAddress: siren ? createSirenAddress(siren) : undefined,
		...(buyer.vat && { taxRegistrations: [{ id: removeSpaces(buyer.vat), schemeId: "VA" }] }),
	};
}

/** BT-70 and BG-15. */
function createDelivery({ name, complement, address, postalCode, city }: NonNullable<InvoiceData["delivery"]>): DeliveryInput {
	const location = { line1: address, ...(complement && { line2: complement }), postalCode, city, country: "FR" };
	return { partyName: name, location };
}

/**
 * BT-34, BT-49: a company's electronic address in the French directory is its SIREN, scheme 0225 (BR-FR-21). Buyers without a SIREN have
 * none: BT-49 is optional (0..1).
 */
const createSirenAddress = (siren: string) => ({ value: siren, schemeID: "0225" });

const removeSpaces = (text: string) => text.replace(/\s/g, "");

/** The day in Paris, yyyy-mm-dd. */
const formatIsoDay = (instant: string) => formatDay(new Date(instant)).split("/").reverse().join("-");

/** Sets BT-8 = 5, « invoice date »: the VAT is due on debits (DGFiP, rule G1.44). The library lacks this field. */
function addTaxPoint(xml: string): string {
	return xml.replace(
		/(<ram:BasisAmount>[^<]*<\/ram:BasisAmount><ram:CategoryCode>S<\/ram:CategoryCode>)/,
		"$1<ram:DueDateTypeCode>5</ram:DueDateTypeCode>",
	);
}

/** Removes the date of supply (BT-72): a payment in advance is invoiced before it, and the library writes the day of issue in its place. */
const removeSupplyDate = (xml: string): string =>
	xml.replace(/<ram:ActualDeliverySupplyChainEvent>.*?<\/ram:ActualDeliverySupplyChainEvent>/s, "");

/** Removes empty elements, which are not allowed: an address may lack its lines, and a buyer a SIREN or a contact. The delivery must stand there. */
function removeEmptyElements(xml: string): string {
	return xml.replace(/<(?!ram:ApplicableHeaderTradeDelivery>)(ram:\w+)><\/\1>/g, "");
}
