import type { Database } from "../../server/database/database.ts";
import { type Deadlines, formatDeadlines } from "../catalogue/deadlines.ts";
import { parseServiceCode } from "../catalogue/services.ts";
import type { Sales } from "../shop-settings/sales.ts";
import type { FormLine } from "./form-line.ts";
import { addPublishedNotices, type LinesWithNotices } from "./lines/add-published-notices.server.ts";
import { checkLines } from "./lines/check-lines.server.ts";
import { isOrderable } from "./lines/checked-line.ts";
import { describeShown } from "./lines/shown-lines.server.ts";
import { computeTotals, listPromises, type Promises, type PurchaseTotals } from "./lines/totals.ts";
import type { OrderValues } from "./order-form.ts";

export interface FormShop {
	db: Database;
	readDb: Database;
	readSales: () => Promise<Sales>;
	now: () => Date;
}

/** What the form shows of its lines and of what they cost. */
export interface FormPageData extends LinesWithNotices {
	/** `service`: of the lines that have none of their own; empty until it is chosen (docs/rules.md, R133). */
	values: OrderValues;
	/** What the page shows of the lines, for its form. */
	shown: string;
	totals: PurchaseTotals;
	/** With which the page's script sums up what is chosen. */
	promises: Promises;
	deadlines: Deadlines;
}

/** Checks the lines of a form and sums up what is ordered. @param tellsNotices with what was published about the companies. */
export async function describeForm(
	shop: FormShop,
	{ values, lines }: { values: OrderValues; lines: readonly FormLine[] },
	{ tellsNotices }: { tellsNotices: boolean },
): Promise<FormPageData> {
	const sales = await shop.readSales();
	const service = parseServiceCode(values.service);
	const checked = await checkLines(shop, lines, service);
	const now = shop.now();
	const promises = listPromises({ now, ...sales });
	const told = tellsNotices ? await addPublishedNotices(shop.db, checked, now) : { lines: checked, noticeSource: null };
	const ordered = checked.filter(isOrderable).map((line) => line.service);
	return {
		values: { ...values, service: service ?? "" },
		...told,
		shown: describeShown(checked),
		totals: computeTotals(ordered, promises),
		promises,
		deadlines: formatDeadlines(now, sales.calendar, sales.closed),
	};
}
