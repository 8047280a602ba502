import { type Cents, cents } from "../../catalogue/money.ts";
import type { InvoiceData } from "../../orders/invoices/invoice.ts";
import { calculateAmounts } from "../../orders/invoices/invoice-amounts.ts";
import { getVatInstant } from "../book-facts.ts";
import { getPdfName } from "../files/invoice-list.ts";
import { type Day, getDay, getFirstDay, getLastDay, getMonth, type Month } from "../month.ts";

/**
 * What the law asks a small company to report from 1 September 2027 (CGI art. 289 bis, 290 and 290 A), through an approved platform.
 * The fields are those of flow 10 (DGFiP, « spécifications externes B2B », impots.gouv.fr/specifications-externes-b2b), by their names TT-…
 */

/**
 * Who is invoiced. `company`: with a SIREN, so that the invoice itself goes through the platform. `unidentified-company`: only a name; it
 * counts as a consumer until its invoice is corrected. `consumer`: all others. The shop bills in France only, so that flows 10.1 and 10.2,
 * for companies abroad, stay empty.
 */
export type BuyerKind = "company" | "unidentified-company" | "consumer";

export function getBuyerKind({ siren, contact }: InvoiceData["buyer"]): BuyerKind {
	if (siren !== null) return "company";
	return contact === null ? "consumer" : "unidentified-company";
}

/** A document whose sale or payment belongs to the month. Credit notes are negative. */
export interface ReportedInvoice {
	data: InvoiceData;
	/** The month in which its VAT is declared; null before it is booked. */
	vatMonth: Month | null;
}

interface RateSum {
	/** TT-86, in percent */
	rate: number;
	/** TT-87 */
	net: Cents;
	/** TT-88 */
	vat: Cents;
}

/** The sales of a day to consumers: TG-31. */
export interface DailySales {
	/** TT-77 */
	day: Day;
	/** TT-85 */
	count: number;
	rates: RateSum[];
}

/** The money of a day from consumers, refunds deducted: TG-37. */
export interface DailyPayments {
	/** TT-96 */
	day: Day;
	/** TT-97 and TT-99: the rate in percent, and the amount with VAT. */
	rates: { rate: number; amount: Cents }[];
}

export interface EReport {
	month: Month;
	seller: { siren: string; name: string };
	/** Flow 10.3. */
	sales: DailySales[];
	/** Flow 10.4. */
	payments: DailyPayments[];
	/** Invoices and credit notes to companies, which go through the platform one by one, as Factur-X. */
	invoices: InvoiceData[];
	/** Numbers of invoices to a company without a SIREN. */
	unidentified: string[];
}

const isToConsumer = ({ buyer }: InvoiceData) => getBuyerKind(buyer) !== "company";

/** The instant at which a document's money moved: of an invoice in the place of another, and of what it cancels, their issue. */
const getMoneyInstant = ({ replaces, replacedBy, paidAt, issuedAt }: InvoiceData) => new Date(replaces || replacedBy ? issuedAt : paidAt);

export const getMoneyDay = (data: InvoiceData): Day => getDay(getMoneyInstant(data));

/** Creates the report of a month from its documents, and from those whose money moved in it. */
export function createEReport(month: Month, seller: EReport["seller"], documents: readonly ReportedInvoice[]): EReport {
	const own = documents.filter(({ data, vatMonth }) => (vatMonth ?? getMonth(getVatInstant(data))) === month).map(({ data }) => data);
	const paid = documents.filter(({ data }) => getMonth(getMoneyInstant(data)) === month).map(({ data }) => data);
	// what a closing moved into this month counts on its first day
	const getSaleDay = (data: InvoiceData) => clampDay(getDay(getVatInstant(data)), month);
	return {
		month,
		seller,
		sales: sumSales(own, getSaleDay),
		payments: sumPayments(paid),
		invoices: own.filter((data) => !isToConsumer(data)),
		unidentified: own.filter(({ buyer }) => getBuyerKind(buyer) === "unidentified-company").map(({ number }) => number),
	};
}

/** The sales of each day to consumers. */
export const sumSales = (documents: readonly InvoiceData[], getSaleDay: (data: InvoiceData) => Day): DailySales[] =>
	groupByDay(documents.filter(isToConsumer), getSaleDay).map(([day, all]) => ({ day, count: all.length, rates: sumRates(all) }));

/** The money of each day from consumers. */
export const sumPayments = (documents: readonly InvoiceData[]): DailyPayments[] =>
	groupByDay(documents.filter(isToConsumer), getMoneyDay).map(([day, all]) => ({
		day,
		rates: sumRates(all).map(({ rate, net, vat }) => ({ rate, amount: cents(net + vat) })),
	}));

const clampDay = (day: Day, month: Month): Day =>
	day < getFirstDay(month) ? getFirstDay(month) : day > getLastDay(month) ? getLastDay(month) : day;

function groupByDay(documents: readonly InvoiceData[], getDayOf: (data: InvoiceData) => Day): [Day, InvoiceData[]][] {
	return [...Map.groupBy(documents, getDayOf)].sort(([a], [b]) => (a < b ? -1 : 1));
}

function sumRates(documents: readonly InvoiceData[]): RateSum[] {
	const byRate = [...Map.groupBy(documents, ({ vatRate }) => vatRate)].sort(([a], [b]) => b - a);
	return byRate.map(([rate, all]) => {
		const amounts = all.map((data) => ({ sign: data.kind === "invoice" ? 1 : -1, ...calculateAmounts(data) }));
		const sum = (get: (each: (typeof amounts)[number]) => number) =>
			cents(amounts.reduce((total, each) => total + each.sign * get(each), 0));
		return { rate, net: sum(({ net }) => net), vat: sum(({ vat }) => vat) };
	});
}

/** Supplies of services subject to VAT (rule G1.68). */
export const category = "TPS1";

/** 123456 → « 1234.56 » */
export const toDecimal = (amount: number) =>
	`${amount < 0 ? "-" : ""}${Math.floor(Math.abs(amount) / 100)}.${String(Math.abs(amount) % 100).padStart(2, "0")}`;

/**
 * Writes the report as JSON whose keys are the terms of flow 10 (TT-…). It is a preparation, for the connector of a
 * platform that has its own format; the XML of flow 10 is in flow10-xml.ts.
 */
export function writeEReport({ month, seller, sales, payments, invoices, unidentified }: EReport): Uint8Array {
	const period = [getFirstDay(month), getLastDay(month)];
	const content = {
		issuer: { "TT-12": "0002", "TT-13": seller.siren, "TT-14": seller.name },
		"flow 10.3": {
			"TT-17": period[0],
			"TT-18": period[1],
			transactions: sales.map(({ day, count, rates }) => ({
				"TT-77": day,
				"TT-78": "EUR",
				"TT-81": category,
				"TT-82": toDecimal(rates.reduce((sum, { net }) => sum + net, 0)),
				"TT-83": toDecimal(rates.reduce((sum, { vat }) => sum + vat, 0)),
				"TT-85": count,
				rates: rates.map(({ rate, net, vat }) => ({ "TT-86": rate.toFixed(2), "TT-87": toDecimal(net), "TT-88": toDecimal(vat) })),
			})),
		},
		"flow 10.4": {
			"TT-89": period[0],
			"TT-90": period[1],
			payments: payments.map(({ day, rates }) => ({
				"TT-96": day,
				rates: rates.map(({ rate, amount }) => ({ "TT-97": rate.toFixed(2), "TT-98": "EUR", "TT-99": toDecimal(amount) })),
			})),
		},
		invoices: invoices.map(describeInvoice),
		"companies without SIREN": unidentified,
	};
	return new TextEncoder().encode(`${JSON.stringify(content, null, "\t")}\n`);
}

/** An invoice or credit note that goes to the platform itself, as Factur-X: what the platform's directory needs, and the file. */
function describeInvoice(data: InvoiceData) {
	const { buyer, number, kind, issuedAt, paidAt, corrects } = data;
	const { net, vat, total } = calculateAmounts(data);
	return {
		number,
		type: kind === "invoice" ? "380" : "381",
		issued: getDay(new Date(issuedAt)),
		paid: getDay(new Date(paidAt)),
		...(corrects && { corrects: corrects.number }),
		buyer: { siren: buyer.siren, vat: buyer.vat ?? null },
		net: toDecimal(net),
		vat: toDecimal(vat),
		total: toDecimal(total),
		file: getPdfName(data),
	};
}
