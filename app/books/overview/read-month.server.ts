import type { StorageContext } from "../../orders/documents/storage.ts";
import { checkMonth } from "../checks/check-month.server.ts";
import type { Finding } from "../checks/finding.ts";
import { getMonthHash } from "../closing/close-month.server.ts";
import { type Closing, findClosing } from "../closing/closings.store.server.ts";
import { listInvoicesOfMonth, listMargins } from "../files/files.store.server.ts";
import { type Margin, sumMargins } from "../files/margin.ts";
import type { VatDifference } from "../files/vat-difference.ts";
import type { VatOfRate } from "../files/vat-statement.ts";
import { addToMonth, getBounds, getMonth, type Month } from "../month.ts";
import { readVat, readVatDifference } from "../read-vat.server.ts";
import { listMonthSums, type MonthSums } from "./month-sums.store.server.ts";

export { findLastUpdate } from "./month-sums.store.server.ts";

/** Months that the overview shows. */
const shownYears = 3;

/** The months of the last years, the newest first. */
export async function listMonths({ db, now }: Pick<StorageContext, "db" | "now">): Promise<MonthSums[]> {
	const until = getMonth(now());
	return listMonthSums(db, { since: addToMonth(until, { years: -shownYears }), until });
}

export interface MonthDetail {
	sums: MonthSums;
	rates: VatOfRate[];
	vatDifference: VatDifference;
	margin: Margin;
	invoices: number;
	/** Whether the month is over. */
	over: boolean;
	findings: Finding[];
	closing: Closing | null;
	/** What the operator looks at: the closing is refused when it has changed. */
	hash: string;
}

/** Everything that an operator looks at before they close a month; null without entries. */
export async function readMonth(context: StorageContext, month: Month): Promise<MonthDetail | null> {
	const { db, environment, now } = context;
	const [sums] = await listMonthSums(db, { since: month, until: month });
	if (sums === undefined) return null;
	const closing = await findClosing(db, month);
	const costs = { usualCost: environment.officialPrice.cents, asOf: closing?.closedAt ?? null };
	const [vat, vatDifference, margins, invoices, findings, hash] = await Promise.all([
		readVat(db, month),
		readVatDifference(db, month),
		listMargins(db, month, costs),
		listInvoicesOfMonth(db, month),
		checkMonth(db, month),
		getMonthHash(db, month),
	]);
	const over = now() >= getBounds(month).until;
	const margin = sumMargins(margins);
	return { sums, rates: vat.rates, vatDifference, margin, invoices: invoices.length, over, findings, closing, hash };
}
