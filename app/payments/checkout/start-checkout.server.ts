import type { Context } from "../../../server/runtime.ts";
import { isPosted, parseServiceCode, type ServiceCode, services } from "../../catalogue/services.ts";
import { textVersions } from "../../catalogue/text-versions.ts";
import { findCompany } from "../../companies/find-company.server.ts";
import { parseSiren } from "../../companies/siren.ts";
import { remindToPay } from "../../order-emails/queue-order-email.server.ts";
import { checkField, type OrderField, type OrderValues } from "../../order-form/order-form.ts";
import { isPayable } from "../../orders/lifecycle.ts";
import type { Order, OrderDraft } from "../../orders/order.ts";
import { type LimitedOrder, type LimitName, placeOrderWithinLimits } from "../../orders/place-order.server.ts";
import type { PaymentShop } from "../payment-shop.ts";
import type { Attempt } from "../payments.store.server.ts";
import { insertFirstAttempt, type OpenedSession, requestSession } from "./open-session.server.ts";
import { refreshOrder, resumePayment } from "./resume-payment.server.ts";

export interface Checkout {
	/** As the form or the API brought them: checked here, once, for both. */
	values: OrderValues;
	/** The price in cents that the caller was shown: refused when the catalogue says otherwise. */
	amount: number;
	deliveryMethod: string;
	/** null when the caller showed no boxes: the order then keeps its right of withdrawal. */
	consents: { terms: boolean; waiveWithdrawal: boolean; textVersion: string } | null;
	idempotencyKey: string | null;
	/** The key of the client who orders. */
	client: string;
}

export type StartedCheckout = { ok: true; url: string; orderId: string } | CheckoutRefusal;

interface WrongCheckout {
	ok: false;
	code: "unknown-service" | "unknown-company" | "no-extract" | "terms-not-accepted" | "wrong-amount" | "wrong-delivery";
}

export type CheckoutRefusal =
	| WrongCheckout
	/** A field does not hold: checkField says why. */
	| { ok: false; code: "invalid-field"; field: OrderField }
	/** The idempotency key belongs to another order. */
	| { ok: false; code: "key-reused" }
	/** Too many orders within the hour. `retryAfter`: seconds. */
	| { ok: false; code: "limited"; by: LimitName; retryAfter: number; retryFrom: Date }
	| { ok: false; code: "already-paid" }
	/** The order is recorded, and its customer receives a link to pay it. */
	| Extract<OpenedSession, { ok: false }>;

/**
 * From a filled form to the provider's payment page: checks everything against the register and the catalogue,
 * inserts the order (once per key), opens its payment session.
 * @returns the URL of the payment page and the order.
 */
export async function startCheckout(shop: PaymentShop, checkout: Checkout): Promise<StartedCheckout> {
	const checked = await checkCheckout(shop, checkout);
	if (!checked.ok) return checked;
	const placed = await placeWithAttempt(shop, checked.draft, checkout);
	if (!placed.ok) return placed;
	const { order, attempt } = placed;
	const { client } = checkout;
	const opened = attempt ? await requestSession(shop, { order, attempt, client }) : await payAgain(shop, order, client);
	if (opened.ok) return { ok: true, url: opened.url, orderId: order.id };
	if (opened.code !== "already-paid") await shop.db.transaction().execute((trx) => remindToPay(shop, trx, order.id));
	return opened;
}

/** @returns the order to insert, or the first thing that does not hold. */
async function checkCheckout(
	{ db }: Context,
	{ values, amount, deliveryMethod, consents }: Checkout,
): Promise<{ ok: true; draft: OrderDraft } | CheckoutRefusal> {
	const refuse = (code: WrongCheckout["code"]): WrongCheckout => ({ ok: false, code });
	const service = parseServiceCode(values.service);
	const siren = parseSiren(values.siren);
	if (service === null) return refuse("unknown-service");
	if (siren === null) return refuse("unknown-company");
	const field = fieldsToCheck(values, service).find((name) => checkField(name, values[name]) !== undefined);
	if (field) return { ok: false, code: "invalid-field", field };
	if (consents && !consents.terms) return refuse("terms-not-accepted");
	const { price, deliveryMethod: ours } = services[service];
	if (amount !== price) return refuse("wrong-amount");
	if (deliveryMethod !== ours) return refuse("wrong-delivery");
	const company = await findCompany(db, siren);
	if (company === null) return refuse("unknown-company");
	if (company.eligibility === "none") return refuse("no-extract");

	const given = (text: string) => (text === "" ? null : text);
	const draft = {
		service,
		siren,
		companyName: company.name ?? "Entreprise",
		email: values.email,
		firstName: values.firstName,
		lastName: values.lastName,
		phone: given(values.phone),
		address: given(values.address),
		postalCode: given(values.postalCode),
		city: given(values.city),
		billingCompany: given(values.company),
		deliveryEmail: given(values.deliveryEmail),
		newsletter: values.newsletter !== "",
		consents,
	};
	return { ok: true, draft };
}

/** Only a letter needs an address; the boxes are the caller's to show. */
function fieldsToCheck(values: OrderValues, service: ServiceCode): OrderField[] {
	const always: OrderField[] = ["email", "firstName", "lastName", "phone", "company", "deliveryEmail"];
	const address: OrderField[] = ["address", "postalCode", "city"];
	return [...always, ...address.filter((field) => isPosted(service) || values[field] !== "")];
}

/** Inserts the order within the limits, with its first attempt to pay. A key that is used again finds its order, without an attempt. */
async function placeWithAttempt(
	shop: PaymentShop,
	draft: OrderDraft,
	{ idempotencyKey: key, client }: Checkout,
): Promise<{ ok: true; order: Order; attempt: Attempt | null } | CheckoutRefusal> {
	const placed = await shop.db.transaction().execute(async (trx) => {
		const made = await placeOrderWithinLimits(trx, draft, { key, client, limits: shop.environment.orderLimits, now: shop.now() });
		return made.ok ? { ...made, attempt: made.isNew ? await insertFirstAttempt(shop, trx, made.order) : null } : made;
	});
	return !placed.ok && placed.code === "limited" ? refuseForNow(shop, placed) : placed;
}

/** Seconds between two alarms that the whole shop is at its limit: a flood would else fill the log with them. */
const alarmInterval = 600;

const minute = 60_000;

async function refuseForNow({ limits, log, now }: Context, { by, retryAfter }: LimitedOrder): Promise<CheckoutRefusal> {
	if (by === "shop" && (await limits("order-alarm", 1, alarmInterval).take("shop")).ok)
		log.error({ retryAfter }, "the shop is at its limit of orders an hour");
	const retryFrom = new Date(Math.ceil((now().getTime() + retryAfter * 1000) / minute) * minute);
	return { ok: false, code: "limited", by, retryAfter, retryFrom };
}

/** The same key again: the order may have been paid since, or its session have run out. */
async function payAgain(shop: PaymentShop, placed: Order, client: string): Promise<OpenedSession | { ok: false; code: "already-paid" }> {
	const order = (await refreshOrder(shop, placed.id)) ?? placed;
	return isPayable(order) ? resumePayment(shop, order, client) : { ok: false, code: "already-paid" };
}

/** The consents of a form that shows the two boxes. */
export function readConsents(values: OrderValues): NonNullable<Checkout["consents"]> {
	return { terms: values.acceptTerms !== "", waiveWithdrawal: values.waiveWithdrawal !== "", textVersion: textVersions.terms.date };
}
