import { type Cents, cents } from "../../catalogue/money.ts";
import type { InvoiceData } from "../../orders/invoices/invoice.ts";
import { getVatInstant } from "../book-facts.ts";
import { type Day, getDay } from "../month.ts";
import { type DailyPayments, type DailySales, getMoneyDay, sumPayments, sumSales } from "./e-report.ts";
import { type Flow, isWithin, type Period } from "./period.ts";

/** What a transmission says. */
export type Flow10 = { flow: "sales"; period: Period; days: DailySales[] } | { flow: "payments"; period: Period; days: DailyPayments[] };

/** The days are those of the payments, and of the issue of credit notes: what is learnt late changes its own period, and no other. */
export function createFlow10(flow: Flow, period: Period, documents: readonly InvoiceData[]): Flow10 {
	const getSaleDay = (data: InvoiceData) => getDay(getVatInstant(data));
	const within = (getDayOf: (data: InvoiceData) => Day) => documents.filter((data) => isWithin(getDayOf(data), period));
	return flow === "sales"
		? { flow, period, days: sumSales(within(getSaleDay), getSaleDay) }
		: { flow, period, days: sumPayments(within(getMoneyDay)) };
}

/** The first day on which more was given back than received, at one rate: the format has no negative payment (rule G1.16). */
export function findNegativeDay({ flow, days }: Flow10): { day: Day; amount: Cents } | null {
	if (flow === "sales") return null;
	for (const { day, rates } of days) for (const { amount } of rates) if (amount < 0) return { day, amount: cents(-amount) };
	return null;
}
