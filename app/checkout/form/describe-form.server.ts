import { randomUUID } from "node:crypto";
import type { Database } from "../../../server/database/database.ts";
import { type Deadlines, formatDeadlines } from "../../catalogue/deadlines.ts";
import { describeMeansOfPayment, type PaymentTexts } from "../../catalogue/means-of-payment.ts";
import { paperNotice, parseServiceCode } from "../../catalogue/services.ts";
import type { Sales } from "../../catalogue/settings/sales.ts";
import { addPublishedNotices, type LinesWithNotices } from "./lines/add-published-notices.server.ts";
import { checkLines } from "./lines/check-lines.server.ts";
import { isOrderable } from "./lines/checked-line.ts";
import { maxLines } from "./lines/line-fields.ts";
import { describeWrong, type ListMessage } from "./lines/line-sentences.ts";
import { describeShown } from "./lines/shown-lines.server.ts";
import { computeTotals, listPromises, type Promises, type PurchaseTotals } from "./lines/totals.ts";
import type { OrderValues } from "./order-form.ts";
import type { OrderForm } from "./order-forms.server.ts";

export interface FormShop {
	db: Database;
	readDb: Database;
	readSales: () => Promise<Sales>;
	now: () => Date;
	provider: { texts: PaymentTexts };
}

/** What the form shows of its lines and of what they cost. */
export interface FormPageData extends LinesWithNotices {
	/** Of this content: the fields of another are drawn anew. */
	id: string;
	/** The lines stand in a list; else the form has one, or none before its company is chosen. */
	hasList: boolean;
	/** `service`: of the lines that have none of their own; empty until it is chosen (docs/rules.md, R133). */
	values: OrderValues;
	/** What the page shows of the lines, for its form. */
	shown: string;
	/** What is said above a list of some of its lines. */
	messages: readonly ListMessage[];
	/** The rows of its list that name no company. */
	leftOut: readonly string[];
	totals: PurchaseTotals;
	/** With which the page sums up what is chosen. */
	promises: Promises;
	deadlines: Deadlines;
	/** Beside the address of a letter. */
	letterHint: string;
	/** How the order can be paid (docs/rules.md, R200). */
	meansOfPayment: string;
	/** Claims that hold for this installation: « Traitement sécurisé ». */
	assurances: readonly string[];
}

/**
 * Checks the lines of a form and sums up what is ordered.
 * @param tellsNotices with what was published about the companies. Where one company is chosen in the form, the payment page tells it.
 */
export async function describeForm(
	shop: FormShop,
	{ values, lines, leftOut = [] }: OrderForm,
	{ hasList, tellsNotices = hasList }: { hasList: boolean; tellsNotices?: boolean },
): Promise<FormPageData> {
	const sales = await shop.readSales();
	const service = parseServiceCode(values.service);
	const checked = await checkLines(shop, lines, service);
	const now = shop.now();
	const promises = listPromises(now, sales, hasList ? maxLines : 1);
	const told = tellsNotices ? await addPublishedNotices(shop.db, checked, now) : { lines: checked, noticeSource: null };
	const deadlines = formatDeadlines(now, sales);
	const ordered = checked.filter(isOrderable).map((line) => line.service);
	return {
		id: randomUUID(),
		hasList,
		values: { ...values, service: service ?? "" },
		...told,
		shown: describeShown(checked),
		messages: hasList ? describeWrong(checked) : [],
		leftOut,
		totals: computeTotals(ordered, promises),
		promises,
		deadlines,
		letterHint: ["Le courrier sera posté à cette adresse.", deadlines.postal.arrival, paperNotice].filter(Boolean).join(" "),
		meansOfPayment: describeMeansOfPayment(shop.provider.texts),
		assurances: ["Traitement sécurisé", shop.provider.texts.assurance],
	};
}
