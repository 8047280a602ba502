import { buildXml, DocumentTypeCode, Profile, type TradePartyInput, UnitCode, VatCategoryCode } from "@stackforge-eu/factur-x";
import { formatDay } from "../catalogue/instants.ts";
import type { InvoiceData } from "./invoice.ts";
import { invoiceAmounts, vatRateOf } from "./invoice-amounts.ts";
import { invoiceMentions, operationCategory } from "./invoice-mentions.ts";
import { splitAddress } from "./one-line-address.ts";

/**
 * The invoice as data: Cross Industry Invoice, profile EN 16931 of Factur-X, with what the French reform adds (AFNOR XP Z12-012, rules BR-FR-…).
 * Codes: 380 invoice, 381 credit note with positive amounts (UNTDID 1001); 48 bank card (UNTDID 4461); 0002 SIREN (ISO 6523);
 * S2 a service already paid for (BT-23, BR-FR-08 and BR-FR-CO-09).
 */
export function facturX(data: InvoiceData): string {
	const rate = vatRateOf(data);
	const { net, vat, total, due } = invoiceAmounts(data.line.total, rate);
	const paidOn = isoDay(data.paidAt);
	const xml = buildXml(
		{
			document: {
				id: data.number,
				issueDate: isoDay(data.issuedAt),
				typeCode: data.kind === "invoice" ? DocumentTypeCode.COMMERCIAL_INVOICE : DocumentTypeCode.CREDIT_NOTE,
				businessProcessId: "S2",
				notes: [
					{ content: operationCategory },
					...invoiceMentions(data).map(({ code, text }) => ({ content: text, subjectCode: code ?? undefined })),
				],
			},
			seller: sellerParty(data.seller),
			buyer: buyerParty(data.buyer),
			lines: [
				{
					id: "1",
					name: data.line.description,
					quantity: 1,
					unitCode: UnitCode.UNIT,
					unitPrice: net / 100,
					lineTotal: net / 100,
					vatCategoryCode: VatCategoryCode.STANDARD_RATE,
					vatRatePercent: rate,
				},
			],
			delivery: { date: isoDay(data.suppliedAt) },
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
			payment: { meansCode: "48", dueDate: paidOn },
			references: [
				{ id: data.orderNumber, type: "seller-order" as const },
				...(data.corrects ? [{ id: data.corrects.number, type: "preceding" as const, issueDate: isoDay(data.corrects.issuedAt) }] : []),
			],
		},
		Profile.EN16931,
	);
	return withoutEmptyElements(data.vatOnDebits ? withTaxPointAtIssue(xml) : xml)
		.toWellFormed()
		.replace(/[\ufffe\uffff]/g, "\ufffd"); // the two characters that XML forbids and the library lets through
}

function sellerParty(seller: InvoiceData["seller"]): TradePartyInput {
	const { street, postalCode, city } = splitAddress(seller.address);
	const siren = withoutSpaces(seller.siren);
	return {
		name: seller.legalEntity,
		legalOrganization: { id: siren, schemeID: "0002", tradingName: seller.name },
		contact: { name: seller.name, phone: seller.phone, email: seller.email },
		address: { line1: street, postalCode, city, country: "FR" },
		electronicAddress: atSiren(siren),
		taxRegistrations: [{ id: withoutSpaces(seller.vat), schemeId: "VA" }],
	};
}

function buyerParty(buyer: InvoiceData["buyer"]): TradePartyInput {
	const siren = buyer.siren === null ? undefined : withoutSpaces(buyer.siren);
	return {
		name: buyer.name,
		legalOrganization: { id: siren, schemeID: "0002" },
		contact: { name: buyer.contact ?? undefined, email: buyer.email },
		address: { line1: buyer.address ?? "", postalCode: buyer.postalCode ?? "", city: buyer.city ?? "", country: "FR" },
		electronicAddress: siren ? atSiren(siren) : buyer.email ? { value: buyer.email, schemeID: "EM" } : undefined,
	};
}

/**
 * BT-34, BT-49: a firm's address in the French directory is its SIREN, scheme 0225 (BR-FR-21). Who has none gets no electronic address:
 * EN 16931 leaves BT-49 open (0..1), and the reform routes invoices between firms only, by the directory.
 */
const atSiren = (siren: string) => ({ value: siren, schemeID: "0225" });

const withoutSpaces = (text: string) => text.replace(/\s/g, "");

/** The day in Paris, as the page prints it. */
const isoDay = (instant: string) => formatDay(new Date(instant)).split("/").reverse().join("-");

/** BT-8 = 5, « invoice date »: how a service says that its VAT is due on debits (DGFiP, rule G1.44). The library has no field for it. */
function withTaxPointAtIssue(xml: string): string {
	return xml.replace(
		/(<ram:BasisAmount>[^<]*<\/ram:BasisAmount><ram:CategoryCode>S<\/ram:CategoryCode>)/,
		"$1<ram:DueDateTypeCode>5</ram:DueDateTypeCode>",
	);
}

/** An address may lack its lines (BR-08 and BR-10 only want a country), and a buyer a SIREN or a contact, but an element may not be empty. */
function withoutEmptyElements(xml: string): string {
	return xml.replace(/<(ram:\w+)><\/\1>/g, "");
}
