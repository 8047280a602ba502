import { createHash } from "node:crypto";
import type { Database, Trx } from "../../../server/database/database.ts";
import type { Environment } from "../../../server/environment/environment.ts";
import type { Context } from "../../../server/runtime.ts";
import type { Cents } from "../../catalogue/money.ts";
import { readSettings } from "../../catalogue/settings/shop-settings.store.server.ts";
import type { BooksSettings } from "../../catalogue/settings/shop-settings.ts";
import type { InvoiceData } from "../../orders/invoices/invoice.ts";
import { lockAccounts } from "../entries.store.server.ts";
import { type Day, getDay, getMonthOfDay, type Month } from "../month.ts";
import { insertReport, listDocumentsOf, listReports, type StoredReport } from "./e-reports.store.server.ts";
import { createFlow10, type Flow10, findNegativeDay } from "./flow10.ts";
import { writeFlow10 } from "./flow10-xml.ts";
import { type Flow, listPeriods, type Period } from "./period.ts";

export type PrepareRefusal =
	/** `no-platform`: whose number the file bears. `on-debits`: the shop owes no data on payments. `empty`: nothing was sold to consumers. */
	| { code: "no-platform" | "on-debits" | "unknown-period" | "not-over" | "empty" }
	/** More was given back than received on a day: the format has no negative payment. */
	| { code: "negative-day"; day: Day; amount: Cents }
	/** Some of its days are in a transmission of another period. */
	| { code: "overlaps"; period: Period };

export type PrepareOutcome = { ok: true; report: StoredReport; again: boolean } | ({ ok: false } & PrepareRefusal);

/**
 * Prepares a transmission and keeps it as it is. The same content again is the same transmission; another content, as after an invoice that
 * came late, is one of the whole period in the place of what was sent (RE).
 */
export async function prepareReport(
	{ db, environment, now }: Context,
	{ flow, period, by }: { flow: Flow; period: Period; by: string },
): Promise<PrepareOutcome> {
	return db.transaction().execute(async (trx): Promise<PrepareOutcome> => {
		await lockAccounts(trx);
		const { books } = await readSettings(trx);
		const month = getMonthOfDay(period.start);
		if (books.platform === null) return { ok: false, code: "no-platform" };
		if (!listPeriods(month, flow, books.salesPeriod).some(({ start, end }) => start === period.start && end === period.end))
			return { ok: false, code: "unknown-period" };
		const content = createFlow10(flow, period, await listDocumentsOf(trx, month));
		const refusal = findRefusal(content, { onDebits: environment.invoices.vatOnDebits, today: getDay(now()) });
		if (refusal !== null) return { ok: false, ...refusal };
		const reports = await listReports(trx, flow, period);
		const other = reports.find((report) => !isSamePeriod(report, period));
		if (other !== undefined) return { ok: false, code: "overlaps", period: { start: other.start, end: other.end } };
		const last = reports.at(-1);
		const contentSha256 = hashContent(content);
		if (last?.contentSha256 === contentSha256) return { ok: true, report: last, again: true };
		const number = (last?.number ?? 0) + 1;
		const type = last === undefined ? "IN" : "RE";
		const id = createId(content, number);
		const parties = { platform: books.platform, seller: toSeller(environment) };
		const xml = writeFlow10({ id, type, at: now(), ...parties }, content);
		const report: StoredReport = { ...period, id, flow, number, type, contentSha256, xml, madeBy: by, madeAt: now() };
		await insertReport(trx, report);
		return { ok: true, report, again: false };
	});
}

/** Why there is nothing to transmit, or nothing yet. */
function findRefusal(content: Flow10, { onDebits, today }: { onDebits: boolean; today: Day }): PrepareRefusal | null {
	if (content.flow === "payments" && onDebits) return { code: "on-debits" };
	if (today <= content.period.end) return { code: "not-over" };
	if (content.days.length === 0) return { code: "empty" };
	const negative = findNegativeDay(content);
	return negative && { code: "negative-day", ...negative };
}

/** « EP-20270901-20270910-T-1 »: T for transactions, P for payments. */
const createId = ({ flow, period: { start, end } }: Flow10, number: number) =>
	["EP", start.replaceAll("-", ""), end.replaceAll("-", ""), flow === "sales" ? "T" : "P", number].join("-");

const isSamePeriod = (a: Period, b: Period) => a.start === b.start && a.end === b.end;
const hashContent = ({ days }: Flow10) => createHash("sha256").update(JSON.stringify(days)).digest("hex");

/** For e-reports. */
export const toSeller = ({ shop }: Pick<Environment, "shop">) => ({ siren: shop.siren.replace(/\D/g, ""), name: shop.legalEntity });

/** A period of a month: what was prepared for it, and whether it still holds. */
export interface ReportState {
	flow: Flow;
	period: Period;
	/** By number. */
	reports: StoredReport[];
	/** Nothing was prepared for what is known now. */
	isDue: boolean;
	/** Why it cannot be prepared now. */
	refusal: PrepareRefusal | null;
}

/** The periods of a month with what was prepared for them; none without a platform. */
export async function listReportStates(
	{ db, environment, now }: Pick<Context, "environment" | "now"> & { db: Database | Trx },
	month: Month,
	books: BooksSettings,
): Promise<ReportState[]> {
	if (books.platform === null) return [];
	const documents = await listDocumentsOf(db, month);
	const options = { onDebits: environment.invoices.vatOnDebits, today: getDay(now()) };
	const flows: Flow[] = options.onDebits ? ["sales"] : ["sales", "payments"];
	const periods = flows.flatMap((flow) => listPeriods(month, flow, books.salesPeriod).map((period) => ({ flow, period })));
	return Promise.all(periods.map(({ flow, period }) => readState(db, flow, period, { documents, ...options })));
}

async function readState(
	db: Database | Trx,
	flow: Flow,
	period: Period,
	{ documents, ...options }: { documents: readonly InvoiceData[]; onDebits: boolean; today: Day },
): Promise<ReportState> {
	const content = createFlow10(flow, period, documents);
	const reports = (await listReports(db, flow, period)).filter((report) => isSamePeriod(report, period));
	const refusal = findRefusal(content, options);
	return { flow, period, reports, isDue: reports.at(-1)?.contentSha256 !== hashContent(content), refusal };
}
