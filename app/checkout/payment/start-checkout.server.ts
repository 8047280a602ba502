import type { Context } from "../../../server/runtime.ts";
import { isPosted, type ServiceCode } from "../../catalogue/services.ts";
import { textVersions } from "../../catalogue/text-versions.ts";
import { readSiren } from "../../companies/company-numbers.ts";
import { getSirenOfVatNumber, parseVatNumber } from "../../companies/vat-number.ts";
import { queueOrderEmail } from "../../emails/queue-order-email.server.ts";
import { isPayable } from "../../orders/lifecycle.ts";
import type { Order, OrderDraft } from "../../orders/order.ts";
import { findOrderByKey } from "../../orders/orders.store.server.ts";
import { type LimitName, type LimitRefusal, placePurchaseWithinLimits } from "../../orders/place-purchase.server.ts";
import type { PaymentShop } from "../../payments/payment-shop.ts";
import type { Attempt } from "../../payments/payments.store.server.ts";
import { checkFormValues, toOrderValues } from "../form/form-values.ts";
import { checkForm } from "../form/lines/check-lines.server.ts";
import { type CheckedLine, isOrdered, type OrderedLine } from "../form/lines/checked-line.ts";
import { computePrice } from "../form/lines/totals.ts";
import { checkOrder, type OrderErrors, type OrderField, type OrderValues, termsRequired } from "../form/order-form.ts";
import type { OrderForm } from "../form/order-forms.server.ts";
import { checkRead } from "../form/read-values.server.ts";
import { checkSales, refreshOffers, type SalesRefusal, type Sold } from "./check-sales.server.ts";
import { insertFirstAttempt, type OpenSessionOutcome, requestSession } from "./open-session.server.ts";
import { refreshOrder, resumePayment } from "./resume-payment.server.ts";

export interface Checkout extends OrderForm {
	/** What the customer saw for all lines, in cents; refused when it is not the catalogue's. */
	amount: number;
	/** The latest hour that the customer saw, in milliseconds since 1970; null, or nothing, when none was shown. */
	until?: number | null;
	/** null when no boxes were shown: the customer then keeps the right of withdrawal. */
	consents: { terms: boolean; waiveWithdrawal: boolean; textVersion: string } | null;
	idempotencyKey: string | null;
	/** The client's key for the limits. */
	client: string;
}

/** `orderId`: of the first order. */
export type CheckoutOutcome = { ok: true; url: string; orderId: string } | CheckoutRefusal;

export type CheckoutRefusal =
	/** These lines cannot be ordered: their company is unknown or has no extract, or no service is chosen. None: nothing is ordered. */
	| { ok: false; code: "unorderable"; lines: CheckedLine[] }
	/** Fields of the whole purchase are invalid, with the reason of each. */
	| { ok: false; code: "invalid-fields"; errors: OrderErrors }
	| { ok: false; code: "wrong-amount" }
	/** An hour became later than those that the customer saw. */
	| { ok: false; code: "later-hour" }
	/** The idempotency key was used for another order. */
	| { ok: false; code: "key-reused" }
	/** Too many orders within the hour. `retryAfter`: seconds. */
	| { ok: false; code: "limited"; by: LimitName; retryAfter: number; retryFrom: Date }
	| { ok: false; code: "already-paid" }
	/** The order is recorded, and its customer receives a link to pay it, unless the address is refused. */
	| (Extract<OpenSessionOutcome, { ok: false; code: "not-payable" | "unavailable" | "refused" | "email-refused" | "no-url" }> & {
			orderId: string;
	  })
	/** The shop or this service is closed for now. */
	| SalesRefusal;

/**
 * Turns a filled form into a purchase with a payment session: checks its lines against the register and the catalogue, inserts an order for
 * each (once per key), and opens the session. One line that cannot be ordered stops all, before anything is placed.
 * @returns the URL of the payment page and the first order's id.
 */
export async function startCheckout(shop: PaymentShop, checkout: Checkout): Promise<CheckoutOutcome> {
	const checked = await checkCheckout(shop, checkout);
	return checked.ok ? checkOutDrafts(shop, checked.drafts, checkout) : checked;
}

/** Places checked drafts as a purchase, once per key, and opens its payment session. */
export async function checkOutDrafts(
	shop: PaymentShop,
	drafts: readonly OrderDraft[],
	{ idempotencyKey, client, until = null }: Pick<Checkout, "idempotencyKey" | "client" | "until">,
): Promise<CheckoutOutcome> {
	const placed = await placeWithAttempt(shop, drafts, { idempotencyKey, client, until });
	if (!placed.ok) return placed;
	const { orders, attempt } = placed;
	if (attempt === null) return resumeCheckout(shop, orders[0], client);
	return toOutcome(shop, orders[0], await requestSession(shop, { orders, attempt, client }));
}

/**
 * Resumes the checkout of a purchase that is placed already, by one of its orders: it may have been paid since, or its session may have
 * expired.
 */
export async function resumeCheckout(shop: PaymentShop, placed: Order, client: string): Promise<CheckoutOutcome> {
	const order = await refreshOrder(shop, placed.id);
	if (order === null) return { ok: false, code: "not-payable", orderId: placed.id }; // deleted meanwhile
	if (!isPayable(order)) return { ok: false, code: "already-paid" };
	return toOutcome(shop, order, await resumePayment(shop, order, client));
}

/** The customer of an order whose payment page cannot be opened gets a reminder; not at an address that the provider refuses. */
async function toOutcome(shop: PaymentShop, order: Order, opened: OpenSessionOutcome): Promise<CheckoutOutcome> {
	if (opened.ok) return { ok: true, url: opened.url, orderId: order.id };
	if ("sentence" in opened) return opened; // nothing to remind of: the customer knows why
	if (opened.code !== "email-refused")
		await shop.db.transaction().execute((trx) => queueOrderEmail(shop, trx, { orderId: order.purchase_id, kind: "resume" }));
	return { ...opened, orderId: order.id };
}

/** @returns the orders to insert, or the first refusal. */
async function checkCheckout(
	shop: PaymentShop,
	{ values, lines, amount, consents }: Checkout,
): Promise<{ ok: true; drafts: OrderDraft[] } | CheckoutRefusal> {
	const checked = await checkForm(shop, { values, lines });
	const lost = checked.lines.filter((line) => !isOrdered(line));
	if (checked.ordered.length === 0 || lost.length > 0) return { ok: false, code: "unorderable", lines: lost };
	const errors = { ...checkRead(values), ...checkValues(values, checked.ordered) };
	if (consents && !consents.terms) errors.acceptTerms = termsRequired;
	if (Object.keys(errors).length > 0) return { ok: false, code: "invalid-fields", errors };
	if (amount !== computePrice(checked.ordered.map(({ service }) => service))) return { ok: false, code: "wrong-amount" };
	const drafts = checked.ordered.map(({ siren, company, service, line }) =>
		createDraft(toOrderValues(checked.values, { service, siren }), {
			service,
			siren,
			companyName: company.name,
			consents,
			reference: line.reference === "" ? null : line.reference,
		}),
	);
	return { ok: true, drafts };
}

/** Our form asks for all fields; a link or the API only for those that its service needs. */
function checkValues(values: OrderValues, ordered: readonly OrderedLine[]): OrderErrors {
	if (values.billTo !== "") return checkFormValues(values, ordered);
	const services = ordered.map(({ service }) => service);
	return checkOrder(values, fieldsOfLink(values, services), services);
}

/** @param given the values with all addresses filled in. @param checked what they name, as found in the catalogue and the register. */
export function createDraft(
	given: OrderValues,
	checked: Pick<OrderDraft, "service" | "siren" | "companyName" | "reference" | "consents">,
): OrderDraft {
	const nullIfEmpty = (text: string) => (text === "" ? null : text);
	const billingVat = parseVatNumber(given.billingVat);
	return {
		service: checked.service,
		siren: checked.siren,
		companyName: checked.companyName,
		reference: checked.reference,
		email: given.email,
		firstName: given.firstName,
		lastName: given.lastName,
		phone: nullIfEmpty(given.phone),
		address: nullIfEmpty(given.address),
		postalCode: nullIfEmpty(given.postalCode),
		city: nullIfEmpty(given.city),
		billingCompany: nullIfEmpty(given.company),
		deliveryEmail: nullIfEmpty(given.deliveryEmail),
		newsletter: given.newsletter !== "",
		consents: checked.consents,
		billingSiren: readSiren(given.billingSiren) ?? (billingVat && getSirenOfVatNumber(billingVat)),
		billingVat,
		deliveryName: nullIfEmpty(given.deliveryName),
		deliveryComplement: nullIfEmpty(given.deliveryComplement),
		deliveryAddress: nullIfEmpty(given.deliveryAddress),
		deliveryPostalCode: nullIfEmpty(given.deliveryPostalCode),
		deliveryCity: nullIfEmpty(given.deliveryCity),
	};
}

const alwaysChecked: readonly OrderField[] = [
	...(["email", "firstName", "lastName", "phone", "company", "billingSiren", "billingVat"] as const),
	...(["deliveryEmail", "deliveryName", "deliveryComplement", "deliveryAddress", "deliveryPostalCode", "deliveryCity"] as const),
];
const address: readonly OrderField[] = ["address", "postalCode", "city"];

/** The postal address only for a letter, for a company's invoice, or when it is given. */
function fieldsOfLink(values: OrderValues, ordered: readonly ServiceCode[]): OrderField[] {
	const asked = ordered.some(isPosted) || values.billingSiren !== "" || values.billingVat !== "";
	return [...alwaysChecked, ...address.filter((field) => asked || values[field] !== "")];
}

/** Inserts the purchase within the limits, with its first payment attempt. A repeated key returns its orders, without an attempt. */
async function placeWithAttempt(
	shop: PaymentShop,
	drafts: readonly OrderDraft[],
	{ idempotencyKey: key, client, until = null }: Pick<Checkout, "idempotencyKey" | "client" | "until">,
): Promise<{ ok: true; orders: [Order, ...Order[]]; attempt: Attempt | null } | CheckoutRefusal> {
	const terms = await shop.recordTerms();
	const placed = await shop.db.transaction().execute(async (trx) => {
		const sold = await checkSales(shop, trx, { services: drafts.map(({ service }) => service), purchaseId: null });
		// a repeated key places nothing: openSession checks its purchase
		const refusal = sold.ok ? refuseLaterHour(sold, until) : sold;
		if (refusal !== null && (key === null || (await findOrderByKey(trx, key)) === null)) return refusal;
		const limits = shop.environment.orderLimits;
		const placed = await placePurchaseWithinLimits(shop, trx, drafts, { key, client, limits, terms, now: shop.now() });
		if (!placed.ok) return placed;
		const attempt = placed.isNew ? await insertFirstAttempt(shop, trx, placed.orders, { sold, client }) : null;
		return { ...placed, attempt };
	});
	if (!placed.ok) await refreshOffers(shop, placed);
	return !placed.ok && placed.code === "limited" ? toLimitedRefusal(shop, placed) : placed;
}

/** Nothing is sold at an hour that nobody saw. The catalogue's own hour, which moves with the clock, was shown « for a payment now ». */
const refuseLaterHour = ({ latest }: Sold, until: number | null): Extract<CheckoutRefusal, { code: "later-hour" }> | null =>
	until !== null && latest > until ? { ok: false, code: "later-hour" } : null;

/** Seconds between two log lines about the shop's limit, so that a flood does not fill the log. */
const alarmInterval = 600;

const minute = 60_000;

async function toLimitedRefusal({ limits, log, now }: Context, { by, retryAfter }: LimitRefusal): Promise<CheckoutRefusal> {
	if (by === "shop" && (await limits("order-alarm", 1, alarmInterval).take("shop")).ok)
		log.error({ retryAfter }, "the shop is at its limit of orders an hour");
	const retryFrom = new Date(Math.ceil((now().getTime() + retryAfter * 1000) / minute) * minute);
	return { ok: false, code: "limited", by, retryAfter, retryFrom };
}

/** Reads the consents of a form that shows the two boxes. */
export function readConsents(values: OrderValues): NonNullable<Checkout["consents"]> {
	return { terms: values.acceptTerms !== "", waiveWithdrawal: values.waiveWithdrawal !== "", textVersion: textVersions.terms.date };
}
