import { type ServiceCode, serviceCodes } from "../../catalogue/services.ts";
import { suggestEmails } from "../../order-form/answer-order-form.server.ts";
import type { OpenedForm } from "../../order-form/order-forms.server.ts";
import { addPublishedNotices } from "../../purchase-form/add-published-notices.server.ts";
import { type CheckedLine, isOrdered } from "../../purchase-form/checked-line.ts";
import { chooseService, describeProblem } from "../../purchase-form/line-sentences.ts";
import { computeTotals, listPromises, type PurchaseTotals } from "../../purchase-form/totals.ts";
import type { Sales } from "../../shop-settings/sales.ts";
import { describeRefusal } from "../../shop-settings/sales-sentences.ts";
import type { PaymentShop } from "../payment-shop.ts";
import { describeCustomer, describeSentLines, type PaymentCustomer } from "./payment-customer.ts";
import { readSentPurchase } from "./start-purchase-checkout.server.ts";

/** A line on the payment page. */
export interface PaidLine {
	place: number;
	name: string;
	siren: string;
	reference: string;
	service: ServiceCode;
	/** What the customer should know before paying. */
	notices: string[];
}

export interface PurchasePayment {
	customer: PaymentCustomer;
	lines: PaidLine[];
	/** The sentence that names the source of published notices; null without any. */
	noticeSource: string | null;
	/** Sentences about lines that can no longer be ordered: nothing can be paid before the form is changed. */
	lost: string[];
	totals: PurchaseTotals;
	/** Why a service cannot be ordered now. */
	closed: string | null;
	/** A service can be ordered now. */
	hasOther: boolean;
}

/** Reads what a stored form of several orders has to pay, as one browser may see it. @returns null when it was not sent yet. */
export async function readPurchasePayment(
	shop: Pick<PaymentShop, "db" | "now"> & { readSales: () => Promise<Sales> },
	{ shown, lines, isMasked }: Pick<OpenedForm, "shown" | "lines" | "isMasked">,
): Promise<PurchasePayment | null> {
	const [sent, sales] = await Promise.all([readSentPurchase(shop, { fields: shown, lines }), shop.readSales()]);
	if (sent === null) return null;
	const now = shop.now();
	const services = sent.ordered.map(({ service }) => service);
	const told = await addPublishedNotices(shop.db, sent.ordered, now);
	const totals = computeTotals(services, listPromises({ now, ...sales }));
	const closed = services.find((service) => service in sales.closed);
	return {
		customer: describeCustomer(sent.values, describeSentLines(totals.services), { meant: suggestEmails(sent.values), isMasked }),
		lines: told.lines.filter(isOrdered).map(({ place, siren, company, line, service }) => ({
			...{ place, siren, name: company.name, reference: line.reference, service },
			notices: company.notices.map(({ title, text }) => `${title}. ${text}`),
		})),
		noticeSource: told.noticeSource,
		lost: sent.lines.filter((line) => !isOrdered(line)).map(describeLostLine),
		totals,
		closed: closed ? describeRefusal(closed, { ...sales, now }) : null,
		hasOther: serviceCodes.some((code) => !(code in sales.closed)),
	};
}

/** « Ligne 3, DANONE : … » */
export function describeLostLine({ place, company, line, problem }: CheckedLine): string {
	const name = company?.name ?? line.company;
	return `Ligne ${place}, ${name}\u00a0: ${problem ? describeProblem(problem) : chooseService}`;
}
