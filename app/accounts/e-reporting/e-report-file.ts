import type { InvoiceData } from "../../invoices/invoice.ts";
import { calculateAmounts } from "../../invoices/invoice-amounts.ts";
import { getPdfName } from "../files/invoice-list.ts";
import { getDay, getFirstDay, getLastDay } from "../month.ts";
import type { EReport } from "./e-report.ts";

/** Supplies of services subject to VAT (rule G1.68). */
const category = "TPS1";

/** 123456 → « 1234.56 » */
const toDecimal = (amount: number) =>
	`${amount < 0 ? "-" : ""}${Math.floor(Math.abs(amount) / 100)}.${String(Math.abs(amount) % 100).padStart(2, "0")}`;

/**
 * Writes the report as JSON whose keys are the terms of flow 10 (TT-…). The connector of a platform maps them to its format
 * (docs/decisions/0033-the-books.md says why this is no XML).
 */
export function writeEReport({ month, seller, sales, payments, invoices, unidentified }: EReport): Uint8Array {
	const period = [getFirstDay(month), getLastDay(month)];
	const content = {
		issuer: { "TT-12": "0002", "TT-13": seller.siren, "TT-14": seller.name },
		"flow 10.3": {
			"TT-17": period[0],
			"TT-18": period[1],
			transactions: sales.map(({ day, count, rates }) => ({
				...{ "TT-77": day, "TT-78": "EUR", "TT-81": category },
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
		...{ number, type: kind === "invoice" ? "380" : "381", issued: getDay(new Date(issuedAt)), paid: getDay(new Date(paidAt)) },
		...(corrects && { corrects: corrects.number }),
		buyer: { siren: buyer.siren, vat: buyer.vat ?? null },
		...{ net: toDecimal(net), vat: toDecimal(vat), total: toDecimal(total), file: getPdfName(data) },
	};
}
