import { Temporal } from "temporal-polyfill";
import { zone } from "../../catalogue/instants.ts";
import type { Day } from "../month.ts";
import { category, type DailyPayments, type DailySales, toDecimal } from "./e-report.ts";
import type { Flow10 } from "./flow10.ts";

/** Who a transmission is from: the platform sends it (TT-8, TT-9), the seller declares it (TT-13, TT-14). */
export interface Parties {
	platform: { id: string; name: string };
	seller: { siren: string; name: string };
}

interface Transmission extends Parties {
	/** TT-1: at most 50 letters, digits, spaces and `-+_/`. */
	id: string;
	/** TT-4: initial, or in the place of what was sent. */
	type: "IN" | "RE";
	/** TT-3 */
	at: Date;
}

/**
 * Writes a transmission of flow 10 in the XML of the DGFiP (« spécifications externes B2B » v3.2 of 30 April 2026: ereporting.xsd and the
 * schemas that it imports). Elements have no namespace. A transmission has one of both reports (rule G6.29).
 */
export function writeFlow10({ id, type, at, platform, seller }: Transmission, content: Flow10): string {
	const { start, end } = content.period;
	const document = tag("ReportDocument", [
		tag("Id", id),
		tag("IssueDateTime", [tag("DateTimeString", formatStamp(at))]),
		tag("TypeCode", type),
		tag("Sender", [tag("Id", platform.id, "0238"), tag("Name", platform.name), tag("RoleCode", "WK")]),
		tag("Issuer", [tag("Id", seller.siren, "0002"), tag("Name", seller.name), tag("RoleCode", "SE")]),
	]);
	const period = tag("ReportPeriod", [tag("StartDate", formatDay(start)), tag("EndDate", formatDay(end))]);
	const report =
		content.flow === "sales"
			? tag("TransactionsReport", [period, ...content.days.map(writeSales)])
			: tag("PaymentsReport", [period, ...content.days.map(writePayments)]);
	return `<?xml version="1.0" encoding="UTF-8"?>\n${tag("Report", [document, report])}\n`;
}

const writeSales = ({ day, count, rates }: DailySales): Tag =>
	tag("Transactions", [
		tag("Date", formatDay(day)),
		tag("TransactionsCurrency", "EUR"),
		tag("CategoryCode", category),
		tag("TaxExclusiveAmount", toDecimal(rates.reduce((sum, { net }) => sum + net, 0))),
		tag("TaxTotal", toDecimal(rates.reduce((sum, { vat }) => sum + vat, 0))),
		tag("TransactionsCount", String(count)),
		...rates.map(({ rate, net, vat }) =>
			tag("TaxSubtotal", [tag("TaxPercent", String(rate)), tag("TaxableAmount", toDecimal(net)), tag("TaxTotal", toDecimal(vat))]),
		),
	]);

const writePayments = ({ day, rates }: DailyPayments): Tag =>
	tag("Transactions", [
		tag("Payment", [
			tag("Date", formatDay(day)),
			...rates.map(({ rate, amount }) =>
				tag("SubTotals", [tag("TaxPercent", String(rate)), tag("CurrencyCode", "EUR"), tag("Amount", toDecimal(amount))]),
			),
		]),
	]);

/** An element as text. */
type Tag = string & { readonly __tag: true };

/** @param content its elements, or a text. @param scheme of an identifier. */
function tag(name: string, content: readonly Tag[] | string, scheme?: string): Tag {
	const inner = typeof content === "string" ? escapeText(content) : `\n${content.join("\n").replace(/^/gm, "\t")}\n`;
	return `<${name}${scheme ? ` schemeId="${scheme}"` : ""}>${inner}</${name}>` as Tag;
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };
const escapeText = (text: string) => text.replace(/[&<>]/g, (character) => entities[character] ?? "");

const formatDay = (day: Day) => day.replaceAll("-", "");

/** AAAAMMJJHHMMSS, in Paris. */
function formatStamp(at: Date): string {
	const local = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(zone).toPlainDateTime();
	return local.toString({ smallestUnit: "second" }).replace(/\D/g, "");
}
