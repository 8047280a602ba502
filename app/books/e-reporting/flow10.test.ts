import fc from "fast-check";
import { parseDocument } from "htmlparser2";
import { expect, test } from "vitest";
import { creditNote, invoice } from "../../../test/fixtures/invoice.ts";
import type { InvoiceData } from "../../orders/invoices/invoice.ts";
import type { Day, Month } from "../month.ts";
import { createFlow10, findNegativeDay } from "./flow10.ts";
import { writeFlow10 } from "./flow10-xml.ts";
import { type Flow, listPeriods } from "./period.ts";

/** An element of the XML: its name, its elements, its text. */
interface Node {
	name: string;
	scheme: string | undefined;
	children: Node[];
	text: string;
}

function parse(xml: string): Node {
	const read = (element: { name: string; attribs: Record<string, string>; children: unknown[] }): Node => {
		const parts = element.children as { type: string; data?: string }[];
		return {
			name: element.name,
			scheme: element.attribs.schemeId,
			children: parts.filter(({ type }) => type === "tag").map((part) => read(part as never)),
			text: parts.map(({ data }) => data ?? "").join(""),
		};
	};
	const root = parseDocument(xml, { xmlMode: true }).children.find(({ type }) => type === "tag");
	return read(root as never);
}

/** The content of elements in the order of the published schemas: `?` at most once, `+` at least once, `*` any number of times. */
const content: Record<string, string> = {
	Report: "ReportDocument TransactionsReport? PaymentsReport?",
	ReportDocument: "Id Name? IssueDateTime TypeCode Sender Issuer",
	IssueDateTime: "DateTimeString",
	Sender: "Id Name RoleCode",
	Issuer: "Id Name RoleCode",
	TransactionsReport: "ReportPeriod Transactions*",
	PaymentsReport: "ReportPeriod Transactions*",
	ReportPeriod: "StartDate EndDate",
	"TransactionsReport/Transactions":
		"Date TransactionsCurrency TaxDueDateTypeCode? CategoryCode TaxExclusiveAmount TaxTotal TransactionsCount? TaxSubtotal+",
	"PaymentsReport/Transactions": "Payment",
	Payment: "Date SubTotals+",
	TaxSubtotal: "TaxPercent TaxableAmount TaxTotal",
	SubTotals: "TaxPercent CurrencyCode? Amount",
};

/** The rules of the tax office's validator (flow 10, v1.0 of 27 July 2026, after « annexe 7 ») on what the shop writes. */
const rules: Record<string, (values: (path: string) => Node[], root: Node) => boolean> = {
	"G1.104": (values) => every(values("ReportDocument/Id"), /^(?!.* {2})[a-zA-Z0-9\-+_/]([a-zA-Z0-9 \-+_/]{0,48}[a-zA-Z0-9\-+_/])?$/),
	"G7.53": (values) => every(values("DateTimeString"), /^20\d{12}$/),
	"G8.01": (values) => every(values("TypeCode"), /^(IN|RE)$/),
	"G6.29": (_, root) => root.children.filter(({ name }) => name !== "ReportDocument").length === 1,
	"G6.22": (values) => every(values("Sender/Id"), /^.{4}$/) && values("Sender/Id").every(({ scheme }) => scheme === "0238"),
	"G7.51": (values) => every(values("Sender/RoleCode"), /^WK$/),
	"G6.26": (values) => every(values("Issuer/Id"), /^\d{9}$/) && values("Issuer/Id").every(({ scheme }) => scheme === "0002"),
	"G7.52": (values) => every(values("Issuer/RoleCode"), /^(BY|SE)$/),
	"G1.09": (values) => every([...values("StartDate"), ...values("EndDate"), ...values("Date")], /^20\d{6}$/),
	"G6.25": (values) => (values("EndDate")[0]?.text ?? "") > (values("StartDate")[0]?.text ?? ""),
	"G1.68": (values) => every(values("CategoryCode"), /^T(LB|PS|NT|MA)1$/),
	"G1.24": (values) =>
		values("TaxPercent").every(({ text }) =>
			[0, 0.9, 1.05, 1.75, 2.1, 5.5, 7, 8.5, 9.2, 9.6, 10, 13, 19.6, 20, 20.6].includes(Number(text)),
		),
	"G1.14": (values) =>
		every([...values("TaxExclusiveAmount"), ...values("TaxTotal"), ...values("TaxableAmount")], /^-?\d{1,17}(\.\d{1,2})?$/),
	"G1.16": (values) => every(values("Amount"), /^\d{1,13}(\.\d{1,6})?$/),
	"G1.53": (values) =>
		values("TransactionsReport/Transactions").every((day) => {
			const subtotals = day.children.filter(({ name }) => name === "TaxSubtotal");
			const get = (node: Node, name: string) => Math.round(Number(node.children.find((child) => child.name === name)?.text) * 100);
			const sum = (name: string) => subtotals.reduce((total, each) => total + get(each, name), 0);
			const meets = (total: string, part: string) => Math.abs(get(day, total) - sum(part)) <= subtotals.length;
			return meets("TaxExclusiveAmount", "TaxableAmount") && meets("TaxTotal", "TaxTotal");
		}),
	"G1.10": (values) => every([...values("TransactionsCurrency"), ...values("CurrencyCode")], /^EUR$/),
};
const every = (nodes: readonly Node[], form: RegExp) => nodes.every(({ text }) => form.test(text));

/** What is wrong with an XML: elements out of the schema's order, and broken rules. */
function findFaults(xml: string): string[] {
	const root = parse(xml);
	const faults: string[] = [];
	const all: { path: string; node: Node }[] = [];
	const walk = (node: Node, path: string, parent: string) => {
		all.push({ path, node });
		const allowed = content[`${parent}/${node.name}`] ?? content[node.name];
		if (allowed !== undefined) {
			const form = allowed.replace(/(\w+)([?*+]?)/g, "(?:$1 )$2").replaceAll(" (", "(");
			if (!new RegExp(`^${form}$`).test(node.children.map(({ name }) => `${name} `).join(""))) faults.push(`the content of ${node.name}`);
		} else if (node.children.length > 0) faults.push(`elements in ${node.name}`);
		for (const child of node.children) walk(child, `${path}/${child.name}`, node.name);
	};
	walk(root, root.name, "");
	const values = (path: string) => all.filter((each) => each.path.endsWith(`/${path}`)).map(({ node }) => node);
	for (const [rule, holds] of Object.entries(rules)) if (!holds(values, root)) faults.push(rule);
	return faults;
}

const transmission = {
	...({ id: "EP-20270901-20270910-T-1", type: "IN", at: new Date("2027-09-11T04:05:06Z") } as const),
	...{ platform: { id: "A1B2", name: "P < & >" }, seller: { siren: "123456789", name: "ExtraitPro" } },
};
const instant = fc
	.integer({ min: 0, max: 29 * 24 * 60 - 1 })
	.map((minutes) => new Date(Date.parse("2027-09-01T12:00:00Z") + minutes * 60_000));
/** Invoices and credit notes to consumers, of several rates. */
const documents = fc.array(
	fc.record({ at: instant, cents: fc.integer({ min: 1, max: 9_999_99 }), rate: fc.constantFrom(20, 5.5, 2.1, 10), isCredit: fc.boolean() }),
	{ minLength: 1, maxLength: 40 },
);
const toInvoice = ({ at, cents: amount, rate, isCredit }: { at: Date; cents: number; rate: number; isCredit: boolean }): InvoiceData => {
	const base = isCredit ? creditNote : invoice;
	const buyer = { ...base.buyer, siren: null, contact: null };
	const stamp = at.toISOString();
	return {
		...base,
		buyer,
		vatRate: rate,
		paidAt: stamp,
		issuedAt: stamp,
		lines: [{ ...(base.lines[0] as (typeof base.lines)[number]), total: amount as never }],
	};
};
const month = "2027-09" as Month;
const write = (flow: Flow, given: readonly InvoiceData[], period = listPeriods(month, flow, "month")[0]) =>
	period === undefined ? "" : writeFlow10(transmission, createFlow10(flow, period, given));

test("whatever a month has, its transmissions follow the schema and the rules, but for a negative payment, which is found", () => {
	fc.assert(
		fc.property(documents, (drawn) => {
			const given = drawn.map(toInvoice);
			for (const period of [...listPeriods(month, "sales", "decade"), ...listPeriods(month, "sales", "month")])
				expect(findFaults(write("sales", given, period))).toEqual([]);
			const [period] = listPeriods(month, "payments", "month");
			if (period === undefined) throw new Error();
			const negative = findNegativeDay(createFlow10("payments", period, given));
			expect(findFaults(write("payments", given))).toEqual(negative === null ? [] : ["G1.16"]);
		}),
		{ numRuns: 150 },
	);
});

test("the decades of a month have together what the month has", () => {
	fc.assert(
		fc.property(documents, (drawn) => {
			const given = drawn.map(toInvoice);
			const read = (length: "decade" | "month"): unknown[] =>
				listPeriods(month, "sales", length).flatMap((period): unknown[] => createFlow10("sales", period, given).days);
			expect(read("decade")).toEqual(read("month"));
		}),
		{ numRuns: 100 },
	);
});

const sold = [
	toInvoice({ at: new Date("2027-09-02T08:00:00Z"), cents: 5900, rate: 20, isCredit: false }),
	toInvoice({ at: new Date("2027-09-03T08:00:00Z"), cents: 1055, rate: 5.5, isCredit: true }),
];

test("the transmission of a month, as it is sent", () => {
	expect(write("sales", sold).replaceAll("\t", "")).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<Report>
<ReportDocument>
<Id>EP-20270901-20270910-T-1</Id>
<IssueDateTime>
<DateTimeString>20270911060506</DateTimeString>
</IssueDateTime>
<TypeCode>IN</TypeCode>
<Sender>
<Id schemeId="0238">A1B2</Id>
<Name>P &lt; &amp; &gt;</Name>
<RoleCode>WK</RoleCode>
</Sender>
<Issuer>
<Id schemeId="0002">123456789</Id>
<Name>ExtraitPro</Name>
<RoleCode>SE</RoleCode>
</Issuer>
</ReportDocument>
<TransactionsReport>
<ReportPeriod>
<StartDate>20270901</StartDate>
<EndDate>20270930</EndDate>
</ReportPeriod>
<Transactions>
<Date>20270902</Date>
<TransactionsCurrency>EUR</TransactionsCurrency>
<CategoryCode>TPS1</CategoryCode>
<TaxExclusiveAmount>49.17</TaxExclusiveAmount>
<TaxTotal>9.83</TaxTotal>
<TransactionsCount>1</TransactionsCount>
<TaxSubtotal>
<TaxPercent>20</TaxPercent>
<TaxableAmount>49.17</TaxableAmount>
<TaxTotal>9.83</TaxTotal>
</TaxSubtotal>
</Transactions>
<Transactions>
<Date>20270903</Date>
<TransactionsCurrency>EUR</TransactionsCurrency>
<CategoryCode>TPS1</CategoryCode>
<TaxExclusiveAmount>-10.00</TaxExclusiveAmount>
<TaxTotal>-0.55</TaxTotal>
<TransactionsCount>1</TransactionsCount>
<TaxSubtotal>
<TaxPercent>5.5</TaxPercent>
<TaxableAmount>-10.00</TaxableAmount>
<TaxTotal>-0.55</TaxTotal>
</TaxSubtotal>
</Transactions>
</TransactionsReport>
</Report>
`);
	expect(write("payments", sold.slice(0, 1)).replaceAll(/[\t\n]/g, "")).toMatch(
		/<PaymentsReport><ReportPeriod><StartDate>20270901<\/StartDate><EndDate>20270930<\/EndDate><\/ReportPeriod><Transactions><Payment><Date>20270902<\/Date><SubTotals><TaxPercent>20<\/TaxPercent><CurrencyCode>EUR<\/CurrencyCode><Amount>59.00<\/Amount><\/SubTotals><\/Payment><\/Transactions><\/PaymentsReport><\/Report>$/,
	);
	expect(write("sales", sold)).not.toContain("Lovelace");
});

test("more given back than received on a day is found, whatever the other days have", () => {
	const [period] = listPeriods(month, "payments", "month");
	if (period === undefined) throw new Error();
	expect(findNegativeDay(createFlow10("payments", period, sold))).toEqual({ day: "2027-09-03" as Day, amount: 1055 });
	expect(findNegativeDay(createFlow10("payments", period, sold.slice(0, 1)))).toBeNull();
	expect(findNegativeDay(createFlow10("sales", period, sold))).toBeNull();
});

test.each([
	["G1.104", (xml: string) => xml.replace("EP-2", "EP:2")],
	["G1.104", (xml: string) => xml.replace("EP-2", `EP-${"2".repeat(40)}`)],
	["G7.53", (xml: string) => xml.replace("20270911060506", "2027-09-11")],
	["G8.01", (xml: string) => xml.replace(">IN<", ">XX<")],
	["G6.29", (xml: string) => xml.replace(/<TransactionsReport>[\s\S]+<\/TransactionsReport>/, "")],
	["G6.22", (xml: string) => xml.replace("A1B2", "A1B")],
	["G6.22", (xml: string) => xml.replace("0238", "0002")],
	["G7.51", (xml: string) => xml.replace("WK", "SE")],
	["G6.26", (xml: string) => xml.replace("123456789", "12345678")],
	["G7.52", (xml: string) => xml.replace(">SE<", ">WK<")],
	["G1.09", (xml: string) => xml.replace(">20270902<", ">2027-09-02<")],
	["G6.25", (xml: string) => xml.replace(">20270930<", ">20270901<")],
	["G1.68", (xml: string) => xml.replace("TPS1", "TPS2")],
	["G1.24", (xml: string) => xml.replace(">20<", ">21<")],
	["G1.14", (xml: string) => xml.replace(">9.83<", ">9.830<")],
	["G1.53", (xml: string) => xml.replace(">49.17<", ">49.19<")],
	["G1.10", (xml: string) => xml.replace("EUR", "USD")],
	["the content of Transactions", (xml: string) => xml.replace(/(<Date>.+)\n(.+)/, "$2\n$1")],
	["the content of Report", (xml: string) => xml.replace("</Report>", "<Other></Other></Report>")],
	["the content of TransactionsReport", (xml: string) => xml.replace(/<ReportPeriod>[\s\S]+<\/ReportPeriod>/, "")],
])("a transmission that breaks %s would be noticed", (rule, spoil) => {
	expect(findFaults(write("sales", sold))).toEqual([]);
	expect(findFaults(spoil(write("sales", sold)))).toContain(rule);
});
