import { parseServiceCode } from "../../catalogue/services.ts";
import { type OrderErrors, type OrderValues, readOrderValues } from "../../order-form/order-form.ts";
import type { OrderDraft } from "../../orders/order.ts";
import { checkSentLines } from "../../purchase-form/check-lines.server.ts";
import { type CheckedLine, isOrderable, isOrdered, type OrderedLine } from "../../purchase-form/checked-line.ts";
import { checkPurchaseValues, completePurchase, toOrderValues } from "../../purchase-form/purchase-values.ts";
import { computePrice } from "../../purchase-form/totals.ts";
import type { PaymentShop } from "../payment-shop.ts";
import { type Checkout, type CheckoutRefusal, checkOutDrafts, createDraft } from "./start-checkout.server.ts";
import { checkOutForm, type FormCheckoutOutcome, type OpenedStoredForm } from "./start-form-checkout.server.ts";

export type PurchaseRefusal =
	| CheckoutRefusal
	/** Companies of these lines can no longer be ordered, or no line is ordered. */
	| { ok: false; code: "unorderable"; lines: CheckedLine[] }
	/** Fields of the form are invalid. */
	| { ok: false; code: "invalid-fields"; errors: OrderErrors };

export type PurchaseCheckoutOutcome = FormCheckoutOutcome | (PurchaseRefusal & { orderKey: string });

/** `amount`: what the customer saw for all lines, in cents. */
export type PurchaseCheckout = Pick<Checkout, "values" | "amount" | "consents" | "client">;

/**
 * Starts the checkout of a stored form of several orders: checks all lines against the register and the catalogue, places them as one
 * purchase, once per key of the form, and opens its payment. One line that cannot be ordered any more stops all, before anything is placed.
 */
export function startPurchaseCheckout(
	shop: PaymentShop,
	checkout: PurchaseCheckout,
	form: OpenedStoredForm,
): Promise<PurchaseCheckoutOutcome> {
	return checkOutForm<PurchaseRefusal>(shop, form, checkout.client, async (idempotencyKey) => {
		const checked = await checkPurchase(shop, checkout, form);
		return checked.ok ? checkOutDrafts(shop, checked.drafts, { idempotencyKey, client: checkout.client }) : checked;
	});
}

/** What a stored form of several orders has to pay: its values with all addresses, and its lines as the register has them now. */
export interface SentPurchase {
	values: OrderValues;
	/** Each line that was sent, orderable or not. */
	lines: CheckedLine[];
	ordered: OrderedLine[];
}

/** Reads the lines that a stored form sends to its payment. @returns null when it sends none: it is not complete yet. */
export async function readSentPurchase(
	shop: Pick<PaymentShop, "db">,
	{ fields, lines }: Pick<OpenedStoredForm, "fields" | "lines">,
): Promise<SentPurchase | null> {
	const values = readOrderValues(new URLSearchParams(fields));
	const checked = await checkSentLines({ db: shop.db, readDb: shop.db }, lines ?? [], parseServiceCode(values.service));
	if (checked.length === 0) return null;
	return { values: completePurchase(values, checked.filter(isOrderable)), lines: checked, ordered: checked.filter(isOrdered) };
}

async function checkPurchase(
	shop: PaymentShop,
	{ values, amount, consents }: PurchaseCheckout,
	form: OpenedStoredForm,
): Promise<{ ok: true; drafts: OrderDraft[] } | PurchaseRefusal> {
	const sent = await readSentPurchase(shop, form);
	if (sent === null) return { ok: false, code: "unorderable", lines: [] };
	const lost = sent.lines.filter((line) => !isOrdered(line));
	if (lost.length > 0) return { ok: false, code: "unorderable", lines: lost };
	const errors = checkPurchaseValues(values, sent.ordered);
	if (Object.keys(errors).length > 0) return { ok: false, code: "invalid-fields", errors };
	if (amount !== computePrice(sent.ordered.map(({ service }) => service))) return { ok: false, code: "wrong-amount" };
	const drafts = sent.ordered.map(({ siren, company, service, line }) =>
		createDraft(toOrderValues(sent.values, { service, siren }), {
			service,
			siren,
			companyName: company.name,
			reference: line.reference === "" ? null : line.reference,
			consents,
		}),
	);
	return { ok: true, drafts };
}
