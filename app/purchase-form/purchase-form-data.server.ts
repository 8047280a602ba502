import type { Database } from "../../server/database/database.ts";
import { type Deadlines, formatDeadlines } from "../catalogue/deadlines.ts";
import { parseServiceCode } from "../catalogue/services.ts";
import type { FormLine } from "../order-form/form-line.ts";
import type { OrderValues } from "../order-form/order-form.ts";
import type { Sales } from "../shop-settings/sales.ts";
import { addPublishedNotices, type LinesWithNotices } from "./add-published-notices.server.ts";
import { checkLines } from "./check-lines.server.ts";
import { isOrderable } from "./checked-line.ts";
import { describeShown } from "./shown-lines.server.ts";
import { computeTotals, listPromises, type Promises, type PurchaseTotals } from "./totals.ts";

export interface PurchaseShop {
	db: Database;
	readDb: Database;
	readSales: () => Promise<Sales>;
	now: () => Date;
}

/** What the form of several orders shows. */
export interface PurchaseFormData extends LinesWithNotices {
	/** `service`: of the lines that have none of their own; empty until it is chosen (docs/rules.md, R133). */
	values: OrderValues;
	/** What the page shows of the lines, for its form. */
	shown: string;
	totals: PurchaseTotals;
	/** With which the page's script sums up what is chosen. */
	promises: Promises;
	deadlines: Deadlines;
}

/** Checks the lines of a form and sums up what is ordered. */
export async function describePurchaseForm(
	shop: PurchaseShop,
	{ values, lines }: { values: OrderValues; lines: readonly FormLine[] },
): Promise<PurchaseFormData> {
	const sales = await shop.readSales();
	const service = parseServiceCode(values.service);
	const checked = await checkLines(shop, lines, service);
	const now = shop.now();
	const promises = listPromises({ now, ...sales });
	const told = await addPublishedNotices(shop.db, checked, now);
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
